"""The HTTP API, under /api: tables, commands, options, state, history and live events, as JSON."""

from functools import cache

import msgspec
from litestar.types import ASGIApp

from winded.web.api import acting, carrying, links, live, odds, reading, reference, tables
from winded.web.api.openapi import document
from winded.web.api.operations import Answer, Answers, Call, Operation, operation, serving
from winded.web.host import Host


@operation(
    "GET", "/schema/openapi.json", {200: Answers("The description, OpenAPI 3.1.", {"type": "object"})}, token=False
)
async def describe(call: Call) -> Answer:
    """This description of the API."""
    return Answer(_described())


@cache
def _described() -> bytes:
    return msgspec.json.encode(document(OPERATIONS))


OPERATIONS: tuple[Operation, ...] = (
    *tables.OPERATIONS,
    *reading.OPERATIONS,
    *acting.OPERATIONS,
    *live.OPERATIONS,
    *links.OPERATIONS,
    *carrying.OPERATIONS,
    *odds.OPERATIONS,
    *reference.OPERATIONS,
    describe,
)
"""Everything the API can do."""


def app(host: Host) -> ASGIApp:
    """The API over a host, as an ASGI application."""
    return serving(OPERATIONS, host)
