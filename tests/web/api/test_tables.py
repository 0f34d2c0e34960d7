"""Tables over HTTP: begun, seen, renamed, deleted, carried out and in, and the rules that are in force at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.web.api.callers import Caller, Evening
from winded.rules import RULES
from winded.service import table_file
from winded.service.sample import SAMPLE, SAMPLE_NAME

NewTable = Callable[..., Caller]


def test_a_table_begins_with_its_characters_and_a_referees_token(client: httpx.Client) -> None:
    wolf = {"name": "Wolf", "side": "enemy"}
    made = client.post("/api/tables", json={"name": "The Gate", "characters": [{"name": "Ash", "con": "d8"}, wolf]})
    assert made.status_code == 201
    data = made.json()
    assert (data["name"], data["role"]) == ("The Gate", "referee")
    assert data["links"] == {
        "api": f"/api/tables/{data['id']}",
        "page": f"/tables/{data['id']}",
        "link": f"/l/{data['token']}",
    }
    seen = Caller(client, data["id"], data["token"], "Referee").get().json()
    assert list(seen["state"]["characters"]) == ["Ash", "Wolf"]
    assert (seen["role"], seen["preset"], seen["number"]) == ("referee", "trust", 3)


def test_the_sample_table_is_the_sample_table(client: httpx.Client) -> None:
    made = client.post("/api/tables", json={"sample": True}).json()
    assert made["name"] == SAMPLE_NAME
    seen = Caller(client, made["id"], made["token"], "Referee").get().json()
    assert list(seen["state"]["characters"]) == [one.name for one in SAMPLE if hasattr(one, "side")]
    named = client.post(
        "/api/tables", json={"sample": True, "name": "Tuesday", "characters": [{"name": "Dov", "con": "d6"}]}
    )
    assert named.json()["name"] == "Tuesday"


def test_a_table_may_have_house_rules_and_says_so(client: httpx.Client, new_table: NewTable) -> None:
    ruleset = client.get("/api/rules").json()["ruleset"]
    ruleset["reactions"]["costs"] = [2]
    ruleset["spends"].remove("channel")
    referee = new_table(ruleset=ruleset, characters=[{"name": "Ash", "con": "d8"}])
    referee.done("start_combat")
    assert referee.done("react", character="Ash")["events"][0]["cost"] == 2
    assert referee.do("channel", character="Ash", stamina=1).json()["rule"] == "not-allowed"
    told = referee.get("/rules").json()
    assert told["name"] == "House rules"
    changed = {rule["id"]: rule for rule in told["rules"] if rule["house_rule"]}
    assert changed["reaction.cost"]["page"] == next(
        rule["rule"] for rule in client.get("/api/rules").json()["rules"] if rule["id"] == "reaction.cost"
    )
    assert changed["channel.needs-stamina"]["in_force"] is False
    assert told["ruleset"]["reactions"] == ruleset["reactions"]


def test_the_rules_of_the_page_are_all_told(client: httpx.Client) -> None:
    told = client.get("/api/rules").json()["rules"]
    assert [rule["id"] for rule in told] == [rule.id for rule in RULES]
    assert all(rule["in_force"] and rule["rule"] and not rule["house_rule"] for rule in told)
    assert {rule["id"] for rule in told if rule["ruling"]} == {one.id for one in RULES if one.is_ruling}


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({}, "name"),
        ({"sample": False}, "name"),
        ({"name": ""}, "name"),
        ({"name": 1}, "name"),
        ({"name": "X", "token": "mine"}, "token"),
        ({"name": "X", "sample": 1}, "sample"),
        ({"name": "X", "characters": {}}, "characters"),
        ({"name": "X", "characters": [1]}, "characters[0]"),
        ({"name": "X", "characters": [{}]}, "characters[0].name"),
        ({"name": "X", "characters": [{"name": "Ash"}]}, "characters[0].con"),
        ({"name": "X", "characters": [{"name": "Ash", "con": "d8", "do": "add_character"}]}, "characters[0].do"),
        ({"name": "X", "characters": [{"name": "Ash", "con": "d7"}]}, "characters[0].con"),
        ({"name": "X", "characters": [{"name": "Ash", "con": "d8"}] * 141}, "characters"),
        ({"name": "X", "ruleset": 1}, "ruleset"),
        ({"name": "X", "ruleset": {"early": {"cost": -1}}}, "ruleset.early.cost"),
        ({"name": "X", "ruleset": {"magic": True}}, "ruleset.magic"),
        ({"name": "X", "ruleset": {"early": {"limit": None}}}, "ruleset.early.limit"),
    ],
)
def test_a_wrong_table_is_malformed_and_names_the_field(client: httpx.Client, wanted: Any, field: str) -> None:
    answer = client.post("/api/tables", json=wanted)
    assert (answer.status_code, answer.json()["error"], answer.json()["field"]) == (400, "malformed", field)


def test_a_table_whose_characters_are_refused_does_not_begin(client: httpx.Client) -> None:
    twice = [{"name": "Ash", "con": "d8"}, {"name": "ash", "con": "d8"}]
    answer = client.post("/api/tables", json={"name": "X", "characters": twice})
    assert (answer.status_code, answer.json()["rule"]) == (422, "duplicate")
    crowd = [{"name": f"Hero {n}", "con": "d8"} for n in range(41)]
    full = client.post("/api/tables", json={"name": "X", "characters": crowd})
    assert (full.status_code, full.json()["message"]) == (
        429,
        "A table can have 40 player characters, and this one is full.",
    )


def test_a_table_is_renamed_and_deleted_for_good(client: httpx.Client, evening: Evening) -> None:
    referee = evening.referee
    renamed = referee.send("PATCH", "", {"name": "The Bridge"})
    assert renamed.status_code == 200
    assert evening.player.get().json()["name"] == renamed.json()["name"] == "The Bridge"
    assert referee.send("PATCH", "", {"name": ""}).status_code == 400
    gone = referee.send("DELETE")
    assert (gone.status_code, gone.content) == (204, b"")
    for caller in evening.all:
        assert caller.get().status_code == 401


def test_an_exported_table_comes_back_identical_under_new_links(client: httpx.Client, evening: Evening) -> None:
    evening.fight()
    referee = evening.referee
    file = referee.get("/export")
    assert file.status_code == 200
    assert "attachment" in file.headers["content-disposition"]
    for caller in evening.all:
        assert caller.token not in file.text
    state, history = referee.state(), referee.get("/journal", limit=500).json()["entries"]
    headers = {"Content-Type": "application/json"}
    assert client.post("/api/import", content=file.content, headers=headers).status_code == 409

    copy = client.post("/api/import?here=copy", content=file.content, headers=headers)
    assert copy.status_code == 201, copy.text
    assert copy.json()["id"] != referee.table
    assert copy.json()["name"] == f"Copy of {file.json()['name']}"
    link = next(one for one in copy.json()["links"] if one["role"] == "referee")
    copied = Caller(client, copy.json()["id"], link["token"], "Referee")
    assert copied.state() == state
    assert [one["told"] for one in copied.get("/journal", limit=500).json()["entries"]] == [
        one["told"] for one in history
    ]

    referee.done("end_combat")
    assert client.post("/api/import?here=replace", content=file.content, headers=headers).status_code == 401
    for caller, status in ((evening.player, 403), (copied, 401), (referee, 201)):
        answer = client.post("/api/import?here=replace", content=file.content, headers=headers | caller.headers)
        assert answer.status_code == status, caller
    assert referee.state() == state

    referee.send("DELETE")
    back = client.post("/api/import", content=file.content, headers=headers)
    assert back.status_code == 201
    assert back.json()["id"] == referee.table
    assert {one["role"] for one in back.json()["links"]} == {"referee", "player", "spectator"}


def test_a_wrong_file_names_the_place(client: httpx.Client, evening: Evening) -> None:
    file = evening.referee.get("/export").json()
    file["entries"][0]["number"] = 7
    answer = client.post("/api/import?here=copy", json=file)
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
    assert answer.json()["field"].startswith("entries")
    newer = client.post("/api/import?here=copy", json=file | {"format": 99})
    assert (newer.status_code, newer.json()["error"]) == (409, "stale")
    assert client.post("/api/import?here=there", json=file).json()["field"] == "here"
    assert table_file.FORMAT == 1


def test_the_history_comes_in_pages_with_sentences_and_rules(evening: Evening) -> None:
    evening.fight()
    whole = evening.referee.get("/journal", limit=500).json()
    assert whole["next"] is None
    assert [entry["number"] for entry in whole["entries"]] == list(range(1, whole["number"] + 1))
    after, entries = 0, []
    while after is not None:
        page = evening.referee.get("/journal", after=after, limit=7).json()
        assert len(page["entries"]) <= 7
        entries += page["entries"]
        after = page["next"]
    assert entries == whole["entries"]
    react = next(one for one in entries if one["command"] == {"do": "react", "character": "Ash"})
    assert react["told"][0] == {
        "sentence": "Ash reacts: 1 Stamina, 8 left.",
        "rule": "reaction.cost",
    }
    assert (react["name"], react["who"]) == ("Pip", evening.player.member)
    assert react["at"].endswith("Z")
    assert evening.referee.get("/journal", after=whole["number"]).json()["entries"] == []
    assert evening.referee.get("/journal", after=10**9).json()["entries"] == []


def test_options_tell_cost_what_is_left_and_what_comes_next(evening: Evening) -> None:
    evening.referee.done("start_combat")
    evening.referee.done("begin_turns")
    offered = evening.player.get("/options", character="Ash").json()
    react = next(one for one in offered["options"] if one["command"]["do"] == "react")
    assert (react["cost"], react["leaves"], react["next_cost"], react["freedom"]) == (1, 9, 2, "free")
    push = next(one for one in offered["options"] if one["amount"] == "push")
    assert push["most"] == 10
    early = next(one for one in offered["options"] if one["command"]["do"] == "act_early")
    assert early["refusal"]["rule"] == "early.cost"
    rests = evening.referee.get("/options").json()["rests"]
    assert [one["refusal"]["rule"] for one in rests] == ["ruling.rest-in-combat"] * 4
    own = evening.player.get("/options").json()["rests"]
    assert own[0]["command"] == {"do": "rest", "kind": "short", "characters": ["Ash"], "at": {"rests": 0}}
    assert [one["freedom"] for one in own] == ["ask"] * 4
    assert [one["character"] for one in own[1]["recoveries"]] == ["Ash"]


def test_what_is_offered_says_which_moment_it_is_meant_for(evening: Evening) -> None:
    referee, player = evening.referee, evening.player
    referee.done("start_combat")
    referee.done("begin_turns")
    combat = {one["command"]["do"]: one["command"] for one in referee.get("/options").json()["combat"]}
    assert combat["next_turn"] == {
        "do": "next_turn",
        "at": {"combats": 1, "round": 1, "phase": "turns", "turn": None},
    }
    assert combat["end_combat"] == {"do": "end_combat", "at": {"combats": 1}}
    offered = player.get("/options", character="Ash").json()["options"]
    assert {"do": "react", "character": "Ash", "at": {"combats": 1}} in [one["command"] for one in offered]
    # Two who were shown the same each send it: it happens once.
    assert referee.post("/commands", combat["next_turn"]).status_code == 200
    late = referee.post("/commands", combat["next_turn"])
    assert (late.status_code, late.json()["rule"]) == (422, "not-now")
    assert referee.post("/commands", combat["end_combat"]).status_code == 200
    rest = referee.get("/options").json()["rests"][0]["command"]
    assert referee.post("/commands", rest).status_code == 200
    again = referee.post("/commands", rest)
    assert (again.status_code, again.json()["rule"]) == (422, "not-now")


def test_reads_say_after_which_entry_they_hold(evening: Evening) -> None:
    number = evening.referee.get("/journal").json()["number"]
    assert evening.player.number() == number
    assert evening.player.get("/options").json()["number"] == number
    assert int(evening.player.get().headers["winded-number"]) == number
