"""Commands over HTTP: once however often they are sent, on the state they were meant for, asked for and answered."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

import httpx
import pytest

from tests.web.api.callers import Caller, Evening

NewTable = Callable[..., Caller]
ASH = {"name": "Ash", "con": "d12"}
REACT = {"do": "channel", "character": "Ash", "stamina": 1}


def key() -> str:
    return token_hex(8)


def stamina(caller: Caller, name: str = "Ash") -> int:
    found: int = caller.state()["characters"][name]["stamina"]
    return found


def test_an_accepted_command_answers_with_its_number_its_events_and_the_state(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    before = referee.number()
    answer = referee.post("/commands", REACT)
    assert answer.status_code == 200
    assert answer.json() == {
        "number": before + 1,
        "revision": referee.revision(),
        "accepted": True,
        "events": [{"event": "channelled", "character": "Ash", "cost": 1, "leaves": 11}],
        "state": referee.state(),
    }


def test_a_refused_command_answers_with_the_rule_and_the_figures(new_table: NewTable) -> None:
    referee = new_table(characters=[{**ASH, "stamina": 2}])
    answer = referee.do("channel", character="Ash", stamina=3)
    assert answer.status_code == 422
    assert answer.json() == {
        "error": "refused",
        "rule": "channel.needs-stamina",
        "message": "Ash has 2 Stamina; this costs 3.",
        "needs": 3,
        "has": 2,
    }
    assert stamina(referee) == 2


def test_a_command_sent_twice_with_one_key_happens_once_and_answers_alike(new_table: NewTable) -> None:
    referee, once = new_table(characters=[ASH]), key()
    first = referee.post("/commands", REACT, Idempotency_Key=once)
    again = referee.post("/commands", REACT, Idempotency_Key=once)
    assert first.json() == again.json()
    assert stamina(referee) == 11
    other = referee.post("/commands", REACT, Idempotency_Key=key())
    assert other.json()["number"] == first.json()["number"] + 1


def test_a_refusal_is_answered_alike_under_one_key_even_once_it_would_be_accepted(new_table: NewTable) -> None:
    referee, once = new_table(characters=[{**ASH, "stamina": 0}]), key()
    first = referee.post("/commands", REACT, Idempotency_Key=once)
    assert first.status_code == 422
    referee.done("adjust", character="Ash", by=5, reason="the table agrees")
    assert referee.post("/commands", REACT, Idempotency_Key=once).json() == first.json()
    assert stamina(referee) == 5


def test_sixteen_copies_of_one_command_at_once_happen_once(new_table: NewTable) -> None:
    referee, once = new_table(characters=[ASH]), key()
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: referee.post("/commands", REACT, Idempotency_Key=once), range(16)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["number"] for answer in answers}) == 1
    assert stamina(referee) == 11


def test_simultaneous_commands_each_get_their_own_answer(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: referee.post("/commands", REACT, Idempotency_Key=key()), range(20)))
    done = [answer for answer in answers if answer.status_code == 200]
    assert len(done) == 12
    assert {answer.json()["error"] for answer in answers if answer.status_code == 422} == {"refused"}
    assert len({answer.json()["number"] for answer in done}) == 12
    assert sorted(answer.json()["events"][0]["leaves"] for answer in done) == list(range(12))


def test_a_key_used_for_another_command_or_by_someone_else_is_malformed(evening: Evening) -> None:
    once = key()
    command = {"do": "channel", "character": "Ash", "stamina": 1}
    assert evening.player.post("/commands", command, Idempotency_Key=once).status_code == 200
    other = evening.player.post("/commands", {**command, "stamina": 2}, Idempotency_Key=once)
    assert (other.status_code, other.json()["field"]) == (400, "Idempotency-Key")
    else_one = evening.referee.post("/commands", command, Idempotency_Key=once)
    assert (else_one.status_code, else_one.json()["error"]) == (400, "malformed")
    assert stamina(evening.referee) == 9


@pytest.mark.parametrize("bad", ["short", "x" * 101, "with space"])
def test_a_key_has_8_to_100_visible_characters(new_table: NewTable, bad: str) -> None:
    referee = new_table(characters=[ASH])
    answer = referee.post("/commands", REACT, Idempotency_Key=bad)
    assert (answer.status_code, answer.json()["field"]) == (400, "Idempotency-Key")
    assert stamina(referee) == 12


@pytest.mark.parametrize("written", ["{}", '"{}"'])
def test_with_if_match_a_command_is_done_on_the_newest_entry_only(new_table: NewTable, written: str) -> None:
    referee = new_table(characters=[ASH])
    number = referee.number()
    stale = referee.post("/commands", REACT, If_Match=written.format(number - 1))
    assert (stale.status_code, stale.json()["error"]) == (409, "stale")
    assert stamina(referee) == 12
    assert referee.post("/check", REACT, If_Match=written.format(number - 1)).status_code == 409
    assert referee.post("/check", REACT, If_Match=written.format(number)).status_code == 200
    assert referee.post("/commands", REACT, If_Match=written.format(number)).status_code == 200
    assert referee.post("/commands", REACT, If_Match=written.format(number)).status_code == 409


def test_if_match_takes_the_etag_of_what_was_seen(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    tag = referee.get("/state").headers["etag"]
    assert tag == f'"{referee.revision()}"' == referee.get().headers["etag"]
    other = f'"{referee.number()}-00000000"'
    assert referee.post("/commands", REACT, If_Match=other).status_code == 409
    done = referee.post("/commands", REACT, If_Match=tag)
    assert done.status_code == 200
    assert referee.get("/state").headers["etag"] == f'"{done.json()["revision"]}"'
    assert referee.post("/commands", REACT, If_Match=tag).status_code == 409


@pytest.mark.parametrize("bad", ["*", '"abc"', "-1", '1, "2"', "1" * 16, '"1', "1-", "1-xyz", 'W/"1"'])
def test_if_match_is_one_revision_or_number(new_table: NewTable, bad: str) -> None:
    answer = new_table(characters=[ASH]).post("/commands", REACT, If_Match=bad)
    assert (answer.status_code, answer.json()["field"]) == (400, "If-Match")


def test_of_two_who_expect_the_same_newest_entry_one_is_stale(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    number = str(referee.number())
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: referee.post("/commands", REACT, If_Match=number).status_code, range(8)))
    assert sorted(answers) == [200] + [409] * 7
    assert stamina(referee) == 11


def test_nobody_pays_more_than_was_shown(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    referee.done("start_combat")
    referee.done("react", character="Ash", cost=1)
    answer = referee.do("react", character="Ash", cost=1)
    assert (answer.status_code, answer.json()["rule"]) == (422, "cost-changed")


def test_undo_and_redo_are_commands_like_any_other(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    shown = referee.get().json()["undo"]
    assert shown["told"] == [{"sentence": "Ash joins with CON d12: 12 of 12 Stamina.", "rule": "max.die"}]
    referee.post("/commands", REACT)
    undone = referee.post("/check", {"do": "undo"}).json()
    assert undone["state"]["characters"]["Ash"]["stamina"] == 12
    assert stamina(referee) == 11
    number = referee.done("undo")["number"]
    assert stamina(referee) == 12
    assert referee.get().json()["redo"] == [number - 1]
    assert referee.post("/check", {"do": "redo"}).json()["state"]["characters"]["Ash"]["stamina"] == 11
    referee.done("redo")
    assert stamina(referee) == 11
    history = referee.get("/journal").json()["entries"]
    assert [entry["counts"] for entry in history][-3:] == [True, True, True]
    referee.done("undo", through=number - 1)
    assert [entry["counts"] for entry in referee.get("/journal").json()["entries"]][-4] is False


# -- asking


def test_what_needs_the_nod_is_asked_for_and_done_on_acceptance(evening: Evening) -> None:
    wound = {"do": "take_wound", "character": "Ash", "wound": "cracked ribs"}
    asked = evening.player.post("/commands", wound)
    assert asked.status_code == 202
    assert asked.json()["asked"] is True
    assert evening.player.state()["characters"]["Ash"]["con"] == "d10"
    (seen,) = evening.referee.get().json()["asks"]
    assert seen["number"] == asked.json()["number"]
    assert (seen["name"], seen["command"], seen["cost"]) == ("Pip", wound, 0)
    assert [one["number"] for one in evening.player.get().json()["asks"]] == [seen["number"]]
    assert evening.other.get().json()["asks"] == evening.spectator.get().json()["asks"] == []
    accepted = evening.referee.company("accept", ask=seen["number"])
    assert accepted.status_code == 200
    assert accepted.json()["state"]["characters"]["Ash"]["con"] == "d8"
    (answer,) = evening.player.get().json()["answers"]
    assert (answer["accepted"], answer["refusal"]) == (True, None)
    assert evening.referee.company("accept", ask=seen["number"]).status_code == 422


def test_an_ask_is_declined_with_a_word_why_or_taken_back(evening: Evening) -> None:
    ask = {"do": "rest", "kind": "short", "characters": ["Ash"]}
    first, second = (evening.player.post("/commands", ask).json()["number"] for _ in range(2))
    assert evening.referee.company("decline", ask=first, reason="not here").status_code == 200
    assert evening.player.get().json()["answers"][0]["reason"] == "not here"
    assert evening.other.company("take_back_ask", ask=second).status_code == 403
    assert evening.player.company("take_back_ask", ask=second).status_code == 200
    assert evening.referee.get().json()["asks"] == []


def test_an_accepted_ask_that_the_rules_refuse_by_then_says_so_to_both(evening: Evening) -> None:
    permissions = {"channel_casting": "ask"}
    assert evening.referee.company("set_permissions", permissions=permissions).status_code == 200
    number = evening.player.do("channel", character="Ash", stamina=9).json()["number"]
    evening.referee.done("adjust", character="Ash", by=-5, reason="the table agrees")
    assert evening.referee.company("accept", ask=number).status_code == 200
    refusal = "Ash has 5 Stamina; this costs 9."
    assert evening.player.get().json()["answers"][0]["refusal"] == refusal
    assert refusal in evening.referee.get("/journal").text
    assert stamina(evening.referee) == 5


def test_a_player_takes_back_only_the_tables_last_act_and_only_an_own_one(evening: Evening) -> None:
    evening.player.done("channel", character="Ash", stamina=1)
    assert evening.player.get().json()["undo"]["allowed"] is True
    assert evening.other.get().json()["undo"]["allowed"] is False
    assert evening.other.do("undo").status_code == 403
    evening.player.done("undo")
    assert stamina(evening.referee) == 10
    evening.player.done("channel", character="Ash", stamina=1)
    evening.other.done("channel", character="Bryn", stamina=1)
    assert evening.player.do("undo").status_code == 403


def test_claims_are_made_shared_and_released(evening: Evening) -> None:
    cato = evening.referee.state()["characters"]["Cato"]["id"]
    assert evening.player.company("claim", character="cato").status_code == 200
    assert evening.other.company("claim", character=cato).status_code == 200
    assert evening.spectator.get().json()["claims"][cato] == [evening.player.member, evening.other.member]
    evening.other.done("channel", character="Cato", stamina=1)
    released = evening.referee.company("release", character="Cato", member=evening.other.member)
    assert released.status_code == 200
    assert evening.other.do("channel", character="Cato", stamina=1).status_code == 403
    assert evening.player.company("release", character="Cato").status_code == 200
    assert cato not in evening.spectator.get().json()["claims"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"do": "claim"}, "character"),
        ({"do": "claim", "character": 1}, "character"),
        ({"do": "claim", "character": "Ash", "member": ""}, "member"),
        ({"do": "claim", "character": "Ash", "more": 1}, "more"),
        ({"do": "accept", "ask": "1"}, "ask"),
        ({"do": "accept", "ask": 0}, "ask"),
        ({"do": "set_permissions", "permissions": {"wounds": "maybe"}}, "permissions.wounds"),
        ({"do": "set_permissions", "permissions": {"magic": "free"}}, "permissions.magic"),
        ({"do": "set_permissions"}, "permissions"),
        ({"do": "set_check_dice", "dice": 20}, "dice"),
        ({"do": "join", "member": "x", "name": "X", "role": "referee"}, "do"),
        ({"do": "leave", "member": "x"}, "do"),
        ({"do": "react", "character": "Ash"}, "do"),
        ({"do": None}, "do"),
        ({}, "do"),
        ([], ""),
        (None, ""),
    ],
)
def test_what_is_no_command_to_the_company_names_the_field(evening: Evening, body: Any, field: str) -> None:
    answer = evening.referee.post("/company", body)
    if body is None:
        # httpx sends no body at all for None.
        assert answer.status_code == 415
        return
    assert (answer.status_code, answer.json()["error"], answer.json()["field"]) == (400, "malformed", field)


def test_everyone_may_act_in_one_script_and_ends_with_the_same_state(client: httpx.Client, evening: Evening) -> None:
    evening.fight()
    states = [caller.state() for caller in evening.all[1:]]
    assert states[0] == states[1] == states[2]
    assert states[0] == evening.player.get().json()["state"]
    hidden = set(evening.referee.state()["characters"]) - set(states[0]["characters"])
    assert len(hidden) == 1
