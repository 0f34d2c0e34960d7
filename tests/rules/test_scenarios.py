"""Every scenario holds in the library, undo and redo included."""

import msgspec
import pytest

from tests.scenarios import SCENARIOS, Answer, Scenario, ScenarioStep, differences
from winded import Malformed, Refused, command_from, ruleset_from_toml
from winded.journal import MemoryJournal
from winded.tables import Tables


def answer(tables: Tables, table: str, step: ScenarioStep) -> Answer:
    try:
        done = tables.do(table, command_from(step.command))
    except Refused as no:
        return Answer(tables.snapshot(table).table.state(), refusal=no.refusal())
    except Malformed as wrong:
        return Answer(tables.snapshot(table).table.state(), malformed=wrong.field)
    return Answer(done.snapshot.table.state(), msgspec.to_builtins(done.entry.events))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    with Tables(MemoryJournal()) as tables:
        table = tables.create(scenario.name, ruleset_from_toml(scenario.house or ""))
        for number, step in enumerate(scenario.steps, 1):
            assert differences(step, answer(tables, table, step)) == [], f"step {number}: {step.command}"


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ({}, Answer({}, refusal={"rule": "not-now"})),
        ({}, Answer({}, malformed="con")),
        ({"refused": "not-now"}, Answer({})),
        ({"refused": "reaction.cost", "needs": 2}, Answer({}, refusal={"rule": "reaction.cost", "needs": 3})),
        ({"malformed": "con"}, Answer({}, malformed="name")),
        ({"characters": {"Ash": {"stamina": 3}}}, Answer({"characters": {"Ash": {"stamina": 4}}})),
        ({"characters": {"Ash": {"stamina": 3}}}, Answer({"characters": {}})),
        ({"combat": None}, Answer({"combat": {"round": 1}})),
        ({"combat": {"round": 1}}, Answer({"combat": None})),
        ({"call": {"target": 9}}, Answer({})),
        ({"absent": ["call"]}, Answer({"call": None})),
        ({"absent": ["characters.Ash.aside"]}, Answer({"characters": {"Ash": {"aside": True}}})),
        ({"event": {"total": 9}}, Answer({}, [{"total": 8}])),
    ],
)
def test_a_difference_is_noticed(expect: dict[str, object], found: Answer) -> None:
    assert differences(ScenarioStep({}, expect), found) != []
