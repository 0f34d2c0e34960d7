"""The same as `forward`, in fractions and state by state: nothing is rounded, not even in the last place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from winded.odds.forecasts.decision_tree import Advance, Chance, Decision, Forced, InOrder, Node, Stage, WhileFighting
from winded.odds.forecasts.forward import CALLED, REFUSED, SPENT, SUCCEEDED, TAKEN, WANTED, Policy
from winded.odds.forecasts.states import StateSpace

Mass = dict[int, Fraction]
"""The chance of each state, for those that have one."""
Counted = dict[tuple[int, str], Fraction]
"""What is expected of each measure of `forward.MEASURES` and each kind of spend."""


def walk_exactly(
    space: StateSpace, stages: Sequence[Stage], policy: Policy, stamina: int
) -> tuple[list[Mass], list[Counted]]:
    """The chances of all states before the first step and after each, and what is counted in each step."""
    walked: list[Mass] = [{space.starts[stamina]: Fraction(1)}]
    counted: list[Counted] = []
    for step, stage in enumerate(stages):
        propagation = _ExactPropagation(space, policy, stage, step)
        walked.append(propagation.carry(stage.node, walked[-1]))
        counted.append(propagation.counted)
    return walked, counted


class _ExactPropagation:
    def __init__(self, space: StateSpace, policy: Policy, stage: Stage, step: int) -> None:
        self.space = space
        self.policy = policy
        self.stage = stage
        self.step = step
        self.counted: Counted = {}

    def carry(self, node: Node, mass: Mass) -> Mass:
        match node:
            case InOrder():
                for one in node.nodes:
                    mass = self.carry(one, mass)
                return mass
            case Chance():
                then = self.carry(node.then, {state: chance * node.chance for state, chance in mass.items()})
                return _joined({state: chance * (1 - node.chance) for state, chance in mass.items()}, then)
            case WhileFighting():
                on = {state: chance for state, chance in mass.items() if self.space.tables[state].combat is not None}
                return _joined({state: mass[state] for state in mass.keys() - on.keys()}, self.carry(node.then, on))
            case Forced() | Advance():
                rows = self.space.transitions(node).rows
                return _gathered((rows[state][0], chance) for state, chance in mass.items())
            case Decision():
                return self._spend(node, mass)

    def _spend(self, decision: Decision, mass: Mass) -> Mass:
        transitions = self.space.transitions(decision)
        chosen = self.policy.choices(self.space, decision, transitions, self.stage, self.step)
        place = {state: at for at, state in enumerate(transitions.rows)}
        after: list[tuple[int, Fraction]] = []
        for state, chance in mass.items():
            option, lacking = int(chosen.option[place[state]]), int(chosen.lacking[place[state]])
            to = transitions.rows[state][option]
            spent = self.space.character(state).stamina - self.space.character(to).stamina
            for measure, count in (
                (CALLED, 1), (WANTED, int(option + lacking > 0)), (TAKEN, int(option > 0)), (SPENT, spent),
                (REFUSED, Fraction(lacking, max(option + lacking, 1))),
            ):  # fmt: skip
                self._count(measure, decision.kind, chance * count)
            if state in transitions.odds:
                self._count(SUCCEEDED, decision.kind, chance * transitions.odds[state].pushes[option].chance)
            after.append((to, chance))
        return _gathered(after)

    def _count(self, measure: int, kind: str, expected: Fraction) -> None:
        self.counted[measure, kind] = self.counted.get((measure, kind), Fraction(0)) + expected


def _gathered(parts: Iterable[tuple[int, Fraction]]) -> Mass:
    gathered: Mass = {}
    for state, chance in parts:
        gathered[state] = gathered.get(state, Fraction(0)) + chance
    return gathered


def _joined(one: Mass, other: Mass) -> Mass:
    return _gathered([*one.items(), *other.items()])
