"""The odds of a Check: what each Stamina pushed does to the chance (`push.bonus`), exactly.

Whole-number counts throughout; a Fraction is made only where one is asked for. Success is a total at or above the
target. What a Stamina adds comes from the ruleset in force; the page's figure is 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from winded.errors import Malformed
from winded.odds.dice import Dice, roll

_WRITTEN = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,2})?|[0-9]{1,9}/[0-9]{1,9}")
MOST_PUSH = 99
FURTHEST_TARGET = 999


def fraction_from(written: str) -> Fraction | None:
    """What is written as "0.25", "1e-3" or "1/3", exactly; None for all else, and for what is too long to be meant."""
    if not _WRITTEN.fullmatch(written):
        return None
    try:
        return Fraction(written)
    except ZeroDivisionError:
        return None


class Push(Struct, frozen=True):
    """One amount that may be pushed: in `ways` of all `of` ways the Check succeeds, `gained` more than with 1 less."""

    stamina: int
    ways: int
    of: int
    gained: int

    @property
    def chance(self) -> Fraction:
        """The chance of success with this push."""
        return _share(self.ways, self.of)

    @property
    def gain(self) -> Fraction:
        """What the last Stamina of it adds to the chance; 0 for no push."""
        return _share(self.gained, self.of)

    @property
    def percent(self) -> float:
        """The chance of success, 0 to 100."""
        return 100 * self.ways / self.of


# The same few shares come up at target after target.
_share = lru_cache(maxsize=4096)(Fraction)


class PushData(Struct, frozen=True):
    """A push in JSON: `exact` and `exact_gain` are fractions as text, such as "3/8"."""

    stamina: int
    chance: float
    exact: str
    gain: float
    exact_gain: str


class CheckData(Struct, frozen=True):
    """The odds of a Check in JSON.

    `succeeds` is "at-least" where the target or more is a success, "at-most" where it is the target or less;
    `explosions` how often at most a die that explodes is rolled on, 0 where none does.
    """

    expression: str
    con: str | None
    target: int
    push_bonus: int
    low: int
    high: int
    mean: float
    deviation: float
    succeeds: str
    explosions: int
    pushes: tuple[PushData, ...]


class CheckOdds(Struct, frozen=True):
    """The chance of a Check at each amount that may be pushed, from the least amount to the largest."""

    dice: Dice
    con: str | None
    target: int
    push_bonus: int
    pushes: tuple[Push, ...]
    under: bool = False
    """Roll-under: a success is the target or less, and what is pushed comes off the total."""

    @property
    def expression(self) -> str:
        return self.dice.text

    def ways(self, push: int = 0) -> int:
        """In how many of all ways of the dice it succeeds with this push."""
        return _ways(self.dice, self.target, push * self.push_bonus, self.under)

    def chance(self, push: int = 0) -> Fraction:
        """The chance with any push, listed or not (0 to 99 Stamina)."""
        return _share(self.ways(push), self.dice.ways)

    def least_push(self, wanted: Fraction | float) -> int | None:
        """The least Stamina of those listed that gives the wanted chance (0 to 1), or None if none does."""
        enough = Fraction(str(wanted))
        return next((one.stamina for one in self.pushes if one.chance >= enough), None)

    def data(self) -> CheckData:
        """The same in JSON's terms."""
        return CheckData(
            self.expression,
            self.con,
            self.target,
            self.push_bonus,
            self.dice.low,
            self.dice.high,
            float(self.dice.mean),
            self.dice.deviation,
            "at-most" if self.under else "at-least",
            self.dice.explosions,
            tuple(
                PushData(one.stamina, one.ways / one.of, str(one.chance), one.gained / one.of, str(one.gain))
                for one in self.pushes
            ),
        )


def check(
    expression: str,
    target: int,
    push: int | Iterable[int] = 0,
    *,
    con: str | None = None,
    push_bonus: int = 1,
    under: bool = False,
) -> CheckOdds:
    """The exact odds of a Check at each push: 0 up to `push`, or just the amounts given (0 to 99).

    `con` is the CON Ability Die for which `con` stands in the expression, such as "d8"; `push_bonus` is what each
    Stamina adds under the ruleset in force. `under` makes it roll-under, which is no Check of the page: the target or
    less is a success, and what is pushed comes off the total. The target is -999 to 999. Raises BadExpression for dice
    that cannot be read or are too many, and Malformed for a push or target out of range.
    """
    return check_of(roll(expression, con), target, push, con=con, push_bonus=push_bonus, under=under)


def check_of(
    dice: Dice,
    target: int,
    push: int | Iterable[int] = 0,
    *,
    con: str | None = None,
    push_bonus: int = 1,
    under: bool = False,
) -> CheckOdds:
    """The same for dice that have been rolled out."""
    amounts = range(push + 1) if isinstance(push, int) else tuple(push)
    if not amounts or min(amounts) < 0 or max(amounts) > MOST_PUSH:
        raise Malformed("push", "A push must be from 0 to {most} Stamina, not {push}.", most=MOST_PUSH, push=push)
    if not -FURTHEST_TARGET <= target <= FURTHEST_TARGET:
        raise Malformed(
            "target", "A target must be from {least} to {most}, not {target}.",
            least=-FURTHEST_TARGET, most=FURTHEST_TARGET, target=target,
        )  # fmt: skip
    ways = dice.ways
    ways_at = dice.ways_under if under else dice.ways_to
    each = push_bonus if under else -push_bonus
    pushes = []
    before, expected = 0, -1
    for stamina in amounts:
        now = ways_at(target + stamina * each)
        if stamina != expected:
            before = ways_at(target + (stamina - 1) * each) if stamina else now
        pushes.append(Push(stamina, now, ways, now - before))
        before, expected = now, stamina + 1
    return CheckOdds(dice, con, target, push_bonus, tuple(pushes), under)


def _ways(dice: Dice, target: int, bonus: int, under: bool) -> int:
    return dice.ways_under(target + bonus) if under else dice.ways_to(target - bonus)
