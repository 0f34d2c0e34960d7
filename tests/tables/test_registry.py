"""Where the rules meet the journal: playing, undo and redo, request ids, watching, several processes at one table."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from winded import (
    D8,
    D10,
    D12,
    AddCharacter,
    Adjust,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    Forbidden,
    Malformed,
    NextTurn,
    React,
    Redo,
    Refused,
    RemoveCharacter,
    ResolveCheck,
    Ruleset,
    Side,
    Stale,
    StartCombat,
    Table,
    TakeWound,
    Unavailable,
    Undo,
    Unknown,
)
from winded.journal import Entry, Journal, MemoryJournal, SqliteJournal
from winded.roles import Accept, AskFor, Claim, Join, Role, SetCheckDice
from winded.rules import Redone, Undone
from winded.tables import ANEW, GONE, REMEMBERED, Done, Revision, Snapshot, SomeCommand, Tables, revision_from
from winded.tables.history import WINDOW


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    with MemoryJournal() if request.param == "memory" else SqliteJournal(tmp_path / "winded.sqlite") as made:
        yield made


@pytest.fixture
def tables(journal: Journal) -> Iterator[Tables]:
    with Tables(journal, clock=lambda: 1764491940.12345) as made:
        yield made


@pytest.fixture
def gate(tables: Tables) -> str:
    """A table at which Brakka (CON d10) and Ash (CON d12) sit: two entries."""
    table = tables.create("The gate")
    tables.do(table, AddCharacter("Brakka", con=D10))
    tables.do(table, AddCharacter("Ash", con=D12))
    return table


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "shared.sqlite"


@pytest.fixture
def two(database: Path) -> Iterator[tuple[Tables, Tables, str]]:
    """Two that share a database as two processes do, and a table with Brakka (Stamina 5 of 10)."""
    with (
        SqliteJournal(database) as mine,
        SqliteJournal(database) as theirs,
        Tables(mine) as one,
        Tables(theirs) as other,
    ):
        table = one.create("The gate")
        one.do(table, AddCharacter("Brakka", con=D10, stamina=5))
        assert one.snapshot(table) == other.snapshot(table)
        yield one, other, table


class Held:
    """Keeps everyone else from writing to a database, as a slow disk would."""

    def __init__(self, database: Path) -> None:
        self.connection = sqlite3.connect(database, isolation_level=None)

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self.connection.execute("ROLLBACK")
        self.connection.close()


def stamina(snapshot: Snapshot, name: str = "Brakka") -> int:
    return snapshot.table.character(name).stamina


def spend(by: int = 1) -> Adjust:
    return Adjust("Brakka", by=-by, reason="the cold")


def give(by: int = 1) -> Adjust:
    return Adjust("Brakka", by=by, reason="a draught")


class TestPlaying:
    def test_an_accepted_command_becomes_the_next_entry(self, tables: Tables, gate: str) -> None:
        done = tables.do(gate, spend(2), who="m1", name="Ann", request="r")
        assert done.entry.number == done.snapshot.number == 3
        assert (done.entry.at, done.entry.who, done.entry.name) == (1764491940.123, "m1", "Ann")
        assert done.entry.command == spend(2)
        assert (done.entry.request, done.entry.about, done.entry.secret) == ("r", ("#1",), False)
        assert stamina(done.snapshot) == 8
        assert tables.snapshot(gate) == done.snapshot
        assert [*tables.journal.read(gate)][-1] == done.entry

    def test_a_table_begins_empty_under_its_ruleset(self, tables: Tables) -> None:
        house = Ruleset(name="Ours", below_lowest="zero")
        table = tables.create("The bridge", house)
        assert tables.snapshot(table) == Snapshot(
            table, "The bridge", 0, Table(house), tables.snapshot(table).company, None, None, ()
        )
        assert tables.records()[0].ruleset == house

    def test_ids_cannot_be_guessed_and_fit_an_address(self, tables: Tables) -> None:
        ids = {tables.create("x") for _ in range(50)}
        assert len(ids) == 50
        assert all(len(one) == 16 and one.isalnum() and one.isascii() for one in ids)

    def test_a_refused_command_changes_nothing(self, tables: Tables, gate: str) -> None:
        before = tables.snapshot(gate)
        with pytest.raises(Refused, match="Brakka can react only in combat"):
            tables.do(gate, React("Brakka"))
        assert tables.snapshot(gate) == before
        assert tables.journal.head(gate).number == 2

    def test_an_unknown_table_is_unknown(self, tables: Tables) -> None:
        for ask in (
            lambda: tables.snapshot("nowhere"),
            lambda: tables.do("nowhere", spend()),
            lambda: tables.lines("nowhere"),
            lambda: tables.rename("nowhere", "x"),
            lambda: tables.delete("nowhere"),
            lambda: tables.watch("nowhere", print).__enter__(),
        ):
            with pytest.raises(Unknown, match="There is no table nowhere"):
                ask()

    def test_a_table_reads_back_as_it_was_left(self, journal: Journal, tables: Tables, gate: str) -> None:
        tables.do(gate, spend(3))
        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        tables.do(gate, give())
        tables.do(gate, Undo())
        with Tables(journal) as again:
            assert again.snapshot(gate) == tables.snapshot(gate)

    def test_who_asks_with_an_old_number_is_told(self, tables: Tables, gate: str) -> None:
        with pytest.raises(Stale, match="Somebody acted first: the newest entry is 2, not 1"):
            tables.do(gate, Undo(), expect=1)
        assert tables.do(gate, Undo(), expect=2).entry.number == 3

    def test_authorise_is_asked_with_the_newest_state_and_may_put_another_command_in_its_place(
        self, tables: Tables, gate: str
    ) -> None:
        seen: list[tuple[Snapshot, SomeCommand]] = []

        def authorise(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
            seen.append((snapshot, command))
            return AskFor(spend(), "please")

        tables.do(gate, Join("m1", "Ann", Role.PLAYER))
        before = tables.snapshot(gate)
        done = tables.do(gate, spend(), who="m1", authorise=authorise, request="r")
        assert seen == [(before, spend())]
        assert done.entry.command == AskFor(spend(), "please")
        assert [ask.number for ask in done.snapshot.company.asks] == [4]
        # What was asked for is what the request was for, too.
        assert tables.do(gate, spend(), who="m1", authorise=authorise, request="r").entry == done.entry

    def test_what_authorise_forbids_does_not_happen(self, tables: Tables, gate: str) -> None:
        def authorise(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
            raise Forbidden("This link only watches; it cannot act.")

        with pytest.raises(Forbidden):
            tables.do(gate, spend(), authorise=authorise)
        assert tables.journal.head(gate).number == 2

    def test_a_mistake_of_ours_reaches_who_asked_and_the_table_plays_on(self, tables: Tables, gate: str) -> None:
        def mistake(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
            raise ZeroDivisionError

        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                tables.do(gate, spend(), authorise=mistake, request="r")
        assert tables.do(gate, spend(), request="r").entry.number == 3

    def test_many_callers_each_get_their_own_answer(self, tables: Tables, gate: str) -> None:
        done: list[Done] = []

        def play(player: int) -> None:
            done.extend(
                tables.do(gate, give() if at % 2 else spend(), who=str(player), request=f"{player}/{at}")
                for at in range(25)
            )

        threads = [threading.Thread(target=play, args=(player,)) for player in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = [*tables.journal.read(gate, 2)]
        assert sorted((one.entry for one in done), key=lambda entry: entry.number) == entries
        assert [entry.number for entry in entries] == [*range(3, 203)]
        for one in done:
            assert stamina(one.snapshot) == one.entry.events[0].stamina  # type: ignore[union-attr]


class TestSafety:
    def test_nothing_is_answered_or_shown_before_it_is_safe(
        self, two: tuple[Tables, Tables, str], database: Path
    ) -> None:
        tables, _, gate = two
        heard: list[int] = []
        with tables.watch(gate, lambda _, number: heard.append(number)):
            with Held(database):
                first, second = tables.submit(gate, spend()), tables.submit(gate, spend())
                assert not first.done()
                assert not second.done()
                assert stamina(tables.snapshot(gate)) == 5
                assert heard == []
            # The second was decided on the first, long before either was safe.
            assert stamina(second.result(10).snapshot) == 3
            assert stamina(first.result(10).snapshot) == 4
            assert heard == [2, 3]

    def test_a_refusal_waits_until_what_it_rests_on_is_safe(
        self, two: tuple[Tables, Tables, str], database: Path
    ) -> None:
        tables, _, gate = two
        with Held(database):
            spent = tables.submit(gate, spend(5))
            refused = tables.submit(gate, spend())
            assert not refused.done()
        assert stamina(spent.result(10).snapshot) == 0
        assert isinstance(refused.exception(10), Refused)

    def test_a_refusal_that_rested_on_what_never_came_to_be_is_decided_again(
        self, two: tuple[Tables, Tables, str], database: Path
    ) -> None:
        mine, theirs, gate = two
        with Held(database):
            # Theirs will be first, so that mine will be decided again, and the refusal with it.
            given = theirs.submit(gate, give(5))
            spent = mine.submit(gate, spend(5))
            refused = mine.submit(gate, spend(5), request="r")
        answers = [one.exception(10) for one in (given, spent, refused)]
        entries = [entry.command for entry in mine.journal.read(gate, 1)]
        assert answers[0] is None or entries[0] == spend(5)
        assert len(entries) == answers.count(None)
        # Whatever came first, each answer is true of the state that it was decided on.
        left = 5
        for entry in entries:
            left += entry.by  # type: ignore[union-attr]
            assert 0 <= left <= 10

    def test_who_was_outrun_is_decided_again_on_the_new_state(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        theirs.do(gate, spend(3))
        assert stamina(mine.snapshot(gate)) == 5
        done = mine.do(gate, spend(2))
        assert (done.entry.number, stamina(done.snapshot)) == (3, 0)
        with pytest.raises(Refused, match="would go past 0"):
            theirs.do(gate, spend())

    def test_nobody_is_refused_for_what_another_process_has_changed(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        theirs.do(gate, give(5))
        # By what this process knew Brakka had 5.
        assert stamina(mine.do(gate, spend(9)).snapshot) == 1
        mine.do(gate, Undo())
        with pytest.raises(Refused, match="Brakka has 10 of 10 Stamina"):
            theirs.do(gate, give())

    def test_a_whole_row_of_commands_is_decided_again(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        theirs.do(gate, give(5))
        waiting = [mine.submit(gate, spend()) for _ in range(10)]
        assert sorted(stamina(one.result(10).snapshot) for one in waiting) == [*range(10)]

    def test_expecting_a_number_holds_when_decided_again(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        theirs.do(gate, spend())
        with pytest.raises(Stale, match="Somebody acted first"):
            mine.do(gate, spend(), expect=1)

    def test_an_undo_that_was_outrun_takes_back_what_is_newest_then(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        mine.do(gate, spend(1))
        theirs.do(gate, spend(2))
        done = mine.do(gate, Undo())
        assert done.entry.events == (Undone((3,)),)
        assert stamina(done.snapshot) == 4

    def test_an_undo_far_back_that_was_outrun_finds_nothing_to_take_back(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        for _ in range(WINDOW + 5):
            mine.do(gate, give() if stamina(mine.snapshot(gate)) < 5 else spend())
        theirs.do(gate, Undo(through=1))
        with pytest.raises(Refused, match="There is nothing to take back"):
            mine.do(gate, Undo(through=1))
        assert mine.do(gate, Redo()).snapshot.undo is not None

    def test_what_cannot_be_kept_has_not_happened_and_may_be_tried_again(self, tmp_path: Path) -> None:
        database = tmp_path / "slow.sqlite"
        with SqliteJournal(database, patience=0.05) as journal, Tables(journal) as tables:
            gate = tables.create("The gate")
            tables.do(gate, AddCharacter("Brakka", con=D10))
            with Held(database):
                waiting = [tables.submit(gate, spend(), request=f"r{at}") for at in range(3)]
                assert {type(one.exception(10)) for one in waiting} == {Unavailable}
            assert stamina(tables.snapshot(gate)) == 10
            assert stamina(tables.do(gate, spend(), request="r1").snapshot) == 9

    def test_a_closed_journal_is_unavailable(self, journal: Journal, tables: Tables, gate: str) -> None:
        journal.close()
        with pytest.raises(Unavailable):
            tables.do(gate, spend())
        assert stamina(tables.snapshot(gate)) == 10


class TestNothingChanged:
    def test_what_already_is_so_makes_no_entry_and_no_news(self, tables: Tables, gate: str) -> None:
        heard: list[int] = []
        before = tables.snapshot(gate)
        with tables.watch(gate, lambda _, number: heard.append(number)):
            for command in (EditCharacter("Brakka", con=D10), SetCheckDice(), EditCharacter("Brakka", name="Brakka")):
                done = tables.do(gate, command, who="m1")
                assert (done.entry.number, done.entry.events) == (2, ())
                assert done.snapshot == before
        assert heard == []
        assert tables.snapshot(gate) == before
        assert [line.entry.number for line in tables.lines(gate)] == [2, 1]

    def test_an_undo_takes_back_what_changed_something(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend())
        tables.do(gate, EditCharacter("Brakka", con=D10))
        assert stamina(tables.do(gate, Undo()).snapshot) == 10

    def test_the_same_request_changes_nothing_later_either(self, tables: Tables, gate: str) -> None:
        same = EditCharacter("Brakka", con=D10)
        tables.do(gate, same, request="r")
        tables.do(gate, EditCharacter("Brakka", con=D12))
        again = tables.do(gate, same, request="r")
        assert again.entry.events == ()
        assert again.snapshot.table.character("Brakka").con == D12

    def test_a_request_that_was_done_is_answered_by_its_entry(
        self, journal: Journal, tables: Tables, gate: str
    ) -> None:
        first = tables.do(gate, EditCharacter("Brakka", con=D12), request="r")
        with Tables(journal) as again:
            assert again.do(gate, EditCharacter("Brakka", con=D12), request="r").entry == first.entry


class TestRequests:
    def test_a_command_sent_twice_happens_once_and_is_answered_alike(self, tables: Tables, gate: str) -> None:
        first = tables.do(gate, spend(), who="m1", request="r")
        tables.do(gate, spend())
        again = tables.do(gate, spend(), who="m1", request="r")
        assert again.entry == first.entry
        assert again.snapshot == tables.snapshot(gate)
        assert stamina(again.snapshot) == 8

    def test_while_the_first_is_under_way_the_second_waits_for_it(
        self, two: tuple[Tables, Tables, str], database: Path
    ) -> None:
        tables, _, gate = two
        with Held(database):
            first = tables.submit(gate, spend(), request="r")
            second = tables.submit(gate, spend(), request="r")
            assert not second.done()
        assert first.result(10) == second.result(10)
        assert stamina(tables.snapshot(gate)) == 4

    def test_a_refused_command_sent_twice_is_refused_alike_whatever_has_changed(
        self, tables: Tables, gate: str
    ) -> None:
        with pytest.raises(Refused) as first:
            tables.do(gate, React("Brakka"), request="r")
        tables.do(gate, StartCombat())
        with pytest.raises(Refused) as again:
            tables.do(gate, React("Brakka"), request="r")
        assert again.value.refusal() == first.value.refusal()

    def test_an_id_that_was_used_for_another_command_is_malformed(self, tables: Tables, gate: str) -> None:
        tables.do(gate, spend(), who="m1", request="r")
        with pytest.raises(Refused):
            tables.do(gate, React("Brakka"), who="m1", request="s")
        for command, who, request in ((give(), "m1", "r"), (spend(), "m2", "r"), (spend(), "m1", "s")):
            with pytest.raises(Malformed) as wrong:
                tables.do(gate, command, who=who, request=request)
            assert wrong.value.field == "request"
            assert str(wrong.value) == f"The request id “{request}” was used for something else."
        assert tables.do(gate, spend(), who="m1", request="r").entry.number == 3

    def test_ids_are_remembered_for_ever_once_accepted(self, journal: Journal, tables: Tables, gate: str) -> None:
        tables.do(gate, spend(10), request="r")
        with Tables(journal) as again:
            # Decided now it would be refused: it was done before, and is answered as it was.
            assert again.do(gate, spend(10), request="r").entry.number == 3
            with pytest.raises(Malformed, match="was used for something else"):
                again.do(gate, give(10), request="r")
            # It would be accepted now, if it had not been done before.
            again.do(gate, give(10))
            assert again.do(gate, spend(10), request="r").entry.number == 3
            with pytest.raises(Malformed, match="was used for something else"):
                again.do(gate, spend(9), request="r")
            assert stamina(again.snapshot(gate)) == 10

    def test_an_id_accepted_by_another_process_is_known(self, two: tuple[Tables, Tables, str]) -> None:
        mine, theirs, gate = two
        entry = theirs.do(gate, spend(4), request="r").entry
        assert mine.do(gate, spend(4), request="r").entry == entry
        assert stamina(mine.snapshot(gate)) == 1

    def test_ids_are_a_tables_own(self, tables: Tables, gate: str) -> None:
        bridge = tables.create("The bridge")
        tables.do(gate, spend(), request="r")
        assert tables.do(bridge, AddCharacter("Bryn", con=D8), request="r").entry.number == 1

    def test_only_the_newest_refusals_are_remembered(self, tables: Tables, gate: str) -> None:
        for at in range(600):
            with pytest.raises(Refused):
                tables.do(gate, React("Brakka"), request=f"r{at}")
        assert len(tables._held[gate].answers) <= REMEMBERED
        assert tables._held[gate].asked == {}


class TestRevisions:
    def test_every_state_has_a_name_and_the_history_knows_those_it_came_by(self, tables: Tables, gate: str) -> None:
        states = [tables.snapshot(gate), *(tables.do(gate, spend(1)).snapshot for _ in range(3))]
        assert [one.revision.number for one in states] == [2, 3, 4, 5]
        assert all(tables.is_of(gate, one.revision) for one in states)
        assert tables.is_of(gate, Revision(0))
        assert tables.is_of(gate, Revision(4))
        assert not tables.is_of(gate, Revision(6))
        assert not tables.is_of(gate, Revision(4, states[0].mark))
        assert Tables(tables.journal).snapshot(gate).revision == states[-1].revision

    def test_a_table_put_back_and_played_on_has_other_names_from_there_on(self, tables: Tables, gate: str) -> None:
        record, entries = tables.journal.record(gate), [*tables.journal.read(gate)]
        common = tables.snapshot(gate).revision
        old = tables.do(gate, spend(1)).snapshot.revision
        tables.take_in(record, entries, replacing=True)
        assert tables.is_of(gate, common)
        assert not tables.is_of(gate, old)
        new = tables.do(gate, spend(1)).snapshot.revision
        assert new.number == old.number
        assert not tables.is_of(gate, old)
        assert tables.is_of(gate, new)

    def test_a_command_is_played_only_after_the_revision_it_expects(self, tables: Tables, gate: str) -> None:
        at = tables.snapshot(gate).revision
        with pytest.raises(Stale, match="has been replaced since"):
            tables.do(gate, spend(1), expect=Revision(at.number, "00000000"))
        with pytest.raises(Stale, match="Somebody acted first"):
            tables.do(gate, spend(1), expect=Revision(at.number - 1, at.mark))
        assert tables.do(gate, spend(1), expect=at).entry.number == 3
        assert tables.do(gate, spend(1), expect=3).entry.number == 4

    @pytest.mark.parametrize("text", ["", "-1", "5-", "5-9f3ac21", "5-9F3AC21E", "5 ", "five", "1" * 16, "5-9f3ac21e0"])
    def test_what_is_no_revision_is_malformed(self, text: str) -> None:
        with pytest.raises(Malformed) as wrong:
            revision_from(text, "after")
        assert wrong.value.field == "after"

    @pytest.mark.parametrize("revision", [Revision(0), Revision(7), Revision(50, "9f3ac21e")])
    def test_a_revision_is_read_as_it_is_written(self, revision: Revision) -> None:
        assert revision_from(str(revision), "after") == revision


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
        assert (no.value.rule, str(no.value)) == ("not-now", "There is nothing to put back.")
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
        assert (no.value.rule, str(no.value)) == ("not-now", f"Entry {through} is no act that can be taken back now.")

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
        with pytest.raises(Refused, match="Entry 8 is no act"):
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
        held = tables._held[gate]
        assert len(held.committed.acts) == WINDOW
        assert len(held.answers) <= REMEMBERED


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
                assert len(tables._held) <= 4
                assert ids[0] in tables._held
                assert [stamina(tables.snapshot(table)) for table in ids] == [10] * 10
                tables.do(ids[0], spend())
            assert heard == [1, 2]


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here")
def test_processes_that_came_of_one_draw_marks_of_their_own() -> None:
    script = "import os; from winded.tables import new_mark; os.fork(); os.write(1, f'{new_mark()}\\n'.encode())"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
    assert len(set(said.split())) == 2
