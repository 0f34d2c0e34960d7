"""Where the tables are kept, unless someone says otherwise on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

Database: TypeAlias = Annotated[
    Path | None,
    Parameter(metavar="PATH", help="The file in which tables are kept; without it the one among your own data."),
]
"""The option `--database`."""


def database_at(path: Path | None) -> Path:
    """This file, or winded.sqlite in the place that the platform has for a user's data."""
    if path is not None:
        return path
    from platformdirs import user_data_path

    return user_data_path("winded", appauthor=False) / "winded.sqlite"
