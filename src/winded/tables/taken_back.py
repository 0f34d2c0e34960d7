"""Which entries of a history are taken back. Read once, then updated with every undo and redo."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from winded.journal import Entry, Journal
from winded.rules.undoing import Redone, Undone

if TYPE_CHECKING:
    from typing import Self


class TakenBack:
    """The numbers of the entries that do not count, one byte for each entry. Safe to use from any thread."""

    def __init__(self, takings_back: Iterable[Entry] = ()) -> None:
        self._lock = threading.Lock()
        self._flags = bytearray()
        self._until = 0
        self._take(takings_back)

    def caught_up(self, journal: Journal, table: str) -> Self:
        """This, after reading what was undone and redone since. The first time may read a long history."""
        with self._lock:
            self._take(journal.takings_back(table, self._until))
        return self

    def __contains__(self, number: int) -> bool:
        return number < len(self._flags) and self._flags[number] == 1

    def _take(self, takings_back: Iterable[Entry]) -> None:
        for entry in takings_back:
            for event in entry.events:
                if isinstance(event, Undone | Redone):
                    missing = max(event.numbers, default=0) + 1 - len(self._flags)
                    self._flags.extend(bytes(max(missing, 0)))
                    for number in event.numbers:
                        self._flags[number] = isinstance(event, Undone)
            self._until = entry.number
