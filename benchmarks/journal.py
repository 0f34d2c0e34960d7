"""The journal in SQLite, flushed at every commit: appends, replay, durable commands through tables. No network."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import cast

import msgspec
from msgspec.structs import replace

from benchmarks.harness import Figure, Measured, in_turn, rate
from benchmarks.rules import BareSpent, bare_fold, bare_spends, bare_table, fight, seated
from winded import AddCharacter, Adjust, React, Redo, StartCombat, Undo
from winded.journal import AnyCommand, AnyEvent, Entry, Journal, SqliteJournal, TableRecord
from winded.rules import PAGE, Command, Table
from winded.rules.reactions import Reacted
from winded.tables import Tables
from winded.tables.history import History

ENTRIES = 100_000
CALLERS = 32
SECONDS = 0.5
ROUNDS = 7
TABLE = "bench"
BARE_TABLE = """
    CREATE TABLE entries (
        table_key INTEGER, number INTEGER, at REAL, who TEXT, name TEXT, command TEXT, events TEXT, request TEXT,
        about TEXT, secret INTEGER, kind INTEGER, PRIMARY KEY (table_key, number)
    ) WITHOUT ROWID
"""
BARE_INSERT = "INSERT INTO entries VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="winded-bench-") as made:
        yield Path(made)


@contextmanager
def bare_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Raw sqlite3 with the same promise: a flush at every commit."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(BARE_TABLE)
    yield connection
    connection.close()


def bare_row(number: int, command: str = "{}", events: str = "[]") -> tuple[object, ...]:
    return (number, 1764491940.123, "d41d8cd98f00b204", "Ann", command, events, None, '["#1"]', 0, 0)


REACTION = React("Hero 1", cost=1)
REACTED = (Reacted("Hero 1", 1, 11, 1),)


def reacted(number: int) -> Entry:
    return Entry(number, 1764491940.123, "d41d8cd98f00b204", "Ann", REACTION, REACTED, None, ("#1",))


def append(group: int) -> Measured:
    """So many entries handed in together, and the wait until they are safe; the floor has their JSON ready."""
    with folder() as path, SqliteJournal(path / "ours.sqlite") as journal, bare_database(path / "bare.sqlite") as bare:
        journal.create(TableRecord(TABLE, "Bench", 0.0, PAGE))
        numbers, bare_numbers = iter(range(1, 2**40, group)), iter(range(1, 2**40, group))
        command, events = msgspec.json.encode(REACTION).decode(), msgspec.json.encode(REACTED).decode()

        def ours() -> None:
            first = next(numbers)
            journal.append(TABLE, [reacted(number) for number in range(first, first + group)], waited_for=True).result()

        def floor() -> None:
            first = next(bare_numbers)
            bare.execute("BEGIN")
            rows = [bare_row(number, command, events) for number in range(first, first + group)]
            bare.executemany(BARE_INSERT, rows)
            bare.execute("COMMIT")

        return in_turn(ours, floor, operations=group)


def evening(entries: int) -> Iterator[Entry]:
    """A table's whole history: people sit down, and fight after fight follows."""
    table, number = Table(), 0

    def entry(command: Command, events: tuple[AnyEvent, ...]) -> Entry:
        return Entry(number, 1764491940.123, "m1", "Ann", cast("AnyCommand", command), events, None, ("#1",))

    sitting = [AddCharacter(one.name, con=one.con, side=one.side) for one in seated(4).characters.values()]  # type: ignore[arg-type]
    commands = cycle(fight(4))
    while number < entries:
        number += 1
        command = sitting.pop(0) if sitting else next(commands)
        events = command.decide(table)
        table = table.after(*events)
        yield entry(command, cast("tuple[AnyEvent, ...]", events))


def replay() -> Measured:
    """All of a table's history folded to its state; the floor reads, decodes and folds bare events, row by row."""
    with folder() as path, SqliteJournal(path / "ours.sqlite") as journal, bare_database(path / "bare.sqlite") as bare:
        journal.put(TableRecord(TABLE, "Bench", 0.0, PAGE), evening(ENTRIES))
        bare_start = bare_table(4)
        spent = [one.decide(bare_start) for one in bare_spends(4, ENTRIES)]
        bare.execute("BEGIN")
        bare.executemany(
            BARE_INSERT,
            (bare_row(number, "{}", msgspec.json.encode(one).decode()) for number, one in enumerate(spent, 1)),
        )
        bare.execute("COMMIT")
        decode = msgspec.json.Decoder(BareSpent).decode

        def floor() -> None:
            rows = bare.execute("SELECT events FROM entries WHERE table_key = 1 ORDER BY number")
            bare_fold(bare_start, (decode(row[0]) for row in rows))  # type: ignore[arg-type]

        return in_turn(
            lambda: History(journal, TABLE, PAGE, lambda: None).newest(), floor, operations=ENTRIES, rounds=5
        )


def far_undo() -> Measured:
    """Undo and redo of half of 100,000 entries at once, each read anew from the journal."""
    with folder() as path, SqliteJournal(path / "ours.sqlite") as journal, Tables(journal) as tables:
        journal.put(TableRecord(TABLE, "Bench", 0.0, PAGE), evening(ENTRIES))
        tables.snapshot(TABLE)
        samples = []
        for _ in range(3):
            start = time.perf_counter()
            tables.do(TABLE, Undo(through=ENTRIES // 2))
            samples.append((time.perf_counter() - start) * 1000)
            tables.do(TABLE, Redo())
        return Measured.of(samples)


Act = Callable[[int], Adjust]


def spends() -> Iterator[Adjust]:
    """A spend of one's Stamina and its return, for ever."""
    return cycle((Adjust("Brakka", by=-1, reason="the cold"), Adjust("Brakka", by=1, reason="a fire")))


@contextmanager
def a_table(journal: Journal) -> Iterator[tuple[Tables, str]]:
    with Tables(journal) as tables:
        table = tables.create("Bench")
        for at in range(CALLERS):
            tables.do(table, AddCharacter(f"Hero {at}", con="d12"))
        tables.do(table, AddCharacter("Brakka", con="d12"))
        tables.do(table, StartCombat())
        yield tables, table


def latencies(samples: list[float]) -> dict[str, float]:
    samples.sort()
    return {"p50 ms": samples[len(samples) // 2] * 1000, "p99 ms": samples[len(samples) * 99 // 100] * 1000}


def one_caller() -> Measured:
    """Command after command, each waited for; the floor is one raw row a commit."""
    with (
        folder() as path,
        SqliteJournal(path / "ours.sqlite") as journal,
        a_table(journal) as (tables, table),
        bare_database(path / "bare.sqlite") as bare,
    ):
        acts, numbers = spends(), iter(range(1, 2**40))
        samples: list[float] = []

        def ours() -> None:
            start = time.perf_counter()
            tables.do(table, next(acts), who="m1", name="Ann")
            samples.append(time.perf_counter() - start)

        def floor() -> None:
            bare.execute("BEGIN")
            bare.execute(BARE_INSERT, bare_row(next(numbers)))
            bare.execute("COMMIT")

        measured = in_turn(ours, floor)
        return replace(measured, more=latencies(samples))


def in_one_loop(tables: Tables, table: str, seconds: float) -> tuple[int, list[float]]:
    """Callers as a server has them: tasks of one event loop."""
    samples: list[float] = []

    async def play(name: str, until: float) -> None:
        acts = cycle((Adjust(name, by=-1, reason="the cold"), Adjust(name, by=1, reason="a fire")))
        while (start := time.perf_counter()) < until:
            await asyncio.wrap_future(tables.submit(table, next(acts), who=name, name=name))
            samples.append(time.perf_counter() - start)

    async def play_all() -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(*(play(f"Hero {at}", until) for at in range(CALLERS)))

    asyncio.run(play_all())
    return len(samples), samples


def in_threads(tables: Tables, table: str, seconds: float) -> tuple[int, list[float]]:
    samples: list[float] = []

    def play(name: str, until: float) -> None:
        acts = cycle((Adjust(name, by=-1, reason="the cold"), Adjust(name, by=1, reason="a fire")))
        while (start := time.perf_counter()) < until:
            tables.do(table, next(acts), who=name, name=name)
            samples.append(time.perf_counter() - start)

    until = time.perf_counter() + seconds
    threads = [threading.Thread(target=play, args=(f"Hero {at}", until)) for at in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(samples), samples


def many_callers(play: Callable[[Tables, str, float], tuple[int, list[float]]]) -> Measured:
    """32 who each wait for their own command; the floor is a raw commit of 32 rows after another."""
    with (
        folder() as path,
        SqliteJournal(path / "ours.sqlite") as journal,
        a_table(journal) as (tables, table),
        bare_database(path / "bare.sqlite") as bare,
    ):
        numbers = iter(range(1, 2**40, CALLERS))

        def floor() -> None:
            first = next(numbers)
            bare.execute("BEGIN")
            bare.executemany(BARE_INSERT, [bare_row(first + at) for at in range(CALLERS)])
            bare.execute("COMMIT")

        rates, floors, samples = [], [], []
        play(tables, table, SECONDS / 4)
        for _ in range(ROUNDS):
            many, seen = play(tables, table, SECONDS)
            rates.append(many / SECONDS)
            samples += seen
            floors.append(rate(floor, CALLERS, SECONDS / 4))
        return replace(Measured.of(rates, floors), more=latencies(samples))


FIGURES = (
    Figure(
        "journal.append.1",
        "one entry, safe on the disk",
        "entries/s",
        partial(append, 1),
        goal_ratio=0.88,
        floor="raw sqlite3, the same row ready-made, one a commit",
    ),
    Figure(
        "journal.append.100",
        "100 entries at a time, safe on the disk",
        "entries/s",
        partial(append, 100),
        goal_ratio=0.7,
        floor="raw sqlite3, the same rows ready-made, 100 a commit",
    ),
    Figure(
        "journal.replay",
        f"a table of {ENTRIES:,} entries opened",
        "entries/s",
        replay,
        goal_ratio=0.55,
        floor="raw sqlite3, bare events decoded row by row and folded",
    ),
    Figure(
        "journal.undo.far",
        f"undo of the newest {ENTRIES // 2:,} of {ENTRIES:,} entries at once",
        "ms",
        far_undo,
        better="less",
    ),
    Figure(
        "tables.callers.1",
        "durable commands, each waited for",
        "commands/s",
        one_caller,
        floor="raw sqlite3, the same row ready-made, one a commit",
    ),
    Figure(
        "tables.callers.32",
        "durable commands by 32 callers in one event loop",
        "commands/s",
        partial(many_callers, in_one_loop),
        goal=3500,
        floor="raw sqlite3, 32 rows a commit",
    ),
    Figure(
        "tables.callers.32.threads",
        "durable commands by 32 threads",
        "commands/s",
        partial(many_callers, in_threads),
        floor="raw sqlite3, 32 rows a commit",
    ),
)
