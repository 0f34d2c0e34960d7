"""Advice: when it is best to spend, given what a table holds things worth, by working backwards from the day's end.

Before each step every state is worth the most that can still come of it: the best of spending and of keeping, averaged
over what may happen. That is exact for the day as described. Of equals, what gains something now is advised before what
gains it later, and a smaller push before a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from winded.odds.course import ByHabit, Chooser
from winded.odds.day import Day, Sketch, Values
from winded.odds.forecasts import refuse_entangled, sit
from winded.odds.habits import KINDS, HabitLike
from winded.odds.plans import Fighting, Give, Maybe, Move, Node, Plan, Then, Want, plans
from winded.odds.seat import Array, Choices, Seat, Ways, seat, seated
from winded.odds.thumb import Shown, thumb
from winded.rules import PAGE, Character, Ruleset
from winded.sentence import Sentence

_AS_GOOD = 1e-9
"""Worths that differ by less than this are the same."""


class Advised:
    """The best habit for one seat and one day, as a Chooser: what to do at each want, by state.

    `options[step, at]` goes by the rows of the want's Ways at this seat. Rows are only ever added: what came later is
    not advised on.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat: Seat | None = seat
        self.options: dict[tuple[int, int], NDArray[np.int8]] = {}

    def key(self, plan: Plan, step: int) -> object:
        """Advice may differ from step to step."""
        return self, step

    def choices(self, seat: Seat, want: Want, ways: Ways, plan: Plan, step: int) -> Choices:
        advised = self.options[step, want.at]
        option = np.zeros(len(ways.rows), dtype=np.intp)
        option[: len(advised)] = advised
        return Choices(option, np.zeros(len(ways.rows), dtype=bool))


class CharacterAdviceData(Struct, frozen=True):
    """One character's advice in JSON: `wanted[kind][step][stamina]`, -1 where the step does not ask."""

    name: str
    steps: tuple[str, ...]
    worth: tuple[tuple[float, ...], ...]
    wanted: dict[str, tuple[tuple[int, ...], ...]]
    best: float
    usual: float
    thumb: tuple[str, ...]


class AdviceData(Struct, frozen=True):
    """A party's advice in JSON."""

    title: str
    rules: str
    characters: tuple[CharacterAdviceData, ...]


class CharacterAdvice(Struct, frozen=True, eq=False):
    """One character's advice. T steps, M the maximum of the unwounded die.

    `worth[t, s]`, shape (T + 1, M + 1): what the rest of the day is worth with s Stamina before step t + 1, with the
    Wounds of the start and no reaction taken; row T is the end of the day. `wanted[kind][t, s]`, shape (T, M + 1): what
    is best in step t + 1 with s Stamina: 1 or 0 for acting early, how many reactions, how much of a push; NOT_ASKED
    where the step does not ask. Above the present maximum both repeat what holds at it. `best` is the worth of the day
    with this advice, `usual` that with the character's own habit.
    """

    name: str
    plans: tuple[Plan, ...]
    worth: NDArray[np.float64]
    wanted: dict[str, NDArray[np.intp]]
    best: float
    usual: float
    habit: Advised
    thumb: tuple[Sentence, ...]

    @property
    def last_stamina(self) -> NDArray[np.float64]:
        """What the last Stamina is worth: of s rather than s - 1, shape (T + 1, M); column 0 is the first Stamina."""
        last: NDArray[np.float64] = np.diff(self.worth, axis=1)
        return last

    def data(self) -> CharacterAdviceData:
        """The same in JSON's terms."""
        return CharacterAdviceData(
            self.name,
            tuple(str(plan.title) for plan in self.plans),
            tuple(tuple(row) for row in self.worth.tolist()),
            {kind: tuple(tuple(row) for row in wanted.tolist()) for kind, wanted in self.wanted.items()},
            self.best,
            self.usual,
            tuple(map(str, self.thumb)),
        )


class Advice(Struct, frozen=True, eq=False):
    """Everyone's advice for one day under one ruleset."""

    title: str
    ruleset: Ruleset
    characters: tuple[CharacterAdvice, ...]

    def data(self) -> AdviceData:
        """The same in JSON's terms."""
        return AdviceData(self.title, self.ruleset.name, tuple(one.data() for one in self.characters))


def advise(day: Day, ruleset: Ruleset = PAGE, *, habits: Mapping[str, HabitLike] | None = None) -> Advice:
    """The best habit for everyone, given the day's values, and the rules of thumb that come out of it.

    Each character's own habit (or the one in `habits`) is valued beside it. Raises Malformed as `forecast` does.
    """
    refuse_entangled(day.sketch)
    people = [sit(ruleset, sitter) for sitter in day.characters]
    own = [(habits or {}).get(sitter.name, sitter.habit) for sitter in day.characters]
    return Advice(
        day.title,
        ruleset,
        tuple(
            advice_for(person, day.sketch, ruleset, habit, len(people))
            for person, habit in zip(people, own, strict=True)
        ),
    )


def advice_for(character: Character, sketch: Sketch, ruleset: Ruleset, habit: HabitLike, party: int) -> CharacterAdvice:
    """One character's advice from its present Stamina, Wounds and abilities on."""
    steps = plans(sketch, character.name, party)
    place = seat(ruleset, seated(character))
    with place.lock:
        _follow_from_any_stamina(place, steps)
        best = _Backwards(place, sketch.values, None)
        worths = best.through(steps)
        usual = _Backwards(place, sketch.values, ByHabit(habit, character.name)).through(steps)
        start = place.starts[character.stamina]
        shown = Shown(place, steps, best.advised.options)
        wanted = {kind: found for kind in KINDS if (found := shown.wanted(kind)).max(initial=-1) >= 0}
        return CharacterAdvice(
            character.name,
            steps,
            shown.worth(worths),
            wanted,
            float(worths[0][start]),
            float(usual[0][start]),
            best.advised,
            tuple(thumb(steps, wanted, shown)),
        )


def _follow_from_any_stamina(place: Seat, steps: tuple[Plan, ...]) -> None:
    """Explore the day, and before each step also from every Stamina: advice is given for all of them."""
    starts = set(place.starts)
    fighting = place.explore(Move("start"), starts)
    states = starts
    for plan in steps:
        states = place.explore(plan.node, states | (fighting if plan.round > 1 else starts))


class _Backwards:
    """From the end of the day to its start: the worth of each state before each step."""

    def __init__(self, seat: Seat, values: Values, chooser: Chooser | None) -> None:
        self.seat = seat
        self.values = values
        self.chooser = chooser
        self.advised = Advised(seat)
        self.many, self.stamina, _, self.fighting = seat.figures()
        self.step = 0
        self.plan: Plan

    def through(self, steps: tuple[Plan, ...]) -> list[Array]:
        """The worth of all states before each step and, last, at the day's end."""
        end = float(self.values.left) * self.stamina + float(self.values.empty) * (self.stamina > 0)
        worths = [end.astype(float)]
        for step in range(len(steps) - 1, -1, -1):
            self.step, self.plan = step, steps[step]
            worths.append(self.before(self.plan.node, worths[-1]))
        return worths[::-1]

    def before(self, node: Node, after: Array) -> Array:
        """The worth before a plan, given the worth after it."""
        match node:
            case Then():
                for one in reversed(node.nodes):
                    after = self.before(one, after)
                return after
            case Maybe():
                chance = float(node.chance)
                return (1 - chance) * after + chance * self.before(node.then, after)
            case Fighting():
                return np.where(self.fighting, self.before(node.then, after), after)
            case Give() | Move():
                ways = self.seat.ways(node)
                worth = after.copy()
                worth[ways.here] = after[ways.to[:, 0]]
                return worth
            case Want():
                return self._choose(node, after)

    def _choose(self, want: Want, after: Array) -> Array:
        ways = self.seat.ways(want)
        to = ways.to
        gained = float(want.value) * (ways.success if want.kind == "push" else np.arange(to.shape[1]) > 0)
        worths = np.where(to >= 0, after[to] + gained, -np.inf)
        if self.chooser is None:
            as_good = worths >= worths.max(axis=1, keepdims=True) - _AS_GOOD
            sooner = want.kind != "push" and want.value > 0
            option = to.shape[1] - 1 - np.argmax(as_good[:, ::-1], axis=1) if sooner else np.argmax(as_good, axis=1)
            self.advised.options[self.step, want.at] = option.astype(np.int8)
        else:
            option = self.chooser.choices(self.seat, want, ways, self.plan, self.step).option
        worth = after.copy()
        worth[ways.here] = worths[np.arange(len(option)), option]
        return worth
