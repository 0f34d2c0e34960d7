"""What players may do with their own characters: freely, by asking the Referee, or not at all."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, structs

from winded.rules import (
    SPENDINGS,
    AddAbility,
    AddCharacter,
    Adjust,
    BringBack,
    Command,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    RecoverWound,
    RemoveAbility,
    ResolveCheck,
    Rest,
    SetAside,
    TakeWound,
    Wait,
    WithdrawCheck,
)
from winded.rules.checks import PUSHES
from winded.rules.reactions import REACTIONS
from winded.sentence import Sentence, sentence


class Freedom(StrEnum):
    """Whether a player may do something: freely, by asking the Referee, or not at all."""

    FREE = "free"
    ASK = "ask"
    NO = "no"

    @property
    def told(self) -> Sentence:
        """The words that people read for it."""
        return _FREEDOMS[self]


_FREEDOMS = {
    Freedom.FREE: sentence("players do it themselves"),
    Freedom.ASK: sentence("players ask the Referee"),
    Freedom.NO: sentence("only the Referee"),
}


class Undoing(StrEnum):
    """Whether players may take back their own last act. There is no request for it: people simply talk."""

    FREE = "free"
    NO = "no"

    @property
    def told(self) -> Sentence:
        """The words that people read for it."""
        return Freedom(self.value).told


if TYPE_CHECKING:
    _Spendings = Struct
else:
    _Spendings = msgspec.defstruct(
        "_Spendings", [(one.permission, Freedom, Freedom.FREE) for one in SPENDINGS], frozen=True
    )


class Permissions(_Spendings, frozen=True):
    """What players may do for the characters they have claimed. The Referee may do everything, spectators nothing.

    Each way of spending also has a permission, listed before these. By default players may do everything freely but
    Wounds, rest and changes by hand, which they must ask for.
    """

    checks: Freedom = Freedom.FREE
    ending_own_turn: Freedom = Freedom.FREE
    wounds: Freedom = Freedom.ASK
    rest: Freedom = Freedom.ASK
    by_hand: Freedom = Freedom.ASK
    new_characters: Freedom = Freedom.FREE
    changing_characters: Freedom = Freedom.ASK
    undoing: Undoing = Undoing.FREE

    def of(self, command: Command) -> Freedom:
        """Whether a player may do this for their own character. NO for a command that no permission covers."""
        spending = command.spending
        group = _GROUPS.get(type(command)) if spending is None else spending.permission
        return Freedom.NO if group is None else Freedom(getattr(self, group))


_GROUPS: dict[type[Command], str] = {
    DeclareCheck: "checks",
    ResolveCheck: "checks",
    WithdrawCheck: "checks",
    NextTurn: "ending_own_turn",
    Wait: "ending_own_turn",
    TakeWound: "wounds",
    RecoverWound: "wounds",
    Rest: "rest",
    Adjust: "by_hand",
    AddCharacter: "new_characters",
    AddAbility: "changing_characters",
    RemoveAbility: "changing_characters",
    EditCharacter: "changing_characters",
    SetAside: "changing_characters",
    BringBack: "changing_characters",
}

PERMISSION_NAMES: dict[str, Sentence] = {
    **{one.permission: one.title for one in SPENDINGS},
    "checks": sentence("Checks and their rolls"),
    "ending_own_turn": sentence("Ending their own turn, waiting"),
    "wounds": sentence("Wounds and recovering from them"),
    "rest": sentence("Rest"),
    "by_hand": sentence("Changes by hand"),
    "new_characters": sentence("Making a character"),
    "changing_characters": sentence("Name, die, abilities, setting aside"),
    "undoing": sentence("Taking back their own last act"),
}
"""The name that people read for each permission, in the order shown."""

PRESETS: dict[str, tuple[Sentence, Permissions]] = {
    "trust": (sentence("We trust each other"), Permissions()),
    "nod": (
        sentence("The Referee approves pushes and reactions"),
        msgspec.convert({one.permission: Freedom.ASK.value for one in (REACTIONS, PUSHES)}, Permissions),
    ),
    "referee": (
        sentence("The Referee does everything"),
        msgspec.convert(dict.fromkeys(structs.asdict(Permissions()), Freedom.NO.value), Permissions),
    ),
}
"""Ready-made permissions to choose from, by name."""


if TYPE_CHECKING:
    _Changes = Struct
else:
    _Changes = msgspec.defstruct(
        "_Changes",
        [(name, type(getattr(Permissions(), name)) | None, None) for name in PERMISSION_NAMES],
        frozen=True,
    )


class PermissionChanges(_Changes, frozen=True, omit_defaults=True):
    """Some of a table's permissions; the others are left out."""

    @staticmethod
    def of(permissions: Permissions) -> PermissionChanges:
        """All of these permissions."""
        return PermissionChanges(**structs.asdict(permissions))

    @property
    def named(self) -> dict[str, Freedom | Undoing]:
        """Those that are given, by name."""
        return {name: value for name, value in structs.asdict(self).items() if value is not None}


def choices_of(name: str) -> tuple[Freedom | Undoing, ...]:
    """The choices for the permission of this name."""
    kind: type[Freedom] | type[Undoing] = type(getattr(Permissions(), name))
    return tuple(kind)


def preset_of(permissions: Permissions) -> str | None:
    """The name of the preset that these permissions are, None if they are the table's own mix."""
    return next((name for name, (_, preset) in PRESETS.items() if preset == permissions), None)
