"""A table's own page: for each role its view, and the live stream that keeps it true."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, get, post
from litestar.connection import ASGIConnection
from litestar.response import Redirect
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, ControllerRouterHandler, Receive, Scope, Send
from msgspec import Struct

from winded.errors import Forbidden, WindedError
from winded.roles import Role
from winded.service import Revision, Visitor, revision_from, seeing, visiting
from winded.web.access import holding, visitor
from winded.web.errors import WrongMethod
from winded.web.guard import SPECTATOR_STREAM_LIMIT, STREAM_LIMIT
from winded.web.host import Host, language_for
from winded.web.language import Language
from winded.web.live import Holds, View, Viewer
from winded.web.screens.board import view as board
from winded.web.screens.overlay import view as overlay
from winded.web.screens.parts.answers import html, to_table
from winded.web.screens.phone import view as phone
from winded.web.screens.spectator import view as spectator

VIEWS: dict[str, View] = {
    "board": View(board.render, board.page),
    "phone": View(phone.render, phone.page),
    "spectator": View(spectator.render, spectator.page),
    "overlay": View(overlay.render, overlay.page),
}
OPTION_LIMIT = 2_000
"""Characters that an overlay's address may spend on one option: room for the names of a whole party."""

_KIND_OF = {Role.REFEREE: "board", Role.PLAYER: "phone", Role.SPECTATOR: "spectator"}


def viewer_of(who: Visitor, language: Language) -> Viewer:
    """How a visitor looks at the table: Referees at one board, spectators at one view, each player at an own phone."""
    return Viewer(_KIND_OF[who.role], who.role, who.member if who.role is Role.PLAYER else "", language.code)


def overlay_viewer(language: Language, query: dict[str, str]) -> Viewer:
    """How an overlay looks at the table: as spectators do, with what its address asks for."""
    options = tuple(sorted((name, value[:OPTION_LIMIT]) for name, value in query.items() if name in overlay.OPTIONS))
    return Viewer("overlay", Role.SPECTATOR, "", language.code, options)


@get("/l/{token:str}", include_in_schema=False)
async def follow_link(request: Request[Any, Any, Any], token: str, host: Host, language: Language) -> Response[Any]:
    """Follow a link: the browser keeps it in a cookie, and its address is gone from the screen.

    A browser that holds somebody else's link to the table is asked first: there would be no way back to that one.
    """
    who = visiting.follow(host.desk, token)
    try:
        known = visitor(host.desk, request, who.table)
    except Forbidden:
        known = who
    if known.member == who.member:
        return to_table(request, who.table, token)
    name = seeing.see(host.desk, who).name
    text = language.render(
        "join/already_here.html", name=name, known=known, at=f"/tables/{who.table}", to=f"/l/{token}"
    )
    return html(text)


@post("/l/{token:str}", include_in_schema=False, status_code=303)
async def follow_link_instead(request: Request[Any, Any, Any], token: str, host: Host) -> Redirect:
    """Follow a link in place of the one that this browser holds."""
    return to_table(request, visiting.follow(host.desk, token).table, token)


@get("/tables/{table:str}", include_in_schema=False)
async def table_page(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """The table as this visitor sees it."""
    who = visitor(host.desk, request, table)
    _note_device(host, who, request)
    return _page(host, who, viewer_of(who, language))


@get("/tables/{table:str}/overlay", include_in_schema=False)
async def overlay_page(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """What streaming software lays over its picture; the spectators' token stands in its address, as `key`."""
    who = _overlay_visitor(host, table, request)
    _note_device(host, who, request)
    return _page(host, who, overlay_viewer(language, dict(request.query_params)))


def _overlay_visitor(host: Host, table: str, connection: ASGIConnection[Any, Any, Any, Any]) -> Visitor:
    key = connection.query_params.get("key")
    if key is None:
        return visitor(host.desk, connection, table)
    who = visiting.visitor(host.desk, key, table)
    if who.role is not Role.SPECTATOR:
        raise Forbidden("An overlay works only with the spectators' link: it shows only what everyone may see.")
    return who


def _note_device(host: Host, who: Visitor, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    host.devices.came(who.member, connection.headers.get("user-agent", ""))


def _page(host: Host, who: Visitor, viewer: Viewer) -> Response[Any]:
    seeing.see(host.desk, who)
    view = VIEWS[viewer.kind]
    seen = seeing.see_as(host.desk, who.table, viewer.role, viewer.member)
    return html(view.page(viewer, seen, view.render(viewer, seen, host.live.kept)))


def is_for_live(scope: Scope) -> bool:
    """Whether a request is for the live stream of a page."""
    path = scope["path"]
    return path.startswith("/tables/") and path.endswith("/live") and path.count("/") == 3


def live(host: Host) -> ASGIApp:
    """The live streams of pages: `seq` is the revision the page shows, `kind` is "overlay" for an overlay.

    With `once=1` it is no stream but one answer, what the page lacks, for pages that can have no stream.
    An application of its own, before the framework: what that keeps of a request would be half of what a phone costs.
    """

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope.get("method") not in ("GET", "HEAD"):
                raise WrongMethod("This address does not take that method.")
            # What the framework notes down of a request goes with this copy, not with the stream.
            watched = _watched(host, ASGIConnection({**scope, "state": {}}, receive, send))  # type: ignore[arg-type]
            if scope.get("method") == "HEAD":
                await ASGIResponse(media_type="text/event-stream")(scope, receive, send)
                return
            view = VIEWS[watched.viewer.kind]
            if watched.once:
                found = host.live.glance(watched.table, watched.viewer, view.render, watched.since)
                await ASGIResponse(
                    body=found or b"", status_code=204 if found is None else 200, media_type="application/json"
                )(scope, receive, send)
                return
            with host.live.within(watched.holder, watched.limit):
                await host.live.view(
                    watched.table, watched.viewer, view.render, watched.since, watched.holds, receive, send
                )
        except WindedError as no:
            await ASGIResponse(
                body=msgspec.json.encode(no.as_data()),
                status_code=no.status,
                media_type="application/json",
                headers={"allow": "GET, HEAD"} if isinstance(no, WrongMethod) else {},
            )(scope, receive, send)

    return stream


class _Watched(Struct, frozen=True):
    """What a stream's address asks for, and for whom."""

    table: str
    viewer: Viewer
    since: Revision
    holds: Holds
    holder: str
    limit: int
    once: bool


def _watched(host: Host, connection: ASGIConnection[Any, Any, Any, Any]) -> _Watched:
    table = connection.scope["path"].split("/")[2]
    query = dict(connection.query_params)
    language = language_for(connection)
    if query.get("kind") == "overlay":
        who = _overlay_visitor(host, table, connection)
        viewer = overlay_viewer(language, query)
    else:
        who = visitor(host.desk, connection, table)
        viewer = viewer_of(who, language)
    seeing.see(host.desk, who)
    _note_device(host, who, connection)
    return _Watched(
        table,
        viewer,
        shown_by(query.get("seq")),
        holding(host.desk, who, connection),
        # Each overlay may ask for a view of its own, spectators all share one.
        f"{who.member} {viewer.kind}",
        SPECTATOR_STREAM_LIMIT if viewer.kind == "spectator" else STREAM_LIMIT,
        "once" in query,
    )


def shown_by(text: str | None) -> Revision:
    """What a page says it shows, number -1 for nothing yet. Raises Malformed."""
    return Revision(-1) if text is None or text in ("", "-1") else revision_from(text, "seq")


handlers: list[ControllerRouterHandler] = [follow_link, follow_link_instead, table_page, overlay_page]
