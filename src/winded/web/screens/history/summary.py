"""The sheet of what each one spent."""

from __future__ import annotations

from msgspec import Struct

from winded.rules import (
    Event,
)
from winded.rules.characters import Renamed
from winded.rules.checks import CheckWithdrawn
from winded.sentence import Sentence, sentence
from winded.web.screens.parts.sheet import Asking, Facts

SUMMARY_LIMIT = 20_000
"""So many of the newest entries are counted in a summary."""


SESSION = 12 * 3600
"""Seconds before the newest entry that count as the same evening."""


PUSH = "push.bonus"


SPENT_ON = {
    "early.cost": sentence("acting early"),
    "reaction.cost": sentence("reactions"),
    PUSH: sentence("pushed Checks"),
    "hardship.spend": sentence("hardship"),
    "ability.spend": sentence("abilities"),
    "channel.needs-stamina": sentence("Channel Casting"),
}
"""What Stamina was spent on, by the rule it was spent under; for any other rule its id says it."""


class Spent(Struct):
    """What one character has spent: by rule, how often and how much; what rests gave back; Wounds taken."""

    name: str
    by_rule: dict[str, tuple[int, int]]
    spent: int = 0
    rested: int = 0
    wounds: int = 0


class SpentOn(Struct, frozen=True):
    """A column of the summary."""

    id: str
    label: Sentence


def summary(asking: Asking) -> Facts:
    """What each one spent on what, of all that still counts: this evening, or since the table began."""
    rows: dict[str, Spent] = {}
    rules: dict[str, SpentOn] = {}
    names: dict[str, str] = {}
    lines = asking.tables.lines(asking.snapshot.id, None, SUMMARY_LIMIT)
    whole = "all" in asking.query
    since = 0.0 if whole or not lines else lines[0].entry.at - SESSION
    for line in lines:
        if not line.counts or line.entry.at < since:
            continue
        for event in reversed(line.entry.events):
            named = getattr(event, "character", None)
            if named is None or not isinstance(event, Event):
                continue
            # Newest first: whoever was called something else once is counted under the name of today.
            if isinstance(event, Renamed):
                names[named] = names.get(event.name, event.name)
                continue
            name = names.get(named, named)
            row = rows.setdefault(name, Spent(name, {}))
            if cost := event.spent:
                times, sum_ = row.by_rule.get(event.rule, (0, 0))
                row.by_rule[event.rule] = (times + 1, sum_ + cost)
                rules.setdefault(event.rule, SpentOn(event.rule, SPENT_ON.get(event.rule, Sentence(event.rule))))
            if isinstance(event, CheckWithdrawn) and event.returned:
                # What came back was not spent, and a push that came back whole was none.
                times, sum_ = row.by_rule.get(PUSH, (0, 0))
                row.by_rule[PUSH] = (times - (event.returned == event.push), sum_ - event.returned)
            row.rested += getattr(event, "gained", 0)
            row.wounds += hasattr(event, "cut")
    for row in rows.values():
        row.by_rule = {rule: one for rule, one in row.by_rule.items() if one[1] > 0}
        row.spent = sum(sum_ for _, sum_ in row.by_rule.values())
    used = {rule for row in rows.values() for rule in row.by_rule}
    order = [*SPENT_ON]
    columns = [rule for rule in rules.values() if rule.id in used]
    columns.sort(key=lambda one: order.index(one.id) if one.id in order else len(order))
    seats = [*asking.snapshot.table.characters]
    shown = [row for row in rows.values() if row.spent or row.rested or row.wounds]
    shown.sort(key=lambda row: seats.index(row.name) if row.name in seats else len(seats))
    return {"rows": shown, "rules": columns, "whole": whole}
