"""Work that takes seconds: apart from the loop that serves everyone else, and one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

# A single thread, and no one else's: however many large files are sent, short work never queues behind them.
_worker = ThreadPoolExecutor(1, "winded-apart")


async def apart(work: Callable[[], Result]) -> Result:
    """What the work results in; raises what it raises."""
    return await asyncio.get_running_loop().run_in_executor(_worker, work)
