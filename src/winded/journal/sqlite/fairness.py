"""Processes that write to one file let each other in.

SQLite keeps them from harming each other but is not fair: a busy process can take its lock again before another looks
up, and what the other decided meanwhile is always outdated. So whoever waits, or was outrun, raises a hand, and whoever
has written leaves a short gap if a hand is up. The hand is a lock on the folder, which is gone with the process that
holds it. Nothing depends on it but fairness: where there are no such locks, it is left out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GAP = 0.002
"""Seconds that are left to others: enough to read what is new, decide on it and write."""

LOOK_AGAIN = 0.005
"""Seconds for which nobody is looked for after nobody was found."""

HAND_UP = 0.5
"""Seconds after which a hand goes down by itself, if nothing is written any more."""


class Fairness:
    """One process's part in it. To be used by one thread at a time."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self.hand_is_up: bool = False
        self._wrote = 0.0
        self._look_again = 0.0
        self._hand = self._look = -1
        if fcntl is not None:
            with suppress(OSError):
                self._hand = os.open(path.parent, os.O_RDONLY)
                self._look = os.open(path.parent, os.O_RDONLY)

    def raise_hand(self) -> None:
        """Ask the others for a gap."""
        if self._look >= 0 and not self.hand_is_up:
            with suppress(OSError):
                fcntl.flock(self._hand, fcntl.LOCK_SH | fcntl.LOCK_NB)
                self.hand_is_up = True

    def lower_hand(self) -> None:
        """Need no gap any more."""
        if self.hand_is_up:
            fcntl.flock(self._hand, fcntl.LOCK_UN)
            self.hand_is_up = False

    def wrote(self) -> None:
        """Remember that one has just written."""
        self._wrote = self._clock()

    def leave_gap(self) -> None:
        """Before writing again: if somebody else's hand is up, and one's own is not, let a gap go by."""
        now = self._clock()
        left = self._wrote + GAP - now
        if left <= 0 or now < self._look_again or self.hand_is_up or self._look < 0:
            return
        try:
            fcntl.flock(self._look, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._sleep(left)
        else:
            fcntl.flock(self._look, fcntl.LOCK_UN)
            # Nobody waits: to look each time would cost more than some others' few milliseconds.
            self._look_again = now + LOOK_AGAIN

    def close(self) -> None:
        """Let go of the folder."""
        for handle in (self._hand, self._look):
            if handle >= 0:
                os.close(handle)
        self._hand = self._look = -1
        self.hand_is_up = False
