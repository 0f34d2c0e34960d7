"""Runs the real `winded serve` for a test, on a free port of this machine."""

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import Self

from tests.waiting import PATIENCE

WINDED = Path(sys.executable).with_name("winded")
ADDRESS = re.compile(r"https?://\d+\.\d+\.\d+\.\d+:\d+")


class Server:
    """A `winded serve` of its own process. `address` is where it listens, without a slash at the end.

    It listens at `host`; `within` is a command that runs it, in a network of its own for example; it is called by
    `program`.
    As a context manager it starts on the way in and stops on the way out. `kill` ends it as a power cut would; started
    again, it goes on with the same database on another port.
    """

    def __init__(
        self,
        database: Path,
        *arguments: str,
        port: int = 0,
        host: str = "127.0.0.1",
        within: Sequence[str] = (),
        program: Sequence[str | Path] = (WINDED,),
    ) -> None:
        self.database = database
        self.host = host
        self.within = within
        self.program = program
        self.arguments = arguments
        self.port = port
        self.address = ""
        self.said: deque[str] = deque(maxlen=2_000)
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        home = self.database.parent / "home"
        home.mkdir(exist_ok=True)
        where = ["--host", self.host, "--port", str(self.port), "--database", self.database]
        self._process = subprocess.Popen(
            [*self.within, *self.program, "serve", *where, *self.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            # Nothing of the person who runs the tests is read or written.
            env={**os.environ, "PYTHONUNBUFFERED": "1", "HOME": str(home), "XDG_DATA_HOME": str(home / "data")},
        )
        found: Queue[str] = Queue()
        Thread(target=self._listen, args=(self._process, found), daemon=True).start()
        try:
            self.address = found.get(timeout=PATIENCE)
        except Empty:
            self.address = ""
        if not self.address:
            self.kill()
            raise AssertionError(f"winded serve named no address of this machine. It said:\n{self.output}")
        return self

    def stop(self) -> None:
        """Asks it to stop, as Ctrl-C's sibling SIGTERM does, and waits until it has."""
        process = self._running()
        process.terminate()
        self._gone(process)

    def kill(self) -> None:
        """Ends it with SIGKILL: no farewell, nothing flushed."""
        process = self._running()
        process.kill()
        self._gone(process)

    @property
    def pid(self) -> int:
        return self._running().pid

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return "".join(self.said)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()

    def _running(self) -> subprocess.Popen[str]:
        assert self._process is not None, "this server is not running"
        return self._process

    def _gone(self, process: subprocess.Popen[str]) -> None:
        self._process = None
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"winded serve still ran {PATIENCE:.0f} s after it was asked to stop") from None

    def _listen(self, process: subprocess.Popen[str], found: Queue[str]) -> None:
        """Reads on to the end, so that the server never waits for a full pipe."""
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self.said.append(line)
                if address := ADDRESS.search(line):
                    found.put(address[0])
        found.put("")
