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
from winded.odds.day.fields import within
from winded.odds.day.model import Day, DayCharacter, Sketch
from winded.odds.forecasts.decision_tree import Stage, stages
from winded.odds.forecasts.forward import CALLED, MEASURES, REFUSED, WANTED, MarkovChain, Policy, policy
from winded.odds.forecasts.forward_exact import walk_exactly
from winded.odds.forecasts.habits import KINDS, Habit, HabitLike
from winded.odds.forecasts.states import StateSpace, anonymous, state_space
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
    stages: tuple[Stage, ...]
    stamina: Figures
    counted: Figures

    @property
    def titles(self) -> tuple[Sentence, ...]:
        """What the rows of `stamina` are called, shape (T + 1)."""
        return (sentence("At the start"), *(stage.title for stage in self.stages))

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
        """Of all that was wanted in the day, the share that was refused for lack of Stamina (of a push, its part)."""
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
    day: Day, ruleset: Ruleset = PAGE, *, habits: Mapping[str, HabitLike | Policy] | None = None, exact: bool = False
) -> Forecast:
    """The exact distribution of everyone's Stamina after every step, carried through the rules' own costs.

    `habits` replaces habits of the day by name: habits in figures, or Python functions of a SpendingMoment. With
    `exact` all figures are Fractions instead of floats. Raises Malformed for a day that the ruleset cannot hold (a die
    it has not), and for attention that depends on the others, which only `simulate` can follow.
    """
    refuse_entangled(day.sketch)
    party = len(day.characters)
    return Forecast(
        day.title,
        ruleset,
        tuple(
            forecast_of(
                person,
                day.sketch,
                ruleset,
                (habits or {}).get(one.name, one.habit),
                party,
                exact=exact,
            )
            for one, person in zip(day.characters, everyone_at_start(ruleset, day), strict=True)
        ),
    )


def refuse_entangled(sketch: Sketch) -> None:
    """Raises Malformed where what happens to one depends on how the others are: that takes a simulation."""
    for at, one in enumerate(sketch.ahead):
        attention = getattr(one, "attention", "each")
        if attention in ("weakest", "freshest"):
            raise Malformed(
                f"steps[{at}].attention",
                "“{field}” is {value}: this depends on all characters at once, so it can only be simulated. For an "
                "exact forecast, use “each” or “spread”.",
                field=f"steps[{at}].attention",
                value=f"“{attention}”",
            )


def forecast_of(
    character: Character,
    sketch: Sketch,
    ruleset: Ruleset,
    habit: HabitLike | Policy,
    party: int,
    *,
    exact: bool = False,
) -> CharacterForecast:
    """One character's forecast from its present Stamina, Wounds and abilities on."""
    steps = stages(sketch, character.name, party)
    chain = chain_of(character, steps, ruleset, habit)
    if exact:
        return _exactly(character, chain, habit)
    walked = chain.walk(character.stamina)
    return CharacterForecast(character.name, steps, walked @ chain.level, chain.count(walked))


def _exactly(character: Character, chain: MarkovChain, habit: HabitLike | Policy) -> CharacterForecast:
    space = chain.space
    with space.lock:
        walked, counts = walk_exactly(space, chain.stages, policy(habit, character.name), character.stamina)
    stamina = np.full((chain.length + 1, space.most_stamina + 1), Fraction(0), dtype=object)
    for step, mass in enumerate(walked):
        for state, chance in mass.items():
            stamina[step, space.character(state).stamina] += chance
    counted = np.full((len(MEASURES), chain.length, len(KINDS)), Fraction(0), dtype=object)
    for step, counted_now in enumerate(counts):
        for (measure, kind), expected in counted_now.items():
            counted[measure, step, KINDS.index(kind)] = expected
    return CharacterForecast(character.name, chain.stages, stamina, counted)


def chain_of(
    character: Character, steps: tuple[Stage, ...], ruleset: Ruleset, habit: HabitLike | Policy
) -> MarkovChain:
    """A character's chain through these stages; kept, and shared by all of the same die, Wounds and habit."""
    who = "" if isinstance(habit, Habit) else character.name
    return _chain(anonymous(character), steps, ruleset, cast(Hashable, habit), who)


@lru_cache(maxsize=64)
def _chain(sitting: Character, steps: tuple[Stage, ...], ruleset: Ruleset, habit: Hashable, who: str) -> MarkovChain:
    decides = policy(cast("HabitLike | Policy", habit), who)
    space = space_for(decides, sitting, ruleset)
    with space.lock:
        return MarkovChain(space, steps, decides)


def space_for(decides: Policy, sitting: Character, ruleset: Ruleset) -> StateSpace:
    """The states among which this policy decides. Raises Malformed for advice that was given for another one."""
    space = decides.space
    if space is None:
        return state_space(ruleset, sitting)
    if (space.ruleset, space.character_at_start) != (ruleset, sitting):
        raise Malformed("habits", "This advice was made for other rules or for another character.")
    return space


def everyone_at_start(ruleset: Ruleset, day: Day) -> list[Character]:
    """Everyone of a day, as `at_start`; what a ruleset does not know is told of the character who has it."""
    people = []
    for at, one in enumerate(day.characters):
        with within(f"characters[{at}]"):
            people.append(at_start(ruleset, one))
    return people


def at_start(ruleset: Ruleset, one: DayCharacter) -> Character:
    """The character of a day, put at a table by the rules' own commands; raises Malformed or Refused as they do."""
    table = Table(ruleset).do(AddCharacter(one.name, one.con))
    for name, cost in one.abilities:
        table = table.do(AddAbility(one.name, name, cost))
    for wound in one.wounds:
        table = table.do(TakeWound(one.name, wound.wound, wound.steps))
    (character,) = table.characters.values()
    if one.stamina is None:
        return character
    if one.stamina > character.maximum:
        raise Malformed(
            "stamina",
            "“{field}” must be {allowed}; it is {value}.",
            field="stamina",
            allowed=sentence("a whole number from {least} to {most}", least=0, most=character.maximum),
            value=one.stamina,
        )
    return replace(character, stamina=one.stamina)
