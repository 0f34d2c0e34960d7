"""The watchers of tables, and what they hear."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

GONE = -1
"""The number that a table's watchers hear when it is deleted."""

ANEW = -2
"""The number they hear when its history was replaced, or the database restored."""

Watcher: TypeAlias = Callable[[str, int], None]
"""Called with the table's id, and the number of its newest entry, `ANEW` or `GONE`."""


class Watchers:
    """The watchers of each table. Not safe for several threads at once: `AtHand` uses it under its lock."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[Watcher, ...]] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._of

    def add(self, table: str, watcher: Watcher) -> None:
        self._of[table] = (*self._of.get(table, ()), watcher)

    def remove(self, table: str, watcher: Watcher) -> None:
        left = [*self._of[table]]
        left.remove(watcher)
        if left:
            self._of[table] = tuple(left)
        else:
            del self._of[table]

    def tell(self, table: str, number: int) -> None:
        for watcher in self._of.get(table, ()):
            watcher(table, number)
