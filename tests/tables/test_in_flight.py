"""A command sent twice under one request id happens once and is answered alike."""

from pathlib import Path

import pytest

from tests.tables.at_the_gate import Held, give, spend, stamina
from winded import (
    D8,
    AddCharacter,
    Malformed,
    React,
    Refused,
    StartCombat,
)
from winded.journal import Journal
from winded.tables import REMEMBERED, Tables


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

    def test_a_refused_command_sent_again_after_a_restart_is_decided_afresh(
        self, journal: Journal, tables: Tables, gate: str
    ) -> None:
        with pytest.raises(Refused):
            tables.do(gate, React("Brakka"), request="r")
        number = tables.do(gate, StartCombat()).entry.number
        with Tables(journal) as again:
            assert again.do(gate, React("Brakka"), request="r").entry.number == number + 1

    def test_a_refused_command_sent_again_after_many_others_is_decided_afresh(self, tables: Tables, gate: str) -> None:
        with pytest.raises(Refused):
            tables.do(gate, React("Brakka"), request="r")
        number = tables.do(gate, StartCombat(), request="s").entry.number
        for at in range(REMEMBERED - 2):
            with pytest.raises(Refused):
                tables.do(gate, StartCombat(), request=f"r{at}")
        with pytest.raises(Refused):
            tables.do(gate, React("Brakka"), request="r")
        with pytest.raises(Refused):
            tables.do(gate, StartCombat(), request="one more")
        assert tables.do(gate, React("Brakka"), request="r").entry.number == number + 1

    def test_only_the_newest_refusals_are_remembered(self, tables: Tables, gate: str) -> None:
        for at in range(600):
            with pytest.raises(Refused):
                tables.do(gate, React("Brakka"), request=f"r{at}")
        assert len(tables._at_hand.get(gate).requests._answers) <= REMEMBERED
        assert tables._at_hand.get(gate).requests._on_their_way == {}
