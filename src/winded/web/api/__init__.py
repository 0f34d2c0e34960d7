"""The HTTP API, under /api: tables, commands, options, state, history and live events, as JSON."""

from __future__ import annotations

from functools import cache
from typing import Any

from litestar import Controller, Litestar, get
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.handlers import BaseRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Receive, Scope, Send

from winded.errors import Unknown, WindedError
from winded.service import Visitor
from winded.web.api.acting import ActingController, is_play, playing
from winded.web.api.answers import Answer, answer_error, encoded
from winded.web.api.carrying import CarryingController
from winded.web.api.links import LinksController
from winded.web.api.live import LiveController
from winded.web.api.odds import OddsController
from winded.web.api.operations import Answers, takes
from winded.web.api.reading import ReadingController
from winded.web.api.reference import ReferenceController
from winded.web.api.requests import Call
from winded.web.api.tables import PREFIX, TablesController
from winded.web.guard import BODY_LIMIT
from winded.web.host import Host, host_of

WORTH_COMPRESSING = 4096
"""Answers of at least this many bytes are compressed, if the client accepts it."""


class DescriptionController(Controller):
    """The API's description of itself."""

    tags: list[str] = ["reference"]  # noqa: RUF012 - as the framework wants it

    @get("/schema/openapi.json", **takes(Answers("The description, OpenAPI 3.1."), token=False))
    async def describe(self) -> dict[str, Any]:
        """This description of the API."""
        return description()


@cache
def description() -> dict[str, Any]:
    """The description of the API, OpenAPI 3.1."""
    # Imported only here: it needs the types of all the odds, and they bring in NumPy.
    from winded.web.api.openapi import description_of

    return description_of(_application)


def app(host: Host) -> ASGIApp:
    """The API of a host, as an ASGI application."""
    all_of_it = framework(host)
    play = playing(host)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        raw = scope["raw_path"].partition(b"?")[0]
        if b"//" in raw or raw.endswith(b"/"):
            # The framework would ignore the extra slash and answer.
            await _not_here(scope, receive, send)
        elif is_play(scope):
            await play(scope, receive, send)
        else:
            await all_of_it(scope, receive, send)

    return answer


def framework(host: Host) -> ASGIApp:
    """The whole API as the framework serves it, including the one route that `app` answers itself."""
    return _application(state=State({"host": host}))


async def _not_here(scope: Scope, receive: Receive, send: Send) -> None:
    no = Unknown("There is nothing at this address.")
    await ASGIResponse(body=encoded(no.as_data()), status_code=no.status)(scope, receive, send)


def _who(request: Call) -> Visitor:
    return request.user


def _asked(request: Call) -> Any:
    """The query parameters, which were read before the body."""
    return request.scope["state"]["query"]


async def _only_what_is_said(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse OPTIONS, which the framework would otherwise answer for us."""
    if connection.scope.get("method") == "OPTIONS":
        mine = connection.scope["route_handler"]
        methods = next(one.methods for one in connection.app.routes if mine in getattr(one, "route_handlers", ()))
        raise MethodNotAllowedException(headers={"allow": ", ".join(methods)})


def _application(**more: Any) -> Litestar:
    return Litestar(
        [
            TablesController,
            ReadingController,
            ActingController,
            LiveController,
            LinksController,
            CarryingController,
            OddsController,
            ReferenceController,
            DescriptionController,
        ],
        path=PREFIX,
        dependencies={
            "host": Provide(host_of, sync_to_thread=False),
            "who": Provide(_who, sync_to_thread=False),
            "asked": Provide(_asked, sync_to_thread=False),
        },
        guards=[_only_what_is_said],
        response_class=Answer,
        return_dto=None,
        exception_handlers={WindedError: answer_error, HTTPException: answer_error, Exception: answer_error},
        compression_config=CompressionConfig(
            "gzip", minimum_size=WORTH_COMPRESSING, gzip_compress_level=6, exclude_opt_key="streamed"
        ),
        request_max_body_size=BODY_LIMIT,
        logging_config=None,
        **({"openapi_config": None} | more),
    )
