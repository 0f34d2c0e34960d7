"""Odds for whoever asks: worked out beside the server's own loop, one at a time, and never without end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from winded.errors import Malformed

if TYPE_CHECKING:
    from winded.odds import Day, Sketch

MOST_STEPS = 500
"""Steps of a day, each round being one, times the characters who go through it."""

MOST_DICE = 8
"""Different dice that the Checks of a day are rolled with."""

_Found = TypeVar("_Found")

# Two, so that nobody's page of a long day makes a table wait.
_AT_TABLES = ThreadPoolExecutor(1, thread_name_prefix="ahead")
_ELSEWHERE = ThreadPoolExecutor(1, thread_name_prefix="forecast")


async def at_table(work: Callable[[], _Found]) -> _Found:
    """Work out what is ahead of a table."""
    return await asyncio.get_running_loop().run_in_executor(_AT_TABLES, work)


async def elsewhere(work: Callable[[], _Found]) -> _Found:
    """Work out a day that somebody brings."""
    return await asyncio.get_running_loop().run_in_executor(_ELSEWHERE, work)


def check_size(sketch: Sketch, characters: int) -> None:
    """Refuse a day that would keep this server busy for long. Raises Malformed."""
    from winded.odds.day.model import CheckAhead
    from winded.odds.forecasts.decision_tree import length

    dice = {one.dice for one in sketch.ahead if isinstance(one, CheckAhead)}
    if len(dice) > MOST_DICE:
        raise Malformed(
            "steps", "The Checks of a day are rolled with at most {most} different dice here.", most=MOST_DICE
        )
    steps = sum(length(one) for one in sketch.ahead)
    if steps * max(characters, 1) > MOST_STEPS:
        raise Malformed(
            "steps",
            "{steps} steps and rounds for {characters} characters are more than is worked out here; on the command "
            "line “winded forecast” does it.",
            steps=steps,
            characters=characters,
        )


def check_day(day: Day) -> None:
    """As `check_size`, for a day with its characters."""
    check_size(day.sketch, len(day.characters))
