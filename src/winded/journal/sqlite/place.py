"""Where the open database stands: whether its path still leads to the file that is open, and to that file's log.

SQLite goes on writing to a file that was deleted, moved or replaced, and never says so: whatever it acknowledges then
is in nobody's database. So whoever writes looks, and what cannot be found again at the path is not acknowledged.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from winded.errors import Unavailable

LOOK_AGAIN = 0.05
"""Seconds for which what was found in its place need not be looked for again before one writes."""


class Place:
    """The files of one open database. Make it once they are open."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._files = tuple(os.fspath(path) + end for end in ("", "-wal", "-shm"))
        self._open = tuple(_file_at(file) for file in self._files)
        self._looked = clock()

    def check(self) -> None:
        """Raises Unavailable unless the database and its log are where they were when they were opened."""
        self._check(2)

    def check_all(self) -> None:
        """The same, and that others who open the file now share its locks."""
        self._check(3)

    def check_again(self) -> None:
        """As `check`, unless that was done just now."""
        if self._clock() - self._looked > LOOK_AGAIN:
            self._check(2)

    def _check(self, files: int) -> None:
        for at in range(files):
            if _file_at(self._files[at]) != self._open[at]:
                self._looked = 0.0
                raise self._displaced(at)
        self._looked = self._clock()

    def _displaced(self, at: int) -> Unavailable:
        if at > 0 and _file_at(self._files[0]) == self._open[0]:
            return Unavailable(
                "{file} was deleted or moved while {path} was in use: nothing more can be saved. Please restart "
                "Winded; “winded doctor” says whether anything is missing.",
                path=str(self._path),
                file=self._files[at],
            )
        if _file_at(self._files[0]) is None:
            return Unavailable(
                "{path} was deleted or moved while it was in use: nothing more can be saved. Put it back in its "
                "place, or stop Winded and bring back a copy with “winded restore”.",
                path=str(self._path),
            )
        return Unavailable(
            "Another file was put in place of {path} while it was in use: nothing more can be saved. Please stop "
            "Winded, move that file away again and bring it back with “winded restore”.",
            path=str(self._path),
        )


def _file_at(file: str) -> tuple[int, int] | None:
    """Which file stands there, however it is called; None where none can be reached."""
    try:
        found = os.stat(file)  # noqa: PTH116 - a path object would take half as long again, at each commit
    except OSError:
        return None
    return found.st_dev, found.st_ino
