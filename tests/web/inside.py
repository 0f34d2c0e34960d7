"""A server inside the tests' own process: the real one on a real port, with limits out of the way and a quick beat."""

import asyncio
import socket
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

import uvicorn
from litestar import Litestar

from tests.waiting import PATIENCE
from winded.journal import SqliteJournal
from winded.service import Desk
from winded.service.limits import Limits, Rate
from winded.web.app import create_app
from winded.web.host import Host
from winded.web.network.connections import Doorkeeper
from winded.web.network.listening import Listening

BEAT = 0.2


class NoLimits(Limits):
    """Lets everyone do as much as they like: for tests about something else."""

    def take(self, rate: Rate, who: str) -> None:
        """Count nothing."""


class Inside:
    """A server in a thread. `host` is what it serves from, `keep_alive` the seconds an idle connection stays.

    `doorkeeper` ends connections that ask for nothing.
    """

    def __init__(
        self,
        database: Path,
        limits: Limits | None = None,
        beat: float = BEAT,
        *,
        keep_alive: int = 5,
        doorkeeper: Doorkeeper | None = None,
    ) -> None:
        self.journal = SqliteJournal(database)
        app: Litestar = create_app(Desk(self.journal, limits=NoLimits() if limits is None else limits), beat=beat)
        self.host: Host = app.state.host
        self._loop: asyncio.AbstractEventLoop | None = None
        started = self._started

        async def start() -> None:
            started()

        app.on_startup.append(start)
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=keep_alive,
        )
        self._server = Listening(config, self._listening, doorkeeper=doorkeeper)
        self._thread = Thread(target=self._server.run, daemon=True)

    def _started(self) -> None:
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.host.live.close)
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._listening.close()
        self.journal.close()
