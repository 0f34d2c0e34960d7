"""Tables as such: begun, renamed, deleted for good."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from winded.errors import Malformed, Refused, TooMuch, Unavailable
from winded.roles import Role
from winded.rules import PAGE, AddCharacter, Ruleset, Table
from winded.rules.fields import Name
from winded.service.links import open_table
from winded.service.sample import SAMPLE, SAMPLE_NAME
from winded.web.api.operations import PREFIX, Answer, Answers, Body, Call, operation, struct_from
from winded.web.api.shapes import Links, TableMade, TableNamed
from winded.web.guard import ENEMY_LIMIT, NEW_TABLES, PARTY_LIMIT, check_room


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to begin. `characters` are as in `add_character`, without `do`.

    The sample table brings its own people and is called "Sample table" unless it is given a name.
    """

    name: Name | None = None
    ruleset: Ruleset | None = None
    characters: Annotated[tuple[AddCharacter, ...], Meta(max_length=PARTY_LIMIT + ENEMY_LIMIT)] = ()
    sample: bool = False


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is called from now on."""

    name: Name


def links_of(table: str, token: str, *, way: str = "l") -> Links:
    """The addresses of a table, and of the link with this token."""
    return Links(f"{PREFIX}/tables/{table}", f"/tables/{table}", f"/{way}/{token}")


NEW_TABLE = Body(struct_from(NewTable), lambda: {"$ref": "#/components/schemas/NewTable"})
NEW_NAME = Body(struct_from(NewName), lambda: {"$ref": "#/components/schemas/NewName"})


@operation(
    "POST",
    "/tables",
    {201: Answers("The table has begun.", TableMade, {"Location": "Where the table stands in the API."})},
    token=False,
    body=NEW_TABLE,
    errors=(Refused, TooMuch, Unavailable),
)
async def begin_table(call: Call) -> Answer:
    """Begin a table, empty or with its first characters, under the page's rules or a ruleset of its own.

    Answers with the Referee's token, the only time it is shown. `{"sample": true}` begins the sample table.
    """
    wanted: NewTable = call.body
    call.host.limits.take(NEW_TABLES, call.address)
    if wanted.name is None and not wanted.sample:
        raise Malformed("name", "“{field}” is missing; only the sample table has a name of its own.", field="name")
    ruleset = wanted.ruleset or PAGE
    if ruleset.name == PAGE.name and ruleset != PAGE:
        ruleset = replace(ruleset, name="House rules")
    commands = (*(SAMPLE if wanted.sample else ()), *wanted.characters)
    table = Table(ruleset)
    for command in commands:
        check_room(table, command)
        table = table.do(command)
    name = wanted.name or SAMPLE_NAME
    host = call.host
    given = await asyncio.to_thread(open_table, host.tables, host.links, name, commands, ruleset)
    links = links_of(given.link.table, given.token)
    made = TableMade(given.link.table, name, Role.REFEREE, given.token, links)
    return Answer(made, 201, {"location": links.api})


@operation(
    "PATCH", "/tables/{table}", {200: Answers("The table has its new name.", TableNamed)}, referee=True, body=NEW_NAME
)
async def rename_table(call: Call) -> Answer:
    """Call the table something else."""
    tables = call.host.tables
    await asyncio.to_thread(tables.rename, call.table, call.body.name)
    snapshot = tables.snapshot(call.table)
    return Answer(TableNamed(snapshot.id, snapshot.name, snapshot.number))


@operation("DELETE", "/tables/{table}", {204: Answers("The table is gone.")}, referee=True)
async def delete_table(call: Call) -> Answer:
    """Delete the table for good, with its history and all its links. Streams of it end with `gone`."""
    await asyncio.to_thread(call.host.tables.delete, call.table)
    call.host.links.forget()
    return Answer(None, 204)


OPERATIONS = (begin_table, rename_table, delete_table)
