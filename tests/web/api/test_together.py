"""Several commands are one act: all of them or none, with one entry and one undo."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.api.callers import HIDDEN, Caller, Evening
from winded.rules import MOST_TOGETHER

NewTable = Callable[..., Caller]
PARTY = [{"name": "Ash", "con": "d12"}, {"name": "Bryn", "con": "d8"}, {"name": "Cato", "con": "d10"}]


def flood(*names: str, by: int = -3) -> list[dict[str, Any]]:
    return [{"do": "adjust", "character": name, "by": by, "reason": "the flood"} for name in names]


def stamina(caller: Caller) -> dict[str, int]:
    return {name: one["stamina"] for name, one in caller.state()["characters"].items()}


def test_a_list_of_commands_is_one_act_and_one_undo(new_table: NewTable) -> None:
    referee = new_table(characters=PARTY)
    before = referee.number()
    answer = referee.post("/commands/together", flood("Ash", "Bryn"))
    assert answer.status_code == 200
    assert answer.json()["number"] == before + 1
    assert [event["event"] for event in answer.json()["events"]] == ["stamina_adjusted", "stamina_adjusted"]
    assert stamina(referee) == {"Ash": 9, "Bryn": 5, "Cato": 10}
    referee.done("undo")
    assert stamina(referee) == {"Ash": 12, "Bryn": 8, "Cato": 10}


def test_each_is_decided_on_what_the_one_before_it_left(new_table: NewTable) -> None:
    referee = new_table(characters=PARTY)
    assert referee.post("/commands/together", [{"do": "start_combat"}, {"do": "begin_turns"}]).status_code == 200
    assert referee.state()["combat"]["phase"] == "turns"


def test_all_or_none_and_everyone_in_the_way_is_named(new_table: NewTable) -> None:
    referee = new_table(characters=PARTY)
    before = referee.state()
    answer = referee.post("/commands/together", flood("Ash", "Bryn", "Cato", by=-11))
    assert answer.status_code == 422
    assert answer.json()["rule"] == "ruling.by-hand"
    assert answer.json()["message"] == (
        "Nothing has changed. Bryn has 8 of 8 Stamina; a change by -11 would go past 0. "
        "Cato has 10 of 10 Stamina; a change by -11 would go past 0."
    )
    assert referee.state() == before


def test_it_is_done_once_however_often_it_is_sent(new_table: NewTable) -> None:
    referee = new_table(characters=PARTY)
    numbers = {
        referee.post("/commands/together", flood("Ash"), Idempotency_Key="the-same-key").json()["number"]
        for _ in range(3)
    }
    assert len(numbers) == 1
    assert stamina(referee)["Ash"] == 9
    other = referee.post("/commands/together", flood("Bryn"), Idempotency_Key="the-same-key")
    assert other.status_code == 400


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], ""),
        ({"do": "start_combat"}, ""),
        (flood("Ash") * (MOST_TOGETHER + 1), ""),
        ([{"do": "undo"}], "[0]"),
        ([*flood("Ash"), {"do": "correct", "after": 1}], "[1]"),
        ([*flood("Ash"), {"do": "react", "character": 1}], "[1].character"),
    ],
)
def test_what_is_no_such_list_is_told_with_its_place(new_table: NewTable, body: Any, field: str) -> None:
    referee = new_table(characters=PARTY)
    answer = referee.post("/commands/together", body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert stamina(referee)["Ash"] == 12


def test_a_player_may_do_together_only_what_they_may_do_alone(evening: Evening) -> None:
    before = evening.referee.state()
    own = {"do": "use_ability", "character": "Ash", "ability": "Shield Wall"}
    for caller, body in (
        (evening.player, [own, {"do": "resist", "character": "Bryn", "stamina": 1, "hardship": "fear"}]),
        (evening.player, [own, {"do": "start_combat"}, {"do": "remove_character", "character": "Bryn"}]),
        (evening.spectator, [own]),
    ):
        assert caller.post("/commands/together", body).status_code == 403, body
    assert evening.referee.state() == before
    assert evening.player.post("/commands/together", [own, own]).status_code == 200
    assert stamina(evening.referee)["Ash"] == 6


def test_a_hidden_enemy_is_told_of_by_no_list(evening: Evening) -> None:
    nobody = evening.player.post("/commands/together", flood("Nobody at all"))
    hidden = evening.player.post("/commands/together", flood(HIDDEN))
    assert nobody.status_code == hidden.status_code
    assert nobody.text.replace("Nobody at all", HIDDEN) == hidden.text
