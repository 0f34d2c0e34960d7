"""A state is not taken for a state of another history of the same table."""

import os
import subprocess
import sys

import pytest

from tests.tables.at_the_gate import spend
from winded import (
    Malformed,
    Stale,
)
from winded.tables import Revision, Tables, revision_from


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here")
def test_processes_that_came_of_one_draw_marks_of_their_own() -> None:
    script = "import os; from winded.tables import new_mark; os.fork(); os.write(1, f'{new_mark()}\\n'.encode())"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
    assert len(set(said.split())) == 2
