"""One stream to one screen or program, as raw ASGI: the framework's own iterators halve the rate.

Nothing queues here. A change only wakes the stream; it then says what the one at its other end lacks to be at the
newest state. A slow or sleeping device costs one rendering, not a backlog, and a lost wake-up costs nothing once the
next one or the beat comes.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable

from litestar.types import Receive, Send

from winded.errors import WindedError
from winded.web.live.feed import Feed
from winded.web.live.frames import GONE, beat

Holds = Callable[[bool], bool]
"""Whether the one who watches still may; asked at each change, and once a beat with True, for a closer look."""

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

_EARLY = 0.9
"""Timers may go off a little early: what is due once a beat is due after this much of one."""

_logger = logging.getLogger(__name__)


class Stream(ABC):
    """Follows a feed until the one at its other end leaves, `holds` says no more, or the feed is closed.

    It waits in one task for the other end to leave, and speaks in another only while there is something to say.
    """

    __slots__ = (
        "_alarm", "_feed", "_holds", "_is_over", "_is_woken", "_looked", "_send", "_speaking", "_spoken", "_suspicions",
    )  # fmt: skip

    def __init__(self, feed: Feed, holds: Holds, send: Send) -> None:
        self._feed = feed
        self._holds = holds
        self._send = send
        self._is_over = False
        self._is_woken = False
        self._speaking: asyncio.Task[None] | None = None
        # Set only once a beat, however much there is to say between.
        self._alarm: asyncio.TimerHandle | None = None
        self._spoken = self._looked = 0.0
        self._suspicions = feed.suspicions

    @abstractmethod
    def begin(self) -> None:
        """Find out what the one at the other end has. Whatever changes from now on is followed."""

    @abstractmethod
    async def following(self) -> bytes | None:
        """What comes next for the one at the other end; None for nothing, b"" for nothing that is told."""

    def end(self) -> None:  # noqa: B027 - most have nothing to give back
        """Nobody is at the other end any more."""

    async def run(self, receive: Receive) -> None:
        """Stream until it is over. Raises Unknown, before anything is sent."""
        self._feed.join(self)
        try:
            self.begin()
            await self._send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            self.wake()
            # It comes also once the stream has been ended from here.
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._is_over = True
            self._feed.leave(self)
            self.end()
            if self._alarm is not None:
                self._alarm.cancel()
            if self._speaking is not None:
                self._speaking.cancel()

    def wake(self) -> None:
        """There may be something to say, or it is over."""
        self._is_woken = True
        if self._speaking is None and not self._is_over:
            self._speaking = asyncio.create_task(self._speak())

    async def _speak(self) -> None:
        try:
            while self._is_woken and not self._is_over:
                self._is_woken = False
                await self._catch_up()
        except WindedError:
            # The table cannot be read any more: the device tries again and is told why then.
            await self._end()
        except Exception:
            _logger.exception("A live stream has broken off.")
            await self._end()
        finally:
            self._speaking = None

    async def _catch_up(self) -> None:
        feed = self._feed
        if feed.closed:
            await self._end()
            return
        now = asyncio.get_running_loop().time()
        due = feed.beat * _EARLY
        closely = now - self._looked >= due or self._suspicions != feed.suspicions
        if closely:
            self._looked, self._suspicions = now, feed.suspicions
        if feed.deleted or not self._holds(closely):
            await self._end(GONE)
            return
        while not self._is_over and (data := await self.following()) is not None:
            if data:
                await self._say(data)
                self._spoken = now
        if now - self._spoken >= due:
            await self._say(beat(feed.beat))
            self._spoken = now
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_at(self._spoken + feed.beat, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self.wake()

    async def _say(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def _end(self, last: bytes = b"") -> None:
        self._is_over = True
        await self._send({"type": "http.response.body", "body": last, "more_body": False})
