"""Where the tables are kept, unless someone says otherwise on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from winded.errors import Unknown
from winded.journal import SqliteJournal
from winded.tables import Tables

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


@contextmanager
def kept(database: Path | None, *, may_be_new: bool = False) -> Iterator[Tables]:
    """The tables in a database, beside a server that may have it open too.

    Raises Unknown if the file is not there, unless it may be new, and what the journal raises for one that is no use.
    """
    path = database_at(database)
    if not may_be_new and not path.exists():
        raise Unknown("No tables are kept in {path}: there is no such file.", path=str(path))
    with SqliteJournal(path) as journal, Tables(journal) as tables:
        yield tables
