"""The reference pages say what the rules say: every rule in its words, every command and event with its fields."""

import re
from pathlib import Path
from typing import get_args

from msgspec import inspect

from winded import PAGE, AddAbility, AddCharacter, BeginTurns, NextTurn, StartCombat, Table
from winded.rules import RULES, AnyCommand, AnyEvent, fields

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def rows(page: str) -> dict[str, list[str]]:
    """The rows of a page's tables by the word in their first cell."""
    text = (REFERENCE / page).read_text(encoding="utf-8")
    found = {}
    for row in re.findall(r"^\| `([^`|]+)` \|(.*)\|$", text, re.MULTILINE):
        found[row[0]] = [cell.strip() for cell in row[1].split("|")]
    return found


def listed(names: list[tuple[str, bool]]) -> str:
    """Fields as the reference writes them, those that may be left out with a ?."""
    return ", ".join(f"`{name}`" if needed else f"`{name}`?" for name, needed in names)


def test_the_reference_has_every_rule_in_the_words_of_the_program() -> None:
    page = {word: cells[0] for word, cells in rows("rules.md").items()}
    assert page == {rule.id: str(rule.told(PAGE)) for rule in RULES}


def test_the_reference_has_every_command_and_event_with_its_fields() -> None:
    page = rows("commands.md")
    commands = {
        str(one.__struct_config__.tag): listed([(field.name, field.required) for field in fields(one)])
        for one in get_args(AnyCommand)
    }
    events = {}
    for one in get_args(AnyEvent):
        info = inspect.type_info(one)
        assert isinstance(info, inspect.StructType)
        events[str(info.tag)] = listed([(field.encode_name, field.required) for field in info.fields])
    tagged = {word: cells[0] for word, cells in page.items() if word in commands or word in events}
    assert tagged == commands | events


def test_the_reference_has_every_field_of_every_command() -> None:
    (table,) = re.findall(
        r"^\| field \|.*?\n\n", (REFERENCE / "commands.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.MULTILINE))))
    assert told == {field.name for one in get_args(AnyCommand) for field in fields(one)}


def test_the_state_in_the_reference_has_the_keys_of_the_state() -> None:
    text = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    table = Table().do(
        AddCharacter("Brakka", con="d12"),
        AddAbility("Brakka", "Shield Wall", cost=3),
        StartCombat(),
        BeginTurns(),
        NextTurn(),
    )
    state = table.state()
    for one in (state, *state["characters"].values(), state["combat"]):
        for key in one:
            assert f'"{key}"' in text, key
