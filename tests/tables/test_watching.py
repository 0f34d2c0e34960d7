"""Those who watch hear of every change, whichever process made it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.tables.at_the_gate import spend, stamina
from winded import (
    D8,
    D10,
    AddCharacter,
    React,
    Redo,
    Refused,
    Stale,
    Undo,
    Unknown,
)
from winded.journal import Journal
from winded.tables import ANEW, GONE, Tables


class TestWatching:
    @pytest.fixture
    def heard(self) -> list[tuple[str, int]]:
        return []

    @pytest.fixture
    def hear(self, heard: list[tuple[str, int]]) -> Callable[[str, int], None]:
        return lambda table, number: heard.append((table, number))

    def test_who_watches_hears_of_every_change_in_order(
        self, tables: Tables, gate: str, heard: list[tuple[str, int]], hear: Callable[[str, int], None]
    ) -> None:
        bridge = tables.create("The bridge")
        with tables.watch(gate, hear) as now:
            assert now == tables.snapshot(gate)
            tables.do(gate, spend())
            tables.do(bridge, AddCharacter("Bryn", con=D8))
            with pytest.raises(Refused):
                tables.do(gate, React("Brakka"))
            tables.do(gate, Undo())
        tables.do(gate, Redo())
        assert heard == [(gate, 3), (gate, 4)]

    def test_several_may_watch_one_table(self, tables: Tables, gate: str) -> None:
        first: list[int] = []
        second: list[int] = []
        with tables.watch(gate, lambda _, number: first.append(number)):
            with tables.watch(gate, lambda _, number: second.append(number)):
                tables.do(gate, spend())
            tables.do(gate, spend())
        assert (first, second) == ([3, 4], [3])

    def test_a_new_name_is_news(
        self, tables: Tables, gate: str, heard: list[tuple[str, int]], hear: Callable[[str, int], None]
    ) -> None:
        with tables.watch(gate, hear):
            tables.rename(gate, "The bridge")
        assert heard == [(gate, 2)]
        assert tables.snapshot(gate).name == "The bridge"

    def test_a_deleted_table_is_gone(
        self, tables: Tables, gate: str, heard: list[tuple[str, int]], hear: Callable[[str, int], None]
    ) -> None:
        with tables.watch(gate, hear):
            tables.delete(gate)
        assert heard == [(gate, GONE)]
        with pytest.raises(Unknown):
            tables.do(gate, spend())

    def test_those_who_watch_a_table_that_is_replaced_hear_of_the_new_one(
        self,
        journal: Journal,
        tables: Tables,
        gate: str,
        heard: list[tuple[str, int]],
        hear: Callable[[str, int], None],
    ) -> None:
        record, entries = journal.record(gate), [*journal.read(gate)]
        tables.do(gate, spend())
        with tables.watch(gate, hear):
            tables.take_in(record, entries, replacing=True)
            assert heard == [(gate, ANEW)]
            assert tables.do(gate, spend(4)).entry.number == 3
            assert heard == [(gate, ANEW), (gate, 3)]

    def test_refresh_takes_in_what_other_processes_wrote(
        self, two: tuple[Tables, Tables, str], heard: list[tuple[str, int]], hear: Callable[[str, int], None]
    ) -> None:
        mine, theirs, gate = two
        with mine.watch(gate, hear):
            mine.refresh()
            assert heard == []
            theirs.do(gate, spend())
            theirs.do(gate, spend())
            assert stamina(mine.snapshot(gate)) == 5
            mine.refresh()
            assert heard == [(gate, 3)]
            assert mine.snapshot(gate) == theirs.snapshot(gate)
            mine.refresh()
            theirs.do(gate, Undo())
            mine.refresh()
            assert heard == [(gate, 3), (gate, 4)]
            assert mine.snapshot(gate) == theirs.snapshot(gate)
            theirs.rename(gate, "The bridge")
            mine.refresh()
            assert mine.snapshot(gate).name == "The bridge"
            assert heard[2:] == [(gate, 4)]
            theirs.delete(gate)
            mine.refresh()
            assert heard[3:] == [(gate, GONE)]

    def test_a_table_replaced_by_another_process_is_read_anew(
        self, two: tuple[Tables, Tables, str], heard: list[tuple[str, int]], hear: Callable[[str, int], None]
    ) -> None:
        mine, theirs, gate = two
        record, entries = theirs.journal.record(gate), [*theirs.journal.read(gate)]
        with mine.watch(gate, hear):
            theirs.do(gate, spend())
            mine.refresh()
            theirs.take_in(record, entries, replacing=True)
            # Even before it is noticed, nothing of the old table gets into the new.
            with pytest.raises(Stale, match="has been replaced"):
                mine.do(gate, spend(4))
            mine.refresh()
            assert heard[-1] == (gate, ANEW)
            assert mine.snapshot(gate) == theirs.snapshot(gate)

    @pytest.mark.parametrize("further", [0, 1, 2, 3])
    def test_a_database_that_is_put_back_under_a_running_process_is_read_anew(
        self,
        two: tuple[Tables, Tables, str],
        database: Path,
        heard: list[tuple[str, int]],
        hear: Callable[[str, int], None],
        further: int,
    ) -> None:
        mine, theirs, gate = two
        copy = database.with_name("yesterday.sqlite")
        mine.journal.backup(copy)
        with mine.watch(gate, hear):
            mine.do(gate, spend(1))
            mine.do(gate, spend(1))
            old = mine.snapshot(gate)
            mine.refresh()
            with closing(sqlite3.connect(copy)) as yesterday, closing(sqlite3.connect(database)) as live:
                yesterday.backup(live)
            for _ in range(further):
                Tables(theirs.journal).do(gate, spend(1))
            # What was decided on the old history never comes into the new, even where its number would fit.
            with pytest.raises(Stale):
                mine.do(gate, spend(2))
            mine.refresh()
            now = mine.snapshot(gate)
            assert (now.number, stamina(now)) == (1 + further, 5 - further)
            assert heard[-1] == (gate, ANEW)
            assert not mine.is_of(gate, old.revision)
            assert mine.is_of(gate, now.revision)

    def test_tables_nobody_needs_are_put_away_and_read_again(self, journal: Journal) -> None:
        with Tables(journal, at_hand=3) as tables:
            ids = [tables.create(str(at)) for at in range(10)]
            heard: list[int] = []
            with tables.watch(ids[0], lambda _, number: heard.append(number)):
                for table in ids:
                    tables.do(table, AddCharacter("Brakka", con=D10))
                assert len(tables._at_hand._open) <= 4
                assert ids[0] in tables._at_hand._open
                assert [stamina(tables.snapshot(table)) for table in ids] == [10] * 10
                tables.do(ids[0], spend())
            assert heard == [1, 2]
