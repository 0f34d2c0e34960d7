"""Dice and whole numbers."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from winded.rules.fields.checks import FieldKind, malformed, whole_number_kind
from winded.sentence import sentence


def _die_check(value: object, path: str) -> str:
    if type(value) is str and _DIE.fullmatch(value):
        return value
    raise malformed(path, _A_DIE, value)


_DIE = re.compile(r"d[1-9][0-9]?", re.ASCII)
_A_DIE = sentence("a CON Ability Die such as “d10”")


def whole_number(least: int, most: int, description: str, **schema: object) -> Meta:
    """The annotation of a whole number in a range."""
    return Meta(
        description=description,
        extra_json_schema={"minimum": least, "maximum": most} | schema,
        extra={"kind": whole_number_kind(least, most)},
    )


def several(least: int, most: int) -> Meta:
    """The annotation of a list or a table of so many entries."""
    schema = {"minItems": least, "maxItems": most}
    return Meta(extra_json_schema=schema, extra={"several": (least, most)})


Die = Annotated[
    str,
    Meta(
        description='A CON Ability Die, such as "d10".',
        extra_json_schema={"pattern": "^d[1-9][0-9]?$"},
        extra={"kind": FieldKind(_die_check, _A_DIE)},
    ),
]
Amount = Annotated[int, whole_number(1, 99, "A whole number, 1 to 99.")]
Figure = Annotated[int, whole_number(0, 99, "A whole number, 0 to 99.")]
Total = Annotated[int, whole_number(-999, 999, "A whole number, -999 to 999.")]
Count = Annotated[int, whole_number(0, 2**53 - 1, "A whole number, 0 or more.")]
