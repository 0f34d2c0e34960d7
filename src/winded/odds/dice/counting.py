"""What dice come to, counted exactly: sums, pools of which some are kept, dice that explode, the best of several rolls.

Sums are products of whole numbers into which the counts are packed side by side, so that one multiplication of
Python's does the work of all of them; nothing beyond the standard library is loaded for it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, sqrt

from msgspec import Struct


class TotalData(Struct, frozen=True):
    """One total in JSON: its chance, that chance exactly as a fraction in text, and the chance of it or more."""

    total: int
    chance: float
    exact: str
    at_least: float


class DiceData(Struct, frozen=True):
    """All totals of an expression in JSON."""

    expression: str
    low: int
    high: int
    mean: float
    deviation: float
    explosions: int
    totals: tuple[TotalData, ...]


class Dice(Struct, frozen=True, dict=True):
    """What a roll can come to: `counts[i]` of all `ways` come to the total `low + i`.

    `text` is the expression as Winded writes it, without spaces and in small letters. `explosions` is how often at most
    a die of it is rolled on, 0 where none explodes; `successes`: what it comes to is a number of successes.
    """

    text: str
    low: int
    counts: tuple[int, ...]
    explosions: int = 0
    successes: bool = False

    @property
    def high(self) -> int:
        return self.low + len(self.counts) - 1

    @cached_property
    def at_least(self) -> tuple[int, ...]:
        """`at_least[i]` ways come to `low + i` or more; `at_least[0]` are all."""
        return tuple(accumulate(reversed(self.counts)))[::-1]

    @property
    def ways(self) -> int:
        """How many equally likely ways the dice can fall."""
        return self.at_least[0]

    def ways_to(self, target: int) -> int:
        """In how many of all `ways` the total is the target or more."""
        at = target - self.low
        if at <= 0:
            return self.at_least[0]
        return self.at_least[at] if at < len(self.counts) else 0

    def ways_under(self, target: int) -> int:
        """In how many of all `ways` the total is the target or less."""
        return self.ways - self.ways_to(target + 1)

    def chance(self, target: int) -> Fraction:
        """The chance that the total is the target or more."""
        return Fraction(self.ways_to(target), self.ways)

    def data(self) -> DiceData:
        """The same in JSON's terms."""
        totals = tuple(
            TotalData(self.low + at, count / self.ways, f"{count}/{self.ways}", self.at_least[at] / self.ways)
            for at, count in enumerate(self.counts)
            if count
        )
        return DiceData(self.text, self.low, self.high, float(self.mean), self.deviation, self.explosions, totals)

    @property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum((self.low + at) * count for at, count in enumerate(self.counts)), self.ways)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean."""
        square = Fraction(sum((self.low + at) ** 2 * count for at, count in enumerate(self.counts)), self.ways)
        return square - self.mean**2

    @property
    def deviation(self) -> float:
        """The standard deviation: how far a roll typically is from the mean."""
        return sqrt(self.variance)


def number(value: int) -> Dice:
    """A number, which comes up always."""
    return Dice("", value, (1,))


def die(faces: int) -> Dice:
    """One die."""
    return Dice("", 1, (1,) * faces)


def exploding(faces: int, times: int) -> Dice:
    """One die that is rolled on and added up as long as it shows its highest face, at most `times` times."""
    counts: list[int] = []
    for rolled in range(times):
        counts += [faces ** (times - rolled)] * (faces - 1) + [0]
    return Dice("", 1, (*counts, *[1] * faces))


def rerolled(faces: int, low: int, high: int) -> Dice:
    """One die that is rolled once more where it shows `low` to `high`; the second roll counts."""
    again = high - low + 1
    return Dice("", 1, tuple(again + (0 if low <= face <= high else faces) for face in range(1, faces + 1)))


def succeeding(one: Dice, low: int, high: int) -> Dice:
    """1 where this die shows `low` to `high`, otherwise 0."""
    hits = sum(count for at, count in enumerate(one.counts) if low <= one.low + at <= high)
    return Dice("", 0, (one.ways - hits, hits))


def negative(dice: Dice) -> Dice:
    """The same, below zero."""
    return Dice("", -dice.high, dice.counts[::-1])


def added(one: Dice, other: Dice) -> Dice:
    """Two rolls that do not touch each other, added up."""
    if len(other.counts) == 1 and other.counts[0] == 1:
        return Dice("", one.low + other.low, one.counts)
    width = _width(one.ways * other.ways)
    packed = _pack(one.counts, width) * _pack(other.counts, width)
    many = len(one.counts) + len(other.counts) - 1
    return Dice("", one.low + other.low, _unpack(packed, many, width))


def pool(many: int, one: Dice) -> Dice:
    """So many dice of a kind, added up."""
    if many == 1:
        return one
    width = _width(one.ways**many)
    packed = _pack(one.counts, width) ** many
    return Dice("", many * one.low, _unpack(packed, many * (len(one.counts) - 1) + 1, width))


def kept(many: int, one: Dice, keep: int, end: str) -> Dice:
    """The highest ("h") or lowest ("l") dice of a pool: value after value from the kept end, so many of the pool show
    it."""
    width = _width(one.ways**many)
    done = [0] * (many + 1)  # done[used]: packed counts of the kept total, when `used` dice show the values so far
    done[0] = 1
    values = range(len(one.counts) - 1, -1, -1) if end == "h" else range(len(one.counts))
    for at in values:
        weight = one.counts[at]
        if not weight:
            continue
        for used in range(many, -1, -1):
            if not done[used]:
                continue
            so_far, free = done[used], max(keep - used, 0)
            for more in range(1, many - used + 1):
                worth = at * min(more, free) * width * 8
                done[used + more] += (so_far * (comb(many - used, more) * weight**more)) << worth
    counts = _unpack(done[many], keep * (len(one.counts) - 1) + 1, width)
    return Dice("", keep * one.low, counts)


def best_of(choices: list[Dice], what: str) -> Dice:
    """The highest (`max`) or lowest (`min`) of several rolls that do not touch each other."""
    if what == "min":
        return negative(best_of([negative(one) for one in choices], "max"))
    low, high = max(one.low for one in choices), max(one.high for one in choices)
    below = [1] * (high - low + 1)
    for one in choices:
        for at in range(len(below)):
            below[at] *= one.ways - one.ways_to(low + at + 1)
    return Dice("", low, tuple(now - before for now, before in zip(below, [0, *below[:-1]], strict=True)))


_DIGIT = 30
"""Bits that Python works on at a time."""
_COUNT = 150
"""Units for one count that is packed or unpacked."""


def work_of_pool(many: int, values: int, bits: int) -> int:
    """Units of work of `pool`: some nanoseconds each. `bits` are those of the ways one die can fall."""
    totals = many * (values - 1) + 1
    digits = totals * (many * bits + 8) / _DIGIT
    return int(2 * digits**1.585) + _COUNT * (totals + values)


def work_of_kept(many: int, values: int, keep: int, bits: int) -> int:
    """Units of work of `kept`."""
    totals = keep * (values - 1) + 1
    digits = totals * (many * bits + 8) / _DIGIT
    return int(values * many * (many + 1) / 2 * (4 * digits + 300)) + _COUNT * totals


def work_of_added(one: int, other: int, bits: int) -> int:
    """Units of work of `added`, for so many totals each; `bits` are those of the ways both can fall."""
    small, large = sorted((one, other))
    if small == 1:
        return _COUNT
    digits, others = large * (bits + 8) / _DIGIT, small * (bits + 8) / _DIGIT
    return int(3 * digits * others**0.585) + _COUNT * (2 * large + 2 * small)


def work_of_best(totals: int, choices: int, bits: int) -> int:
    """Units of work of `best_of`."""
    return int(choices * totals * (600 + 4 * choices * bits / _DIGIT))


def _pack(counts: tuple[int, ...], width: int) -> int:
    return int.from_bytes(b"".join(count.to_bytes(width, "little") for count in counts), "little")


def _unpack(packed: int, many: int, width: int) -> tuple[int, ...]:
    data = packed.to_bytes(many * width, "little")
    return tuple(int.from_bytes(data[at : at + width], "little") for at in range(0, many * width, width))


def _width(ways: int) -> int:
    return (ways.bit_length() + 7) // 8
