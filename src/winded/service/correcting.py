"""A preview of putting the past right: what every later act did, and what it would do."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Refused
from winded.rules import Command, Correct, Event, Instead, Table
from winded.sentence import Sentence
from winded.service.desk import Desk
from winded.service.sights import HistorySentence, SeenEntry, entry_seen
from winded.service.visiting import Visitor, count_act, member_at, require_referee
from winded.tables import PlayedAgain, Revision, changed


class Place(StrEnum):
    """Where an act belongs that is put in, seen from an entry of the history; or that the entry is left out."""

    BEFORE = "before"
    AFTER = "after"
    INSTEAD = "instead"
    LEFT_OUT = "left_out"


def at_entry(number: int, place: Place, commands: tuple[Command, ...] = (), to: Correct | None = None) -> Correct:
    """The correction at the entry of this number: these commands put in there, or the entry left out.

    `to` is a correction to add to, which keeps its own moment: there a later entry is replaced or left out.
    """
    if place is Place.AFTER:
        return Correct(number, commands)
    start = to or Correct(max(number - 1, 0))
    if place is Place.BEFORE:
        return replace(start, commands=(*start.commands, *commands))
    if place is Place.LEFT_OUT:
        return replace(start, without=tuple(dict.fromkeys((*start.without, number))))
    others = tuple(one for one in start.instead if one.entry != number)
    return replace(start, instead=(*others, Instead(number, commands)))


class Outcome(StrEnum):
    """What happens to an act when the past is put right."""

    SAME = "same"
    CHANGED = "changed"
    IMPOSSIBLE = "impossible"
    LEFT_OUT = "left_out"


class Becomes(Struct, frozen=True):
    """An act, what it did until now, and what it would do; `refused` says why it would no longer be possible."""

    entry: SeenEntry
    outcome: Outcome
    was: tuple[Event, ...]
    now: tuple[Event, ...]
    refused: Refused | None = None

    @property
    def told_before(self) -> tuple[HistorySentence, ...]:
        """What it did until now, in sentences."""
        return tuple(HistorySentence(event.tell(), event.rule) for event in self.was)

    @property
    def told_now(self) -> tuple[HistorySentence, ...]:
        """What it would do, in sentences."""
        return tuple(HistorySentence(event.tell(), event.rule) for event in self.now)


class Review(Struct, frozen=True):
    """What a correction would do: what it puts in, what happens to every later act, oldest first, and the table after.

    `revision` names the state it was worked out for. The correction can be made if nothing `is_in_the_way`.
    """

    revision: Revision
    inserted: tuple[Event, ...]
    acts: tuple[Becomes, ...]
    before: Table
    table: Table

    @property
    def told(self) -> tuple[HistorySentence, ...]:
        """What it puts in, in sentences."""
        return tuple(HistorySentence(event.tell(), event.rule) for event in self.inserted)

    @property
    def is_in_the_way(self) -> tuple[Becomes, ...]:
        """The acts that would no longer be possible."""
        return tuple(one for one in self.acts if one.outcome is Outcome.IMPOSSIBLE)

    @property
    def told_after(self) -> tuple[Sentence, ...]:
        """Whose Stamina would be another now, a sentence each."""
        return tuple(one.tell() for one in changed(self.before, self.table))

    def without_what_is_in_the_way(self, command: Correct) -> Correct:
        """The previewed correction, leaving out what would no longer be possible: that much can be made."""
        for one in self.is_in_the_way:
            command = at_entry(one.entry.number, Place.LEFT_OUT, to=command)
        return command


def review(desk: Desk, who: Visitor, command: Correct) -> Review:
    """Preview this correction; nothing happens.

    Raises Forbidden for all but the Referee, and Refused if what it puts in is refused, if there is no such entry to
    leave out, or if it goes too far back. May read a long history: do not call it where others would wait.
    """
    require_referee(who)
    count_act(desk, who)
    would = desk.tables.put_right(who.table, command)
    role = member_at(would.snapshot, who).role
    acts = tuple(
        Becomes(entry, _outcome(act), act.was, act.now, act.refused)
        for act in would.correction.acts
        if (entry := entry_seen(act.entry, role, would.snapshot.table)) is not None
    )
    return Review(
        would.snapshot.revision, would.correction.inserted, acts, would.snapshot.table, would.correction.table
    )


def _outcome(act: PlayedAgain) -> Outcome:
    if act.left_out:
        return Outcome.LEFT_OUT
    if act.refused is not None:
        return Outcome.IMPOSSIBLE
    return Outcome.SAME if act.is_same else Outcome.CHANGED
