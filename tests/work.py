"""Counts the work that something takes, which is the same on every machine, as a clock is not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def calls_counted() -> Iterator[Callable[[], int]]:
    """How many functions this thread has called since, of Python's and of C's."""
    count = 0

    def note(frame: FrameType, event: str, what: Any) -> None:
        nonlocal count
        if event in {"call", "c_call"}:
            count += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield lambda: count
    finally:
        sys.setprofile(before)
