"""The live table over HTTP: commands a second, how soon each is answered, deliveries, memory, and starting up."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, repeat
from pathlib import Path
from typing import Any

import httpx
import uvloop
from msgspec import Struct

from benchmarks.harness import Figure, Measured
from benchmarks.live_client import Load, caller, closed_loop, cpu, follower, get, memory, post, serving
from winded.journal import Entry
from winded.roles import Role
from winded.rules import AddCharacter, DeclareCheck, ResolveCheck, Side
from winded.service import open_desk
from winded.service.links import Links
from winded.tables import Tables

TABLES, CLIENTS = 20, 5
HEROES = ("Ash", "Brakka", "Bryn", "Cato", "Dov")
ROUNDS = 3
SECONDS = 2.0


class Seat(Struct, frozen=True):
    """A player at a table: whom they play, and by which token."""

    table: str
    hero: str
    token: str


class Laid(Struct, frozen=True):
    """A table with its people: the Referee's token, the spectators', and the players."""

    table: str
    referee: str
    spectators: str
    seats: tuple[Seat, ...]


def lay(database: Path, tables: int, history: int = 0) -> list[Laid]:
    """Tables with five players each, and with so many entries of history."""
    with open_desk(database) as desk:
        return [_lay(desk.tables, desk.links, f"Table {number}", history) for number in range(tables)]


def _lay(tables: Tables, links: Links, name: str, history: int) -> Laid:
    table = tables.create(name)
    referee = links.give_member(table, Role.REFEREE, "Referee")
    for hero in HEROES:
        tables.do(table, AddCharacter(hero, con="d12"))
    tables.do(table, AddCharacter("Wolf", con="d8", side=Side.ENEMY))
    invitation = links.invite(table).link
    seats = []
    for hero in HEROES:
        given = links.join(invitation, f"{hero}'s player")
        links.claim(given, hero)
        seats.append(Seat(table, hero, given.token))
    if history:
        _write_history(tables, table, history)
    return Laid(table, referee.token, links.give_member(table, Role.SPECTATOR, "Spectators").token, tuple(seats))


def _write_history(tables: Tables, table: str, entries: int) -> None:
    snapshot = tables.snapshot(table)
    declared = DeclareCheck("Ash")
    resolved = ResolveCheck("Ash", 9)
    did = declared.decide(snapshot.table), resolved.decide(snapshot.table.do(declared))
    whole = [
        Entry(snapshot.number + 1 + at, 1.0, "", "", (declared, resolved)[at % 2], did[at % 2], None, ("#1",))
        for at in range(entries)
    ]
    for start in range(0, entries, 1000):
        tables.journal.append(table, whole[start : start + 1000]).result()


def checks_of(seat: Seat) -> Callable[[], bytes]:
    """What a player does over and over: declare a Check, then roll it."""
    path = f"/api/tables/{seat.table}/commands"
    declare = post(path, seat.token, b'{"do":"declare_check","character":"%b","target":12}' % seat.hero.encode())
    resolve = post(path, seat.token, b'{"do":"resolve_check","character":"%b","roll":9}' % seat.hero.encode())
    return cycle((declare, resolve)).__next__


def spends_of(table: int, hero: str) -> Callable[[], bytes]:
    """What the floor is asked for."""
    return repeat(post(f"/{table}", "", b'{"do":"react","character":"%b"}' % hero.encode())).__next__


class Played(Struct, frozen=True):
    """What came of a load: the load, deliveries a second, and the share of a core the server used."""

    load: Load
    deliveries: float
    core: float


async def _play(port: int, pid: int, follows: list[bytes], acts: list[Callable[[], bytes]], seconds: float) -> Played:
    heard, expected = 0, -1
    all_heard = asyncio.Event()

    def hear(count: int) -> None:
        nonlocal heard
        heard += count
        if heard == expected:
            all_heard.set()

    streams = [await follower(port, request, b"event: entry", hear) for request in follows]
    callers = [(await caller(port), following) for following in acts]
    warm = await closed_loop(callers, seconds / 4)
    used, began = cpu(pid), time.perf_counter()
    load = await closed_loop(callers, seconds)
    core = (cpu(pid) - used) / load.lasted
    # Every entry goes to the five who follow its table.
    expected = (len(warm.took) + len(load.took)) * CLIENTS
    if heard < expected:
        await asyncio.wait_for(all_heard.wait(), 10)
    deliveries = len(load.took) * CLIENTS / (time.perf_counter() - began)
    for one in (*streams, *(each for each, _ in callers)):
        one.transport.close()
    return Played(load, deliveries, core)


def commands() -> Measured:
    """Twenty tables, five clients each, all acting as fast as they are answered."""
    ours: list[Played] = []
    floor: list[Played] = []
    with tempfile.TemporaryDirectory() as folder:
        laid = lay(Path(folder) / "winded.sqlite", TABLES)
        seats = [seat for one in laid for seat in one.seats]
        checks = [checks_of(seat) for seat in seats]
        for at in range(ROUNDS):
            with serving("winded", Path(folder) / "winded.sqlite") as (port, pid):
                follows = [get(f"/api/tables/{seat.table}/live", seat.token) for seat in seats]
                ours.append(uvloop.run(_play(port, pid, follows, checks, SECONDS)))
            with serving("floor", Path(folder) / f"floor{at}.sqlite") as (port, pid):
                follows = [get(f"/{table}", "") for table in range(TABLES) for _ in HEROES]
                acts = [spends_of(table, hero) for table in range(TABLES) for hero in HEROES]
                floor.append(uvloop.run(_play(port, pid, follows, acts, SECONDS)))
    return Measured.of(
        [one.load.rate for one in ours],
        [one.load.rate for one in floor],
        **_times("", ours),
        **_times("floor ", floor),
    )


def _times(whose: str, played: list[Played]) -> dict[str, float]:
    middle = sorted(played, key=lambda one: one.load.rate)[len(played) // 2]
    return {
        f"{whose}p50 ms": middle.load.at(0.5),
        f"{whose}p99 ms": middle.load.at(0.99),
        f"{whose}deliveries/s": middle.deliveries,
        f"{whose}cores": middle.core,
    }


def one_table(history: int) -> Measured:
    """One table, one client acting and five following: how soon each command is answered, in milliseconds."""
    ours: list[Played] = []
    floor: list[Played] = []
    with tempfile.TemporaryDirectory() as folder:
        (laid,) = lay(Path(folder) / "winded.sqlite", 1, history)
        checks = checks_of(laid.seats[0])
        for at in range(ROUNDS):
            with serving("winded", Path(folder) / "winded.sqlite") as (port, pid):
                follows = [get(f"/api/tables/{laid.table}/live", seat.token) for seat in laid.seats]
                ours.append(uvloop.run(_play(port, pid, follows, [checks], SECONDS / 2)))
            with serving("floor", Path(folder) / f"floor{at}.sqlite") as (port, pid):
                follows = [get("/0", "") for _ in HEROES]
                floor.append(uvloop.run(_play(port, pid, follows, [spends_of(0, "Ash")], SECONDS / 2)))
    return Measured.of(
        [one.load.at(0.5) for one in ours],
        [one.load.at(0.5) for one in floor],
        **{"p99 ms": sorted(one.load.at(0.99) for one in ours)[ROUNDS // 2]},
        **{"floor p99 ms": sorted(one.load.at(0.99) for one in floor)[ROUNDS // 2]},
    )


class Shown(Struct, frozen=True):
    """What came of showing changes to many: deliveries a second, milliseconds until the last had each, bytes of one."""

    deliveries: float
    last: list[float]
    size: float
    memory: float


async def _show(
    port: int, pid: int, follow: bytes, mark: bytes, viewers: int, acting: Callable[[], bytes], changes: int
) -> Shown:
    heard = 0
    all_have_it = asyncio.Event()

    def hear(count: int) -> None:
        nonlocal heard
        heard += count
        if heard >= viewers:
            all_have_it.set()

    before = memory(pid)
    streams = [await follower(port, follow, mark, hear) for _ in range(viewers)]
    one = await caller(port)
    last: list[float] = []

    async def change() -> None:
        nonlocal heard
        heard = 0
        all_have_it.clear()
        began = time.perf_counter()
        await one.send(acting())
        await asyncio.wait_for(all_have_it.wait(), 30)
        last.append(time.perf_counter() - began)

    await asyncio.sleep(0.5)
    for _ in range(4):
        await change()
    held = (memory(pid) - before) / viewers
    last.clear()
    sizes = sum(stream.size for stream in streams)
    for _ in range(changes):
        await change()
    size = (sum(stream.size for stream in streams) - sizes) / viewers / changes
    for stream in (*streams, one):
        stream.transport.close()
    return Shown(viewers * changes / sum(last), sorted(each * 1000 for each in last), size, held)


def deliveries(viewers: int) -> Measured:
    """One table's HTML view to many who watch: each change to all of them, one after the other."""
    ours: list[Shown] = []
    floor: list[Shown] = []
    with tempfile.TemporaryDirectory() as folder:
        (laid,) = lay(Path(folder) / "winded.sqlite", 1)
        checks = checks_of(laid.seats[0])
        for at in range(ROUNDS):
            with serving("winded", Path(folder) / "winded.sqlite") as (port, pid):
                view = get(f"/tables/{laid.table}/live?seq=0", laid.spectators)
                ours.append(uvloop.run(_show(port, pid, view, b"event: view", viewers, checks, 40)))
            with serving("floor", Path(folder) / f"floor{at}.sqlite") as (port, pid):
                acting = spends_of(0, "Ash")
                floor.append(uvloop.run(_show(port, pid, get("/0", ""), b"event: entry", viewers, acting, 40)))
    middle = sorted(ours, key=lambda one: one.deliveries)[ROUNDS // 2]
    return Measured.of(
        [one.deliveries for one in ours],
        [one.deliveries for one in floor],
        **{
            "last viewer p50 ms": middle.last[len(middle.last) // 2],
            "last viewer p99 ms": middle.last[-1],
            "bytes an update": middle.size,
            "KiB a viewer": middle.memory / 1024,
        },
    )


def memory_of_tables() -> Measured:
    """KiB a live table with five phones costs the server, by its resident memory."""
    many = 100
    with tempfile.TemporaryDirectory() as folder:
        laid = lay(Path(folder) / "winded.sqlite", many + 1)
        with serving("winded", Path(folder) / "winded.sqlite") as (port, pid):
            return uvloop.run(_hold(port, pid, laid))


async def _hold(port: int, pid: int, laid: list[Laid]) -> Measured:
    warm, *others = laid
    streams: list[Any] = []

    async def open_phones(one: Laid) -> None:
        for seat in one.seats:
            request = get(f"/tables/{one.table}/live?seq=0", seat.token)
            streams.append(await follower(port, request, b"event: view", lambda _: None))
        acting = await caller(port)
        following = checks_of(one.seats[0])
        for _ in range(2):
            await acting.send(following())
        acting.transport.close()

    await open_phones(warm)
    await asyncio.sleep(0.2)
    before = memory(pid)
    for one in others:
        await open_phones(one)
    await asyncio.sleep(0.5)
    a_table = (memory(pid) - before) / len(others) / 1024
    used, began = cpu(pid), time.perf_counter()
    await asyncio.sleep(2)
    idle = (cpu(pid) - used) / (time.perf_counter() - began)
    for stream in streams:
        stream.transport.close()
    return Measured.of(
        [a_table], **{"KiB a phone": a_table / CLIENTS, "idle cores": idle, "server MiB": before / 2**20}
    )


def _starts() -> Iterator[float]:
    winded = Path(sys.executable).with_name("winded")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            command = [winded, "serve", "--host", "127.0.0.1", "--port", "0", "--database", f"{folder}/winded.sqlite"]
            began = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            address = next(line.split()[-1] for line in process.stdout if "http://" in line)
            httpx.get(address).raise_for_status()
            yield time.perf_counter() - began
            process.terminate()
            process.stdout.read()
            process.wait()
            process.stdout.close()


def starting() -> Measured:
    """From the command to the first page, in seconds."""
    return Measured.of(_starts())


FIGURES = (
    Figure(
        "live.commands",
        "Durable commands over HTTP, 20 tables with 5 JSON clients each, every entry streamed to all 5.",
        "commands/s",
        commands,
        goal=4_000,
        floor="raw ASGI and raw SQLite, FULL, no rules and no roles",
    ),
    Figure(
        "live.answer.fresh",
        "A durable command at one fresh table, five followers: until it is answered, p50.",
        "ms",
        lambda: one_table(0),
        goal=0.6,
        better="less",
        floor="raw ASGI and raw SQLite, FULL",
    ),
    Figure(
        "live.answer.long",
        "The same at a table with 100,000 entries of history.",
        "ms",
        lambda: one_table(100_000),
        goal=0.6,
        better="less",
        floor="raw ASGI and raw SQLite, FULL, no history",
    ),
    Figure(
        "live.deliveries.1000",
        "Changes of one table's HTML view, each sent to 1,000 who watch.",
        "deliveries/s",
        lambda: deliveries(1_000),
        goal=60_000,
        floor="raw ASGI, one send a stream, 100 bytes each",
    ),
    Figure(
        "live.deliveries.200",
        "The same to 200 who watch.",
        "deliveries/s",
        lambda: deliveries(200),
        floor="raw ASGI, one send a stream, 100 bytes each",
    ),
    Figure(
        "live.memory",
        "A live table with five phones, in the server's memory.",
        "KiB",
        memory_of_tables,
        goal=120,
        better="less",
    ),
    Figure("live.start", "winded serve, from the command to the first page.", "s", starting, better="less"),
)
