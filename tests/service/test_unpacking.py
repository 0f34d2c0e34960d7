"""A file that is examined by a process of its own comes out as it went in, and is turned away in the same words."""

import pickle

import pytest

from winded import D12, AddCharacter, Adjust, Malformed, Redo, Undo
from winded.roles import Role
from winded.service import desk_in_memory, unpacking
from winded.service.opening import begin_table
from winded.service.table_file import carried_from, carry_out
from winded.service.unpacking import examined, unpacked


def test_a_table_is_the_same_whichever_way_its_file_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "PAGE", 4)
    with desk_in_memory() as desk:
        table = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D12)]).link.table
        desk.links.give_member(table, Role.PLAYER, "Pip")
        for command in [Adjust("Ash", by=-1, reason="the cold"), Undo(), Redo()] * 3:
            desk.tables.do(table, command, request=f"request-{len([*desk.journal.read(table)])}")
        file = carry_out(desk.tables, table)
    found = examined(file)
    assert len(found.pages) > 1
    assert unpacked(pickle.loads(pickle.dumps(found))) == carried_from(file)


def test_what_is_no_table_is_turned_away_in_the_same_words() -> None:
    with pytest.raises(Malformed) as no:
        examined(b"{}")
    with pytest.raises(Malformed) as same:
        carried_from(b"{}")
    assert str(no.value) == str(same.value)
