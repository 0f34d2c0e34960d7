"""`winded backup` and `winded delete`: what is done to a database and its tables as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from winded.cli.database import Database, kept
from winded.cli.tables import TableId
from winded.errors import Malformed
from winded.sentence import sentences
from winded.service import opening, seeing, visiting


def backup(file: Path, /, *, database: Database = None) -> None:
    """Copy the whole database, as it is at one moment, to a new file. A server may go on meanwhile.

    Parameters
    ----------
    file
        Where to; a file that is there already is left alone.
    """
    with kept(database) as desk:
        desk.backup(file)
    print(f"All tables are copied to {file}.")


def delete(
    table: TableId, /, *, yes: Annotated[bool, Parameter(negative=())] = False, database: Database = None
) -> None:
    """Delete a table for good, its history and its links.

    Parameters
    ----------
    yes
        Really delete it; without this nothing is deleted.
    """
    with kept(database) as desk:
        who = visiting.keeper(desk, table)
        seen = seeing.see(desk, who)
        name, entries = seen.name, seen.number
        if not yes:
            raise Malformed(
                "yes",
                "“{name}” would be gone for good, and its history ({entries}) with it: add --yes to delete it.",
                name=name,
                entries=sentences("{n} entry", "{n} entries", entries),
            )
        opening.delete_table(desk, who)
    print(f"“{name}” is deleted.")
