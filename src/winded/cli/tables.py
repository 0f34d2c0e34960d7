"""`winded tables`: which tables a database holds, and a way back in for who has lost it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from winded.cli.database import Address, Database, address_or_found, kept, link_address
from winded.cli.house_rules import HouseRules, ruleset_at
from winded.cli.printing import console, print_columns, print_json
from winded.service import opening, seeing, table_name, visiting

TableId = Annotated[str, Parameter(name="ID", help="The table, as `winded tables` names it.")]

app: App = App(name="tables")


class ListedTable(msgspec.Struct, frozen=True):
    """A table as it is listed; `people` are those whose links hold."""

    id: str
    name: str
    created: datetime
    entries: int
    people: tuple[dict[str, str], ...]


@app.default
def tables(
    *, database: Database = None, as_json: Annotated[bool, Parameter(name="--json", negative=())] = False
) -> None:
    """List every table: its id, name, when it was made, how long its history is, and who has a link to it.

    Parameters
    ----------
    as_json
        List them as JSON.
    """
    with kept(database) as desk:
        listings = [_listing(one) for one in opening.list_tables(desk)]
    if as_json:
        print_json(listings)
    else:
        _print(listings)


@app.command
def new(
    name: str,
    /,
    *,
    rules: HouseRules = None,
    database: Database = None,
    address: Address = None,
) -> None:
    """Begin a table, under house rules if you like, and print its Referee's link.

    Parameters
    ----------
    name
        What the table is called.
    """
    called, ruleset = table_name(name), ruleset_at(rules)
    with kept(database, may_be_new=True) as desk:
        given = opening.begin_table(desk, called, ruleset=ruleset)
    print(link_address(address_or_found(address, database), given.token))


@app.command
def recover(
    table: TableId,
    /,
    *,
    database: Database = None,
    address: Address = None,
) -> None:
    """Make a new Referee's link to a table and print it. Links given out before still hold."""
    with kept(database) as desk:
        given = opening.recover_table(desk, table)
    print(link_address(address_or_found(address, database), given.token))


@app.command
def standing(table: TableId, /, *, character: str | None = None, database: Database = None) -> None:
    """Say in sentences how the party stands, or one character: Stamina, next reaction, whose turn it is.

    Parameters
    ----------
    character
        The name of a character.
    """
    with kept(database) as desk:
        for told in seeing.standing(desk, visiting.keeper(desk, table), character):
            print(told)


def _listing(one: opening.Listing) -> ListedTable:
    return ListedTable(
        one.id,
        one.name,
        datetime.fromtimestamp(one.created, UTC).replace(microsecond=0),
        one.number,
        tuple({"name": link.name, "role": link.role} for link in one.people),
    )


def _print(listings: list[ListedTable]) -> None:
    from rich.table import Table as Columns
    from rich.text import Text

    if not listings:
        print("There are no tables yet.")
        return
    columns = Columns(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    columns.add_column("ID", no_wrap=True, min_width=max(len(one.id) for one in listings))
    columns.add_column("Name", overflow="fold")
    columns.add_column("Made", no_wrap=True, min_width=len("2026-11-30 20:15"))
    columns.add_column("Entries", justify="right", no_wrap=True, min_width=len("Entries"))
    columns.add_column("People", overflow="fold")
    for one in listings:
        columns.add_row(
            one.id,
            Text(one.name),
            f"{one.created.astimezone():%Y-%m-%d %H:%M}",
            str(one.entries),
            Text(", ".join(person["name"] for person in one.people)),
        )
    print_columns(console(), columns)
