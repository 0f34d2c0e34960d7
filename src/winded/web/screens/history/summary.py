"""The sheet of what each one spent."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from winded.rules import SPENDINGS, Event, PutRight
from winded.rules.characters import Renamed
from winded.rules.rest import Rested
from winded.rules.wounds import WoundTaken
from winded.service import SeenEntry, seeing
from winded.web.screens.parts.sheet import Asking, Facts

SUMMARY_LIMIT = 20_000
"""So many of the newest entries are counted in a summary."""


SESSION = 12 * 3600
"""Seconds before the newest entry that count as the same evening."""


class Spent(Struct):
    """What one character has spent: by the word of what on, how often and how much; what rests gave; Wounds taken."""

    name: str
    on: dict[str, tuple[int, int]]
    spent: int = 0
    rested: int = 0
    wounds: int = 0


def _as_it_counts(entry: SeenEntry, put_right: dict[int, tuple[Event, ...]]) -> Sequence[object]:
    """What counts of an entry since the past was put right; entries are asked for newest first.

    `put_right` gathers what corrections say of older entries: of several, the newest is in force.
    """
    if entry.number in put_right:
        return put_right[entry.number]
    happened: list[object] = []
    for event in entry.events:
        if not isinstance(event, PutRight):
            happened.append(event)
            continue
        happened += event.inserted
        for number in event.left_out:
            put_right.setdefault(number, ())
        for one in event.became:
            put_right.setdefault(one.entry, one.events)
    return happened


def summary(asking: Asking) -> Facts:
    """What each one spent on what, of all that still counts: this evening, or since the table began."""
    rows: dict[str, Spent] = {}
    names: dict[str, str] = {}
    put_right: dict[int, tuple[Event, ...]] = {}
    lines = seeing.see_lines(asking.desk, asking.visitor, None, SUMMARY_LIMIT).lines
    whole = "all" in asking.query
    since = 0.0 if whole or not lines else lines[0].entry.at - SESSION
    for line in lines:
        if not line.counts or line.entry.at < since:
            continue
        for event in reversed(_as_it_counts(line.entry, put_right)):
            if not isinstance(event, Event) or not event.names():
                continue
            named = event.names()[0]
            # Newest first: whoever was called something else once is counted under the name of today.
            if isinstance(event, Renamed):
                names[named] = names.get(event.name, event.name)
                continue
            name = names.get(named, named)
            row = rows.setdefault(name, Spent(name, {}))
            if event.spending is not None and event.spent:
                times, sum_ = row.on.get(event.spending.word, (0, 0))
                row.on[event.spending.word] = (times + event.spent_times, sum_ + event.spent)
            if isinstance(event, Rested):
                row.rested += event.gained
            row.wounds += isinstance(event, WoundTaken)
    for row in rows.values():
        row.on = {word: one for word, one in row.on.items() if one[1] > 0}
        row.spent = sum(sum_ for _, sum_ in row.on.values())
    columns = [one for one in SPENDINGS if any(one.word in row.on for row in rows.values())]
    seats = [*asking.seen.table.characters]
    shown = [row for row in rows.values() if row.spent or row.rested or row.wounds]
    shown.sort(key=lambda row: seats.index(row.name) if row.name in seats else len(seats))
    return {"rows": shown, "spendings": columns, "whole": whole}
