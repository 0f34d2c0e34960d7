"""House rules as a file that someone names on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from winded.cli.reading import read_from
from winded.rules import PAGE, Ruleset, ruleset_from_toml

HouseRules: TypeAlias = Annotated[
    Path | None,
    Parameter(metavar="HOUSE.toml", help="A TOML file of house rules; without it the rules are the page's."),
]
"""The option `--rules`."""


def ruleset_at(path: Path | None) -> Ruleset:
    """The rules in force: those of this TOML file, or the page's. Raises Malformed that names the file and the key."""
    if path is None:
        return PAGE
    return read_from(path, "rules", ruleset_from_toml)
