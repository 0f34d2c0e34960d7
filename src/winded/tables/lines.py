"""A table's history line by line, as people read it: what counts, and what was taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from winded.journal import Entry, Journal
from winded.journal.codec import kind_of
from winded.rules.undoing import Redone, Undone
from winded.tables.history import Moment
from winded.tables.taken_back import TakenBack

NEWEST = 30
"""How many of a table's newest lines stay in memory once somebody has looked at them."""

MOVED_TOLD = 3
"""How many of the entries that an undo took back its line tells of."""


class Line(Struct, frozen=True):
    """A line of the history: an entry, whether it counts now, and whether one can undo back through it.

    For an undo or redo, `moved` holds the first `MOVED_TOLD` of the entries that it took back or put back, in order.
    """

    entry: Entry
    counts: bool
    can_undo: bool
    moved: tuple[Entry, ...] = ()


def newest_lines(journal: Journal, table: str) -> tuple[Line, ...]:
    """The newest `NEWEST` lines, newest first. Raises Unknown."""
    entries = [*journal.read_back(table, None, NEWEST)]
    # Only later entries can have taken them back.
    return tuple(_lines(journal, table, entries, TakenBack(journal.takings_back(table, _oldest(entries)))))


def lines_back(journal: Journal, table: str, before: int | None, limit: int, taken_back: TakenBack) -> list[Line]:
    """The history before entry `before`, or all of it, newest first, at most `limit` lines. Raises Unknown."""
    entries = [*journal.read_back(table, before, limit)]
    return _lines(journal, table, entries, taken_back.caught_up(journal, table))


def lines_after(journal: Journal, table: str, after: int, limit: int, taken_back: TakenBack) -> list[Line]:
    """The history after entry `after`, oldest first, at most `limit` lines. Raises Unknown."""
    entries = [*journal.read(table, after, limit)]
    return _lines(journal, table, entries, taken_back.caught_up(journal, table))


def lines_at_hand(now: Moment, newest: tuple[Line, ...] | None, after: int, limit: int) -> list[Line] | None:
    """`lines_after` without reading, for a table at this moment; None if it must be read.

    `newest` are its newest lines, if they are in memory.
    """
    missing = now.number - after
    if missing <= 0:
        return []
    acts = now.acts[-missing:] if missing <= len(now.acts) else ()
    if acts and acts[0].number == after + 1 and acts[-1].number == now.number:
        lines = [Line(act.entry, True, True) for act in acts[:limit] if act.entry is not None]
        if len(lines) == min(limit, missing):
            return lines
    if newest and newest[0].entry.number == now.number and newest[-1].entry.number <= after + 1:
        return [line for line in reversed(newest) if line.entry.number > after][:limit]
    return None


def lines_with(lines: tuple[Line, ...], entry: Entry) -> tuple[Line, ...] | None:
    """The newest lines after this entry; None if they must be read again."""
    newest = lines[0].entry.number if lines else 0
    if entry.number <= newest:
        return lines
    if entry.number != newest + 1:
        return None
    moved: list[Entry] = []
    counts: dict[int, bool] = {}
    for event in entry.events:
        if isinstance(event, Undone | Redone):
            known = {line.entry.number: line.entry for line in lines}
            for number in event.numbers[:MOVED_TOLD]:
                if number not in known:
                    return None
                moved.append(known[number])
            counts.update(dict.fromkeys(event.numbers, isinstance(event, Redone)))
    if counts:
        lines = tuple(
            replace(line, counts=counts[line.entry.number], can_undo=counts[line.entry.number])
            if line.entry.number in counts
            else line
            for line in lines
        )
    made = Line(entry, True, kind_of(entry.command, entry.events).is_act, tuple(moved))
    return (made, *lines)[:NEWEST]


def _oldest(entries: Sequence[Entry]) -> int:
    return entries[-1].number if entries else 0


def _lines(journal: Journal, table: str, entries: Sequence[Entry], taken_back: TakenBack) -> list[Line]:
    known = {entry.number: entry for entry in entries}
    return [
        Line(
            entry,
            entry.number not in taken_back,
            entry.number not in taken_back and kind_of(entry.command, entry.events).is_act,
            tuple(_moved(journal, table, entry, known)),
        )
        for entry in entries
    ]


def _moved(journal: Journal, table: str, entry: Entry, known: Mapping[int, Entry]) -> Iterator[Entry]:
    for event in entry.events:
        if isinstance(event, Undone | Redone):
            for number in event.numbers[:MOVED_TOLD]:
                found = known.get(number)
                yield from journal.read(table, number - 1, 1) if found is None else (found,)
