"""House rules as a file that someone names on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from winded.errors import Malformed
from winded.rules import PAGE, Ruleset, ruleset_from_toml

HouseRules: TypeAlias = Annotated[
    Path | None,
    Parameter(metavar="HOUSE.toml", help="A TOML file of house rules; without it the rules are the page's."),
]
"""The option `--rules`."""

_LARGEST = 1 << 20  # bytes; house rules take a few hundred


def ruleset_at(path: Path | None) -> Ruleset:
    """The rules in force: those of this TOML file, or the page's. Raises Malformed that names the file and the key."""
    if path is None:
        return PAGE
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except (OSError, ValueError) as wrong:
        raise Malformed(
            "rules",
            "The house rules {path} cannot be read: {reason}.",
            path=str(path),
            reason=getattr(wrong, "strerror", None) or str(wrong),
        ) from wrong
    if len(raw) > _LARGEST:
        raise Malformed("rules", "The house rules {path} are larger than {most} bytes.", path=str(path), most=_LARGEST)
    try:
        return ruleset_from_toml(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        raise Malformed(
            "rules", "The house rules {path} are not UTF-8: byte {place}.", path=str(path), place=wrong.start + 1
        ) from wrong
    except Malformed as wrong:
        raise Malformed(wrong.field, "{path}: {what}", path=str(path), what=wrong.sentence) from wrong
