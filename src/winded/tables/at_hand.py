"""The tables that are kept in memory: the newest state of each, and who watches it."""

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
    """What the head was built on never came to be."""


class OpenTable:
    """A table at hand.

    `head` is the newest moment decided on, `committed` the newest that is safe; they differ while entries are being
    written. Whoever decides holds `lock`; `committed`, `lines` and `name` change only under the lock of `AtHand`.
    """

    def __init__(self, journal: Journal, table: str) -> None:
        self.id: str = table
        self.lock: threading.Lock = threading.Lock()
        self.journal: Journal = journal
        self.requests: Requests = Requests()
        self.lines: tuple[Line, ...] | None = None
        self.taken_back: TakenBack = TakenBack()
        # In this order: if the table is replaced meanwhile, the chain is of the old life and breaks.
        head = journal.head(table)
        self.history: History = History(journal, table, journal.record(table).ruleset, self.flushed)
        self.name: str = head.name
        self.head: Moment = self.history.newest()
        self.committed: Moment = self.head
        self.chain: Chain = Chain(head.life, self.head.mark)
        self.last: Future[None] | None = None
        self._shown: tuple[Moment, Snapshot] | None = None

    def flushed(self) -> None:
        """Wait until everything decided so far is in the journal; raises Outrun if some of it never will be."""
        if self.last is not None and self.last.exception() is not None:
            raise Outrun

    def snapshot(self, moment: Moment) -> Snapshot:
        """What callers see of a moment; the same one as long as nothing changes."""
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
    """The tables of one journal that are at hand, at most about `most` of them that nobody watches."""

    def __init__(self, journal: Journal, most: int) -> None:
        self.journal = journal
        self._most = most
        self._lock = threading.RLock()
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._watchers = Watchers()

    def get(self, table: str) -> OpenTable:
        """The table with this id, read from the journal if it is not at hand. Raises Unknown."""
        with self._lock:
            one = self._open.get(table)
            if one is not None:
                self._open.move_to_end(table)
                return one
        one = OpenTable(self.journal, table)
        with self._lock:
            # Two threads may have read it at once; the first one counts.
            one = self._open.setdefault(table, one)
            if len(self._open) > self._most:
                self._make_room(table)
        return one

    def find(self, table: str) -> OpenTable | None:
        """The table with this id, if it is at hand."""
        with self._lock:
            return self._open.get(table)

    def heads(self) -> dict[str, Head]:
        """What is known of each table at hand."""
        with self._lock:
            return {
                one.id: Head(one.name, one.committed.number, one.chain.life, one.committed.mark)
                for one in self._open.values()
            }

    def publish(self, one: OpenTable, moment: Moment, entry: Entry | None = None) -> None:
        """Make a moment the newest that is safe; `entry` is the one that led to it, if it was only one."""
        with self._lock:
            if moment.number > one.committed.number:
                one.committed = moment
                if one.lines is not None:
                    one.lines = None if entry is None else lines_with(one.lines, entry)
                if self._open.get(one.id) in (one, None):
                    self._watchers.tell(one.id, moment.number)

    def newest_lines(self, one: OpenTable) -> tuple[Line, ...]:
        """The newest `NEWEST` lines of a table, newest first: read once, and kept up with every entry from then on."""
        with self._lock:
            lines, committed = one.lines, one.committed
        if lines is None:
            lines = newest_lines(self.journal, one.id)
            with self._lock:
                if one.committed is committed:
                    one.lines = lines
        return lines

    def call(self, table: str, name: str) -> None:
        """Take in that a table is called this now; those who watch it hear its number again."""
        with self._lock:
            one = self._open.get(table)
            if one is not None and one.name != name:
                one.name = name
                self._watchers.tell(table, one.committed.number)

    def let_go(self, table: str) -> None:
        """Forget a table that was deleted: those who watch hear `GONE`."""
        self._forget(table, GONE)

    def begin_anew(self, table: str) -> None:
        """Forget a table that has another history now: it is read again, and those who watch hear `ANEW`."""
        self._forget(table, ANEW)

    @contextmanager
    def watch(self, table: str, watcher: Watcher) -> Iterator[Snapshot]:
        """Have a watcher told of each change; gives the table as it is when the watch begins. Raises Unknown."""
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
        """Put away the table that was wanted least lately, of those that are at rest and that nobody watches."""
        for table, one in self._open.items():
            if table != but and table not in self._watchers and one.head.number == one.committed.number:
                del self._open[table]
                return
