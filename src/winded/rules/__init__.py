"""The rules of Stamina. This is the hallway: the rooms, the closed unions made from them, and the options.

A new way to spend Stamina is one new file beside these, and its name in the lines below.
"""

from __future__ import annotations

from typing import Any, TypeAlias, get_args

import msgspec

from winded.errors import Malformed, Refused
from winded.rules import (
    abilities,
    acting_early,
    by_hand,
    channel_casting,
    characters,
    checks,
    combat,
    hardship,
    reactions,
    rest,
    stamina,
    undoing,
    wounds,
)
from winded.rules.abilities import AbilitySource, AddAbility, RemoveAbility, UseAbility
from winded.rules.acting_early import ActEarly
from winded.rules.by_hand import Adjust
from winded.rules.channel_casting import Channel
from winded.rules.characters import AddCharacter, EditCharacter, RemoveCharacter, Side
from winded.rules.checks import STRAINS, DeclareCheck, ResolveCheck, WithdrawCheck
from winded.rules.combat import BeginTurns, EndCombat, NextTurn, Reorder, StartCombat
from winded.rules.command import Command, Event, Option, Refusal, Rule, dry_run
from winded.rules.fields import Field, fields, malformed, read, schema, shown
from winded.rules.hardship import Hardship, Resist
from winded.rules.reactions import React
from winded.rules.rest import Recovery, Rest, recovery, rest_name
from winded.rules.ruleset import PAGE, RestKind, Ruleset, Spend, ruleset_from, ruleset_from_toml, ruleset_schema
from winded.rules.table import (
    D6,
    D8,
    D10,
    D12,
    ENEMY,
    Ability,
    AbilityDie,
    Character,
    Combat,
    OpenCheck,
    Table,
    Wound,
    character_state,
)
from winded.rules.undoing import Redo, Redone, Undo, Undone
from winded.rules.wounds import RecoverWound, TakeWound, lost_to_wounds
from winded.sentence import sentence

AnyCommand: TypeAlias = (
    characters.Commands
    | abilities.Commands
    | wounds.Commands
    | combat.Commands
    | acting_early.Commands
    | reactions.Commands
    | checks.Commands
    | hardship.Commands
    | channel_casting.Commands
    | rest.Commands
    | by_hand.Commands
    | undoing.Commands
)
"""Every command there is, as it stands in JSON."""

AnyEvent: TypeAlias = (
    characters.Events
    | abilities.Events
    | wounds.Events
    | combat.Events
    | acting_early.Events
    | reactions.Events
    | checks.Events
    | hardship.Events
    | channel_casting.Events
    | rest.Events
    | by_hand.Events
    | undoing.Events
)
"""Every event there is, as it stands in JSON."""

_RULES = (
    stamina.RULES,
    wounds.RULES,
    acting_early.RULES,
    combat.RULES,
    reactions.RULES,
    checks.RULES,
    hardship.RULES,
    abilities.RULES,
    channel_casting.RULES,
    stamina.RULES_AT_ZERO,
    rest.RULES,
    characters.RULES,
    by_hand.RULES,
)
COMMANDS: dict[str, type[Command]] = {str(one.__struct_config__.tag): one for one in get_args(AnyCommand)}
"""Every kind of command by its word in `do`."""

RULES: tuple[Rule, ...] = tuple(sorted((rule for room in _RULES for rule in room), key=lambda rule: rule.is_ruling))
"""Every rule and ruling: the page's first, then ours."""


def command_from(data: object) -> Command:
    """A command from plain data; raises Malformed that names the field which is unknown, missing or wrong."""
    if not isinstance(data, dict):
        raise Malformed("", "A command is an object with “do” and its fields; this is {value}.", value=shown(data))
    do = data.get("do")
    made = COMMANDS.get(do) if isinstance(do, str) else None
    if made is None:
        allowed = sentence("one of {words}", words=", ".join(sorted(COMMANDS)))
        if "do" not in data:
            raise Malformed("do", "“{field}” is missing; it must be {allowed}.", field="do", allowed=allowed)
        raise malformed("do", allowed, do)
    return read(made, {name: value for name, value in data.items() if name != "do"})


def command_from_json(text: bytes | str) -> Command:
    """A command from JSON; raises Malformed as `command_from` does, or for what is not JSON at all."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not JSON: {reason}.", reason=str(wrong)) from wrong
    return command_from(data)


def command_schema() -> dict[str, Any]:
    """The JSON Schema of commands."""
    whole = schema(AnyCommand)
    only_an_enemy = {"required": ["side"], "properties": {"side": {"const": Side.ENEMY.value}}}
    whole["$defs"]["AddCharacter"]["anyOf"] = [{"required": ["con"]}, only_an_enemy]
    return whole


def options(table: Table, who: str) -> tuple[Option, ...]:
    """What this character may ask for now, each with its cost, what it leaves, and why not where it is refused.

    Each option is a dry run of the command's own `decide`; a way of spending that the rules in force do not have is
    left out. Refused: "not-found".
    """
    character = table.character(who)
    found = (
        *acting_early.options(table, character),
        *reactions.options(table, character),
        *checks.options(table, character),
        *hardship.options(table, character),
        *abilities.options(table, character),
        *channel_casting.options(table, character),
    )
    if not table.ruleset.left_out:
        return found
    return tuple(option for option in found if option.refused is None or option.refused.rule != "not-allowed")


def combat_options(table: Table) -> tuple[Option, ...]:
    """What moves the combat on, from starting one to ending it, and why not where it is refused."""
    return tuple(dry_run(table, command, 0, 0) for command in combat.table_commands())


def rest_options(table: Table) -> tuple[Option, ...]:
    """The rests the whole party may take, and why not where one is refused; `recovery` says what each would do."""
    return tuple(dry_run(table, Rest(kind), 0, 0) for kind in RestKind)


__all__ = [
    "COMMANDS",
    "D6",
    "D8",
    "D10",
    "D12",
    "ENEMY",
    "PAGE",
    "RULES",
    "STRAINS",
    "Ability",
    "AbilityDie",
    "AbilitySource",
    "ActEarly",
    "AddAbility",
    "AddCharacter",
    "Adjust",
    "AnyCommand",
    "AnyEvent",
    "BeginTurns",
    "Channel",
    "Character",
    "Combat",
    "Command",
    "DeclareCheck",
    "EditCharacter",
    "EndCombat",
    "Event",
    "Field",
    "Hardship",
    "Malformed",
    "NextTurn",
    "OpenCheck",
    "Option",
    "React",
    "RecoverWound",
    "Recovery",
    "Redo",
    "Redone",
    "Refusal",
    "Refused",
    "RemoveAbility",
    "RemoveCharacter",
    "Reorder",
    "Resist",
    "ResolveCheck",
    "Rest",
    "RestKind",
    "Rule",
    "Ruleset",
    "Side",
    "Spend",
    "StartCombat",
    "Table",
    "TakeWound",
    "Undo",
    "Undone",
    "UseAbility",
    "WithdrawCheck",
    "Wound",
    "character_state",
    "combat_options",
    "command_from",
    "command_from_json",
    "command_schema",
    "dry_run",
    "fields",
    "lost_to_wounds",
    "options",
    "read",
    "recovery",
    "rest_name",
    "rest_options",
    "ruleset_from",
    "ruleset_from_toml",
    "ruleset_schema",
    "shown",
]
