"""The rules of Stamina: what one may say to a table, what it does, and why not."""

from winded.errors import Malformed, Refused
from winded.rules.abilities import AbilitySource, AddAbility, RemoveAbility, UseAbility
from winded.rules.acting_early import ActEarly
from winded.rules.aim import (
    AtAct,
    AtCall,
    AtCharacter,
    AtCheck,
    AtMoment,
    AtRests,
    TheCharacter,
    TheCheck,
    check_act,
    check_moment,
)
from winded.rules.aside import BringBack, SetAside
from winded.rules.by_hand import Adjust
from winded.rules.call import CallCheck, CloseCall
from winded.rules.channel_casting import Channel
from winded.rules.characters import AddCharacter, EditCharacter, RemoveCharacter, Side
from winded.rules.checks import STRAINS, DeclareCheck, ResolveCheck, WithdrawCheck
from winded.rules.combat import (
    BeginTurns,
    EndCombat,
    NextTurn,
    Reorder,
    StartCombat,
    is_still_early,
)
from winded.rules.command import Command, Event, Option, Refusal, Rule, dry_run
from winded.rules.fields import Field, fields, read, shown
from winded.rules.hallway import (
    COMMANDS,
    EVENTS,
    ROOMS,
    RULES,
    SPENDINGS,
    TERMS,
    AnyCommand,
    AnyEvent,
    combat_options,
    explained,
    options,
    rest_options,
    room_of,
    title_of,
    word_for,
)
from winded.rules.hardship import Hardship, Resist
from winded.rules.house_rules import ruleset_from, ruleset_from_toml, ruleset_schema, ruleset_to_data
from winded.rules.moments import moment_told
from winded.rules.own_order import Wait
from winded.rules.reactions import React
from winded.rules.reading import command_from, command_from_json, command_schema
from winded.rules.rest import Recovery, Rest, recovery, rest_name
from winded.rules.room import Room
from winded.rules.ruleset import PAGE, RestKind, Ruleset
from winded.rules.spending import Spending
from winded.rules.table import (
    D6,
    D8,
    D10,
    D12,
    ENEMY,
    Ability,
    AbilityDie,
    Call,
    Character,
    Combat,
    OpenCheck,
    Table,
    Wound,
    character_state,
)
from winded.rules.term import Term
from winded.rules.undoing import Redo, Redone, Undo, Undone
from winded.rules.wounds import RecoverWound, TakeWound, lost_to_wounds, wound_foreseen

__all__ = [
    "COMMANDS",
    "D6",
    "D8",
    "D10",
    "D12",
    "ENEMY",
    "EVENTS",
    "PAGE",
    "ROOMS",
    "RULES",
    "SPENDINGS",
    "STRAINS",
    "TERMS",
    "Ability",
    "AbilityDie",
    "AbilitySource",
    "ActEarly",
    "AddAbility",
    "AddCharacter",
    "Adjust",
    "AnyCommand",
    "AnyEvent",
    "AtAct",
    "AtCall",
    "AtCharacter",
    "AtCheck",
    "AtMoment",
    "AtRests",
    "BeginTurns",
    "BringBack",
    "Call",
    "CallCheck",
    "Channel",
    "Character",
    "CloseCall",
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
    "Room",
    "Rule",
    "Ruleset",
    "SetAside",
    "Side",
    "Spending",
    "StartCombat",
    "Table",
    "TakeWound",
    "Term",
    "TheCharacter",
    "TheCheck",
    "Undo",
    "Undone",
    "UseAbility",
    "Wait",
    "WithdrawCheck",
    "Wound",
    "character_state",
    "check_act",
    "check_moment",
    "combat_options",
    "command_from",
    "command_from_json",
    "command_schema",
    "dry_run",
    "explained",
    "fields",
    "is_still_early",
    "lost_to_wounds",
    "moment_told",
    "options",
    "read",
    "recovery",
    "rest_name",
    "rest_options",
    "room_of",
    "ruleset_from",
    "ruleset_from_toml",
    "ruleset_schema",
    "ruleset_to_data",
    "shown",
    "title_of",
    "word_for",
    "wound_foreseen",
]
