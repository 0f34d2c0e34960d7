"""The history as it happens, sent as server-sent events."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import HeaderParameter
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from winded.errors import TooMuch
from winded.roles import Role
from winded.service import REVISION_PATTERN, Revision, SeenLine, Visitor, revision_from
from winded.web.access import holding_by
from winded.web.api.operations import Answers, takes
from winded.web.api.requests import After, Call
from winded.web.api.seeing import entry_seen, newest
from winded.web.guard import SPECTATOR_STREAM_LIMIT, STREAM_LIMIT
from winded.web.host import Host
from winded.web.methods import is_for_head

LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The id of the last event you received: the stream goes on after it. It overrides `after`.",
        schema_extra={"pattern": f"^{REVISION_PATTERN}$"},
    ),
]

_encode = msgspec.json.Encoder().encode


class LiveQuery(Struct, frozen=True):
    """Where the stream begins; without it, with the next entry."""

    after: After | None = None


class LiveController(Controller):
    """The history as it happens."""

    tags: list[str] = ["live"]  # noqa: RUF012 - as the framework wants it

    @get(
        "/tables/{table:str}/live",
        opt={"streamed": True},
        **takes(
            Answers(
                "The stream. `entry`: an entry as in the journal, its revision as id. `reset`: the table has another "
                "history than before, or than the id that was sent; see it anew, what follows comes after `revision`. "
                "`beat`: a sign of life, one every `every` seconds. `gone`: the link no longer holds or the table is "
                "deleted; coming back is of no use.",
                media_type="text/event-stream",
            ),
            query=LiveQuery,
            errors=(TooMuch,),
        ),
    )
    async def follow_journal(
        self, request: Call, host: Host, who: Visitor, asked: LiveQuery, last_event_id: LastEventId = None
    ) -> ASGIApp:
        """Follow the history as it happens, as server-sent events, from any entry on, without gaps."""
        since = _since(last_event_id, asked.after, newest(host, who).revision)
        limit = SPECTATOR_STREAM_LIMIT if who.role is Role.SPECTATOR else STREAM_LIMIT
        # Players and spectators are sent the same.
        role = Role.REFEREE if who.is_referee else Role.PLAYER
        live = host.live
        holds = holding_by(host.desk, who, request.auth)

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            if is_for_head(scope):
                await ASGIResponse(media_type="text/event-stream")(scope, receive, send)
                return
            with live.within(who.member, limit):
                await live.entries(who.table, role, _tell, since, holds, receive, send)

        return stream


def _since(last: str | None, after: str | None, newest: Revision) -> Revision:
    if last:
        return revision_from(last, "Last-Event-ID")
    return newest if after is None else revision_from(after, "after")


def _tell(line: SeenLine) -> bytes:
    return _encode(entry_seen(line))
