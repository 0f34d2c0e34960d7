"""Odds over HTTP: the same figures as `winded.odds`, for those who may see them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest

from tests.web.api.callers import HIDDEN, SECRETS, Caller, Evening
from winded.odds import (
    HABITS,
    advise,
    check,
    compare,
    day_from,
    forecast,
    sketch_from_text,
    what_is_ahead,
)
from winded.odds.day import schema
from winded.odds.day.model import STEPS
from winded.rules import PAGE, AddCharacter, Adjust, Table, TakeWound, ruleset_from
from winded.web.api import odds

DAY: dict[str, Any] = {
    "title": "The mill",
    "check": "1d20+con",
    "values": {"reaction": 2, "left": "1/4"},
    "characters": [
        {"name": "Ash", "con": "d8", "stamina": 5, "wounds": ["ribs"], "habit": "carefully"},
        {"name": "Brakka", "con": "d10", "abilities": {"Second Wind": 2}, "habit": {"keep": 2, "aim": 0.6}},
    ],
    "steps": [
        {"check": "The door", "target": 15, "times": 2, "chance": "2/3"},
        {"fight": "Wolves", "rounds": {"2": 0.5, "3": "1/2"}, "early": 0.5, "reactions": {"1": 0.5}},
        {"wound": "bite", "chance": 0.1, "who": "Ash"},
        {"rest": "short"},
        {"resist": "pain", "stamina": 2},
        {"channel": "Fire", "who": ["Brakka"]},
        {"ability": "Second Wind", "who": ["Brakka"]},
        {"recover": "bite", "chance": 0.5},
        {"fight": "The road", "rounds": 2, "reactions": 2, "wound": {"wound": "cut", "chance": "1/10"}},
    ],
}
HOUSE = {"name": "House", "push": {"bonus": 2}, "reactions": {"further": 0}}
SKETCH = "fight Wolves rounds=3 early=1/2 reactions=1:1/2; rest short; check A stuck door target=15"


def plain(data: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(data))


def test_the_odds_of_a_check_are_those_of_odds(client: httpx.Client) -> None:
    asked = {"dice": "1d20+con", "con": "d8", "target": 15, "push": 3, "push_bonus": 2}
    answer = client.get("/api/odds", params=asked)
    assert answer.status_code == 200
    assert answer.json() == plain(check("1d20+con", 15, 3, con="d8", push_bonus=2).data())


def test_successes_and_roll_under_are_counted_here(client: httpx.Client) -> None:
    found = client.get("/api/odds", params={"dice": "6d10>=8", "target": 3, "push": 0}).json()
    assert found["pushes"][0]["exact"] == str(check("6d10>=8", 3).chance())
    under = client.get("/api/odds", params={"dice": "d%", "target": 45, "push": 1, "succeeds": "at-most"}).json()
    assert ([one["exact"] for one in under["pushes"]], under["succeeds"]) == (["9/20", "23/50"], "at-most")
    assert client.get("/api/odds", params={"dice": "d6!", "target": 7}).json()["explosions"] == 10
    wrong = client.get("/api/odds", params={"dice": "d6", "target": 4, "succeeds": "never"})
    assert (wrong.status_code, wrong.json()["field"]) == (400, "succeeds")


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({"dice": "1d20+", "target": 15}, "dice", "ends too early, at column 6"),
        ({"dice": "9999d9999", "target": 15}, "dice", "asks for too much"),
        ({"dice": "1d20+con", "target": 15}, "dice", "say which, such as d8"),
        ({"dice": "1d20", "target": 1000}, "target", "from -999 to 999"),
        ({"dice": "1d20"}, "target", "missing"),
        ({"dice": "1d20", "target": 15, "push": 100}, "push", "0 to 99"),
    ],
)
def test_a_check_that_cannot_be_asked_for_names_the_field(
    client: httpx.Client, asked: dict[str, Any], field: str, said: str
) -> None:
    answer = client.get("/api/odds", params=asked)
    assert (answer.status_code, answer.json()["error"], answer.json()["field"]) == (400, "malformed", field)
    assert said in answer.json()["message"]


def test_a_day_is_forecast_advised_and_compared_as_odds_does(client: httpx.Client) -> None:
    meant, house = day_from(DAY), ruleset_from(HOUSE)
    for path, body, made in (
        ("forecast", {"day": DAY}, forecast(meant)),
        ("forecast", {"day": DAY, "ruleset": HOUSE}, forecast(meant, house)),
        ("advise", {"day": DAY, "ruleset": HOUSE}, advise(meant, house)),
        ("compare", {"day": DAY, "rulesets": [{}, HOUSE]}, compare(meant, (PAGE, house))),
    ):
        answer = client.post(f"/api/{path}", json=body)
        assert answer.status_code == 200, answer.text
        assert alike(answer.json(), plain(made.data()))


def alike(one: Any, other: Any) -> bool:
    """The same but for the last place of a float, which goes by the order in which things were added up."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == (pytest.approx(other) if isinstance(other, float) else other))


def test_a_house_rule_changes_a_forecast(client: httpx.Client) -> None:
    page = client.post("/api/forecast", json={"day": DAY}).json()["characters"]
    house = client.post("/api/forecast", json={"day": DAY, "ruleset": HOUSE}).json()["characters"]
    assert [one["steps"][-1]["expected"] for one in page] != [one["steps"][-1]["expected"] for one in house]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("forecast", {}, "day"),
        ("forecast", {"day": 3}, "day"),
        ("forecast", {"day": DAY, "rulesets": []}, "rulesets"),
        ("forecast", {"day": {**DAY, "steps": [{"fight": "A", "rounds": 31}]}}, "day.steps[0].rounds"),
        ("forecast", {"day": DAY, "ruleset": {"push": {"bonus": 0}}}, "ruleset.push.bonus"),
        ("compare", {"day": DAY, "rulesets": []}, "rulesets"),
        ("compare", {"day": DAY, "rulesets": {}}, "rulesets"),
        ("compare", {"day": DAY, "rulesets": [{}] * 7}, "rulesets"),
        ("advise", {"day": {**DAY, "check": "1d20+", "steps": DAY["steps"]}}, "day.check"),
    ],
)
def test_a_day_that_is_none_names_the_place(client: httpx.Client, path: str, body: object, field: str) -> None:
    answer = client.post(f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_absurd_days_are_refused(client: httpx.Client) -> None:
    fights = [{"fight": f"F{at}", "rounds": 30} for at in range(9)]
    answer = client.post("/api/forecast", json={"day": {**DAY, "steps": fights}})
    assert answer.status_code == 400
    assert "are too many here" in answer.json()["message"]
    answer = client.post("/api/forecast", content=b" " * 70_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_days_of_every_kind_fit_their_schema(client: httpx.Client) -> None:
    components = client.get("/api/schema/openapi.json").json()["components"]
    whole = {"$ref": "#/components/schemas/DayUnder", "components": components}
    jsonschema_rs.validate(whole, {"day": DAY, "ruleset": HOUSE})
    for wrong in ({}, {**DAY, "steps": []}, {**DAY, "steps": [{"fight": "A", "rest": "short"}]}, {**DAY, "day": 1}):
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(whole, {"day": wrong})


def test_the_schema_of_days_knows_all_that_days_know() -> None:
    assert {one.value for one in odds.HabitName} == {*HABITS}
    kinds = [
        schema.COMPONENTS[one["$ref"].rpartition("/")[2]]["required"][0]
        for one in schema.COMPONENTS["DayStep"]["anyOf"]
    ]
    assert sorted(kinds) == sorted(STEPS)


@pytest.fixture
def rolled(new_table: Callable[..., Caller]) -> Caller:
    """A table where Checks are rolled with 1d20+con."""
    referee = new_table(characters=[{"name": "Ash", "con": "d12"}, {"name": "Bryn", "con": "d8", "stamina": 5}])
    assert referee.company("set_check_dice", dice="1d20+con").status_code == 200
    return referee


def test_the_chances_of_a_push_are_those_of_now(rolled: Caller) -> None:
    rolled.done("take_wound", character="Bryn", wound="cracked ribs")
    answer = rolled.get("/chances", character="Bryn", target=15).json()
    made = check("1d20+con", 15, 5, con="d6").data()
    assert [(one["push"], one["chance"], one["gain"]) for one in answer["amounts"]] == [
        (one.stamina, one.chance, one.gain) for one in made.pushes
    ]
    assert [one["leaves"] for one in answer["amounts"]] == [5, 4, 3, 2, 1, 0]
    assert (answer["con"], answer["dice"], answer["push_bonus"], answer["refusal"]) == ("d6", "1d20+con", 1, None)
    assert answer["number"] == rolled.number()
    assert rolled.get("/chances", character="#2", target=15, dice="2d12kh1").json()["dice"] == "2d12kh1"


def test_a_house_rules_push_bonus_is_in_force(new_table: Callable[..., Caller]) -> None:
    referee = new_table(characters=[{"name": "Ash", "con": "d12"}], ruleset=HOUSE)
    answer = referee.get("/chances", character="Ash", target=15, dice="1d20").json()
    assert answer["push_bonus"] == 2
    assert answer["amounts"][2]["exact"] == "1/2"


def test_without_dice_or_with_nobody_there_it_says_why(rolled: Caller, new_table: Callable[..., Caller]) -> None:
    answer = new_table(characters=[{"name": "Ash", "con": "d12"}]).get("/chances", character="Ash", target=15)
    assert (answer.status_code, answer.json()["rule"]) == (422, "not-now")
    assert rolled.get("/chances", character="Corvin", target=15).status_code == 404
    assert rolled.get("/chances", character="Ash", target=15, dice="1d").json()["field"] == "dice"


def test_dice_nobody_can_roll_are_refused_with_their_place(rolled: Caller) -> None:
    answer = rolled.company("set_check_dice", dice="1d20+cno")
    assert (answer.status_code, answer.json()["field"]) == (400, "dice")
    assert "column 6" in answer.json()["message"]
    assert rolled.get("").json()["check_dice"] == "1d20+con"


def test_what_is_ahead_begins_from_now(rolled: Caller) -> None:
    rolled.done("take_wound", character="Ash", wound="cracked ribs")
    rolled.done("adjust", character="Ash", by=-3, reason="a long day")
    table = Table().do(
        AddCharacter("Ash", "d12"), AddCharacter("Bryn", "d8", stamina=5), TakeWound("Ash", "cracked ribs"),
        Adjust("Ash", -3, "a long day"),
    )  # fmt: skip
    for habit in HABITS:
        answer = rolled.get("/ahead", sketch=SKETCH, habit=habit).json()
        made = what_is_ahead(table, sketch_from_text(SKETCH, "1d20+con"), usual=HABITS[habit])
        assert answer["forecast"] == plain(made.data())
        assert (answer["habit"], answer["number"]) == (habit, rolled.number())
    assert rolled.get("/ahead", sketch=answer["sketch"]).json()["sketch"] == answer["sketch"]


def test_a_sketch_that_cannot_be_read_names_the_place(rolled: Caller) -> None:
    assert rolled.get("/ahead", sketch="fight A rounds=99").json()["field"] == "steps[0].rounds"
    assert rolled.get("/ahead", sketch="dance").status_code == 400
    assert rolled.get("/ahead", sketch="rest short", habit="wildly").json()["field"] == "habit"
    assert rolled.get("/ahead", sketch="x" * 4001).json()["field"] == "sketch"


def test_nothing_of_a_hidden_enemy_gets_out(evening: Evening) -> None:
    evening.referee.company("set_check_dice", dice="1d20+con")
    assert evening.referee.get("/chances", character=HIDDEN, target=15).status_code == 200
    for caller in (evening.player, evening.other, evening.spectator):
        for character in (HIDDEN, evening.hidden):
            assert caller.get("/chances", character=character, target=15).status_code == 404
        for one in (caller.get("/chances", character="Ash", target=15), caller.get("/ahead", sketch=SKETCH)):
            assert one.status_code == 200
            assert not [secret for secret in SECRETS if secret in one.text]
        assert [one["name"] for one in caller.get("/ahead", sketch=SKETCH).json()["forecast"]["characters"]] == [
            "Ash", "Bryn", "Cato",
        ]  # fmt: skip


def test_the_days_of_the_documentation_are_taken(client: httpx.Client) -> None:
    from docs.pictures import PLAN, written

    for name in ("mill.toml", "mill-values.toml"):
        body = {"day": tomllib.loads(written(PLAN, name))}
        assert client.post("/api/advise", json=body).status_code == 200


MILL = 'fight "The Ogre of the mill" rounds=2 early=1 reactions=2'


def test_everyone_is_advised_by_the_sketch_that_the_referee_shows(rolled: Caller) -> None:
    no = rolled.get("/advice", character="Ash")
    assert (no.status_code, no.json()["message"]) == (422, "The Referee has not shown what is ahead.")
    rolled.do("add_character", name="Ogre", con="d10", side="enemy", hidden=True)
    assert rolled.company("share_sketch", sketch=MILL).status_code == 200
    mia = rolled.let_in("Mia", "Ash")
    found = mia.get("/advice", character="Ash", target=18).json()
    assert (found["character"], found["stamina"], len(found["worth"])) == ("Ash", 12, 13)
    assert found["told"].startswith("With what is ahead:")
    assert found["push"]["leaves"] == 12 - found["push"]["push"]
    assert "round 1" in mia.get("/advice", character="Ash").json()["told"]
    assert mia.get("/advice", character="Nobody").status_code == 404
    # A hidden enemy is named nowhere: not in the advice, the table or its history.
    for path in ("/advice?character=Ash", "", "/journal"):
        assert "ogre" not in mia.get(path).text.lower(), path
    assert "Ogre" in rolled.get("/advice", character="Ash").text
    rolled.company("share_sketch")
    assert mia.get("/advice", character="Ash").status_code == 422
    assert mia.get("/advice", character="Ash", sketch="rest short").json()["told"] is None


def test_only_a_sketch_that_can_be_read_is_shown(rolled: Caller) -> None:
    answer = rolled.company("share_sketch", sketch="tea at five")
    assert answer.status_code == 400
    assert rolled.get("").json()["sketch"] is None
