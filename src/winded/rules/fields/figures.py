"""Dice and whole numbers."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from winded.rules.fields.checks import Kind, malformed
from winded.sentence import sentence


def _die_check(value: object, path: str) -> str:
    if type(value) is str and _DIE.fullmatch(value):
        return value
    raise malformed(path, _A_DIE, value)


_DIE = re.compile(r"d[1-9][0-9]?", re.ASCII)
_A_DIE = sentence("a CON Ability Die such as “d10”")

Die = Annotated[
    str,
    Meta(
        pattern="^d[1-9][0-9]?$",
        description='A CON Ability Die, such as "d10".',
        extra={"kind": Kind(_die_check, _A_DIE)},
    ),
]
Amount = Annotated[int, Meta(ge=1, le=99, description="A whole number, 1 to 99.")]
Figure = Annotated[int, Meta(ge=0, le=99, description="A whole number, 0 to 99.")]
Total = Annotated[int, Meta(ge=-999, le=999, description="A whole number, -999 to 999.")]
