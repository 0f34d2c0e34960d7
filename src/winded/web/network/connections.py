"""Connections that ask for nothing, or never finish asking, end: they would keep others from being served.

The server itself waits without end for the first request of a connection, and for the rest of any.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_WITHIN = 10.0
"""Seconds within which a request begins on a new connection, and then within which its head is complete."""

BODY_WITHIN = 15.0
"""Seconds for a request's body, and more for a long one: one for each `SLOWEST` bytes of it that have come."""

SLOWEST = 4096
"""Bytes a second, below which a long body takes too long."""

IDLE_FROM_ONE = 250
"""Connections from one address on which nothing is being answered; of more, the oldest ends."""

IDLE = 2000
"""The same from all addresses together: a fifth of what there is room for."""

_HANDSHAKE = 0x16
"""The first byte of whoever speaks https."""

_SLOW = (
    "HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\nToo slow.\n"
)
_HTTPS = (
    "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    "Winded speaks http here, not https: the address begins with http://\n"
)

_logger = logging.getLogger("winded.web")


class Doorkeeper:
    """Counts the connections on which nothing is being answered; where there are too many, the oldest ends."""

    def __init__(
        self,
        *,
        head_within: float = HEAD_WITHIN,
        body_within: float = BODY_WITHIN,
        idle_from_one: int = IDLE_FROM_ONE,
        idle: int = IDLE,
    ) -> None:
        self.head_within = head_within
        self.body_within = body_within
        self.https_was_asked = False
        self._most_from_one = idle_from_one
        self._most = idle
        self._idle: dict[Connection, str] = {}
        self._counts: Counter[str] = Counter()

    def is_idle(self, connection: Connection) -> None:
        """Nothing is being answered on this connection."""
        if connection in self._idle:
            return
        address = connection.client[0] if connection.client else ""
        self._idle[connection] = address
        self._counts[address] += 1
        if self._counts[address] > self._most_from_one:
            next(one for one, whose in self._idle.items() if whose == address).end()
        elif len(self._idle) > self._most:
            next(iter(self._idle)).end()

    def is_busy(self, connection: Connection) -> None:
        """Something is, or it has ended."""
        address = self._idle.pop(connection, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


class Connection(HttpToolsProtocol):
    """One connection, which ends by itself when a request takes too long to come."""

    def __init__(self, doorkeeper: Doorkeeper, /, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._doorkeeper = doorkeeper
        self._timer: asyncio.TimerHandle | None = None
        self._has_begun = False
        self._awaited_since: float | None = None
        self._body = -1

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        self._look_again(self._doorkeeper.head_within)
        self._doorkeeper.is_idle(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._doorkeeper.is_busy(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._has_begun and data[0] == _HANDSHAKE and self.scheme == "http":
            self._say_that_this_is_http()
            return
        if self._awaited_since is None and not self._is_busy():
            # Whatever comes, the server takes the connection for busy: even where it is no beginning of a request.
            self._await_head()
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_begun = True
        self._await_head()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._awaited_since, self._body = self.loop.time(), 0

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._awaited_since = None
        self._doorkeeper.is_busy(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and not self._is_busy():
            self._doorkeeper.is_idle(self)

    def end(self) -> None:
        """End this connection. Whoever is in the middle of a request is told why."""
        if self.transport.is_closing():
            return
        is_busy = self._is_busy()
        if self._has_begun and self._awaited_since is not None and not (is_busy and self.cycle.response_started):
            self.transport.write(_SLOW.encode())
        if is_busy:
            # Who waits for the rest of the request hears that none comes.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _is_busy(self) -> bool:
        """Whether there is a request that is not answered in full yet."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _await_head(self) -> None:
        self._awaited_since, self._body = self.loop.time(), -1

    def _look_again(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        """Whether what is awaited takes too long; one timer a connection, however many requests come by it."""
        if self._awaited_since is None:
            self._look_again(self._doorkeeper.head_within)
            return
        if self.flow.read_paused:
            # It is we who do not read on.
            self._awaited_since = self.loop.time()
        keeper = self._doorkeeper
        within = keeper.head_within if self._body < 0 else keeper.body_within + self._body / SLOWEST
        left = self._awaited_since + within - self.loop.time()
        if left > 0:
            self._look_again(left)
        else:
            self.end()

    def _say_that_this_is_http(self) -> None:
        if not self._doorkeeper.https_was_asked:
            self._doorkeeper.https_was_asked = True
            _logger.warning("Somebody asks by https, and Winded speaks http here: the address begins with http://")
        self.transport.write(_HTTPS.encode())
        self.transport.close()
