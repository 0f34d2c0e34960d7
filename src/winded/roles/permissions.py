"""What players may do with their own characters: freely, after the Referee's nod, or not at all."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, structs

from winded.rules import (
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    Channel,
    Command,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    React,
    RecoverWound,
    RemoveAbility,
    Resist,
    ResolveCheck,
    Rest,
    TakeWound,
    UseAbility,
    WithdrawCheck,
)
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


class Permissions(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may do for the characters they have claimed. The Referee may do everything, spectators nothing.

    As it stands here: everything but Wounds, rest and changes by hand, which are asked for.
    """

    acting_early: Freedom = Freedom.FREE
    reactions: Freedom = Freedom.FREE
    pushes: Freedom = Freedom.FREE
    checks: Freedom = Freedom.FREE
    hardship: Freedom = Freedom.FREE
    abilities: Freedom = Freedom.FREE
    channel_casting: Freedom = Freedom.FREE
    ending_own_turn: Freedom = Freedom.FREE
    wounds: Freedom = Freedom.ASK
    rest: Freedom = Freedom.ASK
    by_hand: Freedom = Freedom.ASK
    new_characters: Freedom = Freedom.FREE
    changing_characters: Freedom = Freedom.ASK

    def of(self, command: Command) -> Freedom:
        """How far a player may do this for an own character.

        A new way to spend, known by the `cost` it is shown with, goes with the abilities until it is named here. All
        else that is not named only the Referee does.
        """
        if isinstance(command, DeclareCheck):
            return self.pushes if command.push else self.checks
        group = _GROUPS.get(type(command), "abilities" if "cost" in command.__struct_fields__ else None)
        return Freedom.NO if group is None else Freedom(getattr(self, group))


_GROUPS: dict[type[Command], str] = {
    ActEarly: "acting_early",
    React: "reactions",
    ResolveCheck: "checks",
    WithdrawCheck: "checks",
    Resist: "hardship",
    UseAbility: "abilities",
    Channel: "channel_casting",
    NextTurn: "ending_own_turn",
    TakeWound: "wounds",
    RecoverWound: "wounds",
    Rest: "rest",
    Adjust: "by_hand",
    AddCharacter: "new_characters",
    AddAbility: "changing_characters",
    RemoveAbility: "changing_characters",
    EditCharacter: "changing_characters",
}

PERMISSION_NAMES: dict[str, Sentence] = {
    "acting_early": sentence("Acting early"),
    "reactions": sentence("Reactions"),
    "pushes": sentence("Pushing a Check"),
    "checks": sentence("Checks and their rolls"),
    "hardship": sentence("Resisting hardship"),
    "abilities": sentence("Using abilities"),
    "channel_casting": sentence("Channel Casting"),
    "ending_own_turn": sentence("Ending their own turn"),
    "wounds": sentence("Wounds and recovering them"),
    "rest": sentence("Rest"),
    "by_hand": sentence("Changes by hand"),
    "new_characters": sentence("Making a character"),
    "changing_characters": sentence("Name, die and abilities"),
}
"""What each permission is called, in the order in which they are shown."""

PRESETS: dict[str, tuple[Sentence, Permissions]] = {
    "trust": (sentence("We trust each other"), Permissions()),
    "nod": (
        sentence("The Referee approves pushes and reactions"),
        Permissions(reactions=Freedom.ASK, pushes=Freedom.ASK),
    ),
    "referee": (
        sentence("The Referee does all"),
        Permissions(**dict.fromkeys(structs.asdict(Permissions()), Freedom.NO)),
    ),
}
"""Sets of permissions to choose from, by name."""


def preset_of(permissions: Permissions) -> str | None:
    """The name of the preset that these permissions are, or None for a mixture of a table's own."""
    return next((name for name, (_, preset) in PRESETS.items() if preset == permissions), None)
