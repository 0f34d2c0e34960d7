"""The tables in memory: the newest state of each, and who watches it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from winded.journal import Chain, Entry, Head, Journal
from winded.tables.history import History, Moment
from winded.tables.in_flight import Requests
from winded.tables.lines import Line, lines_with, newest_lines
from winded.tables.snapshot import Snapshot
from winded.tables.taken_back import TakenBack
from winded.tables.watching import ANEW, GONE, Watcher, Watchers


class Outrun(Exception):
    """An entry on which the newest state was built was never written."""


class OpenTable:
    """A table in memory.

    `head` is the newest moment decided, `committed` the newest that is safe; they differ while entries are being
    written. Hold `lock` to decide; `committed`, `lines` and `name` change only under the lock of `AtHand`.
    """

    def __init__(self, journal: Journal, table: str) -> None:
        self.id: str = table
        self.lock: threading.Lock = threading.Lock()
        self.journal: Journal = journal
        self.requests: Requests = Requests()
        self.lines: tuple[Line, ...] | None = None
        self.taken_back: TakenBack = TakenBack()
        # The head is read first: if the table is then replaced, the chain has the old life, and breaks.
        head = journal.head(table)
        self.history: History = History(journal, table, journal.record(table).ruleset, self.flushed)
        self.name: str = head.name
        self.head: Moment = self.history.newest()
        self.committed: Moment = self.head
        self.chain: Chain = Chain(head.life, self.head.mark)
        self.last: Future[None] | None = None
        self._shown: tuple[Moment, Snapshot] | None = None

    def flushed(self) -> None:
        """Wait until everything decided so far is in the journal. Raises Outrun if some of it never will be."""
        if self.last is not None and self.last.exception() is not None:
            raise Outrun

    def snapshot(self, moment: Moment) -> Snapshot:
        """The Snapshot of a moment; the same object until something changes."""
        known = self._shown
        if known is not None and known[0] is moment and known[1].name == self.name:
            return known[1]
        acts = moment.acts
        taken = moment.taken
        made = Snapshot(
            self.id,
            self.name,
            moment.number,
            moment.table,
            moment.company,
            acts[-1].entry if acts else None,
            None if taken is None else taken.first,
            () if taken is None else taken.numbers,
            moment.mark,
            acts[-1].before if acts else None,
        )
        self._shown = moment, made
        return made


class AtHand:
    """The tables of one journal that are in memory: those watched, and about `most` others."""

    def __init__(self, journal: Journal, most: int) -> None:
        self.journal = journal
        self._most = most
        self._lock = threading.RLock()
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._watchers = Watchers()

    def get(self, table: str) -> OpenTable:
        """The table with this id, read from the journal if it is not in memory. Raises Unknown."""
        with self._lock:
            one = self._open.get(table)
            if one is not None:
                self._open.move_to_end(table)
                return one
        one = OpenTable(self.journal, table)
        with self._lock:
            # If two threads read it at once, the first wins.
            one = self._open.setdefault(table, one)
            if len(self._open) > self._most:
                self._make_room(table)
        return one

    def find(self, table: str) -> OpenTable | None:
        """The table with this id, if it is in memory."""
        with self._lock:
            return self._open.get(table)

    def heads(self) -> dict[str, Head]:
        """The Head of each table in memory, as far as this process knows."""
        with self._lock:
            return {
                one.id: Head(one.name, one.committed.number, one.chain.life, one.committed.mark)
                for one in self._open.values()
            }

    def publish(self, one: OpenTable, moment: Moment, entry: Entry | None = None) -> None:
        """Make this moment the newest that is safe. `entry` led to it, if a single one did."""
        with self._lock:
            if moment.number > one.committed.number:
                one.committed = moment
                if one.lines is not None:
                    one.lines = None if entry is None else lines_with(one.lines, entry)
                if self._open.get(one.id) in (one, None):
                    self._watchers.tell(one.id, moment.number)

    def newest_lines(self, one: OpenTable) -> tuple[Line, ...]:
        """The newest `NEWEST` lines of a table, newest first. Read once, then updated with every entry."""
        with self._lock:
            lines, committed = one.lines, one.committed
        if lines is None:
            lines = newest_lines(self.journal, one.id)
            with self._lock:
                if one.committed is committed:
                    one.lines = lines
        return lines

    def call(self, table: str, name: str) -> None:
        """Take over a table's new name; its watchers hear its number again."""
        with self._lock:
            one = self._open.get(table)
            if one is not None and one.name != name:
                one.name = name
                self._watchers.tell(table, one.committed.number)

    def let_go(self, table: str) -> None:
        """Forget a table that was deleted; its watchers hear `GONE`."""
        self._forget(table, GONE)

    def begin_anew(self, table: str) -> None:
        """Forget a table whose history was replaced, so that it is read again; its watchers hear `ANEW`."""
        self._forget(table, ANEW)

    @contextmanager
    def watch(self, table: str, watcher: Watcher) -> Iterator[Snapshot]:
        """Tell a watcher of each change. Gives the table as it is when the watch begins. Raises Unknown."""
        self.get(table)
        with self._lock:
            self._watchers.add(table, watcher)
        try:
            one = self.get(table)
            yield one.snapshot(one.committed)
        finally:
            with self._lock:
                self._watchers.remove(table, watcher)

    def _forget(self, table: str, told: int) -> None:
        with self._lock:
            self._open.pop(table, None)
            self._watchers.tell(table, told)

    def _make_room(self, but: str) -> None:
        """Drop the table unused for longest, of those that are at rest and that nobody watches."""
        for table, one in self._open.items():
            if table != but and table not in self._watchers and one.head.number == one.committed.number:
                del self._open[table]
                return
