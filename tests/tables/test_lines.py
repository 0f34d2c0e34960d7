"""The history as people read it."""

import pytest
from msgspec.structs import replace

from tests.tables.at_the_gate import spend
from winded import (
    D8,
    AddCharacter,
    BeginTurns,
    EditCharacter,
    Malformed,
    NextTurn,
    Redo,
    RemoveCharacter,
    Side,
    Stale,
    StartCombat,
    TakeWound,
    Undo,
    Unknown,
)
from winded.journal import Entry, Journal, MemoryJournal
from winded.roles import Join, Role
from winded.tables import Tables


class TestHistory:
    def test_lines_say_what_counts_and_what_can_be_undone(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend())
        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        tables.do(gate, Undo())
        told = [(line.entry.number, line.counts, line.can_undo) for line in tables.lines(gate)]
        assert told == [(5, True, False), (4, True, False), (3, False, False), (2, True, True), (1, True, True)]
        assert [line.entry.number for line in tables.lines(gate, before=4, limit=2)] == [3, 2]
        assert [line.counts for line in tables.lines(gate, before=4, limit=2)] == [False, True]
        tables.do(gate, Redo())
        assert all(line.counts for line in tables.lines(gate))

    def test_lines_after_a_number_are_the_same_oldest_first(self, tables: Tables, gate: str) -> None:
        for command in (spend(), spend(), Undo(), Join("m1", "Ann", Role.PLAYER), spend(), spend(), spend()):
            tables.do(gate, command)
        backwards = tables.lines(gate)
        for after in range(10):
            expected = [line for line in backwards[::-1] if line.entry.number > after]
            assert tables.lines_after(gate, after) == expected
            assert tables.lines_after(gate, after, 2) == expected[:2]

    def test_entries_say_whom_they_concern(self, tables: Tables, gate: str) -> None:
        tables.do(gate, StartCombat())
        tables.do(gate, BeginTurns())
        tables.do(gate, EditCharacter("Ash", name="Ashe", note="a limp"))
        undone = tables.do(gate, Undo(through=4)).entry
        about = [entry.about for entry in tables.journal.read(gate)]
        assert about == [("#1",), ("#2",), (), ("#1", "#2"), ("#2",), ("#1", "#2")]
        assert undone.about == ("#1", "#2")

    def test_what_concerns_a_hidden_enemy_is_secret(self, tables: Tables, gate: str) -> None:
        secret = {}
        for command in (
            AddCharacter("Shade", side=Side.ENEMY, con=D8, hidden=True),
            TakeWound("Shade", "a cut"),
            spend(),
            StartCombat(),
            BeginTurns(),
            NextTurn(),
            Undo(),
            Undo(),
            EditCharacter("Shade", hidden=False),
            TakeWound("Shade", "another"),
            EditCharacter("Shade", hidden=True),
            EditCharacter("Shade", hidden=False, name="Wolf"),
            RemoveCharacter("Wolf"),
        ):
            entry = tables.do(gate, command).entry
            secret[entry.number] = entry.secret
        assert [*secret.values()] == [
            True,
            True,
            False,
            False,
            True,  # the order names it
            True,  # its turn
            True,
            True,  # takes the order back
            False,  # that it is there is no longer a secret
            False,
            True,
            True,  # tells what it was called
            False,
        ]

    def test_a_table_can_be_carried_elsewhere(self, journal: Journal, tables: Tables, gate: str) -> None:
        for command in (spend(), spend(), Undo(), Join("m1", "Ann", Role.PLAYER)):
            tables.do(gate, command)
        with MemoryJournal() as elsewhere, Tables(elsewhere) as there:
            there.take_in(replace(journal.record(gate), id="copy"), journal.read(gate))
            assert replace(there.snapshot("copy"), id=gate) == tables.snapshot(gate)
            with pytest.raises(Stale):
                there.take_in(replace(journal.record(gate), id="copy"), journal.read(gate))

    def test_what_does_not_make_up_a_table_is_not_taken_in(self, journal: Journal, tables: Tables, gate: str) -> None:
        entries: list[Entry] = [replace(entry, number=entry.number - 1) for entry in journal.read(gate, 1)]
        entries.append(replace(tables.do(gate, spend()).entry, number=2))
        with pytest.raises(Malformed) as wrong:
            tables.take_in(replace(journal.record(gate), id="copy"), entries)
        assert wrong.value.field == "entries[1].events"
        with pytest.raises(Unknown):
            tables.snapshot("copy")
