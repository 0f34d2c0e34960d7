"""Begins and brings in tables in processes that are killed at random moments, and looks at what is left of them.

`python killed_opening.py FOLDER ROUNDS SEED` prints a JSON object: how many tables there are, and which of them nobody
may enter, are not whole, or were told of and are not there. Each round is a fork of this process, as in the journal's
tests.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

import msgspec

from winded import AddCharacter
from winded.journal import SqliteJournal
from winded.roles import Role
from winded.service import Desk, carrying, visiting
from winded.service.carrying import Here
from winded.service.opening import begin_table
from winded.service.table_file import carried_from

PARTY = [AddCharacter(name, con="d8") for name in ("Ash", "Bryn", "Corin")]


def keep_opening(database: Path, out: int, delay: float, file: bytes) -> None:
    """Begin tables and bring them in until the system ends this process; each is a line, written once it is told."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(delay, 1e-6))
    with SqliteJournal(database) as journal:
        desk = Desk(journal)
        carried = carried_from(file)
        while True:
            begun = begin_table(desk, "The Gate", PARTY)
            os.write(out, f"{begun.link.table}\n".encode())
            brought = carrying.bring_in(desk, carried, Here.COPY)
            os.write(out, f"{brought.table}\n".encode())


def killed(database: Path, delay: float, file: bytes) -> list[str]:
    """The tables that were told of before it was killed, after `delay` seconds of work."""
    back, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(back)
        try:
            keep_opening(database, out, delay, file)
        finally:
            os._exit(1)
    os.close(out)
    said = b""
    while more := os.read(back, 65536):
        said += more
    os.close(back)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    assert os.WTERMSIG(status) == signal.SIGPROF
    return said.decode().split()


def main(folder: Path, rounds: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    database = folder / "winded.sqlite"
    with SqliteJournal(database) as journal:
        desk = Desk(journal)
        first = begin_table(desk, "The Mill", PARTY)
        file = carrying.carry_out(desk, visiting.follow(desk, first.token))
    told = {table for _ in range(rounds) for table in killed(database, chance.uniform(0.005, 0.08), file)}
    with SqliteJournal(database) as journal:
        desk = Desk(journal)
        there = [record.id for record in journal.records()]
        closed = [one for one in there if all(link.role != Role.REFEREE for link in desk.links.of(one))]
        broken = [one for one in there if len(desk.tables.snapshot(one).table.characters) != len(PARTY)]
    return {
        "told": len(told),
        "there": len(there),
        "nobody may enter": closed,
        "not whole": broken,
        "lost": sorted(told - set(there)),
    }


if __name__ == "__main__":
    print(msgspec.json.encode(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))).decode())
