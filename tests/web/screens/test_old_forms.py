"""A form that was opened a while ago sends what was changed in it, and overwrites nothing that others have changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.inside import Inside
from tests.web.screens.board.test_handlers import Table
from tests.web.screens.test_moments import form
from winded.rules import Character, EditCharacter

AS_OPENED = {"name": "Ash", "con": "d10", "note": ""}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Inside(tmp_path / "winded.sqlite") as inside:
        yield Table(inside)


def opened(table: Table) -> dict[str, str]:
    """The form for editing Ash, as somebody opens it now."""
    return form(table.ask(table.referee, "sheet/who?of=1")[1], "edit_character") | AS_OPENED


def ash(table: Table) -> Character:
    return table.tables.snapshot(table.id).table.character("#1")


def test_a_new_name_leaves_the_die_and_note_that_somebody_else_has_set(table: Table) -> None:
    old = opened(table)
    table.tables.do(table.id, EditCharacter("Ash", con="d8", note="owes the miller"))
    assert table.ask(table.referee, "do", old | {"name": "Ashe"})[0] == 204
    assert (ash(table).name, ash(table).base_con, ash(table).note) == ("Ashe", "d8", "owes the miller")


@pytest.mark.parametrize(
    ("theirs", "mine", "told"),
    [
        (EditCharacter("Ash", name="Asha"), {"name": "Ashe"}, "the name"),
        (EditCharacter("Ash", con="d8"), {"con": "d12"}, "the CON Ability Die"),
        (EditCharacter("Ash", note="owes the miller"), {"note": "tired"}, "the note"),
    ],
)
def test_what_somebody_else_has_changed_since_is_not_overwritten(
    table: Table, theirs: EditCharacter, mine: dict[str, str], told: str
) -> None:
    old = opened(table)
    table.tables.do(table.id, theirs)
    before = ash(table)
    status, said = table.ask(table.referee, "do", old | mine)
    assert status == 422
    assert f"Somebody else has changed {told}" in said
    assert ash(table) == before


def test_what_both_have_changed_alike_is_no_quarrel(table: Table) -> None:
    old = opened(table)
    table.tables.do(table.id, EditCharacter("Ash", con="d8"))
    assert table.ask(table.referee, "do", old | {"con": "d8", "note": "tired"})[0] == 204
    assert (ash(table).base_con, ash(table).note) == ("d8", "tired")


def test_a_note_that_is_emptied_is_taken_away(table: Table) -> None:
    table.tables.do(table.id, EditCharacter("Ash", note="tired"))
    assert table.ask(table.referee, "do", opened(table) | {"note": ""})[0] == 204
    assert ash(table).note is None


def test_saving_with_nothing_changed_makes_no_entry(table: Table) -> None:
    number = table.tables.snapshot(table.id).number
    assert table.ask(table.referee, "do", opened(table))[0] == 204
    people = table.ask(table.referee, "sheet/people")[1]
    for do in ("set_check_dice",):
        assert table.ask(table.referee, "company", form(people, do) | {"dice": ""})[0] == 204
    assert table.tables.snapshot(table.id).number == number
