"""A day or an evening: who is there and what comes, with chances where one cannot know.

Chances are fractions, so that nothing is lost: 0.25 in a day file is 1/4 here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from winded.odds.forecasts.habits import HABITS, Habit
from winded.rules import RestKind

MOST_CHARACTERS = 12
MOST_STEPS = 300
"""Steps of a day, each round of each fight being one."""
MOST_ROUNDS = 30
MOST_CALLS = 10
"""Reactions that one round may call for."""
MOST_TIMES = 50
MOST_WOUNDS = 4
"""CON Wounds of different names that a day may bring, over those that a character begins with."""

ATTENTION = ("each", "spread", "weakest", "freshest")
"""Whom the calls for reactions in a fight fall on."""

Distribution = tuple[Fraction, ...]
"""How likely each whole number is: the chance of 0, of 1, and so on, summing to exactly 1."""

NEVER, ALWAYS = Fraction(0), Fraction(1)


class PossibleWound(Struct, frozen=True):
    """A CON Wound that may come: what it is, its steps down the ladder of dice, and its chance."""

    wound: str
    steps: int = 1
    chance: Fraction = ALWAYS


class Fight(Struct, frozen=True):
    """A fight: how many rounds, and what a round calls for.

    `early` is the chance that acting early matters in a round; `reactions` how many reactions a round calls for;
    `mishap` a Wound that each round may bring. `attention` says whom the calls fall on: "each" of the characters has
    its own, or they share them: "spread" at random, or on the "weakest" or the "freshest", those with the least or the
    most Stamina left. `values` are what acting early and a reaction are worth here, where that differs from the day's.
    """

    name: str
    rounds: Distribution
    early: Fraction = NEVER
    reactions: Distribution = (ALWAYS,)
    mishap: PossibleWound | None = None
    attention: str = "each"
    early_value: Fraction | None = None
    reaction_value: Fraction | None = None
    who: tuple[str, ...] | None = None


class CheckAhead(Struct, frozen=True):
    """A Check that may be pushed: its target, if one is known, its dice, if they differ from the day's, its chance."""

    name: str
    target: int | None = None
    dice: str | None = None
    chance: Fraction = ALWAYS
    times: int = 1
    value: Fraction | None = None
    who: tuple[str, ...] | None = None


class WoundAhead(Struct, frozen=True):
    """A CON Wound that may come outside a fight."""

    mishap: PossibleWound
    who: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return self.mishap.wound


class RecoveryAhead(Struct, frozen=True):
    """A Wound that may be recovered; for whoever does not have it nothing happens."""

    wound: str
    chance: Fraction = ALWAYS
    who: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return self.wound


class RestAhead(Struct, frozen=True):
    """A rest, with the chance that it comes about."""

    kind: RestKind
    chance: Fraction = ALWAYS
    who: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return self.kind.value


class SpendAhead(Struct, frozen=True):
    """Another spend that may be called for: resisting a hardship, Channel Casting, or an ability.

    `what` is the hardship, the casting or the ability; `stamina` what the first two take (an ability has its own cost).
    """

    RESIST: ClassVar[str] = "resist"
    CHANNEL: ClassVar[str] = "channel"
    ABILITY: ClassVar[str] = "ability"

    spend: str
    what: str
    stamina: int = 1
    chance: Fraction = ALWAYS
    times: int = 1
    value: Fraction | None = None
    who: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return self.what


Ahead = Fight | CheckAhead | WoundAhead | RecoveryAhead | RestAhead | SpendAhead


class Values(Struct, frozen=True):
    """What a table holds things worth, all on one scale of its own: used for advice only.

    `left` is the worth of each Stamina left at the end, `empty` that of not being at 0 then.
    """

    early: Fraction = Fraction(1)
    reaction: Fraction = Fraction(1)
    check: Fraction = Fraction(2)
    spend: Fraction = Fraction(1)
    left: Fraction = Fraction(1, 4)
    empty: Fraction = Fraction(0)


class DayCharacter(Struct, frozen=True, cache_hash=True):
    """A character of a day: base CON Ability Die, Stamina (None for the maximum), Wounds, abilities, and a habit."""

    name: str
    con: str
    stamina: int | None = None
    wounds: tuple[PossibleWound, ...] = ()
    abilities: tuple[tuple[str, int], ...] = ()
    habit: Habit = HABITS["freely"]


class Sketch(Struct, frozen=True, cache_hash=True):
    """What is ahead, for whoever sits at the table: steps in order, how Checks are rolled, what things are worth."""

    ahead: tuple[Ahead, ...]
    check: str | None = None
    values: Values = Values()
    title: str = ""


class Day(Struct, frozen=True, cache_hash=True):
    """A sketch of what is ahead, and who goes through it."""

    characters: tuple[DayCharacter, ...]
    sketch: Sketch

    @property
    def title(self) -> str:
        return self.sketch.title
