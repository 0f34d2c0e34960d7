"""What a player may take back and ask for, as it is told and refused by the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.api.callers import Caller

PUSH = {"push": 3, "target": 15}


@pytest.fixture
def referee(new_table: Callable[..., Caller]) -> Caller:
    return new_table(characters=[{"name": "Ash", "con": "d10"}, {"name": "Bryn", "con": "d8"}])


def stamina(referee: Caller, name: str = "Ash") -> int:
    found: int = referee.state()["characters"][name]["stamina"]
    return found


@pytest.mark.parametrize("nod", [False, True])
def test_a_player_does_not_get_back_what_was_pushed_on_a_roll_that_failed(referee: Caller, nod: bool) -> None:
    pip = referee.let_in("Pip", "Ash")
    if nod:
        referee.company("set_permissions", permissions={"pushes": "ask"})
        asked = pip.do("declare_check", character="Ash", **PUSH)
        assert (asked.status_code, asked.json()["asked"]) == (202, True)
        assert referee.company("accept", ask=asked.json()["number"]).status_code == 200
    else:
        pip.done("declare_check", character="Ash", **PUSH)
        assert pip.get().json()["undo"]["allowed"] is True
    pip.done("resolve_check", character="Ash", roll=2)
    assert pip.get().json()["undo"]["allowed"] is False
    for path in ("/check", "/commands"):
        no = pip.post(path, {"do": "undo"})
        assert (no.status_code, no.json()["error"]) == (403, "forbidden")
        assert no.json()["message"] == "Ash's roll is known: only the Referee can take it back."
    referee.done("undo")
    for command in ({"do": "undo"}, {"do": "withdraw_check", "character": "Ash"}):
        assert pip.post("/commands", command).status_code == 403
    withdraw = next(
        option
        for option in pip.get("/options", character="Ash").json()["options"]
        if option["command"]["do"] == "withdraw_check"
    )
    assert (withdraw["freedom"], withdraw["forbidden"]) == (
        "no",
        "The roll of Ash's Check is known: only the Referee can withdraw it.",
    )
    pip.done("resolve_check", character="Ash", roll=12)
    assert stamina(referee) == 7


def test_where_only_the_referee_undoes_players_do_not(referee: Caller) -> None:
    pip = referee.let_in("Pip", "Ash")
    assert referee.company("set_permissions", permissions={"undoing": "no"}).status_code == 200
    pip.done("declare_check", character="Ash", **PUSH)
    seen = pip.get().json()
    assert (seen["permissions"]["undoing"], seen["undo"]["allowed"]) == ("no", False)
    assert pip.do("undo").status_code == 403
    assert referee.get().json()["undo"]["allowed"] is True
    assert referee.company("set_permissions", permissions={"undoing": "ask"}).status_code == 400


def test_a_request_is_paid_by_one_for_whom_it_was_asked(referee: Caller) -> None:
    pip = referee.let_in("Pip", "Ash")
    referee.company("set_permissions", permissions={"reactions": "ask"})
    referee.done("start_combat")
    number = pip.do("react", character="Ash").json()["number"]
    referee.done("edit_character", character="Ash", name="Cinder")
    referee.done("edit_character", character="Bryn", name="Ash")
    answer = referee.company("accept", ask=number).json()
    assert (answer["state"]["characters"]["Cinder"]["stamina"], answer["state"]["characters"]["Ash"]["stamina"]) == (
        9,
        8,
    )


def test_permissions_change_where_they_are_named_and_only_as_they_were_seen(referee: Caller) -> None:
    number = referee.number()
    kept = referee.company("set_permissions", permissions={"rest": "ask"})
    assert (kept.status_code, kept.json()["number"], kept.json()["events"]) == (200, number, [])
    assert referee.company("set_permissions", permissions={"rest": "free"}).json()["number"] == number + 1
    late = referee.company(
        "set_permissions", permissions={"rest": "no", "wounds": "no"}, at={"permissions": {"rest": "ask"}}
    )
    assert (late.status_code, late.json()["rule"]) == (422, "not-now")
    seen = referee.get().json()["permissions"]
    assert (seen["rest"], seen["wounds"]) == ("free", "ask")
