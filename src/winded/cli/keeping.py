"""`winded backup`, `restore`, `doctor` and `delete`: what is done to a database and its tables as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from winded.cli.database import Database, database_at, kept
from winded.cli.tables import TableId
from winded.errors import Malformed, Unavailable
from winded.sentence import sentences
from winded.service import examining, opening, restoring, seeing, visiting


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


def restore(file: Path, /, *, database: Database = None) -> None:
    """Bring back a copy of the whole database. What is there now is kept beside it.

    A server may go on meanwhile: every screen shows the restored tables. Links that hold now go on holding.

    Parameters
    ----------
    file
        The copy; one that `winded backup` made, or that made itself.
    """
    back = restoring.restore(database_at(database), file)
    print(
        sentences(
            "{n} table is restored from {file}.", "{n} tables are restored from {file}.", back.tables, file=str(file)
        )
    )
    if back.kept is not None:
        print(f"What was there before is kept in {back.kept}.")


def doctor(*, database: Database = None) -> int:
    """Look a database over: is it whole, can every table be read, how old is its newest copy?

    Exit status: 0 if all is well, 7 if something is not; it is marked with an exclamation mark.
    """
    ends = 0
    for one in examining.examine(database_at(database)):
        print(f"{' ' if one.is_well else '!'} {one.what:<12} {one.found}", flush=True)
        if not one.is_well:
            ends = Unavailable.exit_status
    return ends


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
                "This would delete “{name}” for good, with its history ({entries}). Add --yes to delete it.",
                name=name,
                entries=sentences("{n} entry", "{n} entries", entries),
            )
        opening.delete_table(desk, who)
    print(f"“{name}” is deleted.")
