"""Spending habits: what a character does when Stamina could be spent.

A habit is asked at each moment what it wants to spend on; whether it can, the rules say. A plain Python function of the
moment is a habit as well; it must answer the same for the same moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from winded.odds.check import CheckOdds
from winded.odds.day.fields import Chance
from winded.rules.hallway import SPENDINGS

KINDS = tuple(one.habit for one in SPENDINGS)
"""What Stamina can be wanted for, each way to spend by its own word; the order in which forecasts count it."""


class SpendingMoment(Struct, frozen=True):
    """A moment at which `who` could spend Stamina on one of KINDS.

    `step` counts the steps of the day from 0, `round` the rounds of the fight from 1 (0 outside one); `cost` is what it
    costs (for a push: one Stamina's worth, 1), `reactions` those taken since the cost last went back, `odds` those of
    the Check at each push, where target and dice are known. `last_fight`: no fight comes after this one.
    """

    kind: str
    who: str
    step: int
    name: str
    round: int
    last_fight: bool
    stamina: int
    maximum: int
    con: str | None
    reactions: int
    cost: int
    odds: CheckOdds | None = None


class Habit(Struct, frozen=True):
    """A habit in figures.

    Never spends below `keep` Stamina (in the last fight of the day it does, with `last_fight_free`); acts early when
    that matters, or not; takes at most `reactions` of them before the cost goes back (None: as many as are called for);
    pushes a Check by up to `push`, but no further than the chance rises and, with `aim`, no further than that chance
    needs; `other` says whether it spends on everything else that is called for, such as hardship and abilities.
    """

    keep: Annotated[int, Meta(ge=0, le=99, description="Never spends below so much Stamina.")] = 0
    early: Annotated[bool, Meta(description="Acts early when that matters.")] = True
    reactions: Annotated[int, Meta(ge=0, le=99, description="At most so many before the cost goes back.")] | None = None
    push: Annotated[int, Meta(ge=0, le=99, description="Pushes a Check by up to so much.")] = 3
    aim: Chance | None = None
    other: Annotated[bool, Meta(description="Spends on everything else that is called for.")] = True
    last_fight_free: Annotated[bool, Meta(description="Keeps nothing back in the day's last fight.")] = False

    def __call__(self, moment: SpendingMoment) -> int:
        """How much is wanted: the Stamina of a push, 1 or 0 for all else."""
        free = self.last_fight_free and moment.last_fight and moment.round > 0
        spare = moment.stamina - (0 if free else self.keep)
        if moment.kind == "push":
            return self._push(moment, spare)
        wants = {"early": self.early, "reaction": self.reactions is None or moment.reactions < self.reactions}
        # One who keeps nothing back wants it even without the Stamina, and is refused: that is worth counting.
        return int(wants.get(moment.kind, self.other) and (moment.cost <= spare or spare == moment.stamina))

    def _push(self, moment: SpendingMoment, spare: int) -> int:
        most = self.push if spare == moment.stamina else max(0, min(self.push, spare))
        if moment.odds is None:
            return most
        chances = [moment.odds.chance(push) for push in range(most + 1)]
        enough = chances[-1] if self.aim is None else min(self.aim, chances[-1])
        return next(push for push, chance in enumerate(chances) if chance >= enough)


HabitLike: TypeAlias = Habit | Callable[[SpendingMoment], int]
"""A habit in figures, or a Python function of the moment that answers how much is wanted."""

HABITS = {
    "freely": Habit(),
    "carefully": Habit(keep=2, reactions=1, push=1),
    "sparingly": Habit(keep=4, early=False, reactions=1, push=1, last_fight_free=True),
    "never": Habit(early=False, reactions=0, push=0, other=False),
}
"""Habits by name, as a day file may call them."""

USUAL = "freely"
"""The habit of whoever has been given none, at a table, in the API and in a day file alike."""
