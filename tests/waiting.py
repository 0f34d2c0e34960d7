"""Waits for what happens elsewhere: for a condition, never for a time."""

from collections.abc import Callable
from threading import Event

PATIENCE = 60.0
"""Seconds after which one no longer waits: so many that a busy machine never needs them."""

_BETWEEN = 0.01


def until(holds: Callable[[], bool], what: str) -> None:
    """Ask until it holds. `what` is the sentence that a test fails with where it never does."""
    never = Event()
    for _ in range(int(PATIENCE / _BETWEEN)):
        if holds():
            return
        never.wait(_BETWEEN)
    raise AssertionError(what)
