"""The history as it happens, as server-sent events."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winded.errors import Malformed, TooMuch
from winded.roles import Role
from winded.rules import shown
from winded.tables import Line, Snapshot
from winded.web.access import holding_by
from winded.web.api.operations import Answers, Call, Header, operation
from winded.web.api.seeing import entry_for, newest
from winded.web.guard import SPECTATOR_STREAM_LIMIT, STREAM_LIMIT
from winded.web.live import Tell

LAST_EVENT_ID = Header(
    "Last-Event-ID",
    "The id of the last event that was received: the stream goes on after it. Counts before `after`.",
    {"type": "string", "pattern": "^[0-9]{1,15}$"},
)

_encode = msgspec.json.Encoder().encode


class LiveQuery(Struct, frozen=True):
    """Where the stream begins; without it, with what comes next."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1, description="Entries above this number.")] | None = None


@operation(
    "GET",
    "/tables/{table}/live",
    {
        200: Answers(
            "The stream. `entry`: an entry as in the journal, its number as id. `beat`: a sign of life, one `every` so "
            "many seconds. `gone`: the link no longer holds or the table is deleted, and coming back is of no use.",
            media_type="text/event-stream",
        )
    },
    query=LiveQuery,
    headers=(LAST_EVENT_ID,),
    errors=(TooMuch,),
)
async def follow_journal(call: Call) -> None:
    """Follow the history as it happens, as server-sent events, from any number on and without a gap."""
    who = call.who
    snapshot, _ = newest(call)
    since = _since(call, snapshot.number)
    limit = SPECTATOR_STREAM_LIMIT if who.role is Role.SPECTATOR else STREAM_LIMIT
    kind = "referee" if who.is_referee else "others"
    live = call.host.live
    with live.within(who.member, limit):
        holds = holding_by(call.host, who, call.token)
        await live.entries(call.table, kind, _TELL[kind], since, holds, call.receive, call.send)


def _since(call: Call, newest: int) -> int:
    last = call.header(LAST_EVENT_ID.name)
    if last is None or last == "":
        return newest if call.query.after is None else call.query.after
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

OPERATIONS = (follow_journal,)
