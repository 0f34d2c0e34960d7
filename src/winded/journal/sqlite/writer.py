"""The one place in a process that writes to the SQLite file: whatever was handed in meanwhile, at one flush."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from winded.errors import Stale, Unavailable, WindedError
from winded.journal import group
from winded.journal.contract import chain_broken, no_table, not_the_newest, request_taken, table_replaced
from winded.journal.group import Append, GroupWriter
from winded.journal.sqlite.fairness import HAND_UP, Fairness
from winded.journal.sqlite.file import begin_writing, open_database, translated
from winded.journal.sqlite.place import Place

INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

HEAD = (
    "SELECT tables.name, coalesce(number, 0), key, coalesce(mark, '') FROM tables LEFT JOIN entries ON table_key = key"
    " WHERE tables.id = ? ORDER BY number DESC LIMIT 1"
)
"""A table's Head. Its key serves as its life: a table that is replaced gets a new one."""

Write: TypeAlias = group.Write[sqlite3.Connection]


class Writer(GroupWriter[sqlite3.Connection]):
    """Writes to the database at `path`; opens it, as `open_database` does, and closes it."""

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._patience = patience
        connection, self._schema = open_database(path, patience)
        self.connection: sqlite3.Connection = connection
        self.place: Place = Place(path)
        self._fairness = Fairness(path)
        self._newest: dict[str, tuple[int, int, str]] = {}
        self._seen_version = -1
        self._untidy = False
        super().__init__(str(path))

    def forget(self, table: str) -> None:
        """To be called by work that takes a table away: its number is no longer what it was."""
        self._newest.pop(table, None)

    def forget_all(self) -> None:
        """The same for work that takes every table away."""
        self._newest.clear()

    def _close_connection(self) -> None:
        self.connection.close()
        self._fairness.close()

    def _wait(self) -> float | None:
        return HAND_UP if self._fairness.hand_is_up else None

    def _looked_up(self) -> None:
        self._fairness.lower_hand()

    def _commit(self, jobs: list[Append | Write]) -> None:
        connection = self.connection
        try:
            with translated(self._path, self._patience):
                self._fairness.leave_gap()
                self.place.check_again()
                begin_writing(connection, self._patience, self._fairness)
                self._notice_others()
                for job in jobs:
                    if isinstance(job, Append):
                        self._append(job)
                    else:
                        self._make_change(job)
                connection.execute("COMMIT")
            # What nobody finds again is not acknowledged.
            self.place.check()
            self._fairness.wrote()
            if self._fairness.hand_is_up and not any(isinstance(job.error, Stale) for job in jobs):
                self._fairness.lower_hand()
        except BaseException:
            self._newest.clear()
            self._seen_version = -1
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise

    def _settled(self) -> None:
        if self._untidy:
            self._untidy = False
            self._tidy()

    def _tidy(self) -> None:
        """Empty the write-ahead log, so that what was deleted does not linger there. If someone reads, a later time."""
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _notice_others(self) -> None:
        """Forget what was known of the file if another process has written to it.

        Raises Unavailable, and not Stale, if that was a newer Winded: deciding again would help nobody.
        """
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        if version != self._seen_version:
            (schema,) = self.connection.execute("PRAGMA user_version").fetchone()
            if schema != self._schema:
                raise Unavailable(
                    "A newer Winded has taken over {path}: please restart with the newer one.", path=str(self._path)
                )
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
            known = self._newest[table] = (row[2], row[1], row[3])
        key, number, mark = known
        if job.chain is not None and job.chain.broken:
            job.fail(chain_broken(job.first))
            return
        if job.chain is not None and job.chain.life != key:
            job.fail(table_replaced(table))
            return
        if job.after is not None and job.first == number + 1 and job.after != mark:
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
        self._newest[table] = (key, number + len(rows), rows[-1][-1])

    def _make_change(self, job: Write) -> None:
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
