"""The history as players and spectators read it: without what only the Referee sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from winded.journal import Entry
from winded.roles import seen_events
from winded.rules import Table
from winded.sentence import Sentence
from winded.tables import Line


class Told(Struct, frozen=True):
    """One sentence of the history and the id of the rule it is told under."""

    sentence: Sentence
    rule: str


class SeenLine(Struct, frozen=True):
    """One entry of the history as players see it. `who` acted; `undone` says that it no longer counts."""

    number: int
    who: str
    told: tuple[Told, ...]
    undone: bool = False
    can_undo: bool = False


def seen(lines: Sequence[Line], table: Table) -> Iterator[SeenLine]:
    """These lines without those that tell players nothing. `table` is all of the table, as it is now."""
    for line in lines:
        told = told_to_all(line.entry, table)
        if told:
            yield SeenLine(line.entry.number, line.entry.name, told, not line.counts)


def told_to_all(entry: Entry, table: Table) -> tuple[Told, ...]:
    """What players are told of an entry. `table` is all of the table, as it is now."""
    events = seen_events(entry.events, entry.about, entry.secret, table)
    return tuple(Told(event.tell(), event.rule) for event in events)
