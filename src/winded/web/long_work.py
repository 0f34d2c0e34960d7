"""Work that takes seconds: away from the loop that serves everyone else, and one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from winded.service.table_file import Carried
from winded.service.unpacking import LONGEST, examined, unpacked
from winded.service.worker import Worker

Result = TypeVar("Result")


class LongWork:
    """A thread of its own: however many large files are sent, short work never queues behind them.

    Files are examined by a process beside it.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "winded-long-work")
        self._examiner = Worker(LONGEST)

    async def table_in(self, file: bytes) -> Carried:
        """The table in a file. Raises what `carried_from` raises, and TooMuch where it takes too long."""
        found = await self._examiner.run(examined, file)
        return await self.do(lambda: unpacked(found))

    async def do(self, work: Callable[[], Result]) -> Result:
        """What the work results in; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._examiner.close()
