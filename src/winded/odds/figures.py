"""How chances and averages are written: one rule for pages, pictures, tables and the command line."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import force_setattr


class Percent(Struct, frozen=True):
    """A chance or a part, 0 to 1, as people say it: "52.5%", and never 0% or 100% for what is not quite so.

    `sign`, `rounded` and `places` are what another language writes it from. A share within 1e-12 of 1 is 1: sums of
    floats are no better than that.
    """

    share: float

    def __post_init__(self) -> None:
        if abs(self.share - 1) < 1e-12:
            force_setattr(self, "share", 1)

    @property
    def sign(self) -> str:
        return "<" if 0 < self.share < 0.0005 else ">" if 0.9995 < self.share < 1 else ""

    @property
    def rounded(self) -> float:
        return {"<": 0.001, ">": 0.999}.get(self.sign, self.share)

    @property
    def places(self) -> int:
        return 0 if self.share in (0, 1) else 1

    def __str__(self) -> str:
        return f"{self.sign}{100 * self.rounded:.{self.places}f}%"


class Number(Struct, frozen=True):
    """A number that is no whole one, with so many places."""

    value: float
    places: int = 1

    def __str__(self) -> str:
        return f"{self.value:.{self.places}f}"
