"""How long anyone's request makes another wait: the longest answer to somebody else while it is worked on."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import uvloop
from msgspec import Struct

from benchmarks.harness import Figure, Measured
from benchmarks.live import Laid, lay
from benchmarks.live_client import Caller, caller, follower, get, post, serving
from winded.journal import Entry
from winded.rules import Adjust, Undo
from winded.rules.undoing import Undone
from winded.service import open_desk
from winded.service.table_file import carry_out

UNDONE = 20_000
"""Acts of the long history, each taken back by an undo of its own."""

TRIES = 3
"""How often each is tried. The quickest counts: what the machine does besides comes and goes."""


class Sent(Struct, frozen=True):
    """A request that is meant to keep others waiting, and whether it opens a stream of so many events."""

    request: bytes
    events: int = 0


def form(path: str, body: bytes, kind: str) -> bytes:
    """A request that brings a form."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def take_back_much(database: Path, table: str) -> None:
    """A history of acts that were all taken back."""
    with open_desk(database) as desk:
        snapshot = desk.tables.snapshot(table)
        act, undo = Adjust("Ash", by=-1, reason="the cold"), Undo()
        did = act.decide(snapshot.table)
        entries: list[Entry] = []
        for number in range(snapshot.number + 1, snapshot.number + 1 + 2 * UNDONE, 2):
            entries.append(Entry(number, 1.0, "", "", act, did, None, ("#1",)))
            entries.append(Entry(number + 1, 1.0, "", "", undo, (Undone((number,)),), None, ("#1",)))
        for start in range(0, len(entries), 1000):
            desk.tables.journal.append(table, entries[start : start + 1000]).result()


def crowded(file: bytes) -> bytes:
    """The file of a table to which 12,000 characters were added."""
    data = json.loads(file)
    data["entries"] = []
    for number in range(1, 12_001):
        name = f"One {number}"
        added = {"event": "character_added", "character": name, "id": f"#{number}", "side": "party", "con": "d8"}
        data["entries"].append(
            {
                "number": number, "at": 1.0, "who": "", "name": "", "about": [f"#{number}"],
                "command": {"do": "add_character", "name": name, "con": "d8"},
                "events": [{**added, "maximum": 8, "stamina": 8}],
            }
        )  # fmt: skip
    return json.dumps(data).encode()


def hostile(laid: Laid, file: bytes) -> Iterator[tuple[str, Callable[[], Sent]]]:
    """Each kind of request by its name. What is kept of an answer must not help the next try."""
    at, token = f"/api/tables/{laid.table}", laid.referee
    tries = iter(range(1, 1_000_000))

    def forecast() -> Sent:
        nth = next(tries) * 1000
        steps = [{"step": "check", "dice": f"20d100kh10+{nth % 9000 + one}", "target": 600} for one in range(250)]
        day = {"characters": [{"name": "Ash", "con": "d8"}], "steps": steps}
        return Sent(post("/api/forecast", "", json.dumps({"day": day}).encode()))

    yield "dice", forecast
    yield "form", lambda: Sent(form("/tables/import", b"a&" * (15 * 2**20), "application/x-www-form-urlencoded"))
    yield "crowd", lambda: Sent(post("/api/import", "", crowded(file)))
    yield "file", lambda: Sent(post("/api/import?here=copy", "", file))
    yield "page", lambda: Sent(get(f"{at}/journal?after=0&limit=1", token))
    yield "undo", lambda: Sent(post(f"{at}/check", token, b'{"do":"undo","through":4}'))
    yield "stream", lambda: Sent(get(f"{at}/live?after=0", laid.spectators), 2 * UNDONE)


async def _longest(port: int, sent: Sent | None) -> float:
    """The longest that somebody else waits while this is answered, in milliseconds; without it, of half a second."""
    other = await caller(port)
    longest, over = 0.0, asyncio.Event()

    async def ask() -> None:
        nonlocal longest
        while not over.is_set():
            began = perf_counter()
            await other.send(get("/manifest.webmanifest", ""))
            longest = max(longest, perf_counter() - began)

    asking = asyncio.ensure_future(ask())
    await asyncio.sleep(0.1)
    if sent is None:
        await asyncio.sleep(0.5)
    elif sent.events:
        await _all_of(port, sent)
    else:
        await _answer(port, sent.request)
    over.set()
    await asking
    other.transport.close()
    return longest * 1000


async def _answer(port: int, request: bytes) -> None:
    one: Caller = await caller(port)
    await one.send(request)
    one.transport.close()


async def _all_of(port: int, sent: Sent) -> None:
    left, done = sent.events, asyncio.Event()

    def heard(count: int) -> None:
        nonlocal left
        left -= count
        if left <= 0:
            done.set()

    stream = await follower(port, sent.request, b"event: entry", heard)
    await asyncio.wait_for(done.wait(), 120)
    stream.transport.close()


def longest_wait() -> Measured:
    """The worst of all kinds; each by its name in `more`."""
    waits: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "winded.sqlite"
        (laid,) = lay(database, 1)
        take_back_much(database, laid.table)
        with open_desk(database) as desk:
            file = carry_out(desk.tables, laid.table)
        with serving("winded", database) as (port, _):
            idle = min(uvloop.run(_longest(port, None)) for _ in range(TRIES))
            for name, made in hostile(laid, file):
                waits[name] = min(uvloop.run(_longest(port, made())) for _ in range(TRIES))
    return Measured.of([max(waits.values())], [idle], **{f"{name} ms": wait for name, wait in waits.items()})


FIGURES = (
    Figure(
        "live.longest_wait",
        "The longest that one request, of the kinds that are long to answer, makes another wait.",
        "ms",
        longest_wait,
        goal=50,
        better="less",
        floor="the longest wait with nobody else there",
    ),
)
