"""The same as `course`, in fractions and state by state: nothing is rounded, not even in the last place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from winded.odds.course import CALLED, REFUSED, SPENT, SUCCEEDED, TAKEN, WANTED, Chooser
from winded.odds.plans import Fighting, Give, Maybe, Move, Node, Plan, Then, Want
from winded.odds.seat import Seat

Mass = dict[int, Fraction]
"""The chance of each state, for those that have one."""
Counted = dict[tuple[int, str], Fraction]
"""What is expected of each measure of `course.MEASURES` and each kind of spend."""


def walk_exactly(seat: Seat, plans: Sequence[Plan], chooser: Chooser, stamina: int) -> tuple[list[Mass], list[Counted]]:
    """The chances of all states before the first step and after each, and what is counted in each step."""
    walked: list[Mass] = [{seat.starts[stamina]: Fraction(1)}]
    counted: list[Counted] = []
    for step, plan in enumerate(plans):
        carrying = _Carrying(seat, chooser, plan, step)
        walked.append(carrying.carry(plan.node, walked[-1]))
        counted.append(carrying.counted)
    return walked, counted


class _Carrying:
    def __init__(self, seat: Seat, chooser: Chooser, plan: Plan, step: int) -> None:
        self.seat = seat
        self.chooser = chooser
        self.plan = plan
        self.step = step
        self.counted: Counted = {}

    def carry(self, node: Node, mass: Mass) -> Mass:
        match node:
            case Then():
                for one in node.nodes:
                    mass = self.carry(one, mass)
                return mass
            case Maybe():
                then = self.carry(node.then, {state: chance * node.chance for state, chance in mass.items()})
                return _joined({state: chance * (1 - node.chance) for state, chance in mass.items()}, then)
            case Fighting():
                on = {state: chance for state, chance in mass.items() if self.seat.tables[state].combat is not None}
                return _joined({state: mass[state] for state in mass.keys() - on.keys()}, self.carry(node.then, on))
            case Give() | Move():
                rows = self.seat.ways(node).rows
                return _gathered((rows[state][0], chance) for state, chance in mass.items())
            case Want():
                return self._spend(node, mass)

    def _spend(self, want: Want, mass: Mass) -> Mass:
        ways = self.seat.ways(want)
        chosen = self.chooser.choices(self.seat, want, ways, self.plan, self.step)
        place = {state: at for at, state in enumerate(ways.rows)}
        after: list[tuple[int, Fraction]] = []
        for state, chance in mass.items():
            option, refused = int(chosen.option[place[state]]), bool(chosen.refused[place[state]])
            to = ways.rows[state][option]
            spent = self.seat.character(state).stamina - self.seat.character(to).stamina
            for measure, count in (
                (CALLED, 1), (WANTED, option > 0 or refused), (REFUSED, refused), (TAKEN, option > 0), (SPENT, spent),
            ):  # fmt: skip
                self._count(measure, want.kind, chance * int(count))
            if state in ways.odds:
                self._count(SUCCEEDED, want.kind, chance * ways.odds[state].pushes[option].chance)
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
