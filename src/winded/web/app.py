"""The web application: pages, live streams and the HTTP API over one `Tables`."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import msgspec
from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader, State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.response.base import ASGIResponse
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, LifeSpanScope, Scope

from winded.errors import WindedError
from winded.service import Desk, seeing
from winded.service.copies import Copying
from winded.service.odds import Odds
from winded.web import api, screens
from winded.web.assets import STATIC
from winded.web.errors import WrongMethod, in_our_words
from winded.web.forms import FormRequest
from winded.web.guard import BODY_LIMIT, OwnPagesOnly, harden, hardened, is_for_api
from winded.web.host import Host, host_of, language_for, language_of
from winded.web.live import BEAT, Live
from winded.web.long_work import LongWork
from winded.web.methods import allowed, as_get
from winded.web.network.reach import Reach
from winded.web.screens.table import is_for_live
from winded.web.screens.table import live as live_streams

REFRESH = 1.0
"""Seconds between two looks at what other processes have written."""

_OF_TABLE = re.compile("(?:/api)?/tables/([^/]+)")

_logger = logging.getLogger(__name__)


class Application(Litestar):
    """The pages, and before them what needs none of the layers around them.

    These would cost the API a third of its speed, and a live stream half of its memory.
    """

    api: ASGIApp
    live: ASGIApp
    reach: Reach
    desk: Desk

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Any, send: Any) -> None:
        if scope["type"] != ScopeType.HTTP:
            await super().__call__(scope, receive, send)
            return
        request = as_get(cast("Scope", scope))
        try:
            self.reach.take_note(request)
        except WindedError as no:
            await turned_away(request, no)(request, receive, hardened(send))
            return
        await seeing.have_at_hand(self.desk, table_in(request["path"]))
        if is_for_api(request):
            await self.api(request, receive, hardened(send))
        elif is_for_live(request):
            await self.live(cast("Scope", scope), receive, hardened(send))
        else:
            await super().__call__(request, receive, send)


def create_app(
    desk: Desk, *, beat: float = BEAT, reach: Reach | None = None, copying: Copying | None = None
) -> Litestar:
    """The application over a desk. `beat` is the seconds between signs of life on an idle stream.

    `copying` is told to look, now and then, whether the database is to be copied.
    """
    live = Live(desk, beat)
    host = Host(desk, live, Odds(), LongWork(), reach or Reach())
    app = Application(
        [
            *screens.handlers,
            create_static_files_router(
                "/static", [STATIC], cache_control=CacheControlHeader(max_age=31_536_000, public=True, immutable=True)
            ),
        ],
        state=State({"host": host, "live": live, "copying": copying}),
        dependencies={
            "host": Provide(host_of, sync_to_thread=False),
            "language": Provide(language_of, sync_to_thread=False),
        },
        request_class=FormRequest,
        middleware=[OwnPagesOnly()],
        before_send=[harden],
        exception_handlers={WindedError: answer_error, HTTPException: answer_error, Exception: answer_error},
        compression_config=CompressionConfig("gzip", gzip_compress_level=6),
        request_max_body_size=BODY_LIMIT,
        openapi_config=None,
        lifespan=[_keeping_up],
        logging_config=None,
    )
    app.reach = host.reach
    app.desk = desk
    app.api = api.app(host)
    app.live = live_streams(host)
    return app


def table_in(path: str) -> str:
    """The id of the table that an address is about, "" for none."""
    found = _OF_TABLE.match(path)
    return found[1] if found else ""


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Every error of the pages: a message for a form, a page for a person."""
    said = in_our_words(error)
    language = language_of(request)
    if request.headers.get("winded-script") or request.headers.get("idempotency-key"):
        html = language.render("parts/message.html", error=said)
    else:
        html = language.render("parts/error.html", error=said)
    headers = {}
    if said.status == WrongMethod.status:
        headers["allow"] = allowed(request.app.routes, request.scope["path"])
    return Response(html, status_code=said.status, media_type="text/html", headers=headers)


def turned_away(scope: Scope, no: WindedError) -> ASGIApp:
    """The answer to a request that was meant for another server, in the shape in which it was asked."""
    if is_for_api(scope) or is_for_live(scope):
        return ASGIResponse(body=msgspec.json.encode(no.as_data()), status_code=no.status)
    language = language_for(Request(scope))
    return ASGIResponse(
        body=language.render("parts/error.html", error=no).encode(), status_code=no.status, media_type="text/html"
    )


@asynccontextmanager
async def _keeping_up(app: Litestar) -> AsyncIterator[None]:
    """Looks once a second for what other processes have written, as long as the application runs."""
    host: Host = app.state.host

    copying: Copying | None = app.state.copying

    async def keep_up() -> None:
        said = ""
        while True:
            await asyncio.sleep(REFRESH)
            try:
                await asyncio.to_thread(host.desk.refresh)
                if copying is not None:
                    await asyncio.to_thread(copying.look)
            except WindedError as no:
                # The next look may go well. Until then it is said once.
                if str(no) != said:
                    said = str(no)
                    _logger.error("%s", no)
            except Exception:
                _logger.exception("The tables cannot be read.")
            else:
                said = ""

    keeping_up = asyncio.create_task(keep_up())
    try:
        yield
    finally:
        keeping_up.cancel()
        host.odds.close()
        host.long_work.close()
