"""Servers for the benchmarks of live tables: Winded's own, with its limits out of the way, and the floor beside it.

The floor is the least that does the job in Python: raw ASGI, one dict a table, SQLite with FULL, a writer thread with
group commit, and one `send` for each stream. It checks no rule, no role and no token.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sqlite3
import sys
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
import uvicorn

from winded.journal import SqliteJournal
from winded.service import Desk
from winded.service.limits import Limits, Rate
from winded.web.app import create_app


class NoLimits(Limits):
    """A hundred clients at one address are a benchmark, no flood."""

    def take(self, rate: Rate, who: str) -> None:
        """Count nothing."""


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Floor:
    """`POST /tables/N` spends one Stamina of a character and tells those who follow `GET /tables/N`."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._tables: dict[str, dict[str, Any]] = {}
        self._followers: dict[str, list[Any]] = {}
        self._queue: SimpleQueue[Any] = SimpleQueue()

    def start(self) -> None:
        """Begin to write, in a thread of its own."""
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._write, daemon=True).start()

    def _write(self) -> None:
        connection = sqlite3.connect(self._database, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE entries (at TEXT, number INTEGER, data BLOB, PRIMARY KEY (at, number))")
        while True:
            group = [self._queue.get()]
            with contextlib.suppress(Empty):
                while len(group) < 512:
                    group.append(self._queue.get_nowait())
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", [row for row, _ in group])
            connection.execute("COMMIT")
            self._loop.call_soon_threadsafe(_resolve, [done for _, done in group])

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    self.start()
                    await send({"type": "lifespan.startup.complete"})
                else:
                    await send({"type": "lifespan.shutdown.complete"})
                    return
        at = scope["path"]
        if scope["method"] == "GET":
            await self._follow(at, receive, send)
            return
        command = _decode((await receive())["body"])
        table = self._tables.setdefault(at, {"number": 0, "stamina": {}})
        name = command["character"]
        left = table["stamina"].get(name, 12) - 1
        table["stamina"][name] = left or 12
        table["number"] = number = table["number"] + 1
        event = _encode({"number": number, "event": "reacted", "character": name, "leaves": left})
        done = self._loop.create_future()
        self._queue.put(((at, number, event), done))
        await done
        data = b"event: entry\nid: %d\ndata: %b\n\n" % (number, event)
        for follower in self._followers.get(at, ()):
            await follower({"type": "http.response.body", "body": data, "more_body": True})
        body = _encode({"number": number, "accepted": True, "state": table["stamina"]})
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _follow(self, at: str, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"event: beat\ndata: {}\n\n", "more_body": True})
        self._followers.setdefault(at, []).append(send)
        while (await receive())["type"] != "http.disconnect":
            pass
        self._followers[at].remove(send)


def _resolve(done: list[asyncio.Future[None]]) -> None:
    for one in done:
        one.set_result(None)


def main() -> None:
    kind, database = sys.argv[1], Path(sys.argv[2])
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening, contextlib.ExitStack() as held:
        if kind == "floor":
            app: Any = Floor(database)
        else:
            app = create_app(Desk(held.enter_context(SqliteJournal(database)), limits=NoLimits()))
        print(listening.getsockname()[1], flush=True)
        # As `winded serve` has it where no proxy is named.
        config = uvicorn.Config(
            app, log_level="error", access_log=False, proxy_headers=False, timeout_graceful_shutdown=1
        )
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
