"""Processes that are killed, and processes that play at one table at once."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from tests.journal.crashing import wrong_decisions
from tests.waiting import PATIENCE
from winded import AddCharacter
from winded.journal import SqliteJournal
from winded.tables import Tables

HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and fork are not there")


@pytest.mark.slow
def test_what_was_acknowledged_survives_200_kills_and_nothing_is_there_twice(tmp_path: Path) -> None:
    found = msgspec.json.decode(
        subprocess.check_output([sys.executable, HERE / "crashing.py", tmp_path, "200", "20261130"], timeout=240)
    )
    assert found.pop("acknowledged") > 100
    assert found.pop("kept") > 100
    assert found == {
        "missing": [],
        "out of order": [],
        "twice": 0,
        "born broken": 0,
        "wrong decisions": [],
        "state differs": False,
    }


def test_two_processes_on_one_file_lose_nothing_and_the_loser_of_a_race_decides_again(tmp_path: Path) -> None:
    database = tmp_path / "winded.sqlite"
    with SqliteJournal(database) as journal, Tables(journal) as tables:
        table = tables.create("The gate")
        tables.do(table, AddCharacter("Brakka", con="d12", stamina=6))
        heard: list[int] = []
        with tables.watch(table, lambda _, number: heard.append(number)):
            players = [
                subprocess.Popen(
                    [sys.executable, HERE / "racing.py", database, table, name, "1000"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                for name in ("one", "two")
            ]
            for player in players:
                assert player.stdout is not None
                assert player.stdout.readline() == "ready\n"
            outputs = []
            for player in players:
                assert player.stdin is not None
                player.stdin.write("go\n")
                player.stdin.flush()
            for player in players:
                outputs.append(player.communicate(timeout=PATIENCE)[0])
                assert player.returncode == 0
            tables.refresh()
        entries = [*journal.read(table)]
        snapshot = tables.snapshot(table)

    acknowledged = {
        request: int(number) for output in outputs for request, number in map(str.split, output.splitlines())
    }
    assert len(acknowledged) == 2000
    assert {entry.request: entry.number for entry in entries[1:]} == acknowledged
    assert [entry.number for entry in entries] == [*range(1, 2002)]
    assert wrong_decisions(entries) == []
    # Both had their turn: this was a race.
    who = [entry.who for entry in entries[1:]]
    assert sum(one != other for one, other in pairwise(who)) > 10
    # Who only looks on hears of it as well.
    assert heard[-1] == snapshot.number == 2001
    assert snapshot.table.character("Brakka").stamina == entries[-1].events[0].stamina  # type: ignore[union-attr]
