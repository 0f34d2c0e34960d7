"""Who stands on an overlay: those its address asks for, as far as everyone may see them."""

import pytest

from winded.journal import MemoryJournal
from winded.roles import Role, veiled
from winded.rules import AddCharacter, Side, Table
from winded.service import Desk
from winded.service.opening import begin_table
from winded.service.seeing import see_as
from winded.web.live import Kept, Viewer
from winded.web.screens.overlay.view import LONGEST, MOST_SAID, chosen, page, render, unknown

PARTY = [
    AddCharacter("Ash", con="d12"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Wolf", con="d8", side=Side.ENEMY),
    AddCharacter("Lurker", con="d6", side=Side.ENEMY, hidden=True),
]
TABLE = veiled(Table().do(*PARTY))


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


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ("", []),
        ("Bryn,2,#1,Wolf", []),
        ("Nobody,Ash", [1]),
        ("Ash,Lurker,Bryn,#4", [2, 4]),
        ("the Bold,Ash", [1]),
        ("x" * 3 * LONGEST, [1]),
    ],
)
def test_which_of_the_names_fit_nobody_is_known_by_their_places(wanted: str, places: list[int]) -> None:
    assert unknown(TABLE, wanted) == places


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("Ash,Bryn", None),
        ("Lurker", "Name 1 in this overlay’s address fits nobody"),
        ("Ash,Nobody,Lurker", "Names 2, 3 in this overlay’s address fit nobody"),
        ("x," * 100, f"Names {', '.join(map(str, range(1, MOST_SAID + 1)))} in this overlay’s address"),
    ],
)
def test_an_overlay_says_which_names_fit_nobody_and_never_a_hidden_enemys_name(wanted: str, said: str | None) -> None:
    desk = Desk(MemoryJournal())
    given = begin_table(desk, "Tuesday", PARTY)
    viewer = Viewer("overlay", Role.SPECTATOR, "", "en", (("characters", wanted),))
    seen = see_as(desk, given.link.table, Role.SPECTATOR)
    html = page(viewer, seen, render(viewer, seen, Kept()))
    desk.tables.close()
    assert ('id="unknown"' in html) is (said is not None)
    assert said is None or said in html
    assert "Lurker" not in html
