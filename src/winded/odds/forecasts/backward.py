"""Backward through a day: the worth of every state before each step, from the worth of the day's end.

Before each step every state is worth the most that can still come of it: the best of spending and of keeping, averaged
over what may happen. That is exact for the day as described. Of equals, what gains something now is advised before what
gains it later, and a smaller push before a larger one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winded.odds.day.model import Values
from winded.odds.forecasts.decision_tree import (
    Advance,
    Chance,
    Decision,
    Forced,
    InOrder,
    Node,
    Stage,
    WhileFighting,
)
from winded.odds.forecasts.forward import Policy
from winded.odds.forecasts.states import Array, Decisions, Numbers, StateSpace, Transitions

_AS_GOOD = 1e-9
"""Worths that differ by less than this are the same."""


class AdvisedPolicy:
    """The best habit for one character and one day, as a Policy: what to do at each decision, by state.

    `options[step, at]` goes by the rows of the decision's Transitions in this space. Rows are only ever added: what
    came later is not advised on.
    """

    def __init__(self, space: StateSpace) -> None:
        self.space: StateSpace | None = space
        self.options: dict[tuple[int, int], NDArray[np.int8]] = {}

    def key(self, stage: Stage, step: int) -> object:
        """Advice may differ from step to step."""
        return self, step

    def choices(
        self, space: StateSpace, decision: Decision, transitions: Transitions, stage: Stage, step: int
    ) -> Decisions:
        advised = self.options[step, decision.at]
        option = np.zeros(len(transitions.rows), dtype=np.intp)
        option[: len(advised)] = advised
        return Decisions(option, np.zeros(len(transitions.rows), dtype=np.intp))


class BackwardInduction:
    """From the end of the day to its start: the worth of each state before each step."""

    def __init__(self, space: StateSpace, values: Values, policy: Policy | None) -> None:
        self.space = space
        self.values = values
        self.policy: Policy | None = policy
        self.advised: AdvisedPolicy = AdvisedPolicy(space)
        self.many: int
        self.stamina: Numbers
        self.fighting: NDArray[np.bool_]
        self.many, self.stamina, _, self.fighting = space.figures()
        self.step: int = 0
        self.stage: Stage

    def through(self, steps: tuple[Stage, ...]) -> list[Array]:
        """The worth of all states before each step and, last, at the day's end."""
        end = float(self.values.left) * self.stamina + float(self.values.empty) * (self.stamina > 0)
        worths = [end.astype(float)]
        for step in range(len(steps) - 1, -1, -1):
            self.step, self.stage = step, steps[step]
            worths.append(self.before(self.stage.node, worths[-1]))
        return worths[::-1]

    def before(self, node: Node, after: Array) -> Array:
        """The worth before a stage, given the worth after it."""
        match node:
            case InOrder():
                for one in reversed(node.nodes):
                    after = self.before(one, after)
                return after
            case Chance():
                chance = float(node.chance)
                return (1 - chance) * after + chance * self.before(node.then, after)
            case WhileFighting():
                return np.where(self.fighting, self.before(node.then, after), after)
            case Forced() | Advance():
                transitions = self.space.transitions(node)
                worth = after.copy()
                worth[transitions.here] = after[transitions.to[:, 0]]
                return worth
            case Decision():
                return self._choose(node, after)

    def _choose(self, decision: Decision, after: Array) -> Array:
        transitions = self.space.transitions(decision)
        to = transitions.to
        gained = float(decision.value) * (
            transitions.success if decision.kind == "push" else np.arange(to.shape[1]) > 0
        )
        worths = np.where(to >= 0, after[to] + gained, -np.inf)
        if self.policy is None:
            as_good = worths >= worths.max(axis=1, keepdims=True) - _AS_GOOD
            sooner = decision.kind != "push" and decision.value > 0
            option = to.shape[1] - 1 - np.argmax(as_good[:, ::-1], axis=1) if sooner else np.argmax(as_good, axis=1)
            self.advised.options[self.step, decision.at] = option.astype(np.int8)
        else:
            option = self.policy.choices(self.space, decision, transitions, self.stage, self.step).option
        worth = after.copy()
        worth[transitions.here] = worths[np.arange(len(option)), option]
        return worth
