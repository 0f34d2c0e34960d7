"""Where the server over a database is reached, for those who ask on the same machine: a note beside the database.

Whoever serves holds a lock on the note for as long as it does, so that a note left behind is known for what it is.
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
    """Note where this database is served, as long as the context lasts. A second server of it leaves the note alone."""
    try:
        note = _note(database).open("a+")
    except OSError:
        # Nobody finds it then, and nothing else depends on it.
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
    """The address of the server over this database, None where none runs."""
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
