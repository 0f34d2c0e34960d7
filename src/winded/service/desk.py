"""The desk behind every door: an open database, and what all its visitors share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from winded.errors import Unknown
from winded.journal import Journal, MemoryJournal, SqliteJournal
from winded.service.codes import Codes
from winded.service.limits import Limits
from winded.service.links import Links
from winded.service.sights import Sights
from winded.tables import Tables


class Desk:
    """An open database. Every function of the service takes one; doors only pass it on.

    `clock` gives the time of day, in seconds since 1970. Safe to use from any thread.
    """

    def __init__(
        self, journal: Journal, clock: Callable[[], float] = time.time, *, limits: Limits | None = None
    ) -> None:
        self.journal: Journal = journal
        self.clock: Callable[[], float] = clock
        self.tables: Tables = Tables(journal, clock)
        self.links: Links = Links(self.tables, clock)
        self.limits: Limits = limits or Limits()
        self.codes: Codes = Codes(self.links, self.limits)
        self.sights: Sights = Sights(self.tables)

    def refresh(self) -> None:
        """Take in what other processes have written. The server calls this about once a second."""
        self.tables.refresh()

    def backup(self, path: Path) -> None:
        """Copy the whole database, as of one moment, to a new file. Raises Stale if the file exists."""
        self.journal.backup(path)

    def close(self) -> None:
        """Finish what is under way, and close the database."""
        self.tables.close()
        self.journal.close()


@contextmanager
def open_desk(path: Path, *, may_be_new: bool = True) -> Iterator[Desk]:
    """A desk for the database at this path, which other processes may have open too.

    Raises Unknown if there is no such file, unless it may be new; Stale if a newer Winded has written it; Unavailable
    if it cannot be used.
    """
    if not may_be_new and not path.exists():
        raise no_database(path)
    desk = Desk(SqliteJournal(path))
    try:
        yield desk
    finally:
        desk.close()


@contextmanager
def desk_in_memory() -> Iterator[Desk]:
    """A desk in memory: its tables are gone when it is closed."""
    desk = Desk(MemoryJournal())
    try:
        yield desk
    finally:
        desk.close()


def no_database(path: Path) -> Unknown:
    """The error for a database that does not exist."""
    return Unknown("There are no tables in {path}: the file does not exist.", path=str(path))
