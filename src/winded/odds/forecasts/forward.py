"""Forward through a day: the whole distribution over a character's states, carried from step to step.

Each step of a habit is a kernel over the states between steps, so that a day costs one small product a step once it is
known. `forward_exact` does the same state by state in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from winded.odds.forecasts.decision_tree import Advance, Chance, Decision, Forced, InOrder, Node, Stage, WhileFighting
from winded.odds.forecasts.habits import KINDS, Habit, HabitLike, SpendingMoment
from winded.odds.forecasts.states import Array, Decisions, Numbers, StateSpace, Transitions

CALLED, WANTED, REFUSED, TAKEN, SPENT, SUCCEEDED = range(6)
MEASURES = ("called", "wanted", "refused", "taken", "spent", "succeeded")
"""What is counted of each kind of spend: how often it was called for and wanted, how often Stamina was lacking, how
often it was taken, the Stamina it took, and (for Checks) how often it came off."""


@runtime_checkable
class Policy(Protocol):
    """Who decides at each decision: a habit of a character, or advice. `space` is the only one it knows, if so."""

    space: StateSpace | None

    def key(self, stage: Stage, step: int) -> object:
        """Two steps with the same key and the same stage are chosen in alike."""

    def choices(
        self, space: StateSpace, decision: Decision, transitions: Transitions, stage: Stage, step: int
    ) -> Decisions:
        """The choice in each state that comes to this decision."""


class HabitPolicy:
    """A habit of one character as a Policy."""

    def __init__(self, habit: HabitLike, who: str) -> None:
        self.space: StateSpace | None = None
        self.habit = habit
        self.who = who

    def key(self, stage: Stage, step: int) -> object:
        """A habit in figures looks only at whether this is the last fight; a Python function may look at all of it."""
        return (self.habit, stage.last_fight) if isinstance(self.habit, Habit) else (self.habit, self.who, step)

    def choices(
        self, space: StateSpace, decision: Decision, transitions: Transitions, stage: Stage, step: int
    ) -> Decisions:
        key = self.key(stage, step), stage.round > 0
        known = transitions.choices.get(key)
        if known is not None and known[0] == len(transitions.rows):
            return known[1]
        option = np.zeros(len(transitions.rows), dtype=np.intp)
        lacking = np.zeros(len(transitions.rows), dtype=np.intp)
        for at, (state, row) in enumerate(transitions.rows.items()):
            character = space.character(state)
            wanted = max(0, int(self.habit(
                SpendingMoment(
                    decision.kind, self.who, step, stage.name, stage.round, stage.last_fight, character.stamina,
                    character.maximum, character.con, character.reactions, transitions.asked[state],
                    transitions.odds.get(state),
                )
            )))  # fmt: skip
            option[at] = min(wanted, len(row) - 1)
            if transitions.lacking[state]:
                lacking[at] = wanted - option[at]
        chosen = Decisions(option, lacking)
        transitions.choices[key] = len(transitions.rows), chosen
        return chosen


def policy(habit: HabitLike | Policy, who: str) -> Policy:
    """Who decides for this character: its habit, or advice that decides by itself."""
    return habit if isinstance(habit, Policy) else HabitPolicy(habit, who)


_FEW = 256
"""States up to which a whole matrix is quicker than its entries."""


class Mass(NamedTuple):
    """Chances, sparsely: entry by entry, from which start it comes, in which state it is, and how likely that is."""

    start: Numbers
    state: Numbers
    chance: Array


class Propagation:
    """One step carried from many starting states at once; of each start, only the states it comes to are followed."""

    def __init__(self, space: StateSpace, decides: Policy, stage: Stage, step: int, starts: int) -> None:
        self.space = space
        self.decides = decides
        self.stage = stage
        self.step = step
        self.starts = starts
        many, stamina, _, fighting = space.figures()
        self.many: int = many
        self.stamina: Numbers = stamina
        self.fighting: NDArray[np.bool_] = fighting
        self.counted: Array = np.zeros((len(MEASURES), len(KINDS), starts))

    def carry(self, node: Node, mass: Mass) -> Mass:
        """The mass after a stage; what was wanted and spent on the way is added to `counted`."""
        match node:
            case InOrder():
                for one in node.nodes:
                    mass = self.carry(one, mass)
                return mass
            case Chance():
                chance = float(node.chance)
                then = self.carry(node.then, mass._replace(chance=mass.chance * chance))
                return self._joined(mass._replace(chance=mass.chance * (1 - chance)), then)
            case WhileFighting():
                on = self.fighting[mass.state]
                return self._joined(_some(mass, ~on), self.carry(node.then, _some(mass, on)))
            case Forced() | Advance():
                transitions = self.space.transitions(node)
                return self._moved(mass, transitions.to[transitions.place(self.many)[mass.state], 0])
            case Decision():
                return self._spend(node, mass)

    def _spend(self, decision: Decision, mass: Mass) -> Mass:
        transitions = self.space.transitions(decision)
        option, unpaid = self.decides.choices(self.space, decision, transitions, self.stage, self.step)
        row = transitions.place(self.many)[mass.state]
        chosen, lacking, kind = option[row], unpaid[row], KINDS.index(decision.kind)
        to = transitions.to[row, chosen]
        counts = {
            CALLED: np.ones(len(row)),
            WANTED: chosen + lacking > 0,
            REFUSED: lacking / np.maximum(chosen + lacking, 1),
            TAKEN: chosen > 0,
            SPENT: self.stamina[mass.state] - self.stamina[to],
        }
        if decision.dice is not None:
            counts[SUCCEEDED] = transitions.success[row, chosen]
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
        self.row: Numbers = mass[0]
        self.to: Numbers = mass[1]
        self.chance: Array = mass[2]
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


class MarkovChain:
    """A day as a Markov chain, walked from any Stamina: a kernel a step, over the states `between` steps."""

    def __init__(self, space: StateSpace, stages: Sequence[Stage], decides: Policy) -> None:
        self.space = space
        self.stages: tuple[Stage, ...] = tuple(stages)
        self.length: int = len(stages)
        self.most: int = space.most_stamina
        kernels = StepKernels(space, [(stage.node,) for stage in stages])
        self.between: Numbers = kernels.between
        self.start: Numbers = kernels.start
        self.level: Array = kernels.level
        self.kernels: list[Kernel] = [kernels.of(stage.node, stage, step, decides) for step, stage in enumerate(stages)]
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


class StepKernels:
    """The states there can be between the steps of a day, and the kernels over them, each made once.

    `choices_of_nodes` holds the stages there may be for each step: one, or several where something is drawn elsewhere.
    """

    def __init__(self, space: StateSpace, choices_of_nodes: Sequence[Sequence[Node]]) -> None:
        self.space = space
        states = set(space.starts)
        between = set(states)
        self._sources: dict[Node, set[int]] = {}
        for nodes in choices_of_nodes:
            ends: set[int] = set()
            for node in nodes:
                self._sources.setdefault(node, set()).update(states)
                ends |= space.explore(node, states)
            states = ends
            between |= states
        self.between: Numbers = np.array(sorted(between), dtype=np.intp)
        self._place = {int(state): at for at, state in enumerate(self.between)}
        self.start: Numbers = np.array([self._place[state] for state in space.starts], dtype=np.intp)
        self.stamina: Numbers = space.figures()[1][self.between]
        self.level: Array = (self.stamina[:, None] == np.arange(space.most_stamina + 1)[None, :]).astype(float)
        """Which Stamina each state has: shape (states, M + 1), a single 1 in each row."""
        self._made: dict[object, Kernel] = {}

    def of(self, node: Node, stage: Stage, step: int, decides: Policy) -> Kernel:
        """The kernel of a stage that stands for `stage` in this step."""
        key = node, decides.key(stage, step), stage.round > 0
        if key not in self._made:
            self._made[key] = self._kernel(node, stage, step, decides)
        return self._made[key]

    def _kernel(self, node: Node, stage: Stage, step: int, decides: Policy) -> Kernel:
        sources = np.array(sorted(self._sources[node]), dtype=np.intp)
        propagation = Propagation(self.space, decides, stage, step, len(sources))
        after = propagation.carry(node, Mass(np.arange(len(sources)), sources, np.ones(len(sources))))
        after = _some(after, after.chance > 0)
        rows, many = np.searchsorted(self.between, sources), len(self.between)
        counted = np.zeros((len(MEASURES), len(KINDS), many))
        counted[:, :, rows] = propagation.counted
        return Kernel(Mass(rows[after.start], np.searchsorted(self.between, after.state), after.chance), counted, many)
