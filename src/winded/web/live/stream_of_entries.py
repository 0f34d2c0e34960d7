"""The stream to one program: each entry of the history, without a gap."""

from __future__ import annotations

from litestar.types import Send

from winded.roles import Role
from winded.service import Revision
from winded.web.live.feed import Feed, Tell
from winded.web.live.stream import Holds, Stream


class EntryStream(Stream):
    """Streams each entry after `since` as this role sees it, told by `tell`, the same for all in one role.

    Where `since` is of another history, and whenever the table gets another one, a `reset` comes first.
    """

    __slots__ = ("_lives", "_role", "_sent", "_since", "_tell")

    def __init__(self, feed: Feed, role: Role, tell: Tell, since: Revision, holds: Holds, send: Send) -> None:
        super().__init__(feed, holds, send)
        self._role = role
        self._tell = tell
        self._since = since
        self._sent = since.number
        self._lives = -1

    def begin(self) -> None:
        """Whether what the program has is of this history."""
        if self._feed.is_of_history(self._since):
            self._lives = self._feed.lives

    async def following(self) -> bytes | None:
        """The entries that come next."""
        feed = self._feed
        if self._lives != feed.lives:
            self._lives = feed.lives
            data, self._sent = feed.reset()
            return data
        news = await feed.news(self._role, self._tell, self._sent)
        if news is None:
            return None
        data, self._sent = news
        return data
