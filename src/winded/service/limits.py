"""How fast one link may act, and how much it may bring at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from winded.errors import TooMuch

AT_ONCE = 20
"""Characters that can be added as one act."""

TABLE_FILE_LIMIT = 32 * 1024 * 1024
"""The largest table file, in bytes, that the server takes over the network."""


class Rate(Struct, frozen=True):
    """How many at once (`burst`), and how many a second after that, over all doors together."""

    what: str
    burst: int
    per_second: float


ACTS = Rate("act", 60, 15.0)
"""What one link may do at its table."""


class Limits:
    """Token buckets by key, at most `kept` of them. The least recently used are forgotten, and so full again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, kept: int = 50_000) -> None:
        self._clock = clock
        self._kept = kept
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def check(self, rate: Rate, who: str) -> None:
        """Raises TooMuch, saying how long to wait, if one more would be too many. Counts nothing."""
        self._left(rate, who, self._clock())

    def take(self, rate: Rate, who: str) -> None:
        """Count one more. Raises TooMuch, saying how long to wait, if that is too many."""
        now = self._clock()
        self._buckets[rate.what, who] = (self._left(rate, who, now) - 1, now)
        self._buckets.move_to_end((rate.what, who))
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)

    def _left(self, rate: Rate, who: str, now: float) -> float:
        left, at = self._buckets.get((rate.what, who), (float(rate.burst), now))
        left = min(float(rate.burst), left + (now - at) * rate.per_second)
        if left < 1:
            seconds = int((1 - left) / rate.per_second) + 1
            raise TooMuch("Too many requests. Try again in {seconds} s.", seconds=seconds)
        return left
