"""Who stands on an overlay: those its address asks for, as far as everyone may see them."""

import pytest

from winded.roles import veiled
from winded.rules import AddCharacter, Side, Table
from winded.web.screens.overlay.view import chosen

TABLE = veiled(
    Table().do(
        AddCharacter("Ash", con="d12"),
        AddCharacter("Bryn", con="d8"),
        AddCharacter("Wolf", con="d8", side=Side.ENEMY),
        AddCharacter("Lurker", con="d6", side=Side.ENEMY, hidden=True),
    )
)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("Ash, the Bold", ["Ash, the Bold"]),
        ("Bryn,Ash, the Bold,Ash", ["Bryn", "Ash, the Bold", "Ash"]),
        ("ash,the bold,1,000", ["Ash, the Bold", "1,000"]),
        ("the Bold", []),
    ],
)
def test_a_name_may_hold_commas(wanted: str, names: list[str]) -> None:
    table = TABLE.do(AddCharacter("Ash, the Bold", con="d8"), AddCharacter("1,000", con="d8"))
    assert [one.name for one in chosen(table, wanted)] == names


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("", ["Ash", "Bryn"]),
        (" , ,", ["Ash", "Bryn"]),
        ("Bryn,Ash", ["Bryn", "Ash"]),
        ("2,#1", ["Bryn", "Ash"]),
        ("bryn,BRYN,2", ["Bryn"]),
        ("Wolf", ["Wolf"]),
        ("Lurker,#4,4", []),
        ("Nobody,Ash", ["Ash"]),
        ("Ash," * 100_000, ["Ash"]),
    ],
)
def test_an_overlay_shows_whom_its_address_names_in_that_order(wanted: str, names: list[str]) -> None:
    assert [one.name for one in chosen(TABLE, wanted)] == names
