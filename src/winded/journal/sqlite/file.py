"""The SQLite file itself: opening it, its tables and how they change from one Winded to the next, copies, errors."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from winded.errors import Stale, Unavailable, WindedError
from winded.journal.sqlite.fairness import GAP, Fairness

OLDEST_SQLITE = (3, 37, 0)
"""The first SQLite with strict tables."""

APPLICATION_ID = int.from_bytes(b"Wndd", "big")
"""Marks a SQLite file as ours."""

MIGRATIONS: Sequence[tuple[str, ...]] = (
    (
        """
        CREATE TABLE tables (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            created REAL NOT NULL,
            ruleset TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE entries (
            table_key INTEGER NOT NULL,
            number INTEGER NOT NULL,
            at REAL NOT NULL,
            who TEXT NOT NULL,
            name TEXT NOT NULL,
            command TEXT NOT NULL,
            events TEXT NOT NULL,
            request TEXT,
            about TEXT NOT NULL,
            secret INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            PRIMARY KEY (table_key, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX requests ON entries (table_key, request) WHERE request IS NOT NULL",
        "CREATE INDEX takings_back ON entries (table_key, number) WHERE kind = 1",
        """
        CREATE TABLE links (
            id TEXT NOT NULL UNIQUE,
            table_key INTEGER NOT NULL,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            token_hash BLOB NOT NULL UNIQUE,
            created REAL NOT NULL,
            code_hash BLOB UNIQUE,
            revoked REAL
        ) STRICT
        """,
        "CREATE INDEX links_of_a_table ON links (table_key)",
    ),
    (
        "ALTER TABLE entries ADD COLUMN mark TEXT NOT NULL DEFAULT ''",
        "UPDATE entries SET mark = lower(hex(randomblob(4)))",
    ),
)
"""What each version of the schema adds to the one before; `PRAGMA user_version` says how many have been applied."""


def open_database(
    path: Path, patience: float, migrations: Sequence[tuple[str, ...]] | None = None
) -> tuple[sqlite3.Connection, int]:
    """The writer's connection to the file, made and brought up to date if need be, and the version of its schema."""
    if migrations is None:
        migrations = MIGRATIONS
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Unavailable(
            "Winded needs SQLite {needs} or newer; this Python brings {has}.",
            needs=".".join(map(str, OLDEST_SQLITE)),
            has=sqlite3.sqlite_version,
        )
    with translated(path, patience):
        _make_file(path)
        connection = _connect(path, patience)
        try:
            _check_ours(connection, path)
            _migrate(connection, path, patience, migrations)
            _begin_wal(connection, patience)
            # FULL flushes at every commit; on a Mac only fullfsync makes a flush reach the disk.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA checkpoint_fullfsync = ON")
            # What is deleted for good is overwritten.
            connection.execute("PRAGMA secure_delete = ON")
            # From here on `begin_writing` waits.
            connection.execute("PRAGMA busy_timeout = 0")
        except BaseException:
            connection.close()
            raise
    return connection, len(migrations)


def begin_writing(connection: sqlite3.Connection, patience: float, fairness: Fairness) -> None:
    """Begin a transaction that writes, once no other process does.

    SQLite itself would soon look only every tenth of a second, and then seldom find a gap beside a busy process.
    """
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            fairness.raise_hand()
            time.sleep(GAP / 4)
        else:
            return


def open_reader(path: Path, patience: float) -> sqlite3.Connection:
    """A connection that can only read."""
    connection = _connect(path, patience)
    connection.execute("PRAGMA query_only = ON")
    return connection


def copy_to(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the database of a connection to a new file; raises Stale if the file is there."""
    part = path.with_name(f"{path.name}.part")
    made: list[Path] = []
    try:
        for one in (path, part):
            os.close(os.open(one, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            made.append(one)
        copy = sqlite3.connect(part, isolation_level=None)
        try:
            connection.backup(copy)
            # One file that is whole by itself, without a log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
        _flush(part)
        part.replace(path)
        _flush(path.parent)
    except BaseException as error:
        for one in made:
            one.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise Stale("There is already a file {path}; it was left alone.", path=str(error.filename)) from error
        if isinstance(error, OSError | sqlite3.Error):
            raise Unavailable(
                "The copy {path} could not be written: {reason}.", path=str(path), reason=_reason(error)
            ) from error
        raise


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    # Each connection is used by one thread at a time, but not always by the one that opened it.
    return sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)


def _make_file(path: Path) -> None:
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                _flush(path.parent)
        elif path.is_dir():
            raise Unavailable("{path} is a folder, not a database.", path=str(path))
        elif not os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            # Not by opening it: closing it again would take away the locks that SQLite may hold on it in this process.
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise Unavailable(
            "The database {path} cannot be used: {reason}.", path=str(path), reason=_reason(error)
        ) from error


def _flush(path: Path) -> None:
    """Make a file, or what stands in a folder, safe against a power cut. Windows flushes no folders."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    # In one transaction: another process may be making the tables just now.
    connection.execute("BEGIN")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (things,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    connection.execute("COMMIT")
    if application != APPLICATION_ID and (application or things):
        raise Unavailable("{path} is the database of another program.", path=str(path))


def _migrate(
    connection: sqlite3.Connection, path: Path, patience: float, migrations: Sequence[tuple[str, ...]]
) -> None:
    def version() -> int:
        (applied,) = connection.execute("PRAGMA user_version").fetchone()
        if applied > len(migrations):
            raise Stale(
                "{path} was written by a newer Winded (schema {has}; this one knows {knows}): please update Winded.",
                path=str(path),
                has=applied,
                knows=len(migrations),
            )
        return int(applied)

    if version() == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again under the lock: another process may have done it meanwhile.
        applied = version()
        if 0 < applied < len(migrations):
            before = open_reader(path, patience)
            try:
                copy_to(before, _beside(path, applied))
            finally:
                before.close()
        for steps in migrations[applied:]:
            for step in steps:
                connection.execute(step)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _beside(path: Path, version: int) -> Path:
    """A free name for the copy of a database before its schema changes."""
    stem = f"{path.name}.schema-{version}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    tries = 1
    while (copy := path.with_name(stem if tries == 1 else f"{stem}.{tries}")).exists():
        tries += 1
    return copy


def _begin_wal(connection: sqlite3.Connection, patience: float) -> None:
    """Switch the file to a write-ahead log. While another process does the same SQLite says busy without waiting."""
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


_SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full: nothing was written to {path}.",
    sqlite3.SQLITE_READONLY: "{path} can only be read here: nothing was written to it.",
    sqlite3.SQLITE_NOTADB: "{path} is not a database.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged: {reason}. Please put a backup in its place.",
    sqlite3.SQLITE_BUSY: "Another program has kept {path} to itself for {patience} seconds: nothing was written.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened: is its folder still there, and open to you?",
}


@contextmanager
def translated(path: Path, patience: float = 10.0) -> Iterator[None]:
    """Turn what SQLite raises into Unavailable, in whole sentences."""
    try:
        yield
    except sqlite3.Error as error:
        raise _unavailable(error, path, patience) from error


def _unavailable(error: sqlite3.Error, path: Path, patience: float) -> WindedError:
    # The low byte is the kind of error, the rest its particulars.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    text = _SENTENCES.get(kind, "The database {path} does not answer: {reason}.")
    return Unavailable(text, path=str(path), reason=str(error), patience=f"{patience:g}")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")
