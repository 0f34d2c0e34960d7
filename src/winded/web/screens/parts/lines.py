"""Lines of the history: all of it for the Referee, and for players and spectators what they may know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from winded.roles import Company, Role
from winded.rules import Event
from winded.rules.checks import CheckResolved
from winded.sentence import Sentence, sentence
from winded.service import HistorySentence, Seen, SeenEntry, SeenLine
from winded.web.language import language
from winded.web.live import Kept

TOLD = 20
"""So many of the newest lines of the history stand on a screen, as in `table/view.js`; a sheet holds the rest."""


class ToldLine(Struct, frozen=True):
    """One entry of the history in words. `who` acted, where that is told; `undone` says that it no longer counts."""

    number: int
    who: str
    told: tuple[HistorySentence, ...]
    undone: bool = False
    can_undo: bool = False


def newest_lines(code: str, seen: Seen, kept: Kept) -> Iterator[tuple[ToldLine, str]]:
    """The newest lines of what is seen, newest first, each with its HTML in this language."""
    company = seen.company
    is_referee = seen.role is Role.REFEREE

    def line_html(line: SeenLine, who: str) -> tuple[ToldLine, str]:
        told = telling(line, who)
        return told, str(language(code).macro("parts/parts.html", "line")(told, is_referee)).strip()

    for line in [one for one in seen.lines if one.entry.events][:TOLD]:
        who = by_whom(line.entry, company)
        yield kept.get(("line", code, is_referee, who, line), partial(line_html, line, who))


def newest_result(seen: Seen) -> CheckResolved | None:
    """The Check that was rolled last, as long as nothing else has happened at the table since."""
    for line in seen.lines[:1]:
        if line.counts:
            return next((one for one in line.entry.events if isinstance(one, CheckResolved)), None)
    return None


def telling(line: SeenLine, who: str) -> ToldLine:
    """A line in words."""
    told = line.entry.told
    for moved in line.moved:
        # What an undo takes back or a redo puts back is told in short.
        told += tuple(HistorySentence(sentence("It was: {what}", what=one.sentence), "table") for one in moved.told[:1])
    return ToldLine(line.entry.number, who, told, not line.counts, line.can_undo)


def by_whom(entry: SeenEntry, company: Company) -> str:
    """Who did this, where it was a player and is not told anyway."""
    if not entry.who or not entry.is_of_the_game:
        return ""
    member = company.members.get(entry.who)
    return "" if member is not None and member.role is Role.REFEREE else entry.name


def all_told(entry: SeenEntry) -> Sentence:
    """What an entry did in the game, in its first sentence, and to whom else, as with a rest of several."""
    played = [event for event in entry.events if isinstance(event, Event)]
    if not played:
        return sentence("nothing changed")
    first = played[0]
    others = dict.fromkeys(name for event in played[1:] for name in event.names() if type(event) is type(first))
    named = tuple(name for name in others if name not in first.names())
    return sentence("{what} Also {names}.", what=first.tell(), names=named) if named else first.tell()
