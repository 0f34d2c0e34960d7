"""What every request handler needs: the tables, their links, the live streams and the limits."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from msgspec import Struct

from winded.journal import Journal
from winded.service.links import Links
from winded.service.odds import Odds
from winded.tables import Tables
from winded.web.guard import Limits
from winded.web.language import COOKIE, Language, choose
from winded.web.live import Live


class Host(Struct, frozen=True):
    """One process that serves tables. Handlers get it as the argument `host`."""

    journal: Journal
    tables: Tables
    links: Links
    live: Live
    limits: Limits
    odds: Odds


def host_of(state: State) -> Host:
    """The host of this application."""
    host: Host = state.host
    return host


def language_of(request: Request[Any, Any, Any]) -> Language:
    """The language to answer in. Handlers get it as the argument `language`."""
    return language_for(request)


def language_for(connection: ASGIConnection[Any, Any, Any, Any]) -> Language:
    """The language to answer in, where the framework gives no arguments."""
    return choose(connection.headers.get("accept-language"), connection.cookies.get(COOKIE))


def address_of(request: Request[Any, Any, Any]) -> str:
    """The network address that asks, for limits; "" where there is none."""
    return request.client.host if request.client else ""
