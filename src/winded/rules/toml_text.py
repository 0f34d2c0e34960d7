"""TOML, which people write house rules and days in, read so that no text keeps its reader busy or breaks it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

MOST_DOTS = 100
"""Dots in one line. Each part of a dotted key takes as long to read as all before it, and no key of ours has many."""

LONGEST = 200_000
"""Characters in one text."""


class NotToml(Exception):
    """Why a text is no TOML, for the end of a sentence."""


def toml_from(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """What stands in a text. Raises NotToml."""
    if len(text) > LONGEST:
        raise NotToml(f"it has more than {LONGEST} characters")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS and not line.lstrip().startswith("#"):
            raise NotToml(f"there are more than {MOST_DOTS} dots (at line {number})")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as wrong:
        raise NotToml(str(wrong)) from wrong
    except RecursionError as wrong:
        raise NotToml("its brackets are nested too deeply") from wrong
    except ValueError as wrong:
        raise NotToml("a number in it has too many figures") from wrong
