"""Long work for the server: in a process of its own, one task at a time, stopped when it takes too long.

A busy thread would slow everyone down and could not be stopped; a process can. It starts when first needed and ends
with the server, when its input closes.
"""

from __future__ import annotations

import asyncio
import pickle
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar

from winded.errors import TooMuch, WindedError

LONGEST = 20.0
"""The most seconds that a task may take."""

MOST_WAITING = 16
"""The most tasks that may wait for one worker."""

_LENGTH = struct.Struct(">Q")

Found = TypeVar("Found")


class Worker:
    """A process that runs importable functions, one at a time. Belongs to one event loop."""

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def run(self, work: Callable[..., Found], *given: Any) -> Found:
        """`work(*given)`, run in the process.

        Raises the WindedErrors that it raises, and TooMuch if it takes too long or too many tasks are waiting.
        """
        if self._waiting >= MOST_WAITING:
            raise TooMuch("The server is busy working out other odds. Try again in a moment.")
        self._waiting += 1
        try:
            async with self._turn:
                asking = asyncio.ensure_future(asyncio.to_thread(self._ask, work, given))
                try:
                    went_well, found = await asyncio.wait_for(asyncio.shield(asking), self.longest)
                except BaseException as wrong:
                    # Part of an answer may be left in the pipe, so the next task gets a new process.
                    self.close()
                    await asyncio.wait([asking])
                    asking.exception()
                    if not isinstance(wrong, TimeoutError):
                        raise
                    raise TooMuch(
                        "This takes more than {seconds} s to work out. The command line has no such limit.",
                        seconds=round(self.longest),
                    ) from wrong
        finally:
            self._waiting -= 1
        if went_well:
            return found  # type: ignore[no-any-return]
        raise _made_again(*found)

    def close(self) -> None:
        """Stop the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()

    def _ask(self, work: Callable[..., object], given: tuple[Any, ...]) -> tuple[bool, Any]:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = subprocess.Popen(
                [sys.executable, "-m", "winded.service.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        assert process.stdin is not None
        assert process.stdout is not None
        task = pickle.dumps((work, given), pickle.HIGHEST_PROTOCOL)
        process.stdin.write(_LENGTH.pack(len(task)) + task)
        process.stdin.flush()
        (length,) = _LENGTH.unpack(process.stdout.read(_LENGTH.size))
        answer: tuple[bool, Any] = pickle.loads(process.stdout.read(length))
        return answer


def _made_again(kind: type[WindedError], arguments: tuple[object, ...], inside: dict[str, object]) -> WindedError:
    """The error that was raised in the process."""
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(inside)
    return error


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Run one task after another until the input closes."""
    while len(head := asked.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        work, given = pickle.loads(asked.read(length))
        try:
            answer: tuple[bool, object] = True, work(*given)
        except WindedError as no:
            answer = False, (type(no), no.args, dict(no.__dict__))
        packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        answers.write(_LENGTH.pack(len(packed)) + packed)
        answers.flush()


if __name__ == "__main__":
    # Anything printed by mistake must not mix with the answers.
    answers: BinaryIO = sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        serve(sys.stdin.buffer, answers)
    except KeyboardInterrupt:
        sys.exit(130)
