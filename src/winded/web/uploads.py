"""Files that have come and wait for a question about them to be answered: nobody has to send them a second time."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

WAITING = 3
"""So many files wait at once; of more, the oldest is let go."""

WAITS = 600.0
"""Seconds after which a file is let go."""


class Uploads:
    """Keeps files in memory, each under a secret that only its sender is told."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._files: dict[str, tuple[bytes, float]] = {}

    def keep(self, file: bytes) -> str:
        """Keep a file; its secret."""
        self._let_go()
        while len(self._files) >= WAITING:
            del self._files[next(iter(self._files))]
        secret = secrets.token_urlsafe(24)
        self._files[secret] = file, self._clock()
        return secret

    def take(self, secret: str) -> bytes | None:
        """The file of this secret, which waits no longer; None where it does not wait."""
        self._let_go()
        file, _ = self._files.pop(secret, (None, 0.0))
        return file

    def _let_go(self) -> None:
        for secret, (_, since) in [*self._files.items()]:
            if self._clock() - since > WAITS:
                del self._files[secret]
