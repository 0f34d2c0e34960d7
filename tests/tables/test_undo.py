"""Undo and redo of what was played at a table."""

import threading
from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tables.at_the_gate import Held, give, spend, stamina
from winded import (
    D8,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    React,
    Redo,
    Refused,
    RemoveCharacter,
    ResolveCheck,
    StartCombat,
    Table,
    TakeWound,
    Undo,
)
from winded.journal import Journal
from winded.roles import Accept, AskFor, Claim, Join, Role, SetCheckDice
from winded.rules import Redone, Undone
from winded.tables import REMEMBERED, Done, Tables
from winded.tables.history import WINDOW


class TestUndo:
    def test_undo_takes_back_the_newest_and_redo_puts_it_back(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend(1))
        after = tables.do(gate, spend(2)).snapshot
        undone = tables.do(gate, Undo())
        assert undone.entry.events == (Undone((4,)),)
        assert (stamina(undone.snapshot), undone.snapshot.number) == (9, 5)
        redone = tables.do(gate, Redo())
        assert redone.entry.events == (Redone((4,)),)
        assert redone.snapshot == replace(after, number=6, mark=redone.entry.mark)

    def test_a_snapshot_says_what_undo_and_redo_would_do(self, tables: Tables, gate: str) -> None:
        one, two_ = tables.do(gate, spend(1)).entry, tables.do(gate, spend(2)).entry
        assert tables.snapshot(gate).undo == two_
        assert tables.snapshot(gate).redo is None
        now = tables.do(gate, Undo()).snapshot
        assert (now.undo, now.redo, now.redo_numbers) == (one, two_, (4,))
        now = tables.do(gate, Undo(through=2)).snapshot
        assert now.undo is not None
        assert (now.undo.number, now.redo_numbers) == (1, (2, 3))

    def test_undo_through_an_entry_takes_back_it_and_all_after_it(self, tables: Tables, gate: str) -> None:
        for _ in range(5):
            tables.do(gate, spend())
        done = tables.do(gate, Undo(through=5))
        assert done.entry.events == (Undone((7, 6, 5)),)
        assert stamina(done.snapshot) == 8
        # What one undo took, one redo puts back.
        done = tables.do(gate, Redo())
        assert done.entry.events == (Redone((5, 6, 7)),)
        assert stamina(done.snapshot) == 5

    def test_undos_are_put_back_one_by_one(self, tables: Tables, gate: str) -> None:
        for _ in range(4):
            tables.do(gate, spend())
        for command in (Undo(), Undo(through=4), Undo()):
            tables.do(gate, command)
        assert [stamina(tables.do(gate, Redo()).snapshot) for _ in range(3)] == [9, 7, 6]

    def test_anything_can_be_taken_back_joining_and_combat_included(self, tables: Tables, gate: str) -> None:
        states = [tables.snapshot(gate).table]
        commands = [
            StartCombat(),
            BeginTurns(),
            NextTurn(),
            React("Ash"),
            DeclareCheck("Ash", push=2),
            ResolveCheck("Ash", 11),
            TakeWound("Ash", "a cut"),
            EditCharacter("Ash", name="Ashe"),
            RemoveCharacter("Ashe"),
            AddCharacter("Bryn", con=D8),
        ]
        states += [tables.do(gate, command).snapshot.table for command in commands]
        for state in states[-2::-1]:
            assert tables.do(gate, Undo()).snapshot.table.state() == state.state()
        for state in states[1:]:
            assert tables.do(gate, Redo()).snapshot.table.state() == state.state()

    def test_a_new_command_ends_what_could_be_put_back(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend())
        tables.do(gate, Undo())
        tables.do(gate, spend(3))
        with pytest.raises(Refused) as no:
            tables.do(gate, Redo())
        assert (no.value.rule, str(no.value)) == ("not-now", "There is nothing to redo.")
        assert tables.snapshot(gate).redo is None

    def test_there_must_be_something_to_take_back(self, tables: Tables) -> None:
        table = tables.create("empty")
        for command in (Undo(), Undo(through=1)):
            with pytest.raises(Refused) as no:
                tables.do(table, command)
            assert (no.value.rule, str(no.value)) == ("not-now", "There is nothing to take back.")

    @pytest.mark.parametrize("through", [4, 5, 6, 7, 99])
    def test_only_an_act_that_counts_can_be_taken_back(self, tables: Tables, gate: str, through: int) -> None:
        tables.do(gate, spend())
        tables.do(gate, spend())
        tables.do(gate, Undo())
        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        with pytest.raises(Refused) as no:
            tables.do(gate, Undo(through=through))
        assert (no.value.rule, str(no.value)) == ("not-now", f"Entry {through} cannot be undone now.")

    def test_what_happens_in_the_company_is_never_taken_back_and_ends_no_redo(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend())
        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        tables.do(gate, Undo())
        tables.do(gate, Claim("Brakka", "m1"))
        now = tables.do(gate, Redo()).snapshot
        assert stamina(now) == 9
        assert now.company.claims == {"#1": ("m1",)}
        now = tables.do(gate, Undo(through=1)).snapshot
        assert now.table.state() == Table().state()
        assert now.company.claims == {"#1": ("m1",)}

    def test_an_accepted_ask_is_taken_back_but_stays_answered(
        self, journal: Journal, tables: Tables, gate: str
    ) -> None:
        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        tables.do(gate, Claim("Brakka", "m1"), who="m1")
        ask = tables.do(gate, AskFor(spend()), who="m1").entry.number
        accepted = tables.do(gate, Accept(ask)).snapshot
        assert stamina(accepted) == 9
        now = tables.do(gate, Undo()).snapshot
        assert stamina(now) == 10
        assert now.company == accepted.company
        with Tables(journal) as again:
            assert again.snapshot(gate) == now
        assert stamina(tables.do(gate, Redo()).snapshot) == 9

    @pytest.mark.parametrize("acts", [WINDOW - 2, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW])
    def test_undo_reaches_back_to_the_beginning_however_far_it_is(
        self, journal: Journal, tables: Tables, gate: str, acts: int
    ) -> None:
        figures = [10]
        for _ in range(acts):
            command = give(7) if figures[-1] < 2 else spend(2)
            figures.append(stamina(tables.do(gate, command).snapshot))
        newest = tables.snapshot(gate)
        for figure in figures[-2::-1]:
            assert stamina(tables.do(gate, Undo()).snapshot) == figure
        with Tables(journal) as again:
            assert again.snapshot(gate) == tables.snapshot(gate)
            for figure in figures[1:]:
                now = again.do(gate, Redo()).snapshot
                assert stamina(now) == figure
            assert (now.table, now.undo) == (newest.table, newest.undo)

    def test_one_undo_takes_back_a_whole_evening_and_one_redo_puts_it_back(
        self, journal: Journal, tables: Tables, gate: str
    ) -> None:
        for at in range(2 * WINDOW):
            tables.do(gate, give() if at % 2 else spend())
            if at == 5:
                tables.do(gate, Undo())
                tables.do(gate, spend())
                tables.do(gate, SetCheckDice("1d20+con"))
        newest = tables.snapshot(gate)
        now = tables.do(gate, Undo(through=3)).snapshot
        assert (stamina(now), now.undo and now.undo.number, now.redo and now.redo.number) == (10, 2, 3)
        assert 8 not in now.redo_numbers
        assert len(now.redo_numbers) == 2 * WINDOW
        with Tables(journal) as again:
            assert again.snapshot(gate) == now
            back = again.do(gate, Redo()).snapshot
        assert (back.table, back.undo) == (newest.table, newest.undo)
        with pytest.raises(Refused, match="Entry 8 cannot be undone now"):
            tables.do(gate, Undo(through=8))

    def test_undo_of_what_is_not_yet_safe_waits_for_it(self, two: tuple[Tables, Tables, str], database: Path) -> None:
        tables, _, gate = two
        waiting: list[Future[Done]] = []

        def play() -> None:
            waiting.extend(
                tables.submit(gate, command) for command in (spend(1), spend(2), Undo(through=2), Redo(), Undo())
            )

        player = threading.Thread(target=play)
        with Held(database):
            player.start()
            player.join(0.05)
        player.join()
        assert [stamina(one.result(10).snapshot) for one in waiting] == [4, 2, 5, 2, 4]

    def test_memory_does_not_grow_with_history(self, tables: Tables, gate: str) -> None:
        for at in range(4 * WINDOW):
            tables.do(gate, give() if at % 2 else spend(), request=f"r{at}")
        held = tables._at_hand.get(gate)
        assert len(held.committed.acts) == WINDOW
        assert len(held.requests._answers) <= REMEMBERED


def test_who_joins_after_a_joining_was_taken_back_is_not_played_by_those_who_played_the_first(tables: Tables) -> None:
    table = tables.create("Claims")
    tables.do(table, Join("mira", "Mira", Role.PLAYER), who="mira", name="Mira")
    tables.do(table, AddCharacter("Ash", con="d8"))
    tables.do(table, Claim("Ash", "mira"), who="mira", name="Mira")
    tables.do(table, Undo())
    again = tables.do(table, AddCharacter("Bryn", con="d10")).snapshot
    bryn = again.table.character("Bryn")
    assert not again.company.plays("mira", bryn)
    assert [line.entry.number for line in tables.lines(table) if line.can_undo] == [5]
    assert tables.do(table, Undo()).snapshot.table.characters == {}
    assert Tables(tables.journal).snapshot(table) == tables.snapshot(table)
