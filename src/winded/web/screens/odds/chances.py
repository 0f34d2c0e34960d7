"""Chances for people who have never seen a distribution: so many in 100, a bar each, and what a push leaves."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from winded.errors import Malformed
from winded.odds import CheckOdds, Dice, PushChances, check_of
from winded.odds.check import FURTHEST_TARGET, MOST_PUSH
from winded.odds.figures import Percent
from winded.sentence import Sentence, sentence, sentences
from winded.web.forms import whole_number

COMMON = 7
"""At most so many targets stand in a table of common ones."""

MANY = 21
"""Up to so many pushes stand in a table one by one."""

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class ShownChance(Struct, frozen=True):
    """A share as so many in 100, rounded as everywhere. `edge` is "under" or "over" where it would say 0 or 100."""

    percent: Percent
    places: int

    @property
    def edge(self) -> str:
        return {"<": "under", ">": "over"}.get(self.percent.sign, "")

    @property
    def in_100(self) -> float:
        """So many in 100."""
        return 100 * self.percent.rounded

    @property
    def shown(self) -> int:
        """The places it is written with: one, but for 0 and 100 and where no figure beside it needs one."""
        return 1 if self.edge else min(self.places, self.percent.places)

    @property
    def width(self) -> float:
        """How long its bar is, out of 100."""
        return round(self.percent.share * 100, 2)


class Amount(Struct, frozen=True):
    """One amount that may be pushed: the chance with it, what its last Stamina adds, and what it leaves, if known."""

    push: int
    bonus: int
    chance: ShownChance
    gain: ShownChance
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
    chances: tuple[ShownChance, ...]


def places_for(shares: Sequence[Percent]) -> int:
    """None where every share is a whole number in 100, otherwise one."""
    return 0 if all(abs(one.share * 100 - round(one.share * 100)) < 1e-9 for one in shares if not one.sign) else 1


def amounts(odds: CheckOdds, leaves: Sequence[int | None], *, whole: bool = False) -> tuple[Amount, ...]:
    """Each push of these odds, with the Stamina that it leaves; `whole` for chances without places."""
    shares = [Percent.of(one.ways, one.of) for one in odds.pushes]
    places = 0 if whole else places_for(shares)
    base = odds.ways() / odds.dice.ways
    return tuple(
        Amount(
            one.stamina,
            one.stamina * odds.push_bonus,
            ShownChance(share, places),
            ShownChance(Percent.of(one.gained, one.of), places),
            round(min(base, share.share) * 100, 2),
            left,
            f"{one.ways}/{one.of}",
        )
        for one, share, left in zip(odds.pushes, shares, leaves, strict=True)
    )


def amounts_now(found: PushChances, *, whole: bool = False) -> tuple[Amount, ...]:
    """Each push that is possible now; where there are very many, the small ones and every fifth."""
    every = amounts(found.odds, [one.leaves for one in found.amounts], whole=whole)
    if len(every) <= MANY:
        return every
    return tuple(one for one in every if one.push <= 10 or one.push % 5 == 0 or one is every[-1])


def common_targets(dice: Dice, most_bonus: int = 0) -> tuple[int, ...]:
    """A few round targets between what hardly anyone misses and hardly anyone reaches, for dice of whatever size."""
    likely = [at for at, ways in enumerate(dice.at_least) if 0.001 <= ways / dice.ways <= 0.999]
    low, high = (dice.low + likely[0], dice.low + likely[-1] + most_bonus) if likely else (dice.low + 1, dice.high)
    step = next((one for one in _STEPS if (high - low) // one < COMMON), _STEPS[-1])
    first = -(-low // step) * step
    found = [target for target in range(first, high + 1, step) if abs(target) <= FURTHEST_TARGET]
    return tuple(found[:COMMON]) or (max(-FURTHEST_TARGET, min(low, FURTHEST_TARGET)),)


def few_targets(dice: Dice) -> tuple[int, ...]:
    """An easy round target, one in the middle and a hard one, for those who may not know theirs."""
    every = common_targets(dice)
    return every if len(every) < 4 else (every[1], every[len(every) // 2], every[-2])


def pushes_shown(most: int) -> tuple[int, ...]:
    """The pushes that have a column in a table of targets: none, 1, 2, 3, and the most there is."""
    return tuple(sorted({0, *range(1, min(most, 3) + 1), most}))


def table_of_targets(
    dice: Dice, push_bonus: int, most: int, *, under: bool = False
) -> tuple[tuple[Column, ...], tuple[TargetRow, ...]]:
    """Chances against common targets, by push."""
    pushes = pushes_shown(most)
    rows = []
    for target in common_targets(dice, min(most, 3) * push_bonus):
        odds = check_of(dice, target, pushes, push_bonus=push_bonus, under=under)
        rows.append((target, [Percent.of(one.ways, one.of) for one in odds.pushes]))
    places = places_for([share for _, shares in rows for share in shares])
    return (
        tuple(Column(push, push * push_bonus) for push in pushes),
        tuple(TargetRow(target, tuple(ShownChance(share, places) for share in shares)) for target, shares in rows),
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
