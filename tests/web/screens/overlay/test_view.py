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
