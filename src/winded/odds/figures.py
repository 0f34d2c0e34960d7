"""How chances and averages are written: one rule for pages, phones, pictures, tables and the command line.

Halves go up, as people round them. A chance that is not 1 never reads 100 %, one that is not 0 never 0 %.
"""

from __future__ import annotations

from math import floor, nextafter

from msgspec import Struct

_TINY = 1e-9
"""Floats are no better than that: 0.0625 may come as 0.06249999."""


def rounded(value: float, places: int) -> float:
    """A figure with so many places, halves away from 0."""
    scale: int = 10**places
    return floor(abs(value) * scale + 0.5 + _TINY) / scale * (1 if value >= 0 else -1)


class Percent(Struct, frozen=True):
    """A chance or a part, 0 to 1, as people say it: "52.5%".

    `sign`, `rounded` and `places` are what another language writes it from.
    """

    share: float

    @classmethod
    def of(cls, ways: int, all_ways: int) -> Percent:
        """So many of all ways, whole numbers of whatever size: what is not quite 0 or 1 stays so."""
        share = ways / all_ways
        if share == 1 and ways < all_ways:
            share = nextafter(1, 0)
        return cls(nextafter(0, 1) if share == 0 and ways else share)

    @classmethod
    def summed(cls, share: float) -> Percent:
        """A sum of floats, which is no better than 1e-12: what is that close to 0 or 1 is meant."""
        return cls(1.0 if abs(share - 1) < 1e-12 else 0.0 if abs(share) < 1e-12 else share)

    @classmethod
    def seen(cls, share: float, days: int, *, may: bool, must: bool) -> Percent:
        """The share of so many drawn days. What may be and never came up, or must not be and always did, is told as
        what is nearly so: no number of days shows that it cannot be."""
        if (share == 0 and may) or (share == 1 and not must):
            nearly = min(1 / days, 0.0004)
            return cls(nearly if share == 0 else 1 - nearly)
        return cls(share)

    @property
    def sign(self) -> str:
        tenths = rounded(100 * self.share, 1)
        return "<" if tenths == 0 and self.share > 0 else ">" if tenths == 100 and self.share < 1 else ""

    @property
    def rounded(self) -> float:
        """The share to a tenth of a per cent; 0.001 and 0.999 where there is a sign."""
        return {"<": 0.001, ">": 0.999}.get(self.sign, rounded(100 * self.share, 1) / 100)

    @property
    def places(self) -> int:
        return 0 if self.share in (0, 1) else 1

    def __str__(self) -> str:
        return f"{self.sign}{100 * self.rounded:.{self.places}f}%"


class Number(Struct, frozen=True):
    """A number that is no whole one, with so many places."""

    value: float
    places: int = 1

    @property
    def rounded(self) -> float:
        return rounded(self.value, self.places)

    def __str__(self) -> str:
        return f"{self.rounded:.{self.places}f}"
