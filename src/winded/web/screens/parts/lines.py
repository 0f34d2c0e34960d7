"""Lines of the history: all of it for the Referee, and for players and spectators what they may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from winded.journal import Entry
from winded.roles import Company, Role, seen_events
from winded.rules import Event, Table
from winded.sentence import Sentence, sentence
from winded.tables import Line, Snapshot
from winded.web.language import language

TOLD = 20
"""So many of the newest lines of the history stand on a phone and on the spectators' view."""


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


def seen(code: str, lines: Sequence[Line], snapshot: Snapshot) -> Iterator[tuple[SeenLine, str]]:
    """These lines, each with its HTML in this language, without those that tell players nothing.

    Who acted is told where it was a player.
    """
    table = snapshot.table
    players = {one.id for one in snapshot.company.players()}
    hides = any(one.hidden for one in table.characters.values())
    for line in lines:
        by = line.entry.name if line.entry.who in players else ""
        secret = line.entry.secret or any(one.secret for one in line.moved)
        found, html = _seen(code, line, by, table) if hides or secret else _open_to_all(code, line, by)
        if found.told:
            yield found, html


@lru_cache(maxsize=2048)
def _open_to_all(code: str, line: Line, by: str) -> tuple[SeenLine, str]:
    """A line with nothing to hide at a table that hides nothing; most of them are the same after each change."""
    return _seen(code, line, by, Table())


def _seen(code: str, line: Line, by: str, table: Table) -> tuple[SeenLine, str]:
    told = told_to_all(line.entry, table)
    if told:
        told += tuple(one for moved in line.moved for one in told_moved(told_to_all(moved, table)))
    found = SeenLine(line.entry.number, by, told, not line.counts)
    return found, str(language(code).macro("parts/parts.html", "line")(found)).strip()


def told_to_all(entry: Entry, table: Table) -> tuple[Told, ...]:
    """What players are told of an entry. `table` is all of the table, as it is now."""
    events = seen_events(entry.events, entry.about, entry.secret, table)
    return tuple(Told(event.tell(), event.rule) for event in events)


def told_moved(told: Sequence[Told]) -> tuple[Told, ...]:
    """What an entry told, told again in short where an undo takes it back or a redo puts it back."""
    return tuple(Told(sentence("It was: {what}", what=one.sentence), "table") for one in told[:1])


def telling(line: Line, by: str) -> SeenLine:
    """An entry of the history as the Referee reads it, all of it."""
    entry = line.entry
    told = _told_of(entry) + tuple(one for moved in line.moved for one in told_moved(_told_of(moved)))
    return SeenLine(entry.number, by, told, not line.counts, line.can_undo)


def _told_of(entry: Entry) -> tuple[Told, ...]:
    return tuple(Told(event.tell(), event.rule) for event in entry.events)


@lru_cache(maxsize=2048)
def line_html(code: str, line: Line, by: str) -> str:
    """An entry's line as HTML; most of them are the same after each change."""
    return str(language(code).macro("parts/parts.html", "line")(telling(line, by), True)).strip()


def by_whom(line: Line, company: Company) -> str:
    """Who did this, where it was a player and is not told anyway."""
    entry = line.entry
    if not entry.who or not any(isinstance(event, Event) for event in entry.events):
        return ""
    member = company.members.get(entry.who)
    return "" if member is not None and member.role is Role.REFEREE else entry.name


def first_told(entry: Entry) -> Sentence:
    """What an entry did in the game, in its first sentence."""
    played = [event for event in entry.events if isinstance(event, Event)]
    return played[0].tell() if played else sentence("nothing changed")
