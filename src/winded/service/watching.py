"""Being told when a table changes, and whether one may still watch."""

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
    """What may happen to a table that is watched."""

    MOVED = "moved"
    """There is a newer state, or another name."""

    LINKS = "links"
    """A link to it was given out, renewed or ended: who watches looks whether the own one still holds."""

    ANEW = "anew"
    """It has another history from now on: it was replaced as a whole."""

    GONE = "gone"
    """It was deleted."""


_OF_NUMBER = {GONE: Change.GONE, ANEW: Change.ANEW}


@contextmanager
def watch(desk: Desk, table: str, wake: Callable[[Change], None]) -> Iterator[None]:
    """Have `wake` called after each change, by whichever door it came, as long as the context lasts.

    Nothing that comes after it began is missed. The calls come from other threads and must be short: for most a
    `call_soon_threadsafe` will do. Raises Unknown.
    """

    def moved(_: str, number: int) -> None:
        wake(_OF_NUMBER.get(number, Change.MOVED))

    with desk.tables.watch(table, moved), desk.links.listening(table, lambda: wake(Change.LINKS)):
        yield


def may_watch(desk: Desk, who: Visitor, token: str, *, closely: bool) -> bool:
    """Whether this visitor may go on watching: still at the table and, looked at closely, by a token that holds."""
    try:
        if closely and visitor(desk, token, who.table) != who:
            return False
    except WindedError:
        return False
    return is_at_table(desk, who)
