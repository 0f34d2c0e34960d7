"""What every request handler needs: the desk, the live streams, and where long work is done."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from msgspec import Struct, field

from winded.service import Desk
from winded.service.limits import Limits
from winded.service.odds import Odds
from winded.web.devices import Devices
from winded.web.language import COOKIE, Language, choose
from winded.web.live import Live
from winded.web.long_work import LongWork
from winded.web.network.addresses import counted_as
from winded.web.network.reach import Reach
from winded.web.uploads import Uploads


class Host(Struct, frozen=True):
    """One process that serves tables. Handlers get it as the argument `host`."""

    desk: Desk
    live: Live
    odds: Odds
    long_work: LongWork
    reach: Reach
    uploads: Uploads = field(default_factory=Uploads)
    devices: Devices = field(default_factory=Devices)

    @property
    def limits(self) -> Limits:
        """What counts how often somebody asks."""
        return self.desk.limits


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


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The network address that asks, for limits; "" where there is none.

    Of IPv6 it is the network's: in it everyone may have as many addresses as they like.
    """
    return "" if connection.client is None else counted_as(connection.client.host)
