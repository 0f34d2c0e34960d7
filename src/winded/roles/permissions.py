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
    """How far a player may do something: at once, by asking the Referee, or not."""

    FREE = "free"
    ASK = "ask"
    NO = "no"

    @property
    def told(self) -> Sentence:
        """The freedom as people read it."""
        return _FREEDOMS[self]


_FREEDOMS = {
    Freedom.FREE: sentence("players do it themselves"),
    Freedom.ASK: sentence("players ask the Referee"),
    Freedom.NO: sentence("only the Referee"),
}


class Undoing(StrEnum):
    """Whether players may take back their own last act. Nobody asks for that: one says so across the table."""

    FREE = "free"
    NO = "no"

    @property
    def told(self) -> Sentence:
        """The same as people read it."""
        return Freedom(self.value).told


if TYPE_CHECKING:
    _Spendings = Struct
else:
    _Spendings = msgspec.defstruct(
        "_Spendings", [(one.permission, Freedom, Freedom.FREE) for one in SPENDINGS], frozen=True
    )


class Permissions(_Spendings, frozen=True):
    """What players may do for the characters they have claimed. The Referee may do everything, spectators nothing.

    Each way of spending has a permission of its own, which comes before these. As it stands here: everything but
    Wounds, rest and changes by hand, which are asked for.
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
        """How far a player may do this for an own character. What no permission is about, only the Referee does."""
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
"""What each permission is called, in the order in which they are shown."""

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
"""Sets of permissions to choose from, by name."""


if TYPE_CHECKING:
    _Changes = Struct
else:
    _Changes = msgspec.defstruct(
        "_Changes",
        [(name, type(getattr(Permissions(), name)) | None, None) for name in PERMISSION_NAMES],
        frozen=True,
    )


class PermissionChanges(_Changes, frozen=True, omit_defaults=True):
    """Some of a table's permissions. What is left out stays as it is, or is not spoken of."""

    @staticmethod
    def of(permissions: Permissions) -> PermissionChanges:
        """All of these permissions."""
        return PermissionChanges(**structs.asdict(permissions))

    @property
    def named(self) -> dict[str, Freedom | Undoing]:
        """Those that are spoken of, by name."""
        return {name: value for name, value in structs.asdict(self).items() if value is not None}


def choices_of(name: str) -> tuple[Freedom | Undoing, ...]:
    """What may be chosen for the permission of this name."""
    kind: type[Freedom] | type[Undoing] = type(getattr(Permissions(), name))
    return tuple(kind)


def preset_of(permissions: Permissions) -> str | None:
    """The name of the preset that these permissions are, or None for a mixture of a table's own."""
    return next((name for name, (_, preset) in PRESETS.items() if preset == permissions), None)
