"""A table as one file: exported from this server, and imported into another."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, get, post
from msgspec import Meta, Struct

from winded.errors import Forbidden, Stale
from winded.service import Visitor, carrying
from winded.service.carrying import Here
from winded.web.api.answers import Answer
from winded.web.api.links import given_seen
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import Call, bearer, visitor_by_bearer
from winded.web.api.shapes import TableBroughtIn
from winded.web.errors import NoToken
from winded.web.guard import IMPORT_LIMIT, NEW_TABLES
from winded.web.host import Host


class ImportQuery(Struct, frozen=True):
    """What to do if the table is already here."""

    here: Annotated[
        Here,
        Meta(
            description="What to do if the table is already here: refuse, put a copy beside it, or replace it, "
            "which takes the token of one of its Referees."
        ),
    ] = Here.REFUSE


TABLE_FILE: Body = Body(bytes, "TableFile", IMPORT_LIMIT)


class CarryingController(Controller):
    """A table as one file."""

    tags: list[str] = ["carrying"]  # noqa: RUF012 - as the framework wants it

    @get(
        "/tables/{table:str}/export",
        **takes(Answers("The table as a file.", {"Content-Disposition": "A name for the file."}, "TableFile")),
    )
    async def export_table(self, host: Host, who: Visitor) -> Answer[bytes]:
        """Export the table as one file: rules, history, people and state, with hidden enemies but without links."""
        file = await asyncio.to_thread(carrying.carry_out, host.desk, who)
        return Answer(file, headers={"content-disposition": f'attachment; filename="winded-{who.table}.json"'})

    @post(
        "/import",
        **takes(
            Answers("The table is here, with new links."),
            token=False,
            query=ImportQuery,
            body=TABLE_FILE,
            rate=NEW_TABLES,
            errors=(NoToken, Forbidden, Stale),
        ),
    )
    async def import_table(self, request: Call, host: Host, asked: ImportQuery, data: bytes) -> TableBroughtIn:
        """Import a table from its file. Everything is as it was, except its links.

        Answers with a new link for each of its people who has none here.
        """
        carried = await host.long_work.table_in(data)
        here = asked.here
        may_replace = False
        if here is Here.REPLACE and carrying.is_here(host.desk, carried):
            token = bearer(request.headers.get("authorization"))
            may_replace = visitor_by_bearer(host, token, carried.record.id).is_referee
        brought = await host.long_work.do(lambda: carrying.bring_in(host.desk, carried, here, may_replace=may_replace))
        links = tuple(map(given_seen, brought.links))
        return TableBroughtIn(brought.table, brought.name, brought.revision.number, str(brought.revision), links)
