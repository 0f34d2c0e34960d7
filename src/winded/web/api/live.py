"""The history as it happens, as server-sent events."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import HeaderParameter
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta, Struct

from winded.errors import Malformed, TooMuch
from winded.roles import Role
from winded.rules import shown
from winded.tables import Line, Snapshot
from winded.web.access import Visitor, holding_by
from winded.web.api.operations import Answers, takes
from winded.web.api.requests import Call
from winded.web.api.seeing import entry_for, newest
from winded.web.guard import SPECTATOR_STREAM_LIMIT, STREAM_LIMIT
from winded.web.host import Host
from winded.web.live import Tell

LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The id of the last event that was received: the stream goes on after it. Counts before `after`.",
        schema_extra={"pattern": "^[0-9]{1,15}$"},
    ),
]

_encode = msgspec.json.Encoder().encode


class LiveQuery(Struct, frozen=True):
    """Where the stream begins; without it, with what comes next."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1, description="Entries above this number.")] | None = None


class LiveController(Controller):
    """The history as it happens."""

    tags = ["live"]  # noqa: RUF012 - as the framework wants it

    @get(
        "/tables/{table:str}/live",
        opt={"streamed": True},
        **takes(
            Answers(
                "The stream. `entry`: an entry as in the journal, its number as id. `beat`: a sign of life, one every "
                "`every` seconds. `gone`: the link no longer holds or the table is deleted; coming back is of no use.",
                media_type="text/event-stream",
            ),
            query=LiveQuery,
            errors=(TooMuch,),
        ),
    )
    async def follow_journal(
        self, request: Call, host: Host, who: Visitor, asked: LiveQuery, last_event_id: LastEventId = None
    ) -> ASGIApp:
        """Follow the history as it happens, as server-sent events, from any number on and without a gap."""
        snapshot, _ = newest(host, who)
        since = _since(last_event_id, asked.after, snapshot.number)
        limit = SPECTATOR_STREAM_LIMIT if who.role is Role.SPECTATOR else STREAM_LIMIT
        kind = "referee" if who.is_referee else "others"
        live = host.live
        holds = holding_by(host, who, request.auth)

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            with live.within(who.member, limit):
                await live.entries(who.table, kind, _TELL[kind], since, holds, receive, send)

        return stream


def _since(last: str | None, after: int | None, newest: int) -> int:
    if last is None or last == "":
        return newest if after is None else after
    if not last.isdecimal() or len(last) > 15:
        raise Malformed(
            "Last-Event-ID", "“Last-Event-ID” must be the number of an entry; it is {value}.", value=shown(last)
        )
    return int(last)


def _teller(role: Role) -> Tell:
    def tell(line: Line, snapshot: Snapshot) -> bytes | None:
        seen = entry_for(role, line, snapshot.table)
        return None if seen is None else _encode(seen)

    return tell


_TELL = {"referee": _teller(Role.REFEREE), "others": _teller(Role.PLAYER)}
