"""What the streams of one table share: its newest version, read, rendered and encoded once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

import msgspec

from winded.roles import Role
from winded.service import Desk, Revision, SeenLine, seeing
from winded.service.watching import Change, watch
from winded.web.live.frames import frame
from winded.web.live.showing import Showing
from winded.web.live.views import Kept, Render, Viewer

NEWS = 200
"""At most so many entries are read and sent at a time to a stream that has much to catch up with."""

Tell = Callable[[SeenLine], bytes]
"""How an entry is told on a stream of entries, as JSON."""


class Follower(Protocol):
    """Whoever follows a feed."""

    def wake(self) -> None:
        """There may be something new, or nothing more at all."""


class Feed:
    """One table as its streams follow it; `beat` is the seconds between two signs of life on each.

    As long as anyone follows it, it keeps up with the table and stands in `followed`. Belongs to one event loop.
    `version` rises with each change, of the table's name as well, while the number is that of the newest entry. `lives`
    rises whenever the table gets another history, `suspicions` whenever one of its links may have ended.
    """

    def __init__(self, table: str, desk: Desk, kept: Kept, beat: float, followed: dict[str, Feed]) -> None:
        self.table = table
        self.desk = desk
        self.beat = beat
        self.version: int = 0
        self.deleted: bool = False
        self.closed: bool = False
        self.lives: int = 0
        self.suspicions: int = 0
        self._kept = kept
        self._followed = followed
        self._followers: set[Follower] = set()
        self._watching = ExitStack()
        self._now: Revision | None = None
        self._showings: dict[Viewer, Showing] = {}
        self._news: dict[tuple[Role, int], tuple[bytes, int] | None] = {}

    def join(self, follower: Follower) -> None:
        """Wake this one whenever something changes from now on. Raises Unknown."""
        if not self._followers:
            loop = asyncio.get_running_loop()

            def heard(change: Change) -> None:
                loop.call_soon_threadsafe(self.bump, change)

            self._watching.enter_context(watch(self.desk, self.table, heard))
            self._followed[self.table] = self
        self._followers.add(follower)

    def leave(self, follower: Follower) -> None:
        """Wake this one no more."""
        self._followers.discard(follower)
        if not self._followers:
            del self._followed[self.table]
            self._watching.close()

    def close(self) -> None:
        """End every stream."""
        self.closed = True
        self._wake_all()

    def bump(self, change: Change) -> None:
        """Something has changed: wake every stream. Where it was a link, each looks whether its own still holds."""
        if change is Change.LINKS:
            self.suspicions += 1
        else:
            self.version += 1
            self.deleted = change is Change.GONE
            if change is Change.ANEW:
                self.lives += 1
            self._now = None
            self._news.clear()
            for showing in self._showings.values():
                showing.begin_anew()
        self._wake_all()

    def _wake_all(self) -> None:
        for one in self._followers:
            one.wake()

    def now(self) -> Revision:
        """The table's newest state when this version began, or a little later: asked for once, for all streams."""
        if self._now is None:
            self._now = seeing.revision_now(self.desk, self.table)
        return self._now

    def is_shown(self, since: Revision) -> bool:
        """Whether a screen at this state shows the newest."""
        now = self.now()
        return since.number == now.number and since.mark in (None, now.mark)

    def is_of_history(self, since: Revision) -> bool:
        """Whether the table, as it is now, has ever been at this state."""
        return seeing.is_of_history(self.desk, self.table, since)

    def look(self, viewer: Viewer, render: Render) -> Showing:
        """How the table is shown to all who look at it like this one, until as many have looked away."""
        showing = self._showings.get(viewer)
        if showing is None:
            showing = self._showings[viewer] = Showing(self.desk, self.table, viewer, render, self._kept)
        showing.lookers += 1
        return showing

    def look_away(self, showing: Showing) -> None:
        """One of those who look so does no more."""
        showing.lookers -= 1
        if not showing.lookers:
            del self._showings[showing.viewer]

    async def news(self, role: Role, tell: Tell, since: int) -> tuple[bytes, int] | None:
        """The entries after number `since` as this role sees them, at most `NEWS`; None for none.

        The newest are encoded once for all; whoever has much to catch up with is read to beside the loop, page by page.
        """
        key = role, since
        if key in self._news:
            return self._news[key]
        version, found = self.version, None
        if self.now().number > since:
            following = await seeing.see_lines_after_as(self.desk, self.table, role, since, NEWS)
            data = b"".join(frame("entry", tell(line), line.entry.revision) for line in following.lines)
            found = data, following.last.number
        if version == self.version and (found is None or found[1] >= self.now().number):
            self._news[key] = found
        return found

    def reset(self) -> tuple[bytes, int]:
        """What tells a program that all it holds of this table is of another history; it goes on from the newest."""
        now = self.now()
        data = msgspec.json.encode({"number": now.number, "revision": str(now)})
        return frame("reset", data, now), now.number
