"""The stream to one screen: the view it shows, kept at the newest state."""

from __future__ import annotations

from litestar.types import Send

from winded.service import Revision
from winded.web.live.feed import Feed
from winded.web.live.showing import Showing
from winded.web.live.stream import Holds, Stream
from winded.web.live.views import Marks, Render, Viewer


class ViewStream(Stream):
    """Streams a view to a screen that shows `since`.

    Where that is a state of another history, and whenever the table gets another one, the view comes whole and anew.
    """

    _showing: Showing

    __slots__ = ("_lives", "_marks", "_render", "_showing", "_since", "_version", "_viewer")

    def __init__(self, feed: Feed, viewer: Viewer, render: Render, since: Revision, holds: Holds, send: Send) -> None:
        super().__init__(feed, holds, send)
        self._viewer = viewer
        self._render = render
        self._since = since
        self._marks: Marks | None = None
        self._version = -1
        self._lives = -1

    def begin(self) -> None:
        """What the page shows is what the next update is compared with."""
        feed = self._feed
        self._showing = feed.look(self._viewer, self._render)
        if feed.is_shown(self._since):
            _, _, self._marks = self._showing.newest()
            self._version, self._lives = feed.version, feed.lives
        elif feed.is_of_history(self._since):
            self._lives = feed.lives

    def end(self) -> None:
        """This screen looks no more."""
        self._feed.look_away(self._showing)

    async def following(self) -> bytes | None:
        """What the screen lacks to show the newest state."""
        feed = self._feed
        if self._version == feed.version:
            return None
        anew = self._lives != feed.lives
        self._version, self._lives = feed.version, feed.lives
        data, self._marks = self._showing.update(self._marks, anew=anew)
        return data
