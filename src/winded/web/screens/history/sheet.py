"""The sheet of the history, and the one that asks before it takes back."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from winded.service import HistorySentence, seeing
from winded.web.screens.history.summary import SUMMARY_LIMIT
from winded.web.screens.parts.lines import by_whom, telling
from winded.web.screens.parts.offers import that_act
from winded.web.screens.parts.sheet import Asking, Facts

HISTORY_PAGE = 60
"""Lines of the history on one sheet."""


class Past(Struct, frozen=True):
    """An entry of the history with its time."""

    number: int
    who: str
    at: datetime
    told: tuple[HistorySentence, ...]
    undone: bool
    can_undo: bool


def history(asking: Asking) -> Facts:
    """The history, newest first, a page of it."""
    before = asking.number("before")
    following = seeing.see_lines(asking.desk, asking.visitor, before, HISTORY_PAGE)
    shown = []
    for line in following.lines:
        seen = telling(line, by_whom(line.entry, asking.seen.company))
        if seen.told:
            at = datetime.fromtimestamp(line.entry.at, UTC)
            shown.append(Past(seen.number, seen.who, at, seen.told, seen.undone, seen.can_undo))
    earlier = following.last.number if following.looked_at and following.last.number > 1 else None
    return {"lines": shown, "earlier": earlier, "newer": before is not None}


def back(asking: Asking) -> Facts:
    """What an undo through an entry would take back, newest first."""
    through = asking.number("through") or 0
    count = max(asking.seen.number - through + 1, 0)
    lines = seeing.see_lines(asking.desk, asking.visitor, None, min(count, SUMMARY_LIMIT)).lines if through else ()
    acts = [telling(line, by_whom(line.entry, asking.seen.company)) for line in lines if line.can_undo]
    if not acts or acts[-1].number != through:
        acts = []
    return {"acts": acts, "through": through, "meant": that_act(acts[0].number) if acts else ""}
