"""The live stream: every screen shows one table's newest state, whatever it missed.

Nothing queues here. A change only wakes the streams of its table; each then sends what its screen lacks to show the
newest state, so a slow or sleeping device costs one rendering, not a backlog, and a lost wake-up costs nothing once
the next one or the beat comes. The streams are raw ASGI: the framework's own iterators halve their rate.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

import msgspec
from litestar.types import Receive, Send

from winded.errors import TooMuch, WindedError
from winded.roles import Role
from winded.service import Desk, Revision, Seen, SeenLine, seeing
from winded.service.watching import Change, watch
from winded.web.live.views import Kept, Marks, Render, Rendered, Viewer

BEAT = 3.0
"""Seconds between two signs of life on a stream that has nothing to say.

A screen takes a stream for dead after 2.25 of them, so a phone on a half-open link is stale for about 7 s at most.
That costs some 40 bytes each 3 s for a screen that is looked at, 3 KB a minute with all that networks add.
"""

_MARKS_KEPT = 8

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

NEWS = 200
"""At most so many entries are read and sent at a time to a stream that has much to catch up with."""

Tell = Callable[[SeenLine], bytes]
"""How an entry is told on a stream of entries, as JSON."""

Place = TypeVar("Place", int, Revision)
"""How far a stream has come."""

Compose = Callable[[Place], tuple[bytes, Place] | None]
"""Given how far a stream has come, the next bytes for it and where they bring it to; None for nothing."""

Holds = Callable[[bool], bool]
"""Whether the one who watches still may; asked at each change, and once a beat with True, for a closer look."""


def frame(event: str, data: bytes, name: object = None) -> bytes:
    """One server-sent event, with what it names as its id. `data` is JSON, and so holds no line break."""
    head = f"event: {event}\n" if name is None else f"event: {event}\nid: {name}\n"
    return head.encode() + b"data: " + data + b"\n\n"


def view_data(seen: Seen, made: Rendered, earlier: Marks | None, *, anew: bool = False) -> bytes:
    """A view as it is sent: the state it shows, and what a screen that shows the `earlier` one needs for it."""
    head: dict[str, object] = {"number": seen.number, "mark": seen.revision.mark}
    if anew:
        head["anew"] = True
    return msgspec.json.encode({**head, **made.changes_from(earlier)})


_GONE_FRAME = frame("gone", b"{}")


class Channel:
    """What the streams of one table share: the newest version, and what was rendered for it.

    `version` rises with each change, of the table's name as well, while the number is that of the newest entry. `lives`
    rises whenever the table gets another history.
    """

    def __init__(self, table: str, desk: Desk, kept: Kept) -> None:
        self.table = table
        self.desk = desk
        self.version: int = 0
        self.deleted: bool = False
        self.lives: int = 0
        self.suspicions: int = 0
        self.woken: set[asyncio.Event] = set()
        self._kept = kept
        self._now: Revision | None = None
        self._marks: dict[Viewer, OrderedDict[Revision, Marks]] = {}
        self._newest: dict[Viewer, tuple[Seen, Rendered]] = {}
        self._payloads: dict[tuple[Viewer, Revision, bool], tuple[bytes, Revision]] = {}
        self._news: dict[tuple[Role, int], tuple[bytes, int] | None] = {}

    def bump(self, change: Change) -> None:
        """Something has changed: wake every stream. Where it was a link, each looks whether its own still holds."""
        if change is Change.LINKS:
            self.suspicions += 1
        else:
            self.version += 1
            self.deleted = change is Change.GONE
            if change is Change.ANEW:
                self.lives += 1
                self._marks.clear()
            self._now = None
            self._newest.clear()
            self._payloads.clear()
            self._news.clear()
        for event in self.woken:
            event.set()

    def now(self) -> Revision:
        """The table's newest state when this version began, or a little later: asked for once, for all streams."""
        if self._now is None:
            self._now = seeing.revision_now(self.desk, self.table)
        return self._now

    def is_shown(self, since: Revision) -> bool:
        """Whether a screen at this state shows the newest."""
        now = self.now()
        return since.number == now.number and since.mark in (None, now.mark)

    def mark(self, viewer: Viewer, render: Render) -> tuple[Seen, Rendered]:
        """The view of the newest state, and its marks kept: what later updates are compared with."""
        seen = seeing.see_as(self.desk, self.table, viewer.role, viewer.member)
        made = render(viewer, seen, self._kept)
        marks = self._marks.setdefault(viewer, OrderedDict())
        marks[seen.revision] = made.marks()
        marks.move_to_end(seen.revision)
        if len(marks) > _MARKS_KEPT:
            marks.popitem(last=False)
        return seen, made

    def update(
        self, viewer: Viewer, render: Render, since: Revision, *, anew: bool, shared: bool
    ) -> tuple[bytes, Revision]:
        """What brings a screen from `since` to the newest state, all of it `anew` where that is of another history.

        Where the view is `shared`, it is rendered once, and encoded once for all who need the same.
        """
        key = viewer, since, anew
        known = self._payloads.get(key)
        if known is not None:
            return known
        marks = self._marks.get(viewer)
        earlier = None if marks is None or anew else marks.get(since)
        newest = self._newest.get(viewer) or self.mark(viewer, render)
        revision = newest[0].revision
        update = frame("view", view_data(*newest, earlier, anew=anew), revision), revision
        if shared:
            self._newest[viewer] = newest
            self._payloads[key] = update
        return update

    def news(self, role: Role, tell: Tell, since: int) -> tuple[bytes, int] | None:
        """The entries after number `since` as this role sees them, at most `NEWS`, encoded once; None for none."""
        key = role, since
        if key in self._news:
            return self._news[key]
        found = None
        if self.now().number > since:
            following = seeing.see_lines_after_as(self.desk, self.table, role, since, NEWS)
            data = b"".join(frame("entry", tell(line), line.entry.revision) for line in following.lines)
            found = data, following.last.number
        self._news[key] = found
        return found

    def reset(self) -> tuple[bytes, int]:
        """What tells a program that all it holds of this table is of another history; it goes on from the newest."""
        now = self.now()
        data = msgspec.json.encode({"number": now.number, "revision": str(now)})
        return frame("reset", data, now), now.number

    def let_go(self, viewer: Viewer) -> None:
        """Nobody looks this way any more."""
        self._marks.pop(viewer, None)
        self._newest.pop(viewer, None)


class Live:
    """All the streams of this process. `beat` is in seconds."""

    def __init__(self, desk: Desk, beat: float = BEAT) -> None:
        self.desk = desk
        self.beat = beat
        # Screens are told how often to expect it: one that hears nothing for longer takes the stream for dead.
        self._beat_frame = frame("beat", msgspec.json.encode({"every": beat}))
        self.closing: bool = False
        self.kept: Kept = Kept()
        self._channels: dict[str, tuple[Channel, ExitStack]] = {}
        self._held: dict[str, int] = {}
        self._viewers: dict[tuple[str, Viewer], int] = {}

    @contextmanager
    def channel(self, table: str) -> Iterator[tuple[Channel, asyncio.Event]]:
        """The channel of a table and an event that is set when it changes. Raises Unknown."""
        held = self._channels.get(table)
        if held is None:
            channel, stack = Channel(table, self.desk, self.kept), ExitStack()
            loop = asyncio.get_running_loop()

            def wake(change: Change, channel: Channel = channel) -> None:
                loop.call_soon_threadsafe(channel.bump, change)

            stack.enter_context(watch(self.desk, table, wake))
            held = self._channels[table] = channel, stack
        channel, stack = held
        woken = asyncio.Event()
        channel.woken.add(woken)
        try:
            yield channel, woken
        finally:
            channel.woken.discard(woken)
            if not channel.woken:
                del self._channels[table]
                stack.close()

    @contextmanager
    def looking(self, channel: Channel, viewer: Viewer) -> Iterator[None]:
        """Keeps what was rendered for a viewer as long as anyone looks that way."""
        key = channel.table, viewer
        self._viewers[key] = self._viewers.get(key, 0) + 1
        try:
            yield
        finally:
            self._viewers[key] -= 1
            if not self._viewers[key]:
                del self._viewers[key]
                channel.let_go(viewer)

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
        self.closing = True
        for channel, _ in self._channels.values():
            for woken in channel.woken:
                woken.set()

    async def view(
        self, table: str, viewer: Viewer, render: Render, since: Revision, holds: Holds, receive: Receive, send: Send
    ) -> None:
        """Stream a view to one screen, which shows `since`, until it leaves or `holds` says no more.

        Where that is a state of another history, and whenever the table gets another one, the view comes whole.
        """
        with self.channel(table) as (channel, woken), self.looking(channel, viewer):
            shown, lives = -1, channel.lives
            if channel.is_shown(since):
                # What the page shows is what the next update is compared with.
                channel.mark(viewer, render)
                shown, since = channel.version, channel.now()
            elif not seeing.is_of_history(self.desk, table, since):
                lives = -1

            def compose(sent: Revision) -> tuple[bytes, Revision] | None:
                nonlocal shown, lives
                if shown == channel.version:
                    return None
                shown, anew, lives = channel.version, lives != channel.lives, channel.lives
                return channel.update(viewer, render, sent, anew=anew, shared=self._viewers[table, viewer] > 1)

            await self._stream(channel, woken, since, compose, holds, receive, send)

    def glance(self, table: str, viewer: Viewer, render: Render, since: Revision) -> bytes | None:
        """What brings a screen that shows `since` to the newest state, as JSON; None where it shows that.

        For a screen that can hold no stream and asks now and then. Raises Unknown.
        """
        with self.channel(table) as (channel, _), self.looking(channel, viewer):
            if channel.is_shown(since):
                return None
            anew = not seeing.is_of_history(self.desk, table, since)
            return view_data(*channel.mark(viewer, render), None, anew=anew)

    async def entries(
        self, table: str, role: Role, tell: Tell, since: Revision, holds: Holds, receive: Receive, send: Send
    ) -> None:
        """Stream each entry after `since` as this role sees it, told by `tell`, the same for all in one role.

        Where `since` is of another history, and whenever the table gets another one, a `reset` comes first.
        """
        with self.channel(table) as (channel, woken):
            lives = channel.lives if seeing.is_of_history(self.desk, table, since) else -1

            def compose(sent: int) -> tuple[bytes, int] | None:
                nonlocal lives
                if lives != channel.lives:
                    lives = channel.lives
                    return channel.reset()
                return channel.news(role, tell, sent)

            await self._stream(channel, woken, since.number, compose, holds, receive, send)

    async def _stream(
        self,
        channel: Channel,
        woken: asyncio.Event,
        sent: Place,
        compose: Compose[Place],
        holds: Holds,
        receive: Receive,
        send: Send,
    ) -> None:
        left = False

        async def notice_leaving() -> None:
            nonlocal left
            while (await receive())["type"] != "http.disconnect":
                pass
            left = True
            woken.set()

        def over() -> bool:
            return left or self.closing

        async def write(data: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": data, "more_body": more})

        # Set only once a beat, however much there is to say between.
        alarm: asyncio.TimerHandle | None = None

        def ring() -> None:
            nonlocal alarm
            alarm = None
            woken.set()

        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        leaving = asyncio.ensure_future(notice_leaving())
        loop = asyncio.get_running_loop()
        # Timers may go off a little early.
        due = self.beat * 0.9
        spoken = looked = 0.0
        suspicions = channel.suspicions
        try:
            while not over():
                now = loop.time()
                closely = now - looked >= due or suspicions != channel.suspicions
                suspicions = channel.suspicions
                if channel.deleted or not holds(closely):
                    await write(_GONE_FRAME)
                    break
                if closely:
                    looked = now
                while not over() and (update := compose(sent)) is not None:
                    data, sent = update
                    if data:
                        await write(data)
                        spoken = now
                if now - spoken >= due:
                    await write(self._beat_frame)
                    spoken = now
                if alarm is None:
                    alarm = loop.call_at(spoken + self.beat, ring)
                await woken.wait()
                woken.clear()
        except WindedError:
            # The table cannot be read any more: the device tries again and is told why then.
            pass
        finally:
            leaving.cancel()
            if alarm is not None:
                alarm.cancel()
        if not left:
            await write(b"", more=False)
