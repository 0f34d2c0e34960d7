"""The one place in a process that writes to the SQLite file: whatever was handed in meanwhile, at one flush.

Whoever holds the turn writes: takes all jobs that wait, does them in one transaction, flushes, and tells everyone how
it went. That is the writer's own thread, or somebody who waits for an answer and would otherwise only look on: to hand
a job to another thread and the answer back takes nearly as long as the flush.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from winded.errors import Stale, Unavailable, WindedError
from winded.journal.contract import (
    Chain,
    Promise,
    chain_broken,
    no_table,
    not_the_newest,
    request_taken,
    table_replaced,
)
from winded.journal.sqlite.fairness import HAND_UP, Fairness
from winded.journal.sqlite.file import begin_writing, open_database, translated

_GROUP = 512
"""At most so many jobs in one transaction: bounds how long the first of them waits."""

INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

HEAD = "SELECT name, coalesce((SELECT max(number) FROM entries WHERE table_key = key), 0), key FROM tables WHERE id = ?"
"""A table's Head. Its key serves as its life: a table that is replaced gets a new one."""


class Job:
    """Something to be written, and how it went."""

    __slots__ = ("error", "promise")

    def __init__(self, help_out: Callable[[], None]) -> None:
        self.promise: Promise[None] = Promise(help_out)
        self.error: WindedError | None = None

    def fail(self, error: WindedError) -> None:
        self.error = error

    def settle(self) -> None:
        if self.error is None:
            self.promise.set_result(None)
        else:
            self.promise.set_exception(self.error)


class Append(Job):
    """Rows to be written at the end of a table; the first place of each is left for the table's key."""

    __slots__ = ("chain", "first", "rows", "table")

    def __init__(
        self, help_out: Callable[[], None], table: str, first: int, rows: list[list[Any]], chain: Chain | None
    ) -> None:
        super().__init__(help_out)
        self.table = table
        self.first = first
        self.rows = rows
        self.chain = chain

    def fail(self, error: WindedError) -> None:
        if self.chain is not None:
            self.chain.broken = True
        self.error = error


class Change(Job):
    """Anything else that changes the file: `work` gets the connection, inside a savepoint.

    With `tidy`, what it deleted should not linger on the disk.
    """

    __slots__ = ("tidy", "work")

    def __init__(self, help_out: Callable[[], None], work: Callable[[sqlite3.Connection], object], tidy: bool) -> None:
        super().__init__(help_out)
        self.work = work
        self.tidy = tidy


class Writer:
    """Writes to the database at `path`; opens it, as `open_database` does, and closes it."""

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._patience = patience
        self.connection, self._schema = open_database(path, patience)
        self._fairness = Fairness(path)
        self._newest: dict[str, tuple[int, int]] = {}
        self._seen_version = -1
        self._untidy = False
        self._jobs: deque[Append | Change] = deque()
        self._door = threading.Lock()
        self._closed = False
        self._turn = threading.Lock()
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._rung = False
        self._thread = threading.Thread(target=self._write, name="winded-journal", daemon=True)
        self._thread.start()

    def append(
        self, table: str, first: int, rows: list[list[Any]], chain: Chain | None, waited_for: bool
    ) -> Promise[None]:
        """Write rows at the end of a table, later; see `Journal.append`."""
        return self._hand_in(Append(self.help_out, table, first, rows, chain), waited_for)

    def change(self, work: Callable[[sqlite3.Connection], object], *, tidy: bool = False) -> None:
        """Do some work in a transaction, and wait until it is safe; raises what the work raises."""
        self._hand_in(Change(self.help_out, work, tidy), waited_for=True).result()

    def forget(self, table: str) -> None:
        """To be called by work that takes a table away: its number is no longer what it was."""
        self._newest.pop(table, None)

    def close(self) -> None:
        """Write what was handed in, and close the database. Whatever is handed in later raises Unavailable."""
        with self._door:
            if self._closed:
                return
            self._closed = True
            self._ring()
        self._thread.join()
        with self._turn:
            self.connection.close()
            self._fairness.close()

    def help_out(self) -> None:
        """Write what waits, in the caller's thread, unless somebody does so already."""
        if self._turn.acquire(blocking=False):
            try:
                self._write_group()
            finally:
                self._turn.release()
            # Whoever came meanwhile and could not help waits for the writer's thread.
            if self._jobs or self._fairness.hand_is_up:
                self._ring()

    def _hand_in(self, job: Append | Change, waited_for: bool) -> Promise[None]:
        with self._door:
            if self._closed:
                raise Unavailable("The journal {path} is closed.", path=str(self._path))
            self._jobs.append(job)
        if not waited_for:
            self._ring()
        return job.promise

    def _ring(self) -> None:
        """Wake the writer's thread. It takes the bell down before it looks for jobs, so that none is overlooked."""
        if not self._rung:
            self._rung = True
            self._bell.put(None)

    def _write(self) -> None:
        """The writer's thread: a group at a time until `close`."""
        while not self._closed or self._jobs:
            try:
                self._bell.get(timeout=HAND_UP if self._fairness.hand_is_up else None)
            except Empty:
                with self._turn:
                    self._fairness.lower_hand()
                continue
            self._rung = False
            while self._jobs:
                with self._turn:
                    self._write_group()

    def _write_group(self) -> None:
        """Write what waits and tell everyone. To be called by who holds the turn."""
        jobs = self._jobs
        group: list[Append | Change] = []
        try:
            while jobs and len(group) < _GROUP:
                group.append(jobs.popleft())
            if group:
                self._commit(group)
        finally:
            for job in group:
                job.settle()
        if self._untidy:
            self._untidy = False
            self._tidy()

    def _commit(self, group: list[Append | Change]) -> None:
        connection = self.connection
        try:
            with translated(self._path, self._patience):
                self._fairness.leave_gap()
                begin_writing(connection, self._patience, self._fairness)
                self._notice_others()
                for job in group:
                    if isinstance(job, Append):
                        self._append(job)
                    else:
                        self._make_change(job)
                connection.execute("COMMIT")
            self._fairness.wrote()
            if self._fairness.hand_is_up and not any(isinstance(job.error, Stale) for job in group):
                self._fairness.lower_hand()
        except BaseException as error:  # every caller must hear of it
            self._newest.clear()
            self._seen_version = -1
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            known = error if isinstance(error, WindedError) else _mistake(error)
            for job in group:
                job.fail(known)
            if not isinstance(error, Exception):
                raise

    def _tidy(self) -> None:
        """Empty the write-ahead log, so that what was deleted does not linger there. If someone reads, a later time."""
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _notice_others(self) -> None:
        """Forget what was known of the file if another process has written to it."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        if version != self._seen_version:
            (schema,) = self.connection.execute("PRAGMA user_version").fetchone()
            if schema != self._schema:
                raise Stale("A newer Winded has taken over {path}: please start this one again.", path=str(self._path))
            self._newest.clear()
            self._seen_version = version

    def _append(self, job: Append) -> None:
        table = job.table
        known = self._newest.get(table)
        if known is None:
            row = self.connection.execute(HEAD, (table,)).fetchone()
            if row is None:
                job.fail(no_table(table))
                return
            known = self._newest[table] = (row[2], row[1])
        key, number = known
        if job.chain is not None and job.chain.broken:
            job.fail(chain_broken(job.first))
            return
        if job.chain is not None and job.chain.life != key:
            job.fail(table_replaced(table))
            return
        if job.first != number + 1:
            self._fairness.raise_hand()
            job.fail(not_the_newest(job.first, number + 1))
            return
        rows = job.rows
        for row in rows:
            row[0] = key
        try:
            if len(rows) == 1:
                self.connection.execute(INSERT, rows[0])
            else:
                self.connection.executemany(INSERT, rows)
        except sqlite3.IntegrityError:
            # Those before the row that failed have been written.
            self.connection.execute("DELETE FROM entries WHERE table_key = ? AND number > ?", (key, number))
            job.fail(request_taken(job.first))
            return
        self._newest[table] = (key, number + len(rows))

    def _make_change(self, job: Change) -> None:
        execute = self.connection.execute
        execute("SAVEPOINT change")
        try:
            job.work(self.connection)
        except WindedError as error:
            execute("ROLLBACK TO change")
            self._newest.clear()
            job.fail(error)
        execute("RELEASE change")
        self._untidy = self._untidy or job.tidy


def _mistake(error: BaseException) -> Unavailable:
    return Unavailable("The journal failed: {reason}.", reason=repr(error))
