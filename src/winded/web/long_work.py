"""Work that takes seconds: away from the loop that serves everyone else, and one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class LongWork:
    """A thread of its own: however many large files are sent, short work never queues behind them."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "winded-long-work")

    async def do(self, work: Callable[[], Result]) -> Result:
        """What the work results in; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def close(self) -> None:
        """Begin nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
