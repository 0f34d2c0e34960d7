"""What every writer shares, whatever it writes to: a queue, and one who commits all that waits at one flush.

Whoever holds the turn writes: takes all jobs that wait, has them committed as one group, and tells everyone how it
went. That is the writer's own thread, or somebody who waits for an answer and would otherwise only look on: to hand a
job to another thread and the answer back takes nearly as long as the flush.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from winded.errors import Unavailable, WindedError
from winded.journal.contract import Chain, Promise

GROUP = 512
"""At most so many jobs in one group: bounds how long the first of them waits."""

Connection = TypeVar("Connection")


class Job:
    """Something to be written, and how it went."""

    __slots__ = ("error", "promise")

    def __init__(self, help_out: Callable[[], None]) -> None:
        self.promise: Promise[None] = Promise(help_out)
        self.error: WindedError | None = None

    def fail(self, error: WindedError) -> None:
        """Have it fail with this once the group is done."""
        self.error = error

    def settle(self) -> None:
        """Tell who waits how it went."""
        if self.error is None:
            self.promise.set_result(None)
        else:
            self.promise.set_exception(self.error)


class Append(Job):
    """Rows to be written at the end of a table; the first place of each is the writer's own.

    `after` is the mark of the entry they were decided after, None for whichever is there.
    """

    __slots__ = ("after", "chain", "first", "rows", "table")

    def __init__(
        self,
        help_out: Callable[[], None],
        table: str,
        first: int,
        rows: list[list[Any]],
        chain: Chain | None,
        after: str | None,
    ) -> None:
        super().__init__(help_out)
        self.after: str | None = after
        self.table: str = table
        self.first: int = first
        self.rows: list[list[Any]] = rows
        self.chain: Chain | None = chain

    def fail(self, error: WindedError) -> None:
        if self.chain is not None:
            self.chain.broken = True
        self.error: WindedError = error


class Write(Job, Generic[Connection]):
    """Anything else that is written: `work` gets the connection, within a transaction.

    With `tidy`, what it deleted should not linger on the disk.
    """

    __slots__ = ("tidy", "work")

    def __init__(self, help_out: Callable[[], None], work: Callable[[Connection], object], tidy: bool) -> None:
        super().__init__(help_out)
        self.work: Callable[[Connection], object] = work
        self.tidy: bool = tidy


class GroupWriter(ABC, Generic[Connection]):
    """The one place in a process that writes; `where` is what errors call the place that is written to."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._jobs: deque[Append | Write[Connection]] = deque()
        self._door = threading.Lock()
        self._closed = False
        self._turn = threading.Lock()
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._rung = False
        self._thread = threading.Thread(target=self._write, name="winded-journal", daemon=True)
        self._thread.start()

    @abstractmethod
    def _commit(self, group: list[Append | Write[Connection]]) -> None:
        """Do all of these, in this order, and return when they are safe.

        Those that may not be done are told so by `fail`. What is raised, all of them fail with: none has happened.
        """

    @abstractmethod
    def _close_connection(self) -> None:
        """Let go of the connection: nothing comes any more."""

    def _wait(self) -> float | None:
        """Seconds after which the writer's thread looks up though nobody rang; None for never."""
        return None

    def _looked_up(self) -> None:
        """Nobody rang for that long."""

    def append(
        self,
        table: str,
        first: int,
        rows: list[list[Any]],
        chain: Chain | None,
        after: str | None,
        waited_for: bool,
    ) -> Promise[None]:
        """Write rows at the end of a table, later; see `Journal.append`."""
        return self._hand_in(Append(self.help_out, table, first, rows, chain, after), waited_for)

    def change(self, work: Callable[[Connection], object], *, tidy: bool = False) -> None:
        """Do some work in a transaction, and wait until it is safe; raises what the work raises."""
        self._hand_in(Write(self.help_out, work, tidy), waited_for=True).result()

    def close(self) -> None:
        """Write what was handed in, and let go of the connection. What is handed in later raises Unavailable."""
        with self._door:
            if self._closed:
                return
            self._closed = True
            self._ring()
        self._thread.join()
        with self._turn:
            self._close_connection()

    def help_out(self) -> None:
        """Write what waits, in the caller's thread, unless somebody does so already."""
        if self._turn.acquire(blocking=False):
            try:
                self._write_group()
            finally:
                self._turn.release()
            # Whoever came meanwhile and could not help waits for the writer's thread.
            if self._jobs or self._wait() is not None:
                self._ring()

    def _hand_in(self, job: Append | Write[Connection], waited_for: bool) -> Promise[None]:
        with self._door:
            if self._closed:
                raise Unavailable("The journal {path} is closed.", path=self._where)
            self._jobs.append(job)
        if not waited_for:
            self._ring()
        return job.promise

    def _ring(self) -> None:
        """Wake the writer's thread. It takes the bell down before it looks for jobs, so that none is overlooked."""
        if not self._rung:
            self._rung = True
            self._bell.put(None)

    def _write(self) -> None:
        """The writer's thread: a group at a time until `close`."""
        while not self._closed or self._jobs:
            try:
                self._bell.get(timeout=self._wait())
            except Empty:
                with self._turn:
                    self._looked_up()
                continue
            self._rung = False
            while self._jobs:
                with self._turn:
                    self._write_group()

    def _write_group(self) -> None:
        """Write what waits and tell everyone. To be called by who holds the turn."""
        jobs = self._jobs
        group: list[Append | Write[Connection]] = []
        try:
            while jobs and len(group) < GROUP:
                group.append(jobs.popleft())
            if group:
                self._commit(group)
        except BaseException as error:  # every caller must hear of it
            known = error if isinstance(error, WindedError) else _mistake(error)
            for job in group:
                job.fail(known)
            if not isinstance(error, Exception):
                raise
        finally:
            for job in group:
                job.settle()
        self._settled()

    def _settled(self) -> None:
        """Everyone has been told how it went."""


def _mistake(error: BaseException) -> Unavailable:
    return Unavailable("The journal failed: {reason}.", reason=repr(error))
