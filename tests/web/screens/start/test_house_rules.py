"""House rules filled in: each setting has its field, and what a field says is what the table plays by."""

import msgspec
import pytest

from winded.errors import Malformed
from winded.rules import PAGE, ruleset_from, ruleset_to_data
from winded.web.screens.start.house_rules import SETTINGS, ruleset_filled_in, ways_to_spend

BY_THE_PAGE = {one.name: one.by_the_page for one in SETTINGS}
ALL = [word for word, _ in ways_to_spend()]


def paths(data: object, above: str = "") -> list[str]:
    if not isinstance(data, dict):
        return [above]
    return [found for name, one in data.items() for found in paths(one, f"{above}.{name}" if above else name)]


def test_every_setting_of_the_rules_has_a_field() -> None:
    asked = {one.path for one in SETTINGS} | {"name", "spends"}
    assert asked == {*paths(msgspec.to_builtins(PAGE))}


def test_the_fields_as_they_come_are_the_page() -> None:
    assert ruleset_filled_in(BY_THE_PAGE, ALL) == PAGE
    assert ruleset_filled_in({}, None) == PAGE
    # A name alone makes no house rules.
    assert ruleset_filled_in({"rules.name": "Grim hills"}, ALL) == PAGE


@pytest.mark.parametrize(
    ("path", "text", "data"),
    [
        ("early.cost", "2", {"early": {"cost": 2}}),
        ("early.limit", "3", {"early": {"limit": 3}}),
        ("reactions.costs", "1, 1,2", {"reactions": {"costs": [1, 1, 2]}}),
        ("reactions.further", "0", {"reactions": {"further": 0}}),
        ("reactions.resets", "round", {"reactions": {"resets": "round"}}),
        ("push.bonus", "2", {"push": {"bonus": 2}}),
        ("rest.short", "1/4", {"rest": {"short": "1/4"}}),
        ("rest.respite", "5", {"rest": {"respite": 5}}),
        ("rest.rounding", "up", {"rest": {"rounding": "up"}}),
        ("rest.minimum", "0", {"rest": {"minimum": 0}}),
        ("dice.d12", "14", {"dice": {**PAGE.dice, "d12": 14}}),
        ("below_lowest", "zero", {"below_lowest": "zero"}),
        ("own_order", "yes", {"own_order": True}),
        ("enemies", "together", {"enemies": "together"}),
    ],
)
def test_a_field_says_what_a_file_would(path: str, text: str, data: dict[str, object]) -> None:
    filled = ruleset_filled_in({**BY_THE_PAGE, f"rules.{path}": f" {text} "}, ALL)
    assert filled == ruleset_from(data)
    assert filled != PAGE
    assert filled.name == "House rules"
    named = ruleset_filled_in({f"rules.{path}": text, "rules.name": "Grim hills"}, ALL)
    assert ruleset_to_data(named) == {**ruleset_to_data(filled), "name": "Grim hills"}


def test_a_way_to_spend_that_is_not_ticked_is_left_out() -> None:
    assert ruleset_filled_in({}, [word for word in ALL if word != "channel"]).leaves_out("channel")


@pytest.mark.parametrize(
    ("path", "text"),
    [("early.cost", "much"), ("early.cost", "-1"), ("rest.short", "4/3"), ("dice.d6", "0"), ("own_order", "maybe")],
)
def test_what_may_not_stand_in_a_field_is_named_by_its_path(path: str, text: str) -> None:
    with pytest.raises(Malformed) as wrong:
        ruleset_filled_in({f"rules.{path}": text}, ALL)
    assert wrong.value.field == path


def test_one_of_several_costs_that_is_none_is_named_by_its_place() -> None:
    with pytest.raises(Malformed) as wrong:
        ruleset_filled_in({"rules.reactions.costs": "1, x"}, ALL)
    assert wrong.value.field == "reactions.costs[1]"
