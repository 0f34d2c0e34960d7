"""The SQLite file itself: opening it, its tables and how they change from one Winded to the next, copies, errors."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from winded.errors import Stale, Unavailable, WindedError
from winded.journal.contract import Damaged
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
        _check_log(path)
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
            # From here on the log is open too.
            connection.execute("SELECT count(*) FROM tables").fetchone()
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
        flush(part)
        part.replace(path)
        flush(path.parent)
    except BaseException as error:
        for one in made:
            one.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise Stale("{path} already exists. Nothing was written.", path=str(error.filename)) from error
        if isinstance(error, OSError | sqlite3.Error):
            raise Unavailable(
                "The copy {path} could not be written: {reason}.", path=str(path), reason=_reason(error)
            ) from error
        raise


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    # Each connection is used by one thread at a time, but not always by the one that opened it. Where the file is gone,
    # no empty one takes its place.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )


def _make_file(path: Path) -> None:
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                flush(path.parent)
        elif path.is_dir():
            raise Unavailable("{path} is a folder, not a database.", path=str(path))
        elif not os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            # Not by opening it: closing it again would take away the locks that SQLite may hold on it in this process.
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise Unavailable(
            "The database {path} cannot be used: {reason}.", path=str(path), reason=_reason(error)
        ) from error


def flush(path: Path) -> None:
    """Make a file, or what stands in a folder, safe against a power cut. Windows flushes no folders."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_log(path: Path) -> None:
    """Raises Damaged where the log beside the database belongs to another one, and would be written over it.

    Our copies have no log, and say so in their header; whoever renames one over a database leaves the old log there.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or log.stat().st_size == 0:
        return
    # By SQLite, not by opening the file: closing it again would take away the locks that this process may hold on it.
    # One that was killed as its log was written into it cannot be read whole without that log: it is no copy.
    header = b""
    address = f"{path.absolute().as_uri()}?immutable=1"
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(address, uri=True)) as connection:
        header = connection.serialize()[:20] if hasattr(connection, "serialize") else b""
    if header[18:] == b"\x01\x01":
        raise Damaged(
            "{path} was put in place of another database, whose log is still beside it and would overwrite it. Move "
            "it away again, and bring it back with “winded restore”.",
            path=str(path),
        )


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
    if _version(connection, path, migrations) == len(migrations):
        return

    def copy_first(applied: int) -> None:
        before = open_reader(path, patience)
        try:
            copy_to(before, _beside(path, applied))
        finally:
            before.close()

    bring_up_to_date(connection, path, migrations, copy_first)


def bring_up_to_date(
    connection: sqlite3.Connection,
    path: Path,
    migrations: Sequence[tuple[str, ...]],
    copy_first: Callable[[int], None] = lambda applied: None,
) -> None:
    """Apply the steps that the file at `path` lacks, all or none. Raises Stale if a newer Winded has written it.

    `copy_first` is called, with the version it has, before the tables of an older Winded are changed.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again under the lock: another process may have done it meanwhile.
        applied = _version(connection, path, migrations)
        if 0 < applied < len(migrations):
            copy_first(applied)
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


def _version(connection: sqlite3.Connection, path: Path, migrations: Sequence[tuple[str, ...]]) -> int:
    (applied,) = connection.execute("PRAGMA user_version").fetchone()
    if applied > len(migrations):
        raise Stale(
            "{path} was written by a newer Winded (schema {has}; this one knows {knows}): please update Winded.",
            path=str(path),
            has=applied,
            knows=len(migrations),
        )
    return int(applied)


def damage_in(connection: sqlite3.Connection) -> str | None:
    """What is wrong inside a database, None where nothing is. Reads all of it."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if found == "ok" else " ".join(str(found).split()).rstrip(".")


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


_NOT_FLUSHED = frozenset((sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC))


@contextmanager
def translated(path: Path, patience: float = 10.0) -> Iterator[None]:
    """Turn what SQLite raises into Unavailable, in whole sentences."""
    try:
        yield
    except sqlite3.Error as error:
        raise _unavailable(error, path, patience) from error


def _unavailable(error: sqlite3.Error, path: Path, patience: float) -> WindedError:
    code = getattr(error, "sqlite_errorcode", 0)
    where = str(path)
    if code in _NOT_FLUSHED:
        return Unavailable(
            "The disk did not confirm a write to {path}. It counts as not done, but may be there after a crash: "
            "check the history before you do it again.",
            path=where,
        )
    # The low byte is the kind of error, the rest its particulars.
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return Unavailable("The disk is full: nothing was written to {path}.", path=where)
        case sqlite3.SQLITE_READONLY:
            return Unavailable("{path} can only be read here: nothing was written to it.", path=where)
        case sqlite3.SQLITE_NOTADB:
            return Damaged("{path} is not a database.", path=where)
        case sqlite3.SQLITE_CORRUPT:
            return Damaged(
                "{path} is damaged: {reason}. Bring back a copy with “winded restore”.", path=where, reason=str(error)
            )
        case sqlite3.SQLITE_BUSY:
            return Unavailable(
                "Another program has locked {path} for {patience} seconds: nothing was written.",
                path=where,
                patience=f"{patience:g}",
            )
        case sqlite3.SQLITE_CANTOPEN:
            return Unavailable(
                "{path} cannot be opened. Does its folder still exist, and may you write to it?", path=where
            )
    return Unavailable("The database {path} does not answer: {reason}.", path=where, reason=str(error))


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")
