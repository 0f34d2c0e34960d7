"""The desk behind every door: an open database, and what everyone who asks there shares."""

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
    """An open database. Every function of the service takes one; doors hold it and ask nothing of it themselves.

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
        """Take in what other processes have written; to be called about once a second by whoever serves."""
        self.tables.refresh()

    def backup(self, path: Path) -> None:
        """Copy the whole database, as it is at one moment, to a new file. Raises Stale if there is such a file."""
        self.journal.backup(path)

    def close(self) -> None:
        """Finish what is under way, and close the database."""
        self.tables.close()
        self.journal.close()


@contextmanager
def open_desk(path: Path, *, may_be_new: bool = True) -> Iterator[Desk]:
    """The desk over the database at this path, beside other processes that may have it open too.

    Raises Unknown where there is no such file, unless it may be new; Stale where a newer Winded has written it;
    Unavailable where it is of no use.
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
    """A desk whose tables are gone when it is closed."""
    desk = Desk(MemoryJournal())
    try:
        yield desk
    finally:
        desk.close()


def no_database(path: Path) -> Unknown:
    """What is raised where there is no such database."""
    return Unknown("There are no tables in {path}: the file does not exist.", path=str(path))
