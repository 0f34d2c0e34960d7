"""How one speaks to the company at a table: as in the rules, commands decide and events evolve."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from winded.roles.company import Company
from winded.rules import Event, Table
from winded.rules.fields import check_fields
from winded.sentence import Sentence


class CompanyEvent(Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened among the people at a table, not in the game."""

    RULE: ClassVar[str] = "table"

    @property
    def rule(self) -> str:
        """What this is told under."""
        return self.RULE

    def evolve(self, company: Company) -> Company:
        """The company after this event."""
        raise NotImplementedError

    def tell(self) -> Sentence:
        """What happened, as a sentence for the history."""
        raise NotImplementedError


class CompanyCommand(Struct, frozen=True, tag_field="do", omit_defaults=True):
    """Something asked of the company. Decided for the member `who`; `number` is the entry it would make."""

    def __post_init__(self) -> None:
        check_fields(self)

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        """The events that follow; raises Refused, Forbidden or Unknown."""
        raise NotImplementedError
