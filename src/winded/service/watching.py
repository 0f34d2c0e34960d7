"""Hear when a table changes, for as long as one may watch it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum

from winded.errors import WindedError
from winded.service.desk import Desk
from winded.service.seeing import is_at_table
from winded.service.visiting import Visitor, visitor
from winded.tables import ANEW, GONE


class Change(Enum):
    """What has changed at a table that is watched."""

    MOVED = "moved"
    """It has a newer state or another name."""

    LINKS = "links"
    """A link to it was made, renewed or revoked: watchers check whether theirs still works."""

    ANEW = "anew"
    """It was replaced as a whole, and has another history now."""

    GONE = "gone"
    """It was deleted."""


_OF_NUMBER = {GONE: Change.GONE, ANEW: Change.ANEW}


@contextmanager
def watch(desk: Desk, table: str, wake: Callable[[Change], None]) -> Iterator[None]:
    """Call `wake` after each change, whichever door it came by, while the context lasts. Raises Unknown.

    No change is missed once the context has begun. `wake` is called from other threads and must be quick, such as a
    `call_soon_threadsafe`.
    """

    def moved(_: str, number: int) -> None:
        wake(_OF_NUMBER.get(number, Change.MOVED))

    with desk.tables.watch(table, moved), desk.links.listening(table, lambda: wake(Change.LINKS)):
        yield


def may_watch(desk: Desk, who: Visitor, token: str, *, closely: bool) -> bool:
    """Whether this visitor may keep watching: still at the table and, if checked `closely`, with a token that works."""
    try:
        if closely and visitor(desk, token, who.table) != who:
            return False
    except WindedError:
        return False
    return is_at_table(desk, who)
