"""Chances for people who have never seen a distribution: so many in 100, a bar each, and what a push leaves."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from msgspec import Struct

from winded.errors import Malformed
from winded.odds import CheckOdds, PushChances, check, roll
from winded.odds.check import FURTHEST_TARGET, MOST_PUSH
from winded.sentence import Sentence, sentence, sentences
from winded.web.forms import whole_number

COMMON = 7
"""At most so many targets stand in a table of common ones."""

MANY = 21
"""Up to so many pushes stand in a table one by one."""

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Chance(Struct, frozen=True):
    """A share as so many in 100, with one place or none.

    `edge` is "under" or "over" where figures of one place would say 0 or 100 falsely.
    """

    share: float
    places: int
    edge: str = ""

    @property
    def in_100(self) -> float:
        """So many in 100, to the places shown."""
        if self.edge:
            return 0.1 if self.edge == "under" else 99.9
        # Halves go up, as people round them.
        scale = 10 if self.places else 1
        return floor(self.share * 100 * scale + 0.5 + 1e-9) / scale

    @property
    def shown(self) -> int:
        """The places it is written with; figures at an edge need one."""
        return 1 if self.edge else self.places

    @property
    def width(self) -> float:
        """How long its bar is, out of 100."""
        return round(self.share * 100, 2)


class Amount(Struct, frozen=True):
    """One amount that may be pushed: the chance with it, what its last Stamina adds, and what it leaves, if known."""

    push: int
    bonus: int
    chance: Chance
    gain: Chance
    base: float
    leaves: int | None
    exact: str


class Column(Struct, frozen=True):
    """A push, and what it adds to the Check."""

    push: int
    bonus: int


class TargetRow(Struct, frozen=True):
    """A target with the chance at each of several pushes."""

    target: int
    chances: tuple[Chance, ...]


def places_for(shares: Sequence[float]) -> int:
    """None where every share is a whole number in 100, otherwise one."""
    return 0 if all(abs(share * 100 - round(share * 100)) < 1e-9 for share in shares) else 1


def chance(share: float, places: int) -> Chance:
    """A share with so many places, never 0 or 100 for what is not quite so."""
    if 0 < share < 0.0005:
        return Chance(share, places, "under")
    if 0.9995 < share < 1:
        return Chance(share, places, "over")
    exact = Chance(share, places)
    return Chance(share, 1) if 0 < share < 1 and exact.in_100 in (0, 100) else exact


def amounts(odds: CheckOdds, leaves: Sequence[int | None]) -> tuple[Amount, ...]:
    """Each push of these odds, with the Stamina that it leaves."""
    shares = [one.ways / one.of for one in odds.pushes]
    places = places_for(shares)
    base = odds.dice.ways_to(odds.target) / odds.dice.ways
    return tuple(
        Amount(
            one.stamina,
            one.stamina * odds.push_bonus,
            chance(share, places),
            chance(one.gained / one.of, places),
            round(min(base, share) * 100, 2),
            left,
            f"{one.ways}/{one.of}",
        )
        for one, share, left in zip(odds.pushes, shares, leaves, strict=True)
    )


def amounts_now(found: PushChances) -> tuple[Amount, ...]:
    """Each push that is possible now; where there are very many, the small ones and every fifth."""
    every = amounts(found.odds, [one.leaves for one in found.amounts])
    if len(every) <= MANY:
        return every
    return tuple(one for one in every if one.push <= 10 or one.push % 5 == 0 or one is every[-1])


def common_targets(expression: str, con: str | None, most_bonus: int = 0) -> tuple[int, ...]:
    """A few round targets between what nobody misses and what nobody reaches, for dice of whatever size."""
    dice = roll(expression, con)
    low, high = dice.low + 1, dice.high + most_bonus
    step = next((one for one in _STEPS if (high - low) // one < COMMON), _STEPS[-1])
    first = -(-low // step) * step
    found = [target for target in range(first, high + 1, step) if abs(target) <= FURTHEST_TARGET]
    return tuple(found[:COMMON]) or (max(-FURTHEST_TARGET, min(low, FURTHEST_TARGET)),)


def pushes_shown(most: int) -> tuple[int, ...]:
    """The pushes that have a column in a table of targets: none, 1, 2, 3, and the most there is."""
    return tuple(sorted({0, *range(1, min(most, 3) + 1), most}))


def table_of_targets(
    expression: str, con: str | None, push_bonus: int, most: int
) -> tuple[tuple[Column, ...], tuple[TargetRow, ...]]:
    """Chances against common targets, by push."""
    pushes = pushes_shown(most)
    rows = []
    for target in common_targets(expression, con, min(most, 3) * push_bonus):
        odds = check(expression, target, pushes, con=con, push_bonus=push_bonus)
        rows.append((target, [one.ways / one.of for one in odds.pushes]))
    return (
        tuple(Column(push, push * push_bonus) for push in pushes),
        tuple(TargetRow(target, tuple(chance(share, 0) for share in shares)) for target, shares in rows),
    )


def least_words(odds: CheckOdds) -> tuple[Sentence, ...]:
    """The least push for an even chance, and for 3 in 4, where a push is needed and one is enough."""
    found: list[Sentence] = []
    for wanted, told in (
        (0.5, sentence("an even chance")),
        (0.75, sentence("3 in 4")),
        (0.9, sentence("9 in 10")),
    ):
        least = odds.least_push(wanted)
        if least is not None and least > odds.pushes[0].stamina:
            found.append(
                sentences(
                    "{n} Stamina is enough for {chance}.", "{n} Stamina are enough for {chance}.", least, chance=told
                )
            )
    return tuple(found)


def whole(text: str, field: str, allowed: Sentence, least: int, most: int) -> int:
    """A whole number as it is typed. Raises Malformed."""
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise Malformed(
            field,
            "“{field}” must be {allowed}; it is {value}.",
            field=allowed_name(field),
            allowed=allowed,
            value=_cut(text),
        )
    return number


def allowed_name(field: str) -> Sentence:
    """What a field of these forms is called."""
    return _NAMES.get(field, Sentence(field))


_NAMES = {
    "target": sentence("Target"),
    "push": sentence("Push up to"),
    "bonus": sentence("Each Stamina adds"),
}


def target_from(text: str) -> int:
    """A target as it is typed. Raises Malformed."""
    allowed = sentence("a whole number from {least} to {most}", least=-FURTHEST_TARGET, most=FURTHEST_TARGET)
    return whole(text, "target", allowed, -FURTHEST_TARGET, FURTHEST_TARGET)


def push_from(text: str) -> int:
    """The most that is pushed, as it is typed. Raises Malformed."""
    allowed = sentence("a whole number from {least} to {most}", least=0, most=MOST_PUSH)
    return whole(text, "push", allowed, 0, MOST_PUSH)


def bonus_from(text: str) -> int:
    """What each Stamina adds, as it is typed. Raises Malformed."""
    return whole(text, "bonus", sentence("a whole number from {least} to {most}", least=1, most=99), 1, 99)


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
