"""The journal in one SQLite file: nothing to install, and safe against a crash of the process or of the machine.

Whatever has been handed in since the last commit is written in one transaction and flushed once, so that many callers
share the price of one flush. Readers have connections of their own and never wait. Other processes may use the same
file at the same time: SQLite's lock and the key (table, number) settle who was first.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from winded.errors import Stale, Unavailable
from winded.journal import codec
from winded.journal.contract import (
    Chain,
    DecideLinks,
    Entry,
    Head,
    Journal,
    Link,
    Page,
    TableRecord,
    check_numbers,
    check_whole,
    link_taken,
    no_link,
    no_table,
    table_taken,
)
from winded.journal.rows import ENTRY, entry_of, row_of
from winded.journal.sqlite.file import copy_to, damage_in, open_reader, translated
from winded.journal.sqlite.restoring import staged, state_of, state_of_copy, take_back
from winded.journal.sqlite.writer import HEAD, INSERT, Writer

_PAGE = 1000
"""So many rows are read at a time, so that nobody who reads slowly keeps the file from being tidied."""

_LINK = "links.id, tables.id, role, links.name, token_hash, links.created, code_hash, revoked"

_Row = tuple[Any, ...]


class SqliteJournal(Journal):
    """The journal in the SQLite file at `path`, which is made if it is not there, for its owner's eyes only.

    Raises Unavailable if the file or its folder cannot be used, and Stale if a newer Winded has written it. Before the
    tables inside are changed for a newer Winded, the file is copied beside itself. `patience` is how many seconds a
    change may wait for another process that is writing.
    """

    def __init__(self, path: Path, *, patience: float = 10.0) -> None:
        self.path = path
        self._patience = patience
        self._lock = threading.Lock()
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._writer = Writer(path, patience)
        self._watching_lock = threading.Lock()
        self._watching: sqlite3.Connection | None = None
        self._watched_version = -1

    def create(self, record: TableRecord) -> None:
        self._writer.change(lambda connection: self._insert_table(connection, record))

    def records(self) -> list[TableRecord]:
        with self._reading() as connection:
            rows = connection.execute("SELECT id, name, created, ruleset FROM tables ORDER BY created, key").fetchall()
        return [_record(row) for row in rows]

    def record(self, table: str) -> TableRecord:
        with self._reading() as connection:
            row = connection.execute("SELECT id, name, created, ruleset FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            raise no_table(table)
        return _record(row)

    def rename(self, table: str, name: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            if connection.execute("UPDATE tables SET name = ? WHERE id = ?", (name, table)).rowcount == 0:
                raise no_table(table)

        self._writer.change(work)

    def delete(self, table: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            key = _key(connection, table)
            self._writer.forget(table)
            connection.execute("DELETE FROM entries WHERE table_key = ?", (key,))
            connection.execute("DELETE FROM links WHERE table_key = ?", (key,))
            connection.execute("DELETE FROM tables WHERE key = ?", (key,))

        self._writer.change(work, tidy=True)

    def put(
        self,
        record: TableRecord,
        entries: Iterable[Entry],
        *,
        replacing: bool = False,
        links: DecideLinks | None = None,
    ) -> None:
        whole = list(entries)
        check_whole(whole)
        rows = [row_of(entry) for entry in whole]
        del whole

        def work(connection: sqlite3.Connection) -> None:
            old = connection.execute("SELECT key FROM tables WHERE id = ?", (record.id,)).fetchone()
            if old is not None and replacing:
                self._writer.forget(record.id)
                connection.execute("DELETE FROM entries WHERE table_key = ?", old)
                connection.execute("DELETE FROM tables WHERE key = ?", old)
            key = self._insert_table(connection, record)
            if old is not None:
                connection.execute("UPDATE links SET table_key = ? WHERE table_key = ?", (key, *old))
            for row in rows:
                row[0] = key
            connection.executemany(INSERT, rows)
            if links is not None:
                _decide_links(connection, key, links)

        self._writer.change(work)

    def _insert_table(self, connection: sqlite3.Connection, record: TableRecord) -> int:
        try:
            key = connection.execute(
                "INSERT INTO tables (id, name, created, ruleset) VALUES (?, ?, ?, ?)",
                (record.id, record.name, record.created, codec.encode_ruleset(record.ruleset)),
            ).lastrowid
        except sqlite3.IntegrityError as error:
            raise table_taken(record.id) from error
        assert key is not None
        return key

    def append(
        self, table: str, entries: Sequence[Entry], chain: Chain | None = None, *, waited_for: bool = False
    ) -> Future[None]:
        first = check_numbers(entries)
        after = None if chain is None else chain.handed_in(entries)
        return self._writer.append(table, first, [row_of(entry) for entry in entries], chain, after, waited_for)

    def read(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        return self._entries(table, "number > ?", "number", after, limit)

    def read_back(self, table: str, before: int | None = None, limit: int | None = None) -> Iterator[Entry]:
        start = 2**62 if before is None else before
        return self._entries(table, "number < ?", "number DESC", start, limit)

    def takings_back(self, table: str, after: int = 0) -> Iterator[Entry]:
        return self._entries(table, f"kind = {codec.EntryKind.TAKING_BACK:d} AND number > ?", "number", after, None)

    def _entries(self, table: str, where: str, order: str, start: int, limit: int | None) -> Iterator[Entry]:
        statement = f"SELECT {ENTRY} FROM entries WHERE table_key = ? AND {where} ORDER BY {order} LIMIT ?"
        with self._reading() as connection:
            key = _key(connection, table)
        left = limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(_PAGE, left)
            with self._reading() as connection:
                rows = connection.execute(statement, (key, start, size)).fetchall()
                if len(rows) < size:
                    _still_there(connection, key, table)
            for row in rows:
                yield entry_of(row)
            if len(rows) < size:
                return
            start = rows[-1][0]
            left = None if left is None else left - size

    def replay(self, table: str, after: int = 0) -> Iterator[Page]:
        with self._reading() as connection:
            key = _key(connection, table)
        while True:
            with self._reading() as connection:
                # SQLite joins a page into one text: one row to fetch and one text to decode, not a thousand. Rows come
                # to the two functions in the order of the inner query; test_replay_gives_kind_and_events holds it.
                last, kinds, stored = connection.execute(
                    "SELECT max(number), group_concat(kind, ''), group_concat(events, ',')"
                    " FROM (SELECT number, kind, events FROM entries"
                    " WHERE table_key = ? AND number > ? ORDER BY number LIMIT ?)",
                    (key, after, _PAGE),
                ).fetchone()
                if stored is None:
                    _still_there(connection, key, table)
                    return
            yield Page(after + 1, kinds, codec.decode_page(f"[{stored}]"))
            after = last

    def head(self, table: str) -> Head:
        with self._reading() as connection:
            row = connection.execute(HEAD, (table,)).fetchone()
        if row is None:
            raise no_table(table)
        return Head(*row)

    def mark(self, table: str, number: int) -> str | None:
        with self._reading() as connection:
            key = _key(connection, table)
            if number == 0:
                return ""
            row = connection.execute(
                "SELECT mark FROM entries WHERE table_key = ? AND number = ?", (key, number)
            ).fetchone()
        return None if row is None else str(row[0])

    def find(self, table: str, request: str) -> Entry | None:
        with self._reading() as connection:
            key = _key(connection, table)
            row = connection.execute(
                f"SELECT {ENTRY} FROM entries WHERE table_key = ? AND request = ?",
                (key, request),
            ).fetchone()
        return None if row is None else entry_of(row)

    def help_out(self) -> None:
        self._writer.help_out()

    def add_link(self, link: Link) -> None:
        self._writer.change(lambda connection: _insert_link(connection, _key(connection, link.table), link))

    def change_link(self, link: Link) -> None:
        def work(connection: sqlite3.Connection) -> None:
            if not _update_link(connection, _key(connection, link.table), link):
                raise no_link(link.id)

        self._writer.change(work)

    def change_links(self, table: str, decide: DecideLinks) -> None:
        self._writer.change(lambda connection: _decide_links(connection, _key(connection, table), decide))

    def links(self, table: str) -> list[Link]:
        with self._reading() as connection:
            key = _key(connection, table)
            return _links(connection, key)

    def link_by_token_hash(self, token_hash: bytes) -> Link | None:
        return self._link("token_hash", token_hash)

    def link_by_code_hash(self, code_hash: bytes) -> Link | None:
        return self._link("code_hash", code_hash)

    def _link(self, column: str, value: bytes) -> Link | None:
        with self._reading() as connection:
            row = connection.execute(
                f"SELECT {_LINK} FROM links JOIN tables ON tables.key = table_key WHERE {column} = ?",
                (value,),
            ).fetchone()
        return None if row is None else Link(*row)

    def changed(self, known: Mapping[str, Head]) -> dict[str, Head | None]:
        with self._watching_lock, translated(self.path):
            if self._watching is None:
                self._check_open()
                self._watching = self._new_reader()
            self._writer.place.check_all()
            (version,) = self._watching.execute("PRAGMA data_version").fetchone()
            if version == self._watched_version:
                return {}
            now: dict[str, Head | None] = {}
            for table, head in known.items():
                row = self._watching.execute(HEAD, (table,)).fetchone()
                is_now = None if row is None else Head(*row)
                if is_now != head:
                    now[table] = is_now
            self._watched_version = version
            return now

    def backup(self, path: Path) -> None:
        with self._reading() as connection:
            copy_to(connection, path)

    def damage(self) -> str | None:
        """What is wrong inside the file, None where nothing is. Reads all of it."""
        with self._reading() as connection:
            return damage_in(connection)

    def is_copied_in(self, path: Path) -> bool:
        """Whether a copy holds what is here now."""
        with self._reading() as connection:
            return state_of(connection) == state_of_copy(path)

    def restore(self, copy: Path, kept: Path) -> None:
        """Put what a copy holds in the place of everything here, in one change; what is there now goes to a new file.

        Others may have the database open meanwhile. Links stay as they are now; see `take_back`. Raises what `staged`
        raises, and Stale if the new file is there already.
        """
        with staged(copy, self.path) as stage:

            def work(connection: sqlite3.Connection) -> None:
                # A reader sees what was there before this change.
                with closing(open_reader(self.path, self._patience)) as before:
                    copy_to(before, kept)
                self._writer.forget_all()
                take_back(connection, stage)

            self._writer.change(work, tidy=True)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._writer.close()
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        with self._watching_lock:
            if self._watching is not None:
                self._watching.close()
                self._watching = None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else uses meanwhile."""
        with translated(self.path):
            with self._lock:
                self._check_open()
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._new_reader()
            try:
                self._writer.place.check_again()
                yield connection
            finally:
                with self._lock:
                    keep = not self._closed
                    if keep:
                        self._idle.append(connection)
                if not keep:
                    connection.close()

    def _new_reader(self) -> sqlite3.Connection:
        self._writer.place.check_all()
        connection = open_reader(self.path, self._patience)
        try:
            # And again: what was opened may be another file than the writer's.
            self._writer.place.check_all()
        except Unavailable:
            connection.close()
            raise
        return connection

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("The journal {path} is closed.", path=str(self.path))


def _key(connection: sqlite3.Connection, table: str) -> int:
    row = connection.execute("SELECT key FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        raise no_table(table)
    return int(row[0])


def _links(connection: sqlite3.Connection, key: int) -> list[Link]:
    rows = connection.execute(
        f"SELECT {_LINK} FROM links JOIN tables ON tables.key = table_key"
        " WHERE table_key = ? ORDER BY links.created, links.rowid",
        (key,),
    )
    return [Link(*row) for row in rows]


def _decide_links(connection: sqlite3.Connection, key: int, decide: DecideLinks) -> None:
    for link in decide(_links(connection, key)):
        if not _update_link(connection, key, link):
            _insert_link(connection, key, link)


def _insert_link(connection: sqlite3.Connection, key: int, link: Link) -> None:
    row = (link.id, key, link.role, link.name, link.token_hash, link.created, link.code_hash, link.revoked)
    try:
        connection.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    except sqlite3.IntegrityError as error:
        raise link_taken() from error


def _update_link(connection: sqlite3.Connection, key: int, link: Link) -> bool:
    """Put this in the place of the link with the same id; False where this table has none."""
    row = (link.role, link.name, link.token_hash, link.created, link.code_hash, link.revoked, link.id, key)
    try:
        changed = connection.execute(
            "UPDATE links SET role = ?, name = ?, token_hash = ?, created = ?, code_hash = ?, revoked = ?"
            " WHERE id = ? AND table_key = ?",
            row,
        )
    except sqlite3.IntegrityError as error:
        raise link_taken() from error
    return changed.rowcount > 0


def _still_there(connection: sqlite3.Connection, key: int, table: str) -> None:
    if connection.execute("SELECT 1 FROM tables WHERE key = ?", (key,)).fetchone() is None:
        raise Stale("The table {table} was deleted or replaced while it was being read.", table=table)


def _record(row: _Row) -> TableRecord:
    return TableRecord(row[0], row[1], row[2], codec.decode_ruleset(row[3]))
