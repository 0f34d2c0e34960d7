"""All the live streams of this process: who follows which table, and how many one link may hold open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from litestar.types import Receive, Send

from winded.errors import TooMuch
from winded.roles import Role
from winded.service import Desk, Revision
from winded.web.live.feed import Feed, Tell
from winded.web.live.stream import Holds
from winded.web.live.stream_of_entries import EntryStream
from winded.web.live.stream_of_views import ViewStream
from winded.web.live.views import Kept, Render, Viewer

BEAT = 3.0
"""Seconds between two signs of life on a stream that has nothing to say.

A screen takes a stream for dead after 2.25 of them, so a phone on a half-open link is stale for about 7 s at most.
That costs some 40 bytes each 3 s for a screen that is looked at, 3 KB a minute with all that networks add.
"""


class Live:
    """The hub of all streams. `beat` is in seconds."""

    def __init__(self, desk: Desk, beat: float = BEAT) -> None:
        self.desk = desk
        self.beat = beat
        self.kept: Kept = Kept()
        self._is_closing = False
        self._feeds: dict[str, Feed] = {}
        self._held: dict[str, int] = {}

    async def view(
        self, table: str, viewer: Viewer, render: Render, since: Revision, holds: Holds, receive: Receive, send: Send
    ) -> None:
        """Stream a view to one screen, which shows `since`, until it leaves or `holds` says no more. Raises Unknown."""
        await ViewStream(self._feed(table), viewer, render, since, holds, send).run(receive)

    async def entries(
        self, table: str, role: Role, tell: Tell, since: Revision, holds: Holds, receive: Receive, send: Send
    ) -> None:
        """Stream each entry after `since` as this role sees it, until it is left or ended. Raises Unknown."""
        await EntryStream(self._feed(table), role, tell, since, holds, send).run(receive)

    def glance(self, table: str, viewer: Viewer, render: Render, since: Revision) -> bytes | None:
        """What brings a screen that shows `since` to the newest state, as JSON; None where it shows that.

        For a screen that can hold no stream and asks now and then. Raises Unknown.
        """
        feed = self._feed(table)
        if feed.is_shown(since):
            return None
        showing = feed.look(viewer, render)
        try:
            return showing.data(anew=not feed.is_of_history(since))
        finally:
            feed.look_away(showing)

    @contextmanager
    def within(self, member: str, limit: int) -> Iterator[None]:
        """Counts a stream of this link. Raises TooMuch past the limit."""
        held = self._held.get(member, 0)
        if held >= limit:
            raise TooMuch("This link already has {limit} live screens open; close one first.", limit=limit)
        self._held[member] = held + 1
        try:
            yield
        finally:
            self._held[member] -= 1
            if not self._held[member]:
                del self._held[member]

    def close(self) -> None:
        """End every stream: the server is stopping."""
        self._is_closing = True
        for feed in self._feeds.values():
            feed.close()

    def _feed(self, table: str) -> Feed:
        feed = self._feeds.get(table) or Feed(table, self.desk, self.kept, self.beat, self._feeds)
        feed.closed = self._is_closing
        return feed
