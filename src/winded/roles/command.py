"""How one speaks to the company at a table: as in the rules, commands decide and events evolve."""

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
        """What this is told under."""
        return self.RULE

    def names(self) -> tuple[str, ...]:
        """The characters it concerns, as they were called when it happened, in the order in which it tells of them."""
        return ()

    def known_without(self, hidden: Collection[str]) -> CompanyEvent | None:
        """The event as it is told to those who must not know of these characters; None where they hear nothing."""
        return self if all(name not in hidden for name in self.names()) else None

    def without_secrets(self) -> CompanyEvent | None:
        """The event as all but the Referee hear it, whomever it concerns; None where they hear nothing of it."""
        return self

    def evolve(self, company: Company) -> Company:
        """The company after this event."""
        raise NotImplementedError

    def tell(self) -> Sentence:
        """What happened, as a sentence for the history."""
        raise NotImplementedError


class CompanyCommand(Checked, frozen=True, tag_field="do", omit_defaults=True):
    """Something asked of the company. Decided for the member `who`; `number` is the entry it would make."""

    def is_for_players(self, member: Member) -> bool:
        """Whether this is a player's to do, and this player's; otherwise it is the Referee's alone."""
        return False

    def names(self) -> tuple[str, ...]:
        """The characters that this names, by name or id."""
        return named(self)

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        """The events that follow; raises Refused, Forbidden or Unknown."""
        raise NotImplementedError
