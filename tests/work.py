"""Counts the work that something takes, which is the same on every machine, as a clock is not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class TooMuchWork(Exception):
    """More lines were run than were allowed."""


@contextmanager
def lines_of_python(most: int) -> Iterator[Callable[[], int]]:
    """How many lines of Python this thread has run since. Raises TooMuchWork past the most."""
    count = 0

    def note(frame: FrameType, event: str, what: Any) -> Any:
        nonlocal count
        count += 1
        if count > most:
            raise TooMuchWork(f"more than {most} lines of Python were run")
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        yield lambda: count
    finally:
        sys.settrace(before)
