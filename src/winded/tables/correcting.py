"""Correct the past (`ruling.correct`): play what was forgotten where it belongs, then all that followed again.

Each later act is decided again from its command: for the same characters, even if renamed, with the rolls as they fell,
at the cost the rules ask then. Every correction goes on counting until a later one leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import fields, replace

from winded.errors import Refused
from winded.journal.contract import Entry
from winded.roles import Accept, Ask, Asked, RolledCheck, asked_now
from winded.rules import (
    ENEMY,
    Changed,
    Command,
    Correct,
    Event,
    PutRight,
    PutRightState,
    ResolveCheck,
    Table,
)
from winded.rules.characters import CharacterAdded
from winded.rules.correcting import Became
from winded.rules.fields import named, naming
from winded.rules.table import same
from winded.sentence import Sentence
from winded.tables.capacity import check_room
from winded.tables.snapshot import Snapshot

MOST_PLAYED_AGAIN = 2_000
"""The most entries that one correction may play again."""

EntryOf = Callable[[int], Entry]
"""Reads an entry of the history by its number."""


class PlayedAgain(Struct, frozen=True):
    """What a correction makes of one act: its events before (`was`) and `now`.

    `refused` says why it is no longer possible; `left_out` that it is not played again, or replaced.
    """

    entry: Entry
    was: tuple[Event, ...]
    now: tuple[Event, ...] = ()
    refused: Refused | None = None
    left_out: bool = False

    @property
    def is_same(self) -> bool:
        """Whether nothing about it changes."""
        return self.now == self.was and self.refused is None and not self.left_out


class Correction(Struct, frozen=True):
    """What a correction does: what it inserts, what it makes of each later act, oldest first, and the table after."""

    table: Table
    inserted: tuple[Event, ...]
    acts: tuple[PlayedAgain, ...]

    @property
    def dropped(self) -> tuple[Event, ...]:
        """The events of the acts that it leaves out."""
        return tuple(event for act in self.acts if act.left_out for event in act.was)

    def event(self, command: Correct, before: Table) -> PutRight:
        """The event to store. Raises Refused for the first act that is no longer possible."""
        for act in self.acts:
            if act.refused is not None:
                raise _impossible(act.entry.number, act.refused.sentence)
        different = tuple(changed(before, self.table))
        concerns, is_open = _concerns(self.inserted, before, self.table)
        return PutRight(
            command.after,
            different,
            self.inserted,
            concerns,
            is_open,
            tuple(act.entry.number for act in self.acts if act.left_out),
            tuple(Became(act.entry.number, act.now) for act in self.acts if not act.left_out and not act.is_same),
            PutRightState.of(self.table),
        )


class Corrected(Struct, frozen=True):
    """A table as it is, and what a correction would make of it."""

    snapshot: Snapshot
    correction: Correction


class Earlier(Struct, frozen=True):
    """A correction: the number of its entry, the command, and the entry itself; the newest has none yet."""

    number: int
    command: Correct
    entry: Entry | None = None

    @property
    def event(self) -> PutRight | None:
        """The event that it led to, if it has been played."""
        events = () if self.entry is None else self.entry.events
        return next((event for event in events if isinstance(event, PutRight)), None)

    @property
    def leaves_out(self) -> set[int]:
        """The numbers of the entries that it leaves out or replaces."""
        return {*self.command.without, *(instead.entry for instead in self.command.instead)}


def earlier_in(entries: Iterable[Entry]) -> list[Earlier]:
    """The corrections among these entries."""
    return [Earlier(entry.number, entry.command, entry) for entry in entries if isinstance(entry.command, Correct)]


def begins_at(after: int, corrections: Iterable[Earlier]) -> int:
    """The number of the entry after which to play the past again, so that these later corrections count too."""
    return min([after, *(one.command.after for one in corrections)])


def check_length(entries: int) -> None:
    """Refuse, as "not-now", to play again more than `MOST_PLAYED_AGAIN` entries."""
    if entries > MOST_PLAYED_AGAIN:
        raise Refused(
            "not-now",
            "That is too long ago: {entries} entries would be played again, and at most {most} can be.",
            entries=entries,
            most=MOST_PLAYED_AGAIN,
        )


def put_right(
    command: Correct, number: int, start: Table, entries: Sequence[Entry], seated: int, entry_of: EntryOf
) -> Correction:
    """Play the past again with this correction, which would be entry `number`.

    `start` is the table before `entries`, which are all acts since that still count; `seated` is how many ids the table
    has given out. Raises Refused for an inserted command that is refused, and for a left-out entry that is no such act.
    """
    _check(command, entries)
    before = earlier_in(entries)
    corrections = [*before, Earlier(number, command)]
    gone, dropped = _dropped(before), _dropped(corrections)
    counting = [one for one in corrections if one.number not in dropped]
    own = corrections[-1].leaves_out
    became = {one.entry: one.events for each in before if each.event is not None for one in each.event.became}
    waiting = sorted(counting, key=lambda one: (one.command.after, one.number))
    again = _Again(replace(start, seated=max(start.seated, seated)), start, entry_of)
    for entry in entries:
        while waiting and waiting[0].command.after < entry.number:
            correction = waiting.pop(0)
            again.insert(correction, correction.command.commands)
        if isinstance(entry.command, Correct):
            if entry.number in own:
                event = Earlier(entry.number, entry.command, entry).event
                again.leave_out(entry, () if event is None else event.inserted)
        elif entry.number not in dropped:
            again.play(entry, () if entry.number in gone else became.get(entry.number, _of_the_game(entry)))
        else:
            if entry.number in own and entry.number not in gone:
                again.leave_out(entry, became.get(entry.number, _of_the_game(entry)))
            again.put_in_place_of(entry, counting)
        again.pass_by(entry)
    for correction in waiting:
        again.insert(correction, correction.command.commands)
    return Correction(again.table, tuple(again.inserted), tuple(again.acts))


class _Again:
    """The past as it is played again, side by side with the past as it was played."""

    def __init__(self, table: Table, as_played: Table, entry_of: EntryOf) -> None:
        self.table = table
        self.inserted: list[Event] = []
        self.acts: list[PlayedAgain] = []
        self._as_played = as_played
        self._entry_of = entry_of
        self._seats: dict[int, Iterator[str]] = {}

    def pass_by(self, entry: Entry) -> None:
        """Follow an entry in the past as it was played."""
        self._as_played = self._as_played.after(*_of_the_game(entry))

    def insert(self, correction: Earlier, commands: Iterable[Command]) -> None:
        """Play what a correction inserts. Raises Refused only for the newest one, which is asked for now."""
        entry = correction.entry
        if entry is None:
            for command in commands:
                check_room(self.table, command)
                events = _afresh(command).decide(self.table)
                self.table = self.table.after(*events)
                self.inserted += events
            return
        seats = self._seats.setdefault(
            entry.number, _seats(() if correction.event is None else correction.event.inserted)
        )
        try:
            self.table, _ = _played(self.table, tuple(commands), seats)
        except Refused as no:
            self.acts.append(PlayedAgain(entry, (), refused=_kept(no)))

    def put_in_place_of(self, entry: Entry, counting: Iterable[Earlier]) -> None:
        """Play what the newest correction that replaces this entry wants instead."""
        speaking = [one for one in counting if entry.number in one.leaves_out]
        for instead in speaking[-1].command.instead if speaking else ():
            if instead.entry == entry.number:
                self.insert(speaking[-1], instead.commands)

    def leave_out(self, entry: Entry, was: tuple[Event, ...]) -> None:
        """Leave this act out."""
        self.acts.append(PlayedAgain(entry, was, left_out=True))

    def play(self, entry: Entry, was: tuple[Event, ...]) -> None:
        """Play an act again; if it is not possible, the table stays as it is."""
        commands = self._commands(entry)
        if not commands:
            self.table = self.table.after(*_of_the_game(entry))
            self.acts.append(PlayedAgain(entry, was, _of_the_game(entry)))
            return
        try:
            self.table, now = _played(self.table, commands, _seats(_of_the_game(entry)))
        except Refused as no:
            self.acts.append(PlayedAgain(entry, was, refused=_kept(no)))
        else:
            self.acts.append(PlayedAgain(entry, was, now))

    def _commands(self, entry: Entry) -> tuple[Command, ...]:
        """The commands of an act, for the same characters whatever their names now; none if they are not known."""
        return tuple(naming(one, map(self._id_of, named(one))) for one in self._asked(entry))

    def _asked(self, entry: Entry) -> Iterator[Command]:
        command = entry.command
        if isinstance(command, tuple):
            yield from command
        elif isinstance(command, Command):
            yield command
        elif isinstance(command, RolledCheck):
            yield ResolveCheck(command.command.character, command.roll)
        elif isinstance(command, Accept):
            for event in self._entry_of(command.ask).events:
                if isinstance(event, Asked):
                    ask = Ask(event.number, event.member, event.command, event.cost, event.reason, event.about)
                    yield asked_now(ask, self._as_played)

    def _id_of(self, name: str) -> str:
        """The id of the character who had this name then; the name itself if the corrected past has none of that id."""
        called = self._as_played.names.get(same(name))
        one = None if called is None else self._as_played.characters[called].id
        return name if one is None or one not in self.table.names else one


def _played(table: Table, commands: Iterable[Command], seats: Iterator[str]) -> tuple[Table, tuple[Event, ...]]:
    """The table after these commands, and their events. New characters get their former ids, from `seats`."""
    happened: list[Event] = []
    for command in commands:
        for event in _afresh(command).decide(table):
            kept = replace(event, id=next(seats, event.id)) if isinstance(event, CharacterAdded) else event
            table = kept.evolve(table)
            happened.append(kept)
    return table, tuple(happened)


def _seats(events: Iterable[Event]) -> Iterator[str]:
    return iter([event.id for event in events if isinstance(event, CharacterAdded)])


def _kept(no: Refused) -> Refused:
    no.__traceback__ = None
    return no


def _afresh(command: Command) -> Command:
    """The command without the cost and moment it was aimed at: nobody was shown one this time."""
    unset = {field.name: None for field in fields(command) if field.name in ("cost", "at") and not field.required}
    return replace(command, **unset) if unset else command


def _of_the_game(entry: Entry) -> tuple[Event, ...]:
    return tuple(event for event in entry.events if isinstance(event, Event))


def _check(command: Correct, entries: Sequence[Entry]) -> None:
    if not command.commands and not command.without and not command.instead:
        raise Refused("not-now", "Say what should have happened, or what should not have.")
    played = {entry.number for entry in entries if entry.number > command.after}
    for number in (*command.without, *(one.entry for one in command.instead)):
        if number not in played:
            raise Refused(
                "not-found", "Entry {number} is not an act after that point that still counts.", number=number
            )


def _dropped(corrections: Sequence[Earlier]) -> set[int]:
    """The entries that these corrections leave out. A correction that is itself left out does not count."""
    dropped: set[int] = set()
    for one in reversed(corrections):
        if one.number not in dropped:
            dropped |= one.leaves_out
    return dropped


def _impossible(number: int, why: Sentence) -> Refused:
    return Refused(
        "ruling.correct",
        "Entry {number} would no longer be possible: {why} Leave it out, or say what happened instead.",
        number=number,
        why=why,
    )


def changed(before: Table, after: Table) -> Iterator[Changed]:
    """Whose Stamina or maximum is another after than before, who is gone and who is new."""
    was = {one.id: one for one in before.characters.values()}
    now = {one.id: one for one in after.characters.values()}
    for one in before.characters.values():
        left = now.get(one.id)
        if left is None:
            yield Changed(one.name, one.stamina, None, one.maximum, None)
        elif (left.stamina, left.maximum) != (one.stamina, one.maximum):
            yield Changed(one.name, one.stamina, left.stamina, one.maximum, left.maximum)
    for one in after.characters.values():
        if one.id not in was:
            yield Changed(one.name, None, one.stamina, None, one.maximum)


def _concerns(inserted: Iterable[Event], before: Table, after: Table) -> tuple[tuple[str, ...], bool]:
    """The characters that these events concern, by their names now, and whether none was hidden before or after."""
    names = {name for event in inserted for name in event.names() if name != ENEMY}
    found = tuple(name for name in before.characters if name in names)
    nothing_hidden = not any(one.hidden for table in (before, after) for one in table.characters.values())
    return found, nothing_hidden and all(name in before.characters for name in names)
