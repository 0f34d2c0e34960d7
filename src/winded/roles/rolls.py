"""Rolls that are known but do not count, as after an undo: people still remember what fell.

The Stamina pushed on such a Check is lost (`push.lost`); only the Referee may give it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from winded.roles.asks import Asked
from winded.roles.command import CompanyEvent
from winded.roles.company import Company
from winded.rules import Event, ResolveCheck, Table
from winded.rules.characters import CharacterAdded, Renamed
from winded.rules.checks import CheckResolved
from winded.sentence import Sentence, sentence


class RollKnown(CompanyEvent, frozen=True, tag="roll_known"):
    """The roll of someone's open Check is known, because it was taken back or told in a request."""

    id: str
    character: str

    RULE: ClassVar[str] = "push.lost"

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        return replace(company, rolled=company.rolled | {self.id})

    def tell(self) -> Sentence:
        return sentence("{name}'s roll is known: only the Referee can still take back the push.", name=self.character)


class RollSettled(CompanyEvent, frozen=True, tag="roll_settled"):
    """The Check whose roll was known is over: rolled for good, or withdrawn by the Referee."""

    id: str
    character: str

    RULE: ClassVar[str] = "push.lost"

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        return replace(company, rolled=company.rolled - {self.id})

    def tell(self) -> Sentence:
        return sentence("{name}'s Check is over.", name=self.character)


def what_is_known(
    company: Company,
    before: Table,
    after: Table,
    events: Iterable[Event | CompanyEvent],
    taken_back: Iterable[Event | CompanyEvent] = (),
) -> Iterator[RollKnown | RollSettled]:
    """Which rolls became known with these events, and which known ones no longer matter.

    `taken_back` are the events that an undo took back, oldest first. Only player characters count: only the Referee
    rolls for enemies.
    """
    known = _asked_with(events, before) | _taken_back(taken_back, after)
    if not known and not company.rolled:
        return
    for one in after.party():
        if one.open_check is not None and one.id in known and one.id not in company.rolled:
            yield RollKnown(one.id, one.name)
    if company.rolled:
        checks = {one.id: one.open_check for one in after.characters.values()}
        for one in before.party():
            if one.id in company.rolled and one.id not in known and checks.get(one.id) != one.open_check:
                yield RollSettled(one.id, one.name)


def _asked_with(events: Iterable[Event | CompanyEvent], table: Table) -> frozenset[str]:
    """The characters whose roll was told in a request to enter it."""
    return frozenset(
        table.character(event.command.character).id
        for event in events
        if isinstance(event, Asked) and isinstance(event.command, ResolveCheck)
    )


def _taken_back(events: Iterable[Event | CompanyEvent], table: Table) -> frozenset[str]:
    """The characters whose rolls the undo that led to this table took back, whatever their names then."""
    ids = {one.name: one.id for one in table.characters.values()}
    found: set[str] = set()
    for event in events:
        if isinstance(event, Renamed) and event.character in ids:
            ids[event.name] = ids.pop(event.character)
        elif isinstance(event, CharacterAdded):
            ids[event.character] = event.id
        elif isinstance(event, CheckResolved) and event.character in ids:
            found.add(ids[event.character])
        elif isinstance(event, RollSettled):
            found.add(event.id)
    return frozenset(found)
