"""Automatic copies of the database: when a server starts, after an evening, and when it stops.

They are kept in a folder beside the database. Old ones are deleted, but never what a restore replaced.
"""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from winded.errors import Unavailable, WindedError
from winded.journal import SqliteJournal
from winded.service.desk import Desk

if TYPE_CHECKING:
    from typing import Self

KEPT = 10
"""How many copies to keep by default."""

QUIET = 30 * 60
"""Seconds without a change after which an evening is over."""

_logger = logging.getLogger(__name__)

_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"(\d{8}T\d{6}Z)(?:\.(\d+))?\.sqlite")


class Copy(Struct, frozen=True):
    """A copy of the database; `made` is UTC in seconds since 1970."""

    path: Path
    made: float


def folder_of(database: Path) -> Path:
    """The folder for the copies of a database."""
    return database.with_name(f"{database.name}.copies")


def free_name(database: Path, kind: str = "") -> Path:
    """A free file name for a copy made now; it sorts after those of all earlier copies."""
    stem = f"{kind}-" * bool(kind) + f"{datetime.now(UTC):{_STAMP}}"
    taken = [int(path.suffixes[0][1:] if len(path.suffixes) > 1 else 1) for path in _of(database, f"{stem}*.sqlite")]
    place = max(taken, default=0) + 1
    return folder_of(database) / (f"{stem}.sqlite" if place == 1 else f"{stem}.{place}.sqlite")


def copies_of(database: Path) -> list[Copy]:
    """The automatic copies, newest first."""
    found = []
    for path in _of(database, "*.sqlite"):
        named = _NAME.fullmatch(path.name)
        if named is not None:
            made = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC).timestamp()
            found.append((made, int(named[2] or 1), path))
    return [Copy(path, made) for made, _, path in sorted(found, reverse=True)]


def _of(database: Path, pattern: str) -> list[Path]:
    return [*folder_of(database).glob(pattern)]


def newest(desk: Desk) -> Copy | None:
    """The newest copy of the open database, or None."""
    if not isinstance(desk.journal, SqliteJournal):
        return None
    return next(iter(copies_of(desk.journal.path)), None)


def make(desk: Desk, keep: int = KEPT) -> Copy | None:
    """Make a copy, unless the newest one holds the same, and delete all but the newest `keep`.

    Returns None if no copy was needed, or none are to be kept. Raises Unavailable if it cannot be made.
    """
    journal = desk.journal
    if not isinstance(journal, SqliteJournal) or keep <= 0:
        return None
    before = copies_of(journal.path)
    if before and journal.is_copied_in(before[0].path):
        return None
    path = free_name(journal.path)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        journal.backup(path)
        for old in before[keep - 1 :]:
            old.path.unlink(missing_ok=True)
    except OSError as error:
        raise Unavailable(
            "The copies in {path} could not be tidied: {reason}.", path=str(path.parent), reason=error.strerror or ""
        ) from error
    return copies_of(journal.path)[0]


class Copying:
    """Makes copies of an open database: when a server starts, after an evening, and when it stops.

    If a copy fails, that is logged and play goes on. `keep` is 0 for no copies at all.
    """

    def __init__(self, desk: Desk, keep: int = KEPT) -> None:
        self._desk = desk
        self._keep = keep
        self._copied: float | None = None

    def __enter__(self) -> Self:
        self._make()
        return self

    def __exit__(self, *_: object) -> None:
        self._make()

    def look(self) -> None:
        """Make a copy if an evening has ended. The server calls this now and then."""
        changed = self._changed()
        if changed != self._copied and self._desk.clock() - changed >= QUIET:
            self._copied = changed
            self._make()

    def _changed(self) -> float:
        """When the files last changed. Tidying counts as well, but then the newest copy still holds the same."""
        journal = self._desk.journal
        if not isinstance(journal, SqliteJournal):
            return 0.0
        files = (journal.path, journal.path.with_name(f"{journal.path.name}-wal"))
        return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)

    def _make(self) -> None:
        try:
            make(self._desk, self._keep)
        except WindedError as no:
            _logger.warning("%s", no)
