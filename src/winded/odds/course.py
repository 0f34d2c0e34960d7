"""A character's way through a day: the whole distribution over all states, carried from step to step.

Each step of a habit is a matrix over the states between steps, so that a day costs one small product a step once it is
known. `exactly` does the same state by state in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from winded.odds.habits import KINDS, Habit, HabitLike, Moment
from winded.odds.plans import Fighting, Give, Maybe, Move, Node, Plan, Then, Want
from winded.odds.seat import Array, Choices, Numbers, Seat, Ways

CALLED, WANTED, REFUSED, TAKEN, SPENT, SUCCEEDED = range(6)
MEASURES = ("called", "wanted", "refused", "taken", "spent", "succeeded")
"""What is counted of each kind of spend: how often it was called for and wanted, how often Stamina was lacking, how
often it was taken, the Stamina it took, and (for Checks) how often it came off."""


@runtime_checkable
class Chooser(Protocol):
    """Who decides at each want: a habit of a character, or advice."""

    def key(self, plan: Plan, step: int) -> object:
        """Two steps with the same key and the same plan are chosen in alike."""

    def choices(self, seat: Seat, want: Want, ways: Ways, plan: Plan, step: int) -> Choices:
        """The choice in each state that comes to this want."""


class ByHabit:
    """A habit of one character as a Chooser."""

    def __init__(self, habit: HabitLike, who: str) -> None:
        self.habit = habit
        self.who = who

    def key(self, plan: Plan, step: int) -> object:
        """A habit in figures looks only at whether this is the last fight; a Python function may look at all of it."""
        return (self.habit, plan.last_fight) if isinstance(self.habit, Habit) else (self.habit, self.who, step)

    def choices(self, seat: Seat, want: Want, ways: Ways, plan: Plan, step: int) -> Choices:
        key = self.key(plan, step), plan.round > 0
        known = ways.choices.get(key)
        if known is not None and known[0] == len(ways.rows):
            return known[1]
        option = np.zeros(len(ways.rows), dtype=np.intp)
        refused = np.zeros(len(ways.rows), dtype=bool)
        for at, (state, row) in enumerate(ways.rows.items()):
            character = seat.character(state)
            wanted = max(0, int(self.habit(
                Moment(
                    want.kind, self.who, step, plan.name, plan.round, plan.last_fight, character.stamina,
                    character.maximum, character.con, character.reactions, ways.asked[state], ways.odds.get(state),
                )
            )))  # fmt: skip
            option[at] = min(wanted, len(row) - 1)
            refused[at] = wanted >= len(row) and ways.lacking[state]
        chosen = Choices(option, refused)
        ways.choices[key] = len(ways.rows), chosen
        return chosen


def chooser(habit: HabitLike | Chooser, who: str) -> Chooser:
    """Who decides for this character: its habit, or advice that decides by itself."""
    return habit if isinstance(habit, Chooser) else ByHabit(habit, who)


def spread_over(mass: Array, to: Numbers, many: int) -> Array:
    """Rows of mass gathered at the states they lead to: shape (many, columns)."""
    gathered = np.zeros((many, mass.shape[1]), dtype=mass.dtype)
    if len(to):
        order = np.argsort(to, kind="stable")
        ends, begins = np.unique(to[order], return_index=True)
        gathered[ends] = np.add.reduceat(mass[order], begins, axis=0)
    return gathered


class Carrying:
    """One step carried for many starting states at once: columns are starting states, rows all states of the seat."""

    def __init__(self, seat: Seat, chooser: Chooser, plan: Plan, step: int, columns: int) -> None:
        self.seat = seat
        self.chooser = chooser
        self.plan = plan
        self.step = step
        self.many, self.stamina, _, self.fighting = seat.figures()
        self.counted = np.zeros((len(MEASURES), len(KINDS), columns))

    def carry(self, node: Node, mass: Array) -> Array:
        """The mass after a plan; what was wanted and spent on the way is added to `counted`."""
        match node:
            case Then():
                for one in node.nodes:
                    mass = self.carry(one, mass)
                return mass
            case Maybe():
                chance = float(node.chance)
                return mass * (1 - chance) + self.carry(node.then, mass * chance)
            case Fighting():
                on = np.where(self.fighting[:, None], mass, 0.0)
                return (mass - on) + self.carry(node.then, on)
            case Give() | Move():
                ways = self.seat.ways(node)
                return spread_over(mass[ways.here], ways.to[:, 0], self.many)
            case Want():
                return self._spend(node, mass)

    def _spend(self, want: Want, mass: Array) -> Array:
        ways = self.seat.ways(want)
        here, rows = ways.here, np.arange(len(ways.rows))
        option, refused = self.chooser.choices(self.seat, want, ways, self.plan, self.step)
        to = ways.to[rows, option]
        coming, kind = mass[here], KINDS.index(want.kind)
        taken = option > 0
        counts = {
            CALLED: np.ones(len(rows)),
            WANTED: taken | refused,
            REFUSED: refused,
            TAKEN: taken,
            SPENT: self.stamina[here] - self.stamina[to],
        }
        if want.dice is not None:
            counts[SUCCEEDED] = ways.success[rows, option]
        for measure, count in counts.items():
            self.counted[measure, kind] += count.astype(float) @ coming
        return spread_over(coming, to, self.many)


class Course:
    """A way through a day, ready to be walked from any Stamina: one matrix a step.

    `between` are the states there can be between steps. `matrices[step][i, j]` is the chance to come from `between[i]`
    to `between[j]`, `counted[step][:, :, i]` what is counted on the way from `between[i]` (MEASURES, KINDS).
    """

    def __init__(self, seat: Seat, plans: Sequence[Plan], decides: Chooser) -> None:
        self.seat = seat
        self.plans = tuple(plans)
        self.length = len(plans)
        self.most = seat.most_stamina
        kernels = Kernels(seat, [(plan.node,) for plan in plans])
        self.between = kernels.between
        self.start = kernels.start
        steps = [kernels.of(plan.node, plan, step, decides) for step, plan in enumerate(plans)]
        self.matrices = [matrix for matrix, _ in steps]
        self.counted = [counted for _, counted in steps]
        self._alike: dict[int, list[int]] = {}
        for step, counted in enumerate(self.counted):
            self._alike.setdefault(id(counted), []).append(step)
        self.level = kernels.level

    def walk(self, stamina: int) -> Array:
        """The distribution over `between` before the first step and after each, from this much Stamina.

        Shape (steps + 1, states); each row sums to 1.
        """
        walked = np.zeros((self.length + 1, len(self.between)))
        walked[0, self.start[stamina]] = 1.0
        for step, matrix in enumerate(self.matrices):
            np.dot(walked[step], matrix, out=walked[step + 1])
        return walked

    def count(self, walked: Array) -> Array:
        """What is counted in each step of a walk, shape (MEASURES, steps, KINDS)."""
        counted = np.empty((len(MEASURES), self.length, len(KINDS)))
        for steps in self._alike.values():
            each = self.counted[steps[0]]
            of_steps = each.reshape(-1, each.shape[-1]) @ walked[steps].T
            counted[:, steps] = of_steps.reshape(len(MEASURES), len(KINDS), len(steps)).swapaxes(1, 2)
        return counted


class Kernels:
    """The states there can be between the steps of a day, and a step's matrices over them, each made once.

    `choices_of_nodes` holds the plans there may be for each step: one, or several where something is drawn elsewhere.
    """

    def __init__(self, seat: Seat, choices_of_nodes: Sequence[Sequence[Node]]) -> None:
        self.seat = seat
        states = set(seat.starts)
        between = set(states)
        self._sources: dict[Node, set[int]] = {}
        for nodes in choices_of_nodes:
            ends: set[int] = set()
            for node in nodes:
                self._sources.setdefault(node, set()).update(states)
                ends |= seat.explore(node, states)
            states = ends
            between |= states
        self.between: Numbers = np.array(sorted(between), dtype=np.intp)
        self._place = {int(state): at for at, state in enumerate(self.between)}
        self.start: Numbers = np.array([self._place[state] for state in seat.starts], dtype=np.intp)
        self.stamina: Numbers = seat.figures()[1][self.between]
        self.level = (self.stamina[:, None] == np.arange(seat.most_stamina + 1)[None, :]).astype(float)
        """Which Stamina each state has: shape (states, M + 1), a single 1 in each row."""
        self._made: dict[object, tuple[Array, Array]] = {}

    def of(self, node: Node, plan: Plan, step: int, decides: Chooser) -> tuple[Array, Array]:
        """The matrix of a plan over `between`, and what it counts from each of them."""
        key = node, decides.key(plan, step), plan.round > 0
        if key not in self._made:
            self._made[key] = self._matrix(node, plan, step, decides)
        return self._made[key]

    def _matrix(self, node: Node, plan: Plan, step: int, decides: Chooser) -> tuple[Array, Array]:
        sources = sorted(self._sources[node])
        carrying = Carrying(self.seat, decides, plan, step, len(sources))
        mass = np.zeros((carrying.many, len(sources)))
        mass[sources, np.arange(len(sources))] = 1.0
        after = carrying.carry(node, mass)[self.between]
        rows = [self._place[state] for state in sources]
        many = len(self.between)
        matrix, counted = np.zeros((many, many)), np.zeros((*carrying.counted.shape[:2], many))
        matrix[rows] = after.T
        counted[:, :, rows] = carrying.counted
        return matrix, counted
