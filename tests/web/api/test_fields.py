"""What is malformed is named by its whole path as it was sent, in one grammar, wherever in a request it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.web.api.callers import Caller
from winded.errors import Malformed
from winded.web.api.requests import within

NewTable = Callable[..., Caller]
ASH = {"name": "Ash", "con": "d12"}
DAY = {"characters": [ASH], "steps": [{"rest": "short"}]}

BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("/api/tables", {"name": "x" * 41}, "name"),
    ("/api/tables", {"name": "G", "characters": {"a": 1}}, "characters"),
    ("/api/tables", {"name": "G", "characters": [ASH, 7]}, "characters[1]"),
    ("/api/tables", {"name": "G", "characters": [ASH, {"name": "Bryn", "con": 7}]}, "characters[1].con"),
    ("/api/tables", {"name": "G", "characters": [ASH, {"name": "Bryn", "con": "d13"}]}, "characters[1].con"),
    ("/api/tables", {"sample": True, "characters": [{"name": "Zed", "con": "d13"}]}, "characters[0].con"),
    ("/api/tables", {"name": "G", "characters": [{**ASH, "colour": "red"}]}, "characters[0].colour"),
    ("/api/tables", {"name": "G", "ruleset": {"early": {"cost": "x"}}}, "ruleset.early.cost"),
    ("/api/tables", {"name": "G", "ruleset": {"dice": {"d6": 6, "d8": 4}}}, "ruleset.dice.d8"),
    ("{table}/commands", {"do": "dance"}, "do"),
    ("{table}/commands", {"do": "reorder", "order": ["Ash", 7], "reason": "an ambush"}, "order[1]"),
    ("{table}/commands", {"do": "rest", "kind": "short", "characters": ["Ash", ""]}, "characters[1]"),
    ("{table}/commands", {"do": "next_turn", "at": {"round": "x"}}, "at.round"),
    (
        "{table}/commands",
        {"do": "resolve_check", "character": "Ash", "roll": 1, "at": {"check": {"push": "x"}}},
        "at.check.push",
    ),
    ("{table}/check", {"do": "rest", "kind": "long"}, "kind"),
    ("{table}/company", {"do": "set_permissions", "permissions": {"wounds": "maybe"}}, "permissions.wounds"),
    ("{table}/links", {"role": "boss"}, "role"),
    ("/api/join", {"name": "Pip", "invitation": 7}, "invitation"),
    ("/api/forecast", {"day": 7}, "day"),
    ("/api/forecast", {"day": {**DAY, "characters": []}}, "day.characters"),
    ("/api/forecast", {"day": {**DAY, "steps": [{"fight": "x", "rounds": 99}]}}, "day.steps[0].rounds"),
    ("/api/forecast", {"day": {**DAY, "characters": [ASH, {"name": "B", "con": 7}]}}, "day.characters[1].con"),
    ("/api/forecast", {"day": {**DAY, "characters": [ASH, {"name": "B", "con": "d99"}]}}, "day.characters[1].con"),
    ("/api/advise", {"day": {**DAY, "characters": [ASH, {"name": "B", "con": "d99"}]}}, "day.characters[1].con"),
    ("/api/forecast", {"day": DAY, "ruleset": {"early": {"cost": "x"}}}, "ruleset.early.cost"),
    ("/api/compare", {"day": DAY, "rulesets": [{}, {"early": {"cost": "x"}}]}, "rulesets[1].early.cost"),
    ("/api/compare", {"day": DAY, "rulesets": [{}, 7]}, "rulesets[1]"),
    ("/api/compare", {"day": {**DAY, "steps": [{"fight": "x", "rounds": 0}]}, "rulesets": [{}]}, "day.steps[0].rounds"),
]


@pytest.mark.parametrize(("address", "body", "field"), BODIES)
def test_the_field_is_the_whole_path_and_the_sentence_names_it_too(
    client: httpx.Client, new_table: NewTable, address: str, body: dict[str, Any], field: str
) -> None:
    referee = new_table(characters=[ASH])
    answer = client.post(address.format(table=referee.base), json=body, headers=referee.headers)
    said = answer.json()
    assert (answer.status_code, said["field"]) == (400, field), answer.text
    if "“" in said["message"]:
        assert f"“{field}”" in said["message"]


@pytest.mark.parametrize(
    ("header", "method", "path"),
    [("If-Match", "POST", "/commands"), ("Idempotency-Key", "POST", "/commands"), ("Last-Event-ID", "GET", "/live")],
)
def test_what_is_wrong_with_a_header_is_told_by_its_name(
    new_table: NewTable, header: str, method: str, path: str
) -> None:
    referee = new_table()
    body = None if method == "GET" else {"do": "start_combat"}
    answer = referee.client.request(
        method, referee.base + path, json=body, headers=referee.headers | {header: "no good"}
    )
    assert (answer.status_code, answer.json()["field"]) == (400, header)


def test_a_path_goes_on_from_the_place_it_stands_in() -> None:
    for inside, whole in (("con", "day.con"), ("characters[1].con", "day.characters[1].con"), ("", "day")):
        with pytest.raises(Malformed) as told, within("day"):
            raise Malformed(inside, "“{field}” is wrong.", field=inside)
        assert (told.value.field, str(told.value)) == (whole, f"“{whole}” is wrong.")
