"""House rules compared on one day."""

from __future__ import annotations

import pytest

from tests.odds.forecasts.test_forecast import fight
from winded.errors import Malformed
from winded.odds.day.model import Day, DayCharacter, RestAhead, Sketch
from winded.odds.forecasts.comparison import compare
from winded.rules import PAGE, RestKind, ruleset_from

DAY = Day(
    (DayCharacter("Ash", "d8"), DayCharacter("Brakka", "d6")),
    Sketch((fight(2, calls=2), RestAhead(RestKind.SHORT)), title="Day"),
)
HOUSE = ruleset_from({"name": "House", "reactions": {"costs": [1], "further": 0}, "rest": {"short": 2}})


def test_what_changes_for_each_character() -> None:
    # Two rounds of two reactions: 1 + 2 each under the page, 1 + 1 each under the house; then 1 or 2 come back.
    ends = [(one.name, one.rules, one.left) for one in compare(DAY, (PAGE, HOUSE)).ends]
    assert ends == [("Ash", "The page", 3), ("Ash", "House", 6), ("Brakka", "The page", 1), ("Brakka", "House", 4)]


def test_what_changes_for_each_die() -> None:
    more = ruleset_from({"name": "More", "dice": {"d6": 7, "d20": 20}, "rest": {"unsafe_long": "1/2"}})
    dice = {
        (one.die, one.rules): one for one in compare(Day((DayCharacter("Ash", "d6"),), DAY.sketch), (PAGE, more)).dice
    }
    assert dice["d20", "The page"].maximum is None
    assert dice["d20", "More"].maximum == 20
    assert dice["d6", "The page"].rests == {"short": 1, "unsafe_long": 2, "safe_long": 4, "respite": 6}
    assert dice["d6", "More"].rests == {"short": 1, "unsafe_long": 3, "safe_long": 4, "respite": 7}


def test_a_die_that_a_ruleset_lacks_is_named() -> None:
    less = ruleset_from({"name": "Less", "dice": {"d6": 6}})
    with pytest.raises(Malformed) as no:
        compare(DAY, (PAGE, less))
    assert no.value.field == "characters[0].con"


@pytest.mark.parametrize("many", [0, 7])
def test_one_to_six_rulesets_are_compared(many: int) -> None:
    with pytest.raises(Malformed, match="1 to 6 rulesets"):
        compare(DAY, (PAGE,) * many)


def test_a_comparison_in_json_names_its_rules() -> None:
    assert compare(DAY, (PAGE, HOUSE)).data().rules == ("The page", "House")
