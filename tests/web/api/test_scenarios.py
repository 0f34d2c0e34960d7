"""Every scenario holds through the API of a real server."""

import tomllib
from collections.abc import Callable

import httpx
import pytest

from tests.scenarios import SCENARIOS, Answer, Scenario, ScenarioStep, differences
from tests.web.api.callers import Caller


def answer(referee: Caller, step: ScenarioStep) -> Answer:
    answered = referee.post("/commands", step.command)
    data = answered.json()
    state = referee.state()
    match answered.status_code:
        case 200:
            assert data["state"] == state
            return Answer(state, data["events"])
        case 422:
            return Answer(state, refusal={name: value for name, value in data.items() if name != "error"})
        case 400:
            return Answer(state, malformed=data["field"])
    raise AssertionError(f"{answered.status_code}: {answered.text}")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario, new_table: Callable[..., Caller]) -> None:
    house = {} if scenario.house is None else {"ruleset": tomllib.loads(scenario.house)}
    referee = new_table(name=scenario.name[:40], **house)
    for number, step in enumerate(scenario.steps, 1):
        assert differences(step, answer(referee, step)) == [], f"step {number}: {step.command}"


def test_a_check_says_beforehand_what_a_command_does(client: httpx.Client, new_table: Callable[..., Caller]) -> None:
    referee = new_table(characters=[{"name": "Ash", "con": "d10"}])
    command = {"do": "take_wound", "character": "Ash", "wound": "cracked ribs"}
    before = referee.state()
    would = referee.post("/check", command)
    assert would.status_code == 200
    assert referee.state() == before
    did = referee.post("/commands", command)
    assert did.json()["events"] == would.json()["events"]
    assert did.json()["state"] == would.json()["state"]
    assert did.json()["number"] == would.json()["number"] + 1
