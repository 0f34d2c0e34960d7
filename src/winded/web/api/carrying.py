"""A table as one file: carried out of this server, and brought in on another."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from winded.errors import Forbidden, Stale, TooMuch, Unavailable
from winded.service import table_file
from winded.web.access import visitor_by_token
from winded.web.apart import apart
from winded.web.api.links import given_seen
from winded.web.api.operations import Answer, Answers, Body, Call, bearer, operation
from winded.web.api.shapes import TableBroughtIn
from winded.web.errors import NoToken
from winded.web.guard import IMPORT_LIMIT, NEW_TABLES


class Here(StrEnum):
    """What to do where the table that is brought in is here already."""

    REFUSE = "refuse"
    COPY = "copy"
    REPLACE = "replace"


class ImportQuery(Struct, frozen=True):
    """What to do where the table is here already."""

    here: Annotated[
        Here,
        Meta(
            description="What to do where the table is here already: refuse, put a copy beside it, or replace it, "
            "which takes the token of one of its Referees."
        ),
    ] = Here.REFUSE


TABLE_FILE = Body(bytes, lambda: {"$ref": "#/components/schemas/TableFile"}, IMPORT_LIMIT)


@operation(
    "GET",
    "/tables/{table}/export",
    {
        200: Answers(
            "The table as a file.",
            {"$ref": "#/components/schemas/TableFile"},
            {"Content-Disposition": "A name for the file."},
        )
    },
    referee=True,
)
async def export_table(call: Call) -> Answer:
    """The whole table as one file: rules, history, people and state, hidden enemies too, but no link."""
    file = await asyncio.to_thread(table_file.carry_out, call.host.tables, call.table)
    return Answer(file, headers={"content-disposition": f'attachment; filename="winded-{call.table}.json"'})


@operation(
    "POST",
    "/import",
    {201: Answers("The table is here, with new links.", TableBroughtIn)},
    token=False,
    query=ImportQuery,
    body=TABLE_FILE,
    errors=(NoToken, Forbidden, Stale, TooMuch, Unavailable),
)
async def import_table(call: Call) -> Answer:
    """Bring in a table from its file, identical but for its links. Answers with a new link for each who needs one."""
    host = call.host
    host.limits.take(NEW_TABLES, call.address)
    file: bytes = call.body
    carried = await apart(lambda: table_file.carried_from(file))
    here = call.query.here
    if here is Here.REPLACE and table_file.is_here(host.tables, carried):
        try:
            who = visitor_by_token(host.links, bearer(call), carried.record.id)
        except NoToken:
            raise
        except Forbidden as no:
            raise NoToken(no.text, **no.facts) from no
        if not who.is_referee:
            raise Forbidden("Only the Referee can do this.")
    brought = await apart(
        lambda: table_file.bring_in(host.tables, carried, copying=here is Here.COPY, replacing=here is Here.REPLACE)
    )
    snapshot = host.tables.snapshot(brought.table)
    return Answer(
        TableBroughtIn(snapshot.id, snapshot.name, snapshot.number, tuple(map(given_seen, brought.links))), 201
    )


OPERATIONS = (export_table, import_table)
