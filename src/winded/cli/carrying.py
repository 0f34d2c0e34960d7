"""`winded export` and `winded import`: a table as one file, from one machine to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from winded.cli.database import Address, Database, address_or_found, kept, link_address
from winded.cli.printing import print_json
from winded.cli.reading import no_option, opened
from winded.cli.tables import TableId
from winded.errors import Malformed, Stale, TooMuch, Unavailable
from winded.sentence import sentences
from winded.service import carrying, seeing, table_file, visiting
from winded.service.carrying import Here
from winded.service.table_file import Carried

LARGEST = 1 << 28
"""Bytes that a file may have; a table of a hundred thousand entries has a tenth of that."""


def export(
    table: TableId | None = None,
    file: Annotated[Path | None, Parameter(allow_leading_hyphen=True, validator=no_option)] = None,
    /,
    *,
    database: Database = None,
    schema: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Write a table to a file: its rules, its whole history, who is at it and what they play.

    Hidden enemies are in it too. What lets people in is not: whoever brings the table in gets new links.

    Parameters
    ----------
    file
        Where to; "-" or nothing for standard output. A file that is there already is left alone.
    schema
        Print the JSON Schema of such a file instead.
    """
    if schema:
        if table is not None or database is not None:
            raise Malformed("schema", "Use --schema alone: it prints the schema of every table file.")
        print_json(table_file.schema())
        return
    if table is None:
        raise Malformed("ID", "Which table? `winded tables` lists them by their ids.")
    with kept(database) as desk:
        written = carrying.carry_out(desk, visiting.keeper(desk, table))
    if file is None or str(file) == "-":
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
        return
    try:
        with file.open("xb") as out:
            out.write(written)
    except FileExistsError as wrong:
        raise Stale("{path} already exists. Nothing was written.", path=str(file)) from wrong
    except OSError as wrong:
        raise Unavailable("{path} cannot be written: {reason}.", path=str(file), reason=wrong.strerror) from wrong


def bring_in(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, validator=no_option)],
    /,
    *,
    copy: Annotated[bool, Parameter(negative=())] = False,
    replace: Annotated[bool, Parameter(negative=())] = False,
    database: Database = None,
    address: Address = None,
) -> None:
    """Bring in a table that `winded export` wrote, and print a new link for each who was at it.

    Parameters
    ----------
    file
        The file; "-" for standard input.
    copy
        If the table is here already, let the two stand side by side.
    replace
        If the table is here already, put this one in its place. The links to it stay.
    """
    if copy and replace:
        raise Malformed("copy", "Choose either --copy or --replace, not both.")
    carried = _carried(file)
    here = Here.COPY if copy else Here.REPLACE if replace else Here.REFUSE
    with kept(database, may_be_new=True) as desk:
        if here is Here.REFUSE and carrying.is_here(desk, carried):
            here = _asked(seeing.see(desk, visiting.keeper(desk, carried.record.id)).name)
        brought = carrying.bring_in(desk, carried, here, may_replace=True)
    print(
        sentences(
            "“{name}” is imported as {table}, with {n} entry.",
            "“{name}” is imported as {table}, with {n} entries.",
            len(carried.entries),
            name=brought.name,
            table=brought.table,
        )
    )
    found = address_or_found(address, database) if brought.links else ""
    for given in brought.links:
        print(f"{given.link.name}: {link_address(found, given.token)}")


def _carried(file: Path) -> Carried:
    with opened(file) as source:
        written = source.read(LARGEST + 1)
    if len(written) > LARGEST:
        raise TooMuch("This file is too large: a table file has at most {most} bytes.", most=LARGEST)
    return table_file.carried_from(written)


def _asked(name: str) -> Here:
    """What to do with a table that is here already, from whoever sits at the terminal; raises Stale if nobody does."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        print(f"“{name}” is here already. Type copy or replace, or nothing to leave it: ", end="", file=sys.stderr)
        sys.stderr.flush()
        choice = sys.stdin.readline().strip().lower()
        if choice in ("copy", "replace"):
            return Here(choice)
    raise Stale(
        "“{name}” is already here. Use --copy to add it as a copy, or --replace to replace the one here.",
        name=name,
    )
