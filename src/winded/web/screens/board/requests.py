"""What players ask of the Referee, as the board shows it."""

from __future__ import annotations

from msgspec import Struct

from winded.errors import WindedError
from winded.roles import Ask, Company
from winded.rules import (
    Table,
    dry_run,
)
from winded.rules.table import same
from winded.sentence import Sentence


class Wish(Struct, frozen=True):
    """What a player asks of the Referee. `refused` says that the rules would say no as things stand."""

    number: int
    name: str
    character: str
    label: Sentence
    cost: int
    reason: str | None
    refused: WindedError | None


def wish(table: Table, company: Company, ask: Ask) -> Wish:
    """An ask as the Referee sees it."""
    member = company.members.get(ask.member)
    of = getattr(ask.command, "character", None)
    known = None if of is None else table.names.get(same(of))
    return Wish(
        ask.number,
        "" if member is None else member.name,
        known or "",
        ask.command.label(),
        ask.cost,
        ask.reason,
        dry_run(table, ask.command, 0, 0).refused,
    )
