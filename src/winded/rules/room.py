"""What a room of the rules brings to the hallway, in one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from winded.rules.command import Command, Event, Option, Rule
from winded.rules.fields import fields
from winded.rules.spending import Spending
from winded.rules.table import Character, Table
from winded.rules.term import Term

Options: TypeAlias = Callable[[Table, Character], tuple[Option, ...]]
"""What a character may ask for now, and why not where it is refused."""

Ahead: TypeAlias = Callable[[str, str, str, int], Command]
"""The command of somebody when a day calls for it: who, another one there, what the day calls it, how much Stamina."""


class Room(Struct, frozen=True):
    """A subject of the rules: its commands and events, its rules in words, and what it offers a character.

    A room with a way to spend declares it in `spending`. Where a day may call for it on its own, as it does for an
    ability and not for a reaction, `ahead` gives the command that is meant. `terms` are the page's words for its
    subject.
    """

    rules: tuple[Rule, ...] = ()
    commands: tuple[type[Command], ...] = ()
    events: tuple[type[Event], ...] = ()
    options: Options | None = None
    spending: Spending | None = None
    ahead: Ahead | None = None
    terms: tuple[Term, ...] = ()

    @property
    def names_another(self) -> bool:
        """Whether its way to spend asks for another character, so that what one may do depends on who else is there."""
        return any(
            command.SPENDING is not None and sum(field.kind == "character" for field in fields(command)) > 1
            for command in self.commands
        )
