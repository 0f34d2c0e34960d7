"""House rules compared: the same day under several rulesets, and what changes for each CON Ability Die."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from winded.errors import Malformed
from winded.odds.day.model import Day
from winded.odds.forecasts.forecast import Forecast, ForecastData, forecast
from winded.odds.forecasts.forward import Policy
from winded.odds.forecasts.habits import HabitLike
from winded.rules import AddCharacter, RestKind, Ruleset, Table, recovery

MOST_RULESETS = 6


class DieUnder(Struct, frozen=True):
    """What one die comes to under one ruleset: its maximum, and what each rest offers at it (None: no such die)."""

    die: str
    rules: str
    maximum: int | None
    rests: dict[str, int]


class EndUnder(Struct, frozen=True):
    """How a day ends for one character under one ruleset.

    `left` is the Stamina expected at the end and `lowest` the lowest expected at the start or after any step; `empty`
    is the chance of having none at the end, `refused` the share of all that was wanted for which Stamina was lacking.
    """

    name: str
    rules: str
    left: float
    lowest: float
    empty: float
    refused: float


class ComparisonData(Struct, frozen=True):
    """A comparison in JSON."""

    title: str
    rules: tuple[str, ...]
    dice: tuple[DieUnder, ...]
    ends: tuple[EndUnder, ...]
    forecasts: tuple[ForecastData, ...]


class Comparison(Struct, frozen=True, eq=False):
    """One day under several rulesets: `forecasts` in the order in which they were given."""

    title: str
    forecasts: tuple[Forecast, ...]
    dice: tuple[DieUnder, ...]

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        return tuple(one.ruleset for one in self.forecasts)

    @property
    def ends(self) -> tuple[EndUnder, ...]:
        """How the day ends, character by character and ruleset by ruleset."""
        return tuple(
            EndUnder(
                each.name,
                one.ruleset.name,
                float(each.expected[-1]),
                float(np.min(each.expected)),
                float(each.empty[-1]),
                each.refused_share,
            )
            for people in zip(*(one.characters for one in self.forecasts), strict=True)
            for one, each in zip(self.forecasts, people, strict=True)
        )

    def data(self) -> ComparisonData:
        """The same in JSON's terms."""
        return ComparisonData(
            self.title,
            tuple(one.name for one in self.rulesets),
            self.dice,
            self.ends,
            tuple(one.data() for one in self.forecasts),
        )


def compare(
    day: Day, rulesets: Sequence[Ruleset], *, habits: Mapping[str, HabitLike | Policy] | None = None
) -> Comparison:
    """The same day forecast under each ruleset (1 to 6 of them). Raises Malformed as `forecast` does."""
    if not 1 <= len(rulesets) <= MOST_RULESETS:
        raise Malformed(
            "rules", "1 to {most} rulesets can be compared, not {value}.", most=MOST_RULESETS, value=len(rulesets)
        )
    dice = sorted({die for ruleset in rulesets for die in ruleset.dice}, key=lambda die: int(die[1:]))
    return Comparison(
        day.title,
        tuple(forecast(day, ruleset, habits=habits) for ruleset in rulesets),
        tuple(_die_under(die, ruleset) for die in reversed(dice) for ruleset in rulesets),
    )


def _die_under(die: str, ruleset: Ruleset) -> DieUnder:
    if die not in ruleset.dice:
        return DieUnder(die, ruleset.name, None, {})
    character = Table(ruleset).do(AddCharacter("Someone", die, stamina=0)).character("Someone")
    rests = {kind.value: recovery(ruleset, character, kind).offered for kind in RestKind}
    return DieUnder(die, ruleset.name, character.maximum, rests)
