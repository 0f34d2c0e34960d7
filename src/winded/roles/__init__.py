"""Who is at a table, and what they may do and see. Pure, like the rules: no tokens, no clock, no files.

This module gathers the commands and events of all the others into closed unions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from winded.errors import Malformed
from winded.roles.asks import (
    Accept,
    Answered,
    Asked,
    AskFor,
    AskTakenBack,
    Decline,
    TakeBackAsk,
    asked_now,
    decide_asked,
)
from winded.roles.authority import LastAct, authorise, may_undo, require_foreseeable
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Ask, AskAnswer, Company, Member, Role
from winded.roles.declaring import Deciding, NotEarly, SaidNotEarly, deciding
from winded.roles.following import company_after, what_follows
from winded.roles.people import Claim, Claimed, Join, Joined, Leave, Left, Release, Released
from winded.roles.permissions import (
    PERMISSION_NAMES,
    PRESETS,
    Freedom,
    PermissionChanges,
    Permissions,
    Undoing,
    choices_of,
    preset_of,
)
from winded.roles.rolling import CheckRolled, FallenDie, RollCheck, RolledCheck
from winded.roles.rolls import RollKnown, RollSettled
from winded.roles.settings import AtCheckDice, AtPermissions, CheckDiceSet, PermissionsSet, SetCheckDice, SetPermissions
from winded.roles.sight import hidden_id, ids_named, seen_events
from winded.roles.sketching import ShareSketch, SketchShared
from winded.roles.veil import hidden_names, seen_by, veiled
from winded.rules.fields import malformed, read, shown
from winded.sentence import sentence

AnyCompanyCommand: TypeAlias = (
    Join
    | Leave
    | Claim
    | Release
    | AskFor
    | Accept
    | Decline
    | TakeBackAsk
    | NotEarly
    | RollCheck
    | RolledCheck
    | SetPermissions
    | SetCheckDice
    | ShareSketch
)
"""Every command to the company at a table."""

COMPANY_COMMANDS: dict[str, type[CompanyCommand]] = {
    str(one.__struct_config__.tag): one
    for one in (
        Claim,
        Release,
        Accept,
        Decline,
        TakeBackAsk,
        NotEarly,
        RollCheck,
        SetPermissions,
        SetCheckDice,
        ShareSketch,
    )
}
"""The commands to the company that members may send, by their name in `do`. Links do the joining and leaving."""


def company_command_from(data: object, member: str) -> CompanyCommand:
    """A command to the company from plain data. Without a `member`, a claim or release is for the sender.

    Raises Malformed, naming the field.
    """
    if not isinstance(data, Mapping):
        raise Malformed("", "A command is an object with “do” and its fields; this is {value}.", value=shown(data))
    do = data.get("do")
    made = COMPANY_COMMANDS.get(do) if isinstance(do, str) else None
    if made is None:
        raise malformed("do", sentence("one of {words}", words=", ".join(sorted(COMPANY_COMMANDS))), do)
    given = {"member": member} if made in (Claim, Release) else {}
    return read(made, {**given, **{name: value for name, value in data.items() if name != "do"}})


AnyCompanyEvent: TypeAlias = (
    Joined
    | Left
    | Claimed
    | Released
    | Asked
    | Answered
    | AskTakenBack
    | PermissionsSet
    | CheckDiceSet
    | SketchShared
    | RollKnown
    | RollSettled
    | SaidNotEarly
    | CheckRolled
)
"""Every event of the company at a table."""


__all__ = [
    "COMPANY_COMMANDS",
    "PERMISSION_NAMES",
    "PRESETS",
    "Accept",
    "Answered",
    "AnyCompanyCommand",
    "AnyCompanyEvent",
    "Ask",
    "AskAnswer",
    "AskFor",
    "Asked",
    "AtCheckDice",
    "AtPermissions",
    "CheckRolled",
    "Claim",
    "Company",
    "CompanyCommand",
    "CompanyEvent",
    "Deciding",
    "Decline",
    "FallenDie",
    "Freedom",
    "Join",
    "LastAct",
    "Leave",
    "Member",
    "NotEarly",
    "PermissionChanges",
    "Permissions",
    "Release",
    "Role",
    "RollCheck",
    "RolledCheck",
    "SetCheckDice",
    "SetPermissions",
    "ShareSketch",
    "SketchShared",
    "TakeBackAsk",
    "Undoing",
    "asked_now",
    "authorise",
    "choices_of",
    "company_after",
    "company_command_from",
    "decide_asked",
    "deciding",
    "hidden_id",
    "hidden_names",
    "ids_named",
    "may_undo",
    "preset_of",
    "require_foreseeable",
    "seen_by",
    "seen_events",
    "veiled",
    "what_follows",
]
