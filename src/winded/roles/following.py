"""What happens in the company at a table because of what happened at the table itself."""

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
    """What follows in the company from a step that led the table from `before` to `after`.

    `events` are those of the step; `taken_back` are those that an undo takes back, oldest first.
    """
    if not taken_back and not company.rolled and all(type(event) is not Asked for event in events):
        # By far the most steps tell nobody of a roll that does not count.
        return ()
    return tuple(what_is_known(company, before, after, events, taken_back))


def company_after(company: Company, events: Iterable[CompanyEvent]) -> Company:
    """The company after these events."""
    for event in events:
        company = event.evolve(company)
    return company
