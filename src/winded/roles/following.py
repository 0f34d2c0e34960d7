"""What changes in the company at a table because of what happened in the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from winded.roles.asks import Asked
from winded.roles.command import CompanyEvent
from winded.roles.company import Company
from winded.roles.rolls import what_is_known
from winded.rules import Event, Table


def what_follows(
    company: Company,
    before: Table,
    after: Table,
    events: Sequence[Event | CompanyEvent],
    taken_back: Sequence[Event | CompanyEvent] = (),
) -> tuple[CompanyEvent, ...]:
    """What follows in the company after `events` led the table from `before` to `after`.

    `taken_back` are the events that an undo took back, oldest first.
    """
    if not taken_back and not company.rolled and all(type(event) is not Asked for event in events):
        # Nearly always, no roll is known that does not count.
        return ()
    return tuple(what_is_known(company, before, after, events, taken_back))


def company_after(company: Company, events: Iterable[CompanyEvent]) -> Company:
    """The company after these events."""
    for event in events:
        company = event.evolve(company)
    return company
