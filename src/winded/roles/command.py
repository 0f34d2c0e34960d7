"""Commands to the company at a table, and the events that follow: as in the rules, commands decide, events evolve."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from msgspec import Struct

from winded.roles.company import Company, Member
from winded.rules import Event, Table
from winded.rules.fields import Checked, named
from winded.sentence import Sentence


class CompanyEvent(Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened among the people at a table, not in the game."""

    RULE: ClassVar[str] = "table"

    @property
    def rule(self) -> str:
        """The id that its history line is shown with."""
        return self.RULE

    def names(self) -> tuple[str, ...]:
        """The characters it concerns, by their names when it happened, in the order in which it tells of them."""
        return ()

    def known_without(self, hidden: Collection[str]) -> CompanyEvent | None:
        """The event as told to those who must not know of these characters; None if they hear nothing."""
        return self if all(name not in hidden for name in self.names()) else None

    def without_secrets(self) -> CompanyEvent | None:
        """The event as told to all but the Referee; None if they hear nothing."""
        return self

    def evolve(self, company: Company) -> Company:
        """The company after this event."""
        raise NotImplementedError

    def tell(self) -> Sentence:
        """What happened, as a sentence for the history."""
        raise NotImplementedError


class CompanyCommand(Checked, frozen=True, tag_field="do", omit_defaults=True):
    """A command to the company, decided for the member `who`. `number` is that of the entry it would make."""

    def is_for_players(self, member: Member) -> bool:
        """Whether this player may do it; otherwise only the Referee may."""
        return False

    def names(self) -> tuple[str, ...]:
        """The characters it names, by name or id."""
        return named(self)

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        """The events that follow. Raises Refused, Forbidden or Unknown."""
        raise NotImplementedError
