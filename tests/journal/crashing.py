"""Plays at a table in processes that are killed at random moments, and counts what is missing afterwards.

`python crashing.py FOLDER ROUNDS SEED` prints a JSON object: what each part of the promise found broken. Each round is
a fork of this process, which has everything loaded already, so that hundreds of rounds take seconds.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import threading
from pathlib import Path

import msgspec

from winded import AddCharacter, Adjust, Refused
from winded.journal import Entry, SqliteJournal
from winded.tables import Tables

PLAYERS = 4
TABLE = "gate"


def play(database: Path, round_: int, out: int, delay: float, *, from_the_start: bool) -> None:
    """Play for as long as one lives; each acknowledged command is a line, written only then."""
    if from_the_start:
        die_in(delay)
    journal = SqliteJournal(database)
    tables = Tables(journal)
    os.write(out, b"open\n")
    if not from_the_start:
        die_in(delay)
    if not journal.records():
        # In a fresh file there is nothing to play at: only its birth is to be disturbed.
        while True:
            pass

    def act(player: int) -> None:
        by = 1
        for at in itertools.count():
            request = f"{round_}/{player}/{at}"
            command = Adjust("Brakka", by=by, reason=f"{player}")
            try:
                entry = tables.do(TABLE, command, who=f"m{player}", request=request).entry
            except Refused:
                by = -by
            else:
                os.write(out, f"{request} {entry.number}\n".encode())

    threads = [threading.Thread(target=act, args=(player,)) for player in range(PLAYERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def die_in(delay: float) -> None:
    """The system ends this process after `delay` seconds of work, wherever it is then."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(delay, 1e-6))


def killed(database: Path, round_: int, delay: float, *, from_the_start: bool) -> list[tuple[str, int]]:
    """What was acknowledged before the player was killed, `delay` seconds of work after it began or opened it."""
    back, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(back)
        try:
            play(database, round_, out, delay, from_the_start=from_the_start)
        finally:
            os._exit(1)
    os.close(out)
    said = b""
    while more := os.read(back, 65536):
        said += more
    os.close(back)
    _, status = os.waitpid(child, 0)
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    assert ended_by == signal.SIGPROF, "the player ended by itself"
    # A line is one write and so is there whole.
    lines = [line.split() for line in said.decode().splitlines() if line != "open"]
    return [(request, int(number)) for request, number in lines]


def main(folder: Path, rounds: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    database = folder / "winded.sqlite"
    with SqliteJournal(database) as journal, Tables(journal) as tables:
        made = tables.create("The gate")
        tables.do(made, AddCharacter("Brakka", con="d12", stamina=6))
        start = [*journal.read(made)]
        journal.put(msgspec.structs.replace(journal.record(made), id=TABLE), start)

    missing: list[str] = []
    acknowledged: dict[str, int] = {}
    for round_ in range(rounds):
        said = killed(database, round_, chance.uniform(0, 0.02), from_the_start=round_ % 10 == 0)
        acknowledged |= said
        with SqliteJournal(database) as journal:
            for request, number in said:
                entry = journal.find(TABLE, request)
                if entry is None or entry.number != number:
                    missing.append(f"{request} was acknowledged as {number} and is {entry}")

    born_broken = 0
    for at in range(rounds // 5):
        fresh = folder / f"fresh-{at}.sqlite"
        killed(fresh, 0, chance.uniform(0, 0.012), from_the_start=True)
        with SqliteJournal(fresh) as journal:
            born_broken += journal.records() != []

    with SqliteJournal(database) as journal, Tables(journal) as tables:
        entries = [*journal.read(TABLE)]
        now = tables.snapshot(TABLE)
    requests = [entry.request for entry in entries if entry.request is not None]
    return {
        "acknowledged": len(acknowledged),
        "kept": len(entries),
        "missing": missing,
        "out of order": [entry.number for at, entry in enumerate(entries, 1) if entry.number != at],
        "twice": len(requests) - len(set(requests)),
        "born broken": born_broken,
        "wrong decisions": wrong_decisions(entries),
        "state differs": now.number != len(entries) or now.table.character("Brakka").stamina != stamina_after(entries),
    }


def wrong_decisions(entries: list[Entry]) -> list[int]:
    """The numbers of the entries that were decided on another state than the one before them."""
    stamina = 6
    wrong = []
    for entry in entries[1:]:
        (event,) = entry.events
        stamina += event.by  # type: ignore[union-attr]
        if event.stamina != stamina:  # type: ignore[union-attr]
            wrong.append(entry.number)
    return wrong


def stamina_after(entries: list[Entry]) -> int:
    return 6 + sum(event.by for entry in entries[1:] for event in entry.events)  # type: ignore[union-attr]


if __name__ == "__main__":
    print(msgspec.json.encode(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))).decode())
