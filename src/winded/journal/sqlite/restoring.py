"""A copy of the database, taken back: read and checked apart, then put in the place of what is there, at once."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from winded.errors import Unavailable, Unknown
from winded.journal.contract import Damaged
from winded.journal.sqlite.file import APPLICATION_ID, MIGRATIONS, bring_up_to_date, damage_in, flush, translated

_Row = tuple[Any, ...]

_STATE_OF_TABLES = (
    "SELECT id, name, created,"
    " (SELECT number || mark FROM entries WHERE table_key = key ORDER BY number DESC LIMIT 1) FROM tables ORDER BY id"
)
_STATE_OF_LINKS = "SELECT id, role, name, hex(token_hash), hex(code_hash), revoked FROM links ORDER BY id"


@contextmanager
def staged(copy: Path, near: Path) -> Iterator[Path]:
    """A copy as it can be taken back: whole, brought up to date, and in a file of its own on the disk of `near`.

    The copy itself is only read. Raises Unknown where there is none, Damaged where it is not whole, Unavailable where
    it is something else, Stale where a newer Winded has written it.
    """
    if not copy.is_file():
        raise Unknown("There is no file {path}.", path=str(copy))
    near.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{near.name}.", dir=near.parent) as folder:
        stage = Path(folder) / "stage.sqlite"
        with translated(copy):
            # A copy has no log beside it, and may lie where nothing can be written.
            has_log = copy.with_name(f"{copy.name}-wal").exists()
            address = f"{copy.absolute().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"
            with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(stage)) as target:
                source.backup(target)
        with translated(copy), closing(sqlite3.connect(stage, isolation_level=None)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID:
                raise Unavailable("{path} is not a copy of Winded's tables.", path=str(copy))
            if (reason := damage_in(connection)) is not None:
                raise Damaged("{path} is damaged and was not restored: {reason}.", path=str(copy), reason=reason)
            bring_up_to_date(connection, copy, MIGRATIONS)
            # One file that is whole by itself, without a log beside it.
            connection.execute("PRAGMA journal_mode = DELETE")
        stage.chmod(0o600)
        flush(stage)
        yield stage


def put_in_place(stage: Path, database: Path) -> None:
    """Let a staged copy be the database, where there is none."""
    stage.replace(database)
    flush(database.parent)


def state_of(connection: sqlite3.Connection) -> str:
    """What tells the state of a database from every other, be it in another file."""
    state = hashlib.sha256()
    for statement in (_STATE_OF_TABLES, _STATE_OF_LINKS):
        for row in connection.execute(statement):
            state.update(repr(row).encode())
    return state.hexdigest()


def state_of_copy(path: Path) -> str | None:
    """The same of a copy; None where it cannot be read."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            return state_of(connection)
    except sqlite3.Error:
        return None


def take_back(connection: sqlite3.Connection, stage: Path) -> None:
    """Put what a staged copy holds in the place of everything here, within the transaction that is under way.

    Tables begin a new life. Whoever has a link to one of them keeps it as it is now; the copy's own come back where
    nothing is known of them here.
    """
    (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'tables'").fetchone()
    links_now = connection.execute(
        "SELECT tables.id, links.* FROM links JOIN tables ON tables.key = table_key ORDER BY links.rowid"
    ).fetchall()
    for name in ("entries", "links", "tables"):
        connection.execute(f"DELETE FROM {name}")
    with closing(sqlite3.connect(f"{stage.absolute().as_uri()}?mode=ro", uri=True)) as copy:
        keys: dict[int, int] = {}
        by_id: dict[str, int] = {}
        for place, (key, *rest) in enumerate(copy.execute("SELECT * FROM tables ORDER BY key"), 1):
            keys[key] = by_id[rest[0]] = last + place
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?)", (last + place, *rest))
        entries = copy.execute("SELECT * FROM entries ORDER BY table_key, number")
        connection.executemany(
            f"INSERT INTO entries VALUES ({', '.join('?' * len(entries.description))})",
            ((keys[key], *rest) for key, *rest in entries),
        )
        kept = [(link, by_id[table], *rest) for table, link, _, *rest in links_now if table in by_id]
        known = {link for link, *_ in kept}
        rows: list[_Row] = copy.execute("SELECT * FROM links ORDER BY rowid").fetchall()
        kept += [(link, keys[key], *rest) for link, key, *rest in rows if link not in known]
        connection.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)", kept)
