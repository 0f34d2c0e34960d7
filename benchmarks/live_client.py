"""Clients for the benchmarks of live tables: as little work as HTTP allows, so that the server is what is measured."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx


@contextmanager
def serving(kind: str, database: Path) -> Iterator[tuple[int, int]]:
    """A server of a kind in a process of its own: its port and its process id."""
    command = [sys.executable, "-m", "benchmarks.live_server", kind, str(database)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with httpx.Client() as client:
            client.get(f"http://127.0.0.1:{port}/api/rules" if kind == "winded" else f"http://127.0.0.1:{port}/x")
        yield port, process.pid
    except httpx.ReadTimeout:
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def memory(pid: int) -> int:
    """Bytes a process holds in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu(pid: int) -> float:
    """Seconds of a core that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Caller(asyncio.Protocol):
    """A connection on which one request is sent at a time."""

    def __init__(self) -> None:
        self.transport: Any = None
        self._buffer = b""
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        _, _, rest = head.lower().partition(b"content-length:")
        if len(body) >= int(rest.partition(b"\r\n")[0]):
            whole, self._buffer = self._buffer, b""
            assert self._answer is not None
            self._answer.set_result(whole)

    async def send(self, request: bytes) -> bytes:
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._answer


class Follower(asyncio.Protocol):
    """A live stream. `heard` is called with the number of events that came, `size` counts their bytes."""

    def __init__(self, request: bytes, mark: bytes, heard: Callable[[int], None]) -> None:
        self._request = request
        self._mark = mark
        self._heard = heard
        self._tail = b""
        self.size = 0
        self.transport: Any = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self._request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.size += len(data)
        text = self._tail + data
        count = text.count(self._mark)
        # A mark may be cut in two; what is kept is too short to hold a whole one.
        self._tail = text[-(len(self._mark) - 1) :]
        if not self.ready.done() and b"\r\n\r\n" in text:
            self.ready.set_result(None)
        if count:
            self._heard(count)


def post(path: str, token: str, body: bytes) -> bytes:
    """A request that brings JSON."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def get(path: str, token: str) -> bytes:
    """A request that only asks."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


async def caller(port: int) -> Caller:
    """A connection to act on."""
    _, made = await asyncio.get_running_loop().create_connection(Caller, "127.0.0.1", port)
    return made


async def follower(port: int, request: bytes, mark: bytes, heard: Callable[[int], None]) -> Follower:
    """A stream that has begun."""
    _, made = await asyncio.get_running_loop().create_connection(
        lambda: Follower(request, mark, heard), "127.0.0.1", port
    )
    await made.ready
    return made


class Load:
    """What a closed loop measured: seconds each answer took, and how long it went on."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.lasted = 0.0

    @property
    def rate(self) -> float:
        return len(self.took) / self.lasted

    def at(self, share: float) -> float:
        """Milliseconds within which this share of the answers came."""
        took = sorted(self.took)
        return took[min(len(took) - 1, int(len(took) * share))] * 1000


async def closed_loop(callers: list[tuple[Caller, Callable[[], bytes]]], seconds: float) -> Load:
    """Have each caller send its next request once the last was answered, until the time is up."""
    load = Load()
    began = perf_counter()
    until = began + seconds

    async def act(one: Caller, following: Callable[[], bytes]) -> None:
        while (sent := perf_counter()) < until:
            answer = await one.send(following())
            load.took.append(perf_counter() - sent)
            if b" 200 OK" not in answer[:20]:
                raise AssertionError(answer.decode(errors="replace"))

    await asyncio.gather(*(act(*each) for each in callers))
    load.lasted = perf_counter() - began
    return load
