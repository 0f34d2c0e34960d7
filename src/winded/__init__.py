"""Winded: the rules of Stamina, played right for everyone at the table.

A table is an immutable value. Commands change it, each into a new table; what the rules do not allow is refused, and
then nothing has happened:

>>> from winded import *
>>> table = Table().do(AddCharacter("Brakka", con=D10), StartCombat(), ActEarly("Brakka"), BeginTurns())
>>> table.character("Brakka").stamina
9
>>> table.do(React("Brakka"), React("Brakka"), React("Brakka")).character("Brakka").stamina
3
>>> try:
...     table.do(Channel("Brakka", stamina=12))
... except Refused as no:
...     print(no.rule, "-", no)
channel.needs-stamina - Brakka has 9 Stamina; this costs 12.

What there is, by subject; help(React), say, tells of one of them:

    the table       Table, Character, Ruleset; PAGE, the page's rules; ruleset_from_toml, a house's own
    who sits there  AddCharacter, EditCharacter, RemoveCharacter, SetAside, BringBack, AddAbility, RemoveAbility
    spending        ActEarly, React, DeclareCheck, ResolveCheck, WithdrawCheck, Resist, UseAbility, Channel
    called Checks   CallCheck, CloseCall
    combat          StartCombat, BeginTurns, NextTurn, Reorder, Wait, EndCombat
    Wounds, rest    TakeWound, RecoverWound, Rest, Adjust
    what if         options, combat_options, rest_options: what one may do now, its cost, what it leaves, or why not
    from JSON       command_from, command_from_json
    what goes wrong WindedError and below it Refused (rule, needs, has), Malformed (field) and the others
    a kept table    Undo, Redo, Correct: only where there is a history

Its rooms can be imported as well: winded.odds (chances and forecasts), winded.journal, winded.service, winded.web.
The command line is `winded --help`.
"""

from winded.errors import Forbidden, Malformed, Refused, Stale, TooMuch, Unavailable, Unknown, WindedError
from winded.rules import (
    D6,
    D8,
    D10,
    D12,
    PAGE,
    AbilitySource,
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    BringBack,
    CallCheck,
    Channel,
    Character,
    CloseCall,
    Correct,
    DeclareCheck,
    EditCharacter,
    EndCombat,
    Hardship,
    NextTurn,
    Option,
    React,
    RecoverWound,
    Redo,
    Refusal,
    RemoveAbility,
    RemoveCharacter,
    Reorder,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    Table,
    TakeWound,
    Undo,
    UseAbility,
    Wait,
    WithdrawCheck,
    combat_options,
    command_from,
    command_from_json,
    options,
    rest_options,
    ruleset_from_toml,
)

__all__ = [
    "D6",
    "D8",
    "D10",
    "D12",
    "PAGE",
    "AbilitySource",
    "ActEarly",
    "AddAbility",
    "AddCharacter",
    "Adjust",
    "BeginTurns",
    "BringBack",
    "CallCheck",
    "Channel",
    "Character",
    "CloseCall",
    "Correct",
    "DeclareCheck",
    "EditCharacter",
    "EndCombat",
    "Forbidden",
    "Hardship",
    "Malformed",
    "NextTurn",
    "Option",
    "React",
    "RecoverWound",
    "Redo",
    "Refusal",
    "Refused",
    "RemoveAbility",
    "RemoveCharacter",
    "Reorder",
    "Resist",
    "ResolveCheck",
    "Rest",
    "RestKind",
    "Ruleset",
    "SetAside",
    "Side",
    "Stale",
    "StartCombat",
    "Table",
    "TakeWound",
    "TooMuch",
    "Unavailable",
    "Undo",
    "Unknown",
    "UseAbility",
    "Wait",
    "WindedError",
    "WithdrawCheck",
    "combat_options",
    "command_from",
    "command_from_json",
    "options",
    "rest_options",
    "ruleset_from_toml",
]
