"""How what is streamed is written: server-sent events with JSON in them."""

from __future__ import annotations

from functools import cache

import msgspec

from winded.service import Seen
from winded.web.live.views import Marks, Rendered


def frame(event: str, data: bytes, name: object = None) -> bytes:
    """One server-sent event, with what it names as its id. `data` is JSON, and so holds no line break."""
    head = f"event: {event}\n" if name is None else f"event: {event}\nid: {name}\n"
    return head.encode() + b"data: " + data + b"\n\n"


GONE = frame("gone", b"{}")
"""The last frame of a stream whose link no longer holds, or whose table is deleted."""


@cache
def beat(every: float) -> bytes:
    """A sign of life, which says how often to expect one: a screen that waits much longer takes its stream for dead."""
    return frame("beat", msgspec.json.encode({"every": every}))


def view_data(seen: Seen, made: Rendered, earlier: Marks | None, *, anew: bool = False) -> bytes:
    """A view as it is sent: the state it shows, and what a screen that shows the `earlier` one needs for it."""
    head: dict[str, object] = {"number": seen.number, "mark": seen.revision.mark}
    if anew:
        head["anew"] = True
    return msgspec.json.encode({**head, **made.changes_from(earlier)})
