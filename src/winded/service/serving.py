"""The address of the server that uses a database, in a note beside it, for commands on the same machine.

The server locks the note while it runs, so that a note left behind by a crash is not taken for a running server.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def _note(database: Path) -> Path:
    return database.with_name(f"{database.name}.serving")


@contextmanager
def noted(database: Path, address: str) -> Iterator[None]:
    """Keep the note while the context lasts. A second server of the same database leaves it alone."""
    try:
        note = _note(database).open("a+")
    except OSError:
        # Commands will not find this server; nothing else depends on the note.
        yield
        return
    with note:
        try:
            if fcntl is not None:
                fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield
            return
        note.truncate(0)
        note.write(address)
        note.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                note.truncate(0)


def served_at(database: Path) -> str | None:
    """The address of the server that uses this database, None if none is running."""
    try:
        with _note(database).open() as note:
            address = note.read()
            if fcntl is not None and address:  # type: ignore[redundant-expr]
                try:
                    fcntl.flock(note, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except OSError:
                    return address
                return None
    except OSError:
        return None
    return address or None  # type: ignore[redundant-expr]
