"""Long work beside the server: in a process of its own, one task at a time, ended when it takes too long.

A thread cannot be ended, and one that is busy with figures holds up everyone; a process can be, and does not. It is
started when it is first needed, and ends with the server: nothing more comes to it then.
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
"""Seconds that a task may take."""

MOST_WAITING = 16
"""Tasks that may wait for one worker."""

_LENGTH = struct.Struct(">Q")

Found = TypeVar("Found")


class Worker:
    """A process that does what it is given, by functions that can be imported there. Belongs to one event loop."""

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def run(self, work: Callable[..., Found], *given: Any) -> Found:
        """What `work(*given)` answers, worked out in the process.

        Raises what it raises of Winded's errors, and TooMuch where it takes too long or too many are waiting.
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
                    # Half an answer may still be on its way: the next task gets a new process.
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
        """End the process, whatever it is doing."""
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
    """An error as it was raised in the process."""
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(inside)
    return error


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Do one task after the other until nothing more comes."""
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
    # What is printed by mistake must not stand among the answers.
    answers: BinaryIO = sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        serve(sys.stdin.buffer, answers)
    except KeyboardInterrupt:
        sys.exit(130)
