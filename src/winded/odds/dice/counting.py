"""What dice come to, counted exactly: sums, pools of which some are kept, the best of several rolls.

Sums are products of whole numbers into which the counts are packed side by side, so that one multiplication of
Python's does the work of all of them; nothing beyond the standard library is loaded for it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb

from msgspec import Struct


class Dice(Struct, frozen=True, dict=True):
    """What a roll can come to: `counts[i]` of all `ways` come to the total `low + i`.

    `text` is the expression as Winded writes it, without spaces and in small letters.
    """

    text: str
    low: int
    counts: tuple[int, ...]

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

    def chance(self, target: int) -> Fraction:
        """The chance that the total is the target or more."""
        return Fraction(self.ways_to(target), self.ways)

    @property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum((self.low + at) * count for at, count in enumerate(self.counts)), self.ways)


def _pack(counts: tuple[int, ...], width: int) -> int:
    return int.from_bytes(b"".join(count.to_bytes(width, "little") for count in counts), "little")


def _unpack(packed: int, many: int, width: int) -> tuple[int, ...]:
    data = packed.to_bytes(many * width, "little")
    return tuple(int.from_bytes(data[at : at + width], "little") for at in range(0, many * width, width))


def _width(ways: int) -> int:
    return (ways.bit_length() + 7) // 8


def added(one: Dice, other: Dice) -> Dice:
    if len(other.counts) == 1 and other.counts[0] == 1:
        return Dice("", one.low + other.low, one.counts)
    width = _width(one.ways * other.ways)
    packed = _pack(one.counts, width) * _pack(other.counts, width)
    many = len(one.counts) + len(other.counts) - 1
    return Dice("", one.low + other.low, _unpack(packed, many, width))


def pool(many: int, faces: int) -> Dice:
    if many == 1:
        return Dice("", 1, (1,) * faces)
    width = _width(faces**many)
    packed = _pack((1,) * faces, width) ** many
    return Dice("", many, _unpack(packed, many * (faces - 1) + 1, width))


def kept(many: int, faces: int, keep: int, end: str) -> Dice:
    """The highest or lowest dice of a pool: face after face from the kept end, so many of the pool show it."""
    width = _width(faces**many)
    done = [0] * (many + 1)  # done[used]: packed counts of the kept total, when `used` dice show the faces so far
    done[0] = 1
    for face in range(faces, 0, -1) if end == "kh" else range(1, faces + 1):
        for used in range(many, -1, -1):
            if not done[used]:
                continue
            so_far, free = done[used], max(keep - used, 0)
            for more in range(1, many - used + 1):
                worth = face * min(more, free) * width * 8
                done[used + more] += (so_far * comb(many - used, more)) << worth
    counts = _unpack(done[many], keep * faces + 1, width)
    return Dice("", keep, counts[keep:])


def best_of(choices: list[Dice], what: str) -> Dice:
    """The highest (`max`) or lowest (`min`) of several rolls that do not touch each other."""
    if what == "min":
        turned = [Dice("", -one.high, one.counts[::-1]) for one in choices]
        mirror = best_of(turned, "max")
        return Dice("", -mirror.high, mirror.counts[::-1])
    low, high = max(one.low for one in choices), max(one.high for one in choices)
    below = [1] * (high - low + 1)
    for one in choices:
        for at in range(len(below)):
            below[at] *= one.ways - one.ways_to(low + at + 1)
    return Dice("", low, tuple(now - before for now, before in zip(below, [0, *below[:-1]], strict=True)))
