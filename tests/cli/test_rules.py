"""`winded rules`: the rules in force, with ids and marks."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Winded
from winded.rules import RULES

HOUSE = """
name = "Grim hills"
spends = ["react", "push"]

[reactions]
costs = [1, 1, 2]

[rest]
short = 2
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def lines_of(printed: str) -> dict[str, str]:
    """What is printed of each rule, by its id."""
    return {line.split()[0]: line for line in printed.splitlines() if re.match(r"[a-z]+\.[a-z-]+ ", line)}


def test_every_rule_is_told_in_one_line_with_its_id(winded: Winded) -> None:
    ran = winded("rules")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert list(lines_of(ran.stdout)) == [rule.id for rule in RULES]
    assert ran.stdout.startswith("The rules in force: The page\n")
    assert "Reactions cost 1, 2, 3 Stamina in turn" in lines_of(ran.stdout)["reaction.cost"]
    assert not re.search(r"[ \x1b]\n|\x1b", ran.stdout), "no colours, no white space at the end"


def test_rulings_are_marked_and_nothing_else_is_by_the_page_alone(winded: Winded) -> None:
    for rule, line in lines_of(winded("rules").stdout).items():
        assert (" ruling " in line) == rule.startswith("ruling.")
        assert "house rule" not in line


def test_house_rules_are_marked_and_the_page_is_told_beside_them(winded: Winded, house: Path) -> None:
    ran = winded("rules", "--rules", house)
    assert ran.stdout.startswith("The rules in force: Grim hills\n")
    lines = lines_of(ran.stdout)
    assert {rule for rule, line in lines.items() if " house rule " in line} == {
        "early.before",
        "early.cost",
        "ruling.no-refund",
        "reaction.cost",
        "hardship.spend",
        "ability.spend",
        "channel.needs-stamina",
        "rest.short",
    }
    assert lines["rest.short"].endswith(
        "Short Rest: 2 Stamina comes back. (The page: Short Rest: 1 Stamina comes back.)"
    )
    assert "The house rules leave this out." in lines["early.cost"]


def test_a_ruling_that_a_house_changes_carries_both_marks(winded: Winded, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('below_lowest = "refuse"\n', encoding="utf-8")
    lines = lines_of(winded("rules", "--rules", "house.toml").stdout)
    assert "  ruling, house rule  " in lines["ruling.below-lowest"]


def test_rules_as_json_say_what_each_depends_on(winded: Winded, house: Path) -> None:
    data = json.loads(winded("rules", "--json", "--rules", house).stdout)
    assert data["name"] == "Grim hills"
    assert data["ruleset"]["rest"]["short"] == tomllib.loads(HOUSE)["rest"]["short"]
    rules = {rule["id"]: rule for rule in data["rules"]}
    assert list(rules) == [rule.id for rule in RULES]
    assert rules["rest.short"] == {
        "id": "rest.short",
        "in_force": True,
        "ruling": False,
        "house_rule": True,
        "rule": "Short Rest: 2 Stamina comes back.",
        "settings": {"rest.short": 2},
        "page": "Short Rest: 1 Stamina comes back.",
    }
    assert rules["early.cost"]["in_force"] is False
    assert rules["ruling.by-hand"]["ruling"] is True
    assert "page" not in rules["ruling.by-hand"]


def test_the_schema_takes_what_winded_takes_and_nothing_else(winded: Winded) -> None:
    from jsonschema_rs import validator_for

    validator = validator_for(json.loads(winded("rules", "--schema").stdout))
    assert validator.is_valid(tomllib.loads(HOUSE))
    assert validator.is_valid({})
    assert not validator.is_valid({"rest": {"short": 200}})
    assert not validator.is_valid({"rest": {"shrt": 2}})
    assert not validator.is_valid({"below_lowest": "die"})


def test_wrong_house_rules_name_file_and_key(winded: Winded, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("[push]\nbonus = 0\n", encoding="utf-8")
    ran = winded("rules", "--rules", "house.toml")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "house.toml: “push.bonus” must be a whole number from 1 to 99; it is 0.\n"


def test_marks_are_words_where_there_is_no_colour_and_both_where_there_is(winded: Winded, house: Path) -> None:
    plain = winded("rules", "--rules", house)
    coloured = winded("rules", "--rules", house, FORCE_COLOR="1")
    assert len(re.findall(r"\x1b\[33mhouse rule *\x1b", coloured.stdout)) == plain.stdout.count("  house rule  ")


def test_an_encoding_without_arrows_is_no_obstacle(winded: Winded) -> None:
    ran = winded("rules", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert "d12 \\u2192 12" in ran.stdout
