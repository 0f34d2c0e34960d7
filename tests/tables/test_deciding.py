"""A command becomes an entry: decided on the newest state, safe before it is answered, decided again if outrun."""

import threading
from pathlib import Path

import pytest

from tests.tables.at_the_gate import Held, give, spend, stamina
from winded import (
    D10,
    D12,
    AddCharacter,
    EditCharacter,
    Forbidden,
    React,
    Redo,
    Refused,
    Ruleset,
    Stale,
    Table,
    Unavailable,
    Undo,
    Unknown,
)
from winded.journal import Journal, SqliteJournal
from winded.roles import AskFor, Join, Role, SetCheckDice
from winded.rules import Undone
from winded.tables import Done, Snapshot, SomeCommand, Tables
from winded.tables.history import WINDOW


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
            raise Forbidden("With this link you can only watch.")

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
