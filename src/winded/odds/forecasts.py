"""Forecasts: how much Stamina everyone will have after each step of a day, exactly, without a die being rolled."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from winded.errors import Malformed
from winded.odds.course import CALLED, MEASURES, REFUSED, WANTED, Chooser, Course, chooser
from winded.odds.day import Day, Sitter, Sketch
from winded.odds.exactly import walk_exactly
from winded.odds.habits import KINDS, Habit, HabitLike
from winded.odds.plans import Plan, plans
from winded.odds.seat import Seat, seat, seated
from winded.rules import PAGE, AddAbility, AddCharacter, Character, Ruleset, Table, TakeWound
from winded.sentence import Sentence, sentence

Figures = NDArray[Any]
"""Floats; Fractions in an exact forecast."""


class SpendData(Struct, frozen=True):
    """What came of one kind of spend over the whole day, as expected numbers."""

    called: float
    wanted: float
    refused: float
    taken: float
    spent: float
    succeeded: float


class StepData(Struct, frozen=True):
    """After a step: the chance of each Stamina from 0 up, the expected Stamina, the chance of being at 0."""

    title: str
    stamina: tuple[float, ...]
    expected: float
    empty: float


class CharacterForecastData(Struct, frozen=True):
    """A character's forecast in JSON; the first of `steps` is before anything has happened."""

    name: str
    steps: tuple[StepData, ...]
    spends: dict[str, SpendData]


class ForecastData(Struct, frozen=True):
    """A party's forecast in JSON."""

    title: str
    rules: str
    characters: tuple[CharacterForecastData, ...]


class CharacterForecast(Struct, frozen=True, eq=False):
    """One character's forecast. T steps, M the maximum of the unwounded die, K = len(KINDS), in that order.

    `stamina[t, s]`, shape (T + 1, M + 1): the chance of s Stamina after t steps; row 0 is before the first.
    `counted[m, t, k]`, shape (len(MEASURES), T, K): what is expected of a kind of spend in step t + 1.
    """

    name: str
    plans: tuple[Plan, ...]
    stamina: Figures
    counted: Figures

    @property
    def titles(self) -> tuple[Sentence, ...]:
        """What the rows of `stamina` are called, shape (T + 1)."""
        return (sentence("At the start"), *(plan.title for plan in self.plans))

    @property
    def expected(self) -> Figures:
        """Expected Stamina, shape (T + 1)."""
        expected: Figures = self.stamina @ np.arange(self.stamina.shape[1])
        return expected

    @property
    def empty(self) -> Figures:
        """The chance of having none, shape (T + 1)."""
        empty: Figures = self.stamina[:, 0]
        return empty

    @property
    def refused_share(self) -> float:
        """Of all that was wanted in the day, the share that was refused for lack of Stamina."""
        wanted = self.counted[WANTED].sum()
        return float(self.counted[REFUSED].sum() / wanted) if wanted else 0.0

    def data(self) -> CharacterForecastData:
        """The same in JSON's terms."""
        expected, empty = self.expected.tolist(), self.empty.tolist()
        steps = tuple(
            StepData(str(title), tuple(map(float, self.stamina[at])), float(expected[at]), float(empty[at]))
            for at, title in enumerate(self.titles)
        )
        whole = self.counted.sum(axis=1)
        spends = {
            kind: SpendData(**{measure: float(whole[of, at]) for of, measure in enumerate(MEASURES)})
            for at, kind in enumerate(KINDS)
            if whole[CALLED, at]
        }
        return CharacterForecastData(self.name, steps, spends)


class Forecast(Struct, frozen=True, eq=False):
    """Everyone's forecast for one day under one ruleset."""

    title: str
    ruleset: Ruleset
    characters: tuple[CharacterForecast, ...]

    def data(self) -> ForecastData:
        """The same in JSON's terms."""
        return ForecastData(self.title, self.ruleset.name, tuple(one.data() for one in self.characters))


def forecast(
    day: Day, ruleset: Ruleset = PAGE, *, habits: Mapping[str, HabitLike | Chooser] | None = None, exact: bool = False
) -> Forecast:
    """The exact distribution of everyone's Stamina after every step, by carrying it through the rules' own costs.

    `habits` replaces habits of the day by name: habits in figures, or Python functions of a Moment. With `exact` all
    figures are Fractions instead of floats. Raises Malformed for a day that the ruleset cannot hold (a die it has not),
    and for attention that depends on the others, which only `simulate` can follow.
    """
    refuse_entangled(day.sketch)
    party = len(day.characters)
    return Forecast(
        day.title,
        ruleset,
        tuple(
            ahead_of(
                sit(ruleset, sitter),
                day.sketch,
                ruleset,
                (habits or {}).get(sitter.name, sitter.habit),
                party,
                exact=exact,
            )
            for sitter in day.characters
        ),
    )


def refuse_entangled(sketch: Sketch) -> None:
    """Raises Malformed where what happens to one depends on how the others are: that takes a simulation."""
    for at, one in enumerate(sketch.ahead):
        attention = getattr(one, "attention", "each")
        if attention in ("weakest", "freshest"):
            raise Malformed(
                f"steps[{at}].attention",
                "“{field}” is {value}: whom it falls on depends on the others, so it can be simulated but not be "
                "forecast exactly. Exact are “each” and “spread”.",
                field=f"steps[{at}].attention",
                value=f"“{attention}”",
            )


def ahead_of(
    character: Character,
    sketch: Sketch,
    ruleset: Ruleset,
    habit: HabitLike | Chooser,
    party: int,
    *,
    exact: bool = False,
) -> CharacterForecast:
    """One character's forecast from its present Stamina, Wounds and abilities on."""
    steps = plans(sketch, character.name, party)
    course = course_of(character, steps, ruleset, habit)
    if exact:
        return _exactly(character, course, habit)
    walked = course.walk(character.stamina)
    return CharacterForecast(character.name, steps, walked @ course.level, course.count(walked))


def _exactly(character: Character, course: Course, habit: HabitLike | Chooser) -> CharacterForecast:
    seat = course.seat
    with seat.lock:
        walked, counts = walk_exactly(seat, course.plans, chooser(habit, character.name), character.stamina)
    stamina = np.full((course.length + 1, seat.most_stamina + 1), Fraction(0), dtype=object)
    for step, mass in enumerate(walked):
        for state, chance in mass.items():
            stamina[step, seat.character(state).stamina] += chance
    counted = np.full((len(MEASURES), course.length, len(KINDS)), Fraction(0), dtype=object)
    for step, counted_now in enumerate(counts):
        for (measure, kind), expected in counted_now.items():
            counted[measure, step, KINDS.index(kind)] = expected
    return CharacterForecast(character.name, course.plans, stamina, counted)


def course_of(character: Character, steps: tuple[Plan, ...], ruleset: Ruleset, habit: HabitLike | Chooser) -> Course:
    """The way of a character through these steps; kept, and shared with all of the same die, Wounds and habit."""
    who = "" if isinstance(habit, Habit) else character.name
    return _course(seated(character), steps, ruleset, cast(Hashable, habit), who)


@lru_cache(maxsize=64)
def _course(sitting: Character, steps: tuple[Plan, ...], ruleset: Ruleset, habit: Hashable, who: str) -> Course:
    decides = chooser(cast("HabitLike | Chooser", habit), who)
    place = seat_for(decides, sitting, ruleset)
    with place.lock:
        return Course(place, steps, decides)


def seat_for(decides: Chooser, sitting: Character, ruleset: Ruleset) -> Seat:
    """The seat at which this one decides. Raises Malformed for advice that was given for another one."""
    place = decides.seat
    if place is None:
        return seat(ruleset, sitting)
    if (place.ruleset, place.seated) != (ruleset, sitting):
        raise Malformed("habits", "Advice holds only for the rules and for the character it was given for.")
    return place


def sit(ruleset: Ruleset, sitter: Sitter) -> Character:
    """The character of a day file, seated by the rules' own commands; raises Malformed or Refused as they do."""
    table = Table(ruleset).do(AddCharacter(sitter.name, sitter.con))
    for name, cost in sitter.abilities:
        table = table.do(AddAbility(sitter.name, name, cost))
    for wound in sitter.wounds:
        table = table.do(TakeWound(sitter.name, wound.wound, wound.steps))
    character = table.characters[sitter.name]
    if sitter.stamina is None:
        return character
    if sitter.stamina > character.maximum:
        raise Malformed(
            "stamina",
            "“{field}” must be {allowed}; it is {value}.",
            field=f"stamina of {sitter.name}",
            allowed=sentence("a whole number from {least} to {most}", least=0, most=character.maximum),
            value=sitter.stamina,
        )
    return replace(character, stamina=sitter.stamina)
