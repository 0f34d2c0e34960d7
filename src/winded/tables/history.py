"""A table at one point of its history: its state, what undo would take back, and what redo would put back.

The state comes from the events of all entries that count, in order. An undo names the entries that no longer count, a
redo those that count again; neither rewrites anything. Undo takes back only the newest, so it leads to an earlier
state: the last few are kept, older ones are worked out again. Changes to the company are never taken back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Refused
from winded.journal.codec import AnyEvent, EntryKind, kind_of
from winded.journal.contract import Entry, Journal, Page
from winded.roles import Company, CompanyCommand, CompanyEvent, company_after, hidden_id, ids_named, what_follows
from winded.rules import Command, Correct, Event, PutRight, Redo, Redone, Ruleset, Table, Undo, Undone, check_act
from winded.rules.characters import CharacterAdded, HidingChanged
from winded.tables.correcting import Correction, begins_at, check_length, earlier_in, put_right

WINDOW = 32
"""How many earlier states are kept. The limit keeps memory from growing with the history."""

_ACT = f"{EntryKind.ACT:d}"
_TAKING_BACK = f"{EntryKind.TAKING_BACK:d}"
_ACTS = {_ACT, f"{EntryKind.BOTH:d}"}


class Act(Struct, frozen=True):
    """An entry that counts and that undo can take back. `entry` is None until it is read."""

    number: int
    before: Table
    entry: Entry | None


class Taken(Struct, frozen=True):
    """What one undo took back: the numbers, oldest first, and the first entry, once it is read.

    `below` is what the undo before it took back, which can be put back next.
    """

    numbers: tuple[int, ...]
    first: Entry | None
    below: Taken | None


class Moment(Struct, frozen=True):
    """A table as it was after entry `number`, whose mark is `mark`.

    `acts` are the newest that count, oldest first; `whole` says whether they are all. `taken` is what the next redo
    would put back.
    """

    number: int
    table: Table
    company: Company
    acts: tuple[Act, ...] = ()
    whole: bool = True
    taken: Taken | None = None
    mark: str = ""


class Undoings(Struct, frozen=True):
    """The numbers of the entries that do not count, after every undo and redo up to entry `until`."""

    numbers: frozenset[int]
    until: int


class Decided(Struct, frozen=True):
    """What a command does, before it becomes an entry. `about` and `secret` are as in an `Entry`."""

    events: tuple[AnyEvent, ...]
    kind: EntryKind
    table: Table
    company: Company
    acts: tuple[Act, ...]
    whole: bool
    taken: Taken | None
    about: tuple[str, ...] = ()
    secret: bool = False

    def made(self, entry: Entry, before: Table) -> Moment:
        """The moment after this became that entry."""
        if not self.kind.is_act:
            return Moment(entry.number, self.table, self.company, self.acts, self.whole, self.taken, entry.mark)
        acts = self.acts
        whole = self.whole
        if len(acts) == WINDOW:
            acts = acts[1:]
            whole = False
        acts = (*acts, Act(entry.number, before, entry))
        return Moment(entry.number, self.table, self.company, acts, whole, None, entry.mark)


class History:
    """Reads the moments of one table from a journal, and decides what comes next.

    `flushed` waits until all entries on their way are in the journal; it is called before reading what may be among
    them.
    """

    def __init__(self, journal: Journal, table: str, ruleset: Ruleset, flushed: Callable[[], None]) -> None:
        self._journal = journal
        self._id = table
        self._start = Moment(0, Table(ruleset), Company())
        self._flushed = flushed

    def decide(self, moment: Moment, command: Command | CompanyCommand | tuple[Command, ...], who: str) -> Decided:
        """What this member's command does at this moment. Raises what the command's own `decide` raises.

        Each of several commands is decided on what the one before it left; if one is refused, none is done.
        """
        match command:
            case Undo():
                return self._undo(moment, command)
            case Redo():
                return self._redo(moment, command)
            case Correct():
                return self._correct(moment, command)
        table = moment.table
        company = moment.company
        made: list[Event | CompanyEvent] = []
        about: dict[str, None] = {}
        secret = False
        for one in command if isinstance(command, tuple) else (command,):
            events: tuple[Event | CompanyEvent, ...]
            if isinstance(one, CompanyCommand):
                events = one.decide(company, table, who, moment.number + 1)
            else:
                events = one.decide(table)
            before = table
            for event in events:
                if isinstance(event, Event):
                    table = event.evolve(table)
                else:
                    company = event.evolve(company)
            if following := what_follows(company, before, table, events):
                events = (*events, *following)
                company = company_after(company, following)
            ids, is_secret = concerned(events, before, table)
            about.update(dict.fromkeys(ids))
            secret = secret or is_secret
            made += events
        kind = kind_of(command, made)
        return Decided(
            cast("tuple[AnyEvent, ...]", tuple(made)),
            kind,
            table,
            company,
            moment.acts,
            moment.whole,
            None if kind.is_act else moment.taken,
            tuple(about),
            secret,
        )

    def _undo(self, moment: Moment, command: Undo) -> Decided:
        acts = moment.acts
        through = command.through
        if not acts:
            raise Refused("not-now", "There is nothing to take back.")
        check_act(command.at, acts[-1].number)
        cut = len(acts) - 1
        if through is not None:
            while cut > 0 and acts[cut].number > through:
                cut -= 1
            if acts[cut].number != through:
                if moment.whole or acts[0].number < through:
                    raise _does_not_count(through)
                return self._undo_far(moment, through)
        back = acts[cut:]
        entries = [*self._of(back)]
        numbers = tuple(act.number for act in back)
        earlier = Moment(moment.number, back[0].before, moment.company, acts[:cut], moment.whole)
        if cut == 0 and not moment.whole:
            self._flushed()
            earlier = self._fold(self._start, self._undone(), numbers[0])
        return self._take(earlier, moment, Taken(numbers, back[0].entry, moment.taken), entries)

    def _undo_far(self, moment: Moment, through: int) -> Decided:
        """Undo back through an entry that is older than the states that are kept."""
        self._flushed()
        undone = self._undone()
        entries = [
            entry
            for entry in self._journal.read(self._id, through - 1)
            if entry.number not in undone.numbers and kind_of(entry.command, entry.events).is_act
        ]
        if not entries or entries[0].number != through:
            raise _does_not_count(through)
        earlier = self._fold(self._start, undone, through)
        numbers = tuple(entry.number for entry in entries)
        return self._take(earlier, moment, Taken(numbers, entries[0], moment.taken), entries)

    def _take(self, earlier: Moment, moment: Moment, taken: Taken, entries: Sequence[Entry]) -> Decided:
        taken_back = [event for entry in entries for event in entry.events]
        # No id is given twice: a character taken back still counts as one.
        table = replace(earlier.table, seated=moment.table.seated)
        after = replace(earlier, table=table, company=moment.company, taken=taken)
        return self._back_and_forth((Undone(taken.numbers[::-1]),), moment, after, entries, taken_back)

    def _redo(self, moment: Moment, command: Redo) -> Decided:
        taken = moment.taken
        if taken is None:
            raise Refused("not-now", "There is nothing to redo.")
        check_act(command.at, taken.numbers[0])
        self._flushed()
        again = moment
        back: list[Entry] = []
        for entry in self._entries(taken.numbers):
            table = again.table
            for event in entry.events:
                if isinstance(event, Event):
                    table = event.evolve(table)
            decided = Decided(entry.events, EntryKind.ACT, table, again.company, again.acts, again.whole, None)
            again = decided.made(entry, again.table)
            back.append(entry)
        return self._back_and_forth((Redone(taken.numbers),), moment, replace(again, taken=taken.below), back)

    def put_right(self, moment: Moment, command: Correct) -> Correction:
        """What this correction would make of the past. Raises Refused as `correcting.put_right` does.

        Reads the entries to play again, and those that led up to them.
        """
        if command.after > moment.number:
            raise Refused("not-found", "There is no entry {number} in the history.", number=command.after)
        self._flushed()
        undone = self._undone().numbers
        start = command.after
        while True:
            check_length(moment.number - start)
            entries = [
                entry
                for entry in self._journal.read(self._id, start, moment.number - start)
                if entry.number not in undone and kind_of(entry.command, entry.events).is_act
            ]
            earlier = begins_at(start, earlier_in(entries))
            if earlier == start:
                break
            start = earlier
        return put_right(
            command, moment.number + 1, self._before(moment, start), entries, moment.table.seated, self._entry
        )

    def _before(self, moment: Moment, start: int) -> Table:
        """The table after entry `start`, from the entries that count now."""
        for act in moment.acts:
            if act.number > start:
                return act.before if moment.whole or act is not moment.acts[0] else self._folded(start)
        return moment.table if moment.acts and moment.acts[-1].number <= start else self._folded(start)

    def _folded(self, start: int) -> Table:
        return self._fold(self._start, self._undone(), start + 1).table

    def _entry(self, number: int) -> Entry:
        return next(self._entries((number,)))

    def _correct(self, moment: Moment, command: Correct) -> Decided:
        correction = self.put_right(moment, command)
        event = correction.event(command, moment.table)
        table = event.evolve(moment.table)
        following = what_follows(moment.company, moment.table, table, (), correction.dropped)
        events = cast("tuple[AnyEvent, ...]", (event, *following))
        about, secret = concerned(events, moment.table, table)
        company = company_after(moment.company, following)
        kind = kind_of(command, events)
        return Decided(events, kind, table, company, moment.acts, moment.whole, None, about, secret)

    def _back_and_forth(
        self,
        events: tuple[AnyEvent, ...],
        before: Moment,
        after: Moment,
        entries: Iterable[Entry],
        taken_back: Sequence[AnyEvent] = (),
    ) -> Decided:
        after = self._shown(after)
        about, secret = _together(entries)
        following = what_follows(before.company, before.table, after.table, (), taken_back)
        return Decided(
            cast("tuple[AnyEvent, ...]", (*events, *following)),
            EntryKind.TAKING_BACK,
            after.table,
            company_after(after.company, following),
            after.acts,
            after.whole,
            after.taken,
            about,
            secret,
        )

    def newest(self) -> Moment:
        """The moment after the newest entry."""
        return self._marked(self._fold(self._start, self._undone()))

    def _marked(self, moment: Moment) -> Moment:
        """The moment with the mark of its entry."""
        return replace(moment, mark=self._journal.mark(self._id, moment.number) or "")

    def since(self, moment: Moment) -> Moment:
        """The newest moment, read on from this earlier one."""
        if next(self._journal.takings_back(self._id, moment.number), None) is not None:
            return self.newest()
        return self._marked(self._fold(moment, Undoings(frozenset(), moment.number)))

    def _undone(self) -> Undoings:
        """The entries that do not count now."""
        return undone_by(self._journal.takings_back(self._id))

    def _fold(self, moment: Moment, undone: Undoings, stop: int | None = None) -> Moment:
        """The moment before the act `stop`, or after the newest entry, without the `undone`.

        If another process has undone or redone something since `undone` was read, stops before that.
        """
        # Keep states for the newest acts only; there are fewer if many of these do not count.
        newest = self._journal.head(self._id).number if stop is None else stop - 1
        folding = _Folding(moment, undone, keep_from=newest - 2 * WINDOW)
        for page in self._journal.replay(self._id, moment.number):
            if folding.add(page, stop):
                break
        after = folding.moment()
        if not after.acts and not after.whole:
            folding = _Folding(moment, undone, keep_from=0)
            for page in self._journal.replay(self._id, moment.number):
                if folding.add(page, stop):
                    break
            after = folding.moment()
        return self._shown(after)

    def _shown(self, moment: Moment) -> Moment:
        """The moment with the first entries that undo and redo would take, so that both can be shown."""
        acts = moment.acts
        taken = moment.taken
        if acts and acts[-1].entry is None:
            (newest,) = self._of(acts[-1:])
            acts = (*acts[:-1], Act(newest.number, acts[-1].before, newest))
        if taken is not None and taken.first is None:
            (first,) = self._entries(taken.numbers[:1])
            taken = Taken(taken.numbers, first, taken.below)
        return replace(moment, acts=acts, taken=taken)

    def _of(self, acts: tuple[Act, ...]) -> Iterator[Entry]:
        """The entries of these acts. Any not read yet has long been in the journal."""
        for act in acts:
            if act.entry is not None:
                yield act.entry
            else:
                yield from self._entries((act.number,))

    def _entries(self, numbers: tuple[int, ...]) -> Iterator[Entry]:
        """The entries with these numbers, oldest first."""
        wanted = frozenset(numbers)
        span = numbers[-1] - numbers[0] + 1
        return (entry for entry in self._journal.read(self._id, numbers[0] - 1, span) if entry.number in wanted)


def undone_by(takings_back: Iterable[Entry]) -> Undoings:
    """What no longer counts after these undos and redos, given oldest first."""
    undone: set[int] = set()
    until = 0
    for entry in takings_back:
        until = entry.number
        for event in entry.events:
            if isinstance(event, Undone):
                undone.update(event.numbers)
            elif isinstance(event, Redone):
                undone.difference_update(event.numbers)
    return Undoings(frozenset(undone), until)


class _Folding:
    """Follows the events from one moment to a later one, and keeps states for undo from number `keep_from` on."""

    def __init__(self, moment: Moment, undone: Undoings, keep_from: int) -> None:
        self._start = moment
        self._undone = undone.numbers
        self._until = undone.until
        self._keep_from = keep_from
        self._last = moment.number
        self._table = moment.table
        self._company = moment.company
        self._taken = moment.taken
        self._counted = 0
        self._kept: deque[Act] = deque(moment.acts, maxlen=WINDOW)

    def add(self, page: Page, stop: int | None) -> bool:
        """Follow a page. True at entry `stop`, or at an undo that was not known; neither is followed."""
        last = page.first + len(page.events) - 1
        within = stop is None or last < stop
        if within and last < self._keep_from and page.kinds.count(_ACT) == len(page.kinds) and self._all_count(page):
            # Nearly all of a long history comes by here.
            table = self._table
            for events in page.events:
                for event in events:
                    table = event.evolve(table)  # type: ignore[assignment, arg-type]
            self._table = table
            self._taken = None
            self._counted += len(page.events)
            self._last = last
            return False
        for number, kind, events in zip(count(page.first), page.kinds, page.events):
            if number == stop or (kind == _TAKING_BACK and number > self._until):
                return True
            self._add(number, kind, events)
        return False

    def _all_count(self, page: Page) -> bool:
        return not self._undone or self._undone.isdisjoint(range(page.first, page.first + len(page.events)))

    def _add(self, number: int, kind: str, events: tuple[AnyEvent, ...]) -> None:
        self._last = number
        counts = False
        if kind in _ACTS:
            self._taken = None
            counts = number not in self._undone
            if counts:
                self._counted += 1
                if number >= self._keep_from:
                    self._kept.append(Act(number, self._table, None))
        for event in events:
            if not isinstance(event, Event):
                self._company = event.evolve(self._company)
            elif isinstance(event, Undone):
                self._taken = Taken(event.numbers[::-1], None, self._taken)
            elif isinstance(event, Redone):
                self._taken = self._taken and self._taken.below
            elif counts:
                self._table = event.evolve(self._table)
            elif isinstance(event, CharacterAdded | PutRight):
                self._table = replace(self._table, seated=event.evolve(self._table).seated)

    def moment(self) -> Moment:
        """The moment that was reached."""
        start = self._start
        whole = start.whole and len(self._kept) == len(start.acts) + self._counted
        return Moment(self._last, self._table, self._company, tuple(self._kept), whole, self._taken)


def concerned(events: Sequence[Event | CompanyEvent], before: Table, after: Table) -> tuple[tuple[str, ...], bool]:
    """The characters that these events concern, as in an `Entry`'s `about`, and whether one is secret from players.

    An enemy counts as hidden if it was hidden before or is after; that it is revealed is in itself no secret.
    """
    found = ids_named(events, before)
    hidden = {one for one in found if _is_hidden(one, before) or _is_hidden(one, after)}
    if not hidden or all(isinstance(event, HidingChanged) and not event.hidden for event in events):
        return found, False
    return tuple(hidden_id(one) if one in hidden else one for one in found), True


def _is_hidden(one: str, table: Table) -> bool:
    name = table.names.get(one)
    return name is not None and table.characters[name].hidden


def _together(entries: Iterable[Entry]) -> tuple[tuple[str, ...], bool]:
    """The characters that several entries concern, and whether one of the entries was secret."""
    about: dict[str, None] = {}
    secret = False
    for entry in entries:
        about.update(dict.fromkeys(entry.about))
        secret = secret or entry.secret
    return tuple(about), secret


def _does_not_count(number: int) -> Refused:
    return Refused("not-now", "Entry {number} cannot be undone now.", number=number)
