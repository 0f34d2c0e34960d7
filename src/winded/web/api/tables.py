"""Tables themselves: beginning, reading, renaming and deleting them."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, delete, get, patch, post
from msgspec import Meta, Struct

from winded.errors import Malformed, Refused
from winded.roles import Role
from winded.rules import PAGE, AddCharacter, Ruleset
from winded.rules.fields import Name
from winded.service import ENEMY_LIMIT, PARTY_LIMIT, Visitor, opening, seeing, visiting
from winded.web.api.answers import Answer
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.reading import NUMBERED, numbered, table_seen
from winded.web.api.requests import struct_from
from winded.web.api.seeing import newest
from winded.web.api.shapes import TableAddresses, TableMade, TableNamed, TableSeen
from winded.web.guard import NEW_TABLES
from winded.web.host import Host

PREFIX = "/api"


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to begin. `characters` are as in `add_character`, without `do`.

    Every table needs a `name`, except the sample table, which brings its own characters and is called "Sample table"
    if you don't name it.
    """

    name: Name | None = None
    ruleset: Ruleset | None = None
    characters: Annotated[tuple[AddCharacter, ...], Meta(max_length=PARTY_LIMIT + ENEMY_LIMIT)] = ()
    sample: bool = False


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's new name."""

    name: Name


def addresses_of(table: str, token: str, *, way: str = "l") -> TableAddresses:
    """The addresses of a table, and of the link with this token."""
    return TableAddresses(f"{PREFIX}/tables/{table}", f"/tables/{table}", f"/{way}/{token}")


NEW_TABLE = Body(struct_from(NewTable), "NewTable")
NEW_NAME = Body(struct_from(NewName), "NewName")


class TablesController(Controller):
    """Tables themselves."""

    path = "/tables"
    tags: list[str] = ["tables"]  # noqa: RUF012 - as the framework wants it

    @post(
        "/",
        **takes(
            Answers("The new table.", {"Location": "The address of the table in the API."}),
            token=False,
            body=NEW_TABLE,
            rate=NEW_TABLES,
            errors=(Refused,),
        ),
    )
    async def begin_table(self, host: Host, data: NewTable) -> Answer[TableMade]:
        """Begin a table, empty or with its first characters, by the page's rules or by house rules.

        Answers with the Referee's token, which is never shown again. `{"sample": true}` begins the sample table.
        """
        if data.name is None and not data.sample:
            raise Malformed("name", "“{field}” is missing. Only the sample table comes with a name.", field="name")
        ruleset = data.ruleset or PAGE
        begun = await asyncio.to_thread(
            lambda: (
                opening.begin_sample(host.desk, data.name, data.characters, ruleset)
                if data.sample
                else opening.begin_table(host.desk, data.name or "", data.characters, ruleset)
            )
        )
        links = addresses_of(begun.link.table, begun.token)
        name = seeing.see(host.desk, visiting.follow(host.desk, begun.token)).name
        made = TableMade(begun.link.table, name, Role.REFEREE, begun.token, links)
        return Answer(made, headers={"location": links.api})

    @get("/{table:str}", **takes(Answers("The table.", NUMBERED)))
    async def see_table(self, host: Host, who: Visitor) -> Answer[TableSeen]:
        """Get everything you may see of a table: its people, what they may do, and its state."""
        seen = newest(host, who)
        return numbered(seen, table_seen(seen))

    @patch("/{table:str}", **takes(Answers("The table, renamed."), referee=True, body=NEW_NAME))
    async def rename_table(self, host: Host, who: Visitor, data: NewName) -> TableNamed:
        """Rename the table."""
        await asyncio.to_thread(opening.rename_table, host.desk, who, data.name)
        seen = newest(host, who)
        return TableNamed(seen.id, seen.name, seen.number, str(seen.revision))

    @delete("/{table:str}", **takes(Answers("The table is deleted."), referee=True))
    async def delete_table(self, host: Host, who: Visitor) -> None:
        """Delete the table for good, with its history and all links to it. Its streams end with `gone`."""
        await asyncio.to_thread(opening.delete_table, host.desk, who)
