"""A character's way through a day: the whole distribution over all states, carried from step to step.

Each step of a habit is a kernel over the states between steps, so that a day costs one small product a step once it is
known. `exactly` does the same state by state in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from winded.odds.habits import KINDS, Habit, HabitLike, Moment
from winded.odds.plans import Fighting, Give, Maybe, Move, Node, Plan, Then, Want
from winded.odds.seat import Array, Choices, Numbers, Seat, Ways

CALLED, WANTED, REFUSED, TAKEN, SPENT, SUCCEEDED = range(6)
MEASURES = ("called", "wanted", "refused", "taken", "spent", "succeeded")
"""What is counted of each kind of spend: how often it was called for and wanted, how often Stamina was lacking, how
often it was taken, the Stamina it took, and (for Checks) how often it came off."""


@runtime_checkable
class Chooser(Protocol):
    """Who decides at each want: a habit of a character, or advice. `seat` is the only one it can decide at, if so."""

    seat: Seat | None

    def key(self, plan: Plan, step: int) -> object:
        """Two steps with the same key and the same plan are chosen in alike."""

    def choices(self, seat: Seat, want: Want, ways: Ways, plan: Plan, step: int) -> Choices:
        """The choice in each state that comes to this want."""


class ByHabit:
    """A habit of one character as a Chooser."""

    def __init__(self, habit: HabitLike, who: str) -> None:
        self.seat: Seat | None = None
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


_FEW = 256
"""States up to which a whole matrix is quicker than its entries."""


class Mass(NamedTuple):
    """Chances, sparsely: entry by entry, from which start it comes, in which state it is, and how likely that is."""

    start: Numbers
    state: Numbers
    chance: Array


class Carrying:
    """One step carried from many starting states at once; of each start, only the states it comes to are followed."""

    def __init__(self, seat: Seat, decides: Chooser, plan: Plan, step: int, starts: int) -> None:
        self.seat = seat
        self.decides = decides
        self.plan = plan
        self.step = step
        self.starts = starts
        self.many, self.stamina, _, self.fighting = seat.figures()
        self.counted = np.zeros((len(MEASURES), len(KINDS), starts))

    def carry(self, node: Node, mass: Mass) -> Mass:
        """The mass after a plan; what was wanted and spent on the way is added to `counted`."""
        match node:
            case Then():
                for one in node.nodes:
                    mass = self.carry(one, mass)
                return mass
            case Maybe():
                chance = float(node.chance)
                then = self.carry(node.then, mass._replace(chance=mass.chance * chance))
                return self._joined(mass._replace(chance=mass.chance * (1 - chance)), then)
            case Fighting():
                on = self.fighting[mass.state]
                return self._joined(_some(mass, ~on), self.carry(node.then, _some(mass, on)))
            case Give() | Move():
                ways = self.seat.ways(node)
                return self._moved(mass, ways.to[ways.place(self.many)[mass.state], 0])
            case Want():
                return self._spend(node, mass)

    def _spend(self, want: Want, mass: Mass) -> Mass:
        ways = self.seat.ways(want)
        option, refused = self.decides.choices(self.seat, want, ways, self.plan, self.step)
        row = ways.place(self.many)[mass.state]
        chosen, lacking, kind = option[row], refused[row], KINDS.index(want.kind)
        to = ways.to[row, chosen]
        counts = {
            CALLED: np.ones(len(row)),
            WANTED: (chosen > 0) | lacking,
            REFUSED: lacking,
            TAKEN: chosen > 0,
            SPENT: self.stamina[mass.state] - self.stamina[to],
        }
        if want.dice is not None:
            counts[SUCCEEDED] = ways.success[row, chosen]
        for measure, count in counts.items():
            self.counted[measure, kind] += summed(mass.start, count.astype(float) * mass.chance, self.starts)
        return self._moved(mass, to)

    def _moved(self, mass: Mass, to: Numbers) -> Mass:
        return self._merged(Mass(mass.start, to, mass.chance))

    def _joined(self, one: Mass, other: Mass) -> Mass:
        start, state = np.concatenate((one.start, other.start)), np.concatenate((one.state, other.state))
        return self._merged(Mass(start, state, np.concatenate((one.chance, other.chance))))

    def _merged(self, mass: Mass) -> Mass:
        """Entries of the same start and state made one."""
        key, entry = np.unique(mass.start * self.many + mass.state, return_inverse=True)
        return Mass(key // self.many, key % self.many, summed(entry, mass.chance, len(key)))


def summed(places: Numbers, weights: Array, many: int) -> Array:
    """Weights added up by place, shape (many,)."""
    sums: Array = np.bincount(places, weights, many).astype(np.float64, copy=False)
    return sums


def _some(mass: Mass, these: NDArray[np.bool_]) -> Mass:
    return Mass(mass.start[these], mass.state[these], mass.chance[these])


class Kernel:
    """One step of a habit: `chance[i]` is the chance to come from state `row[i]` to state `to[i]`, sorted by `row`.

    States are numbered among the `many` there are between steps. `counted[:, :, i]` is what is counted on the way from
    state i (MEASURES, KINDS). Few states are kept as a whole matrix as well: that is quicker.
    """

    def __init__(self, mass: Mass, counted: Array, many: int) -> None:
        self.row, self.to, self.chance = mass
        self.counted = counted
        self.many = many
        self.matrix: Array | None = None
        if many <= _FEW:
            self.matrix = np.zeros((many, many))
            self.matrix[self.row, self.to] = self.chance

    def after(self, before: Array, out: Array) -> None:
        """The distribution after this step, from the one before it; shape (states,) both."""
        if self.matrix is not None:
            np.dot(before, self.matrix, out=out)
        else:
            out[:] = summed(self.to, before[self.row] * self.chance, self.many)


class Course:
    """A way through a day, ready to be walked from any Stamina: a kernel a step, over the states `between` steps."""

    def __init__(self, seat: Seat, plans: Sequence[Plan], decides: Chooser) -> None:
        self.seat = seat
        self.plans = tuple(plans)
        self.length = len(plans)
        self.most = seat.most_stamina
        kernels = Kernels(seat, [(plan.node,) for plan in plans])
        self.between = kernels.between
        self.start = kernels.start
        self.level = kernels.level
        self.kernels = [kernels.of(plan.node, plan, step, decides) for step, plan in enumerate(plans)]
        self._alike: dict[Kernel, list[int]] = {}
        for step, kernel in enumerate(self.kernels):
            self._alike.setdefault(kernel, []).append(step)

    def walk(self, stamina: int) -> Array:
        """The distribution over `between` before the first step and after each, from this much Stamina.

        Shape (steps + 1, states); each row sums to 1.
        """
        walked = np.zeros((self.length + 1, len(self.between)))
        walked[0, self.start[stamina]] = 1.0
        for step, kernel in enumerate(self.kernels):
            kernel.after(walked[step], walked[step + 1])
        return walked

    def count(self, walked: Array) -> Array:
        """What is counted in each step of a walk, shape (MEASURES, steps, KINDS)."""
        counted = np.empty((len(MEASURES), self.length, len(KINDS)))
        for kernel, steps in self._alike.items():
            of_steps = kernel.counted.reshape(-1, kernel.many) @ walked[steps].T
            counted[:, steps] = of_steps.reshape(len(MEASURES), len(KINDS), len(steps)).swapaxes(1, 2)
        return counted


class Kernels:
    """The states there can be between the steps of a day, and the kernels over them, each made once.

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
        self._made: dict[object, Kernel] = {}

    def of(self, node: Node, plan: Plan, step: int, decides: Chooser) -> Kernel:
        """The kernel of a plan that stands for `plan` in this step."""
        key = node, decides.key(plan, step), plan.round > 0
        if key not in self._made:
            self._made[key] = self._kernel(node, plan, step, decides)
        return self._made[key]

    def _kernel(self, node: Node, plan: Plan, step: int, decides: Chooser) -> Kernel:
        sources = np.array(sorted(self._sources[node]), dtype=np.intp)
        carrying = Carrying(self.seat, decides, plan, step, len(sources))
        after = carrying.carry(node, Mass(np.arange(len(sources)), sources, np.ones(len(sources))))
        after = _some(after, after.chance > 0)
        rows, many = np.searchsorted(self.between, sources), len(self.between)
        counted = np.zeros((len(MEASURES), len(KINDS), many))
        counted[:, :, rows] = carrying.counted
        return Kernel(Mass(rows[after.start], np.searchsorted(self.between, after.state), after.chance), counted, many)
