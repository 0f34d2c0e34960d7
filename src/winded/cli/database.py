"""Where the tables are kept, unless someone says otherwise on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from winded.sentence import sentence
from winded.service import Desk, open_desk
from winded.service.serving import served_at

Database: TypeAlias = Annotated[
    Path | None,
    Parameter(metavar="PATH", help="The file in which tables are kept; without it the one among your own data."),
]
"""The option `--database`."""

Address: TypeAlias = Annotated[
    str | None,
    Parameter(metavar="URL", help="Where `winded serve` is reached; without it, where it runs now or would run."),
]
"""The option `--address`."""

USUAL_ADDRESS = "http://127.0.0.1:8000/"


def database_at(path: Path | None) -> Path:
    """This file, or winded.sqlite in the place that the platform has for a user's data."""
    if path is not None:
        return path
    from platformdirs import user_data_path

    return user_data_path("winded", appauthor=False) / "winded.sqlite"


@contextmanager
def kept(database: Path | None, *, may_be_new: bool = False) -> Iterator[Desk]:
    """The desk over a database, beside a server that may have it open too.

    Raises Unknown if the file is not there, unless it may be new, and what the journal raises for one that is no use.
    """
    with open_desk(database_at(database), may_be_new=may_be_new) as desk:
        yield desk


def address_or_found(address: str | None, database: Path | None) -> str:
    """The address that was given, or of the server that runs now; else the usual one.

    That no server runs is said to whoever sits at the terminal.
    """
    if address is not None:
        return address
    found = served_at(database_at(database))
    if found is None and sys.stderr.isatty():
        print(
            sentence(
                "No server is using this database. These links lead to {address}, where “winded serve” listens by "
                "default; use --address for another.",
                address=USUAL_ADDRESS,
            ),
            file=sys.stderr,
        )
    return found or USUAL_ADDRESS


def link_address(address: str, token: str) -> str:
    """What to open in a browser to come in by a link."""
    return f"{address.rstrip('/')}/l/{token}"
