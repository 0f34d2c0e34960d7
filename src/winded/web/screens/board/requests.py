"""What players ask of the Referee, as the board shows it."""

from __future__ import annotations

from msgspec import Struct

from winded.errors import WindedError
from winded.roles import Ask, Company, asked_now, decide_asked
from winded.rules import Table
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


def _no(table: Table, company: Company, ask: Ask) -> WindedError | None:
    """Why it could not be accepted now."""
    try:
        decide_asked(company, table, ask)
    except WindedError as no:
        return no
    return None


def wish(table: Table, company: Company, ask: Ask) -> Wish:
    """An ask as the Referee sees it."""
    member = company.members.get(ask.member)
    try:
        named = asked_now(ask, table).names()
    except WindedError:
        named = ask.command.names()
    return Wish(
        ask.number,
        "" if member is None else company.called(member),
        table.names.get(same(named[0]), "") if len(named) == 1 else "",
        ask.command.label(),
        ask.cost,
        ask.reason,
        _no(table, company, ask),
    )
