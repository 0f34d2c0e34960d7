"""What each role may see of a table, worked out once for each version. Every door shows only what comes from here."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from winded.journal import AnyEvent, Entry
from winded.roles import Company, Member, Role, hidden_names, may_undo, seen_by, seen_events
from winded.rules import Event, Table
from winded.sentence import Sentence
from winded.service.sketches import sketch_seen
from winded.tables import Line, Revision, Snapshot, SomeCommand, Tables

LINES = 30
"""How many of the newest lines of the history every sight of a table holds."""

SIGHTS_KEPT = 256
"""How many tables' newest sights are kept in memory."""


class HistorySentence(Struct, frozen=True):
    """One sentence of the history, and the id of its rule."""

    sentence: Sentence
    rule: str


class SeenEntry(Struct, frozen=True):
    """An entry of the history as one role sees it. `at` is UTC in seconds since 1970; only a Referee sees `command`."""

    number: int
    at: float
    who: str
    name: str
    command: SomeCommand | None
    events: tuple[AnyEvent, ...]
    mark: str = ""

    @property
    def revision(self) -> Revision:
        """The revision after this entry."""
        return Revision(self.number, self.mark)

    @property
    def told(self) -> tuple[HistorySentence, ...]:
        """What happened, in sentences."""
        return tuple(HistorySentence(event.tell(), event.rule) for event in self.events)

    @property
    def is_of_the_game(self) -> bool:
        """Whether something happened in the game, not only among the people at the table."""
        return any(isinstance(event, Event) for event in self.events)


class SeenLine(Struct, frozen=True):
    """A line of the history: an entry, whether it counts now, and whether the viewer may undo back through it.

    For an undo or redo, `moved` holds the first of the entries that it took back or put back.
    """

    entry: SeenEntry
    counts: bool
    can_undo: bool
    moved: tuple[SeenEntry, ...] = ()

    def __hash__(self) -> int:
        # Enough to tell lines apart; equality compares every field.
        return hash((self.entry.number, self.entry.mark, self.counts, self.can_undo))


class Seen(Struct, frozen=True):
    """A table after entry `number`, as one member may see it.

    For all but the Referee, `table` leaves out hidden enemies, notes and secret targets. `company` holds only this
    member's own requests and answers; a Referee sees all. `undo` is what an undo would take back, without its secrets,
    and `may_undo` whether this member may. A redo would put back the entries `redo_numbers`, oldest first; `redo` is
    the first of them. `lines` are the newest `LINES` of the history, newest first.
    """

    id: str
    name: str
    number: int
    member: Member
    table: Table
    company: Company
    undo: SeenEntry | None
    may_undo: bool
    redo: SeenEntry | None
    redo_numbers: tuple[int, ...]
    lines: tuple[SeenLine, ...]
    revision: Revision

    @property
    def role(self) -> Role:
        """The role of the member who sees this."""
        return self.member.role


class Sight:
    """What each member may see of one version of a table, worked out when first asked for."""

    def __init__(self, snapshot: Snapshot, tables: Tables, before: Sight | None = None) -> None:
        self.snapshot = snapshot
        self._tables = tables
        self._hides = any(one.hidden for one in snapshot.table.characters.values())
        self._tables_seen: dict[bool, Table] = {}
        self._lines_seen: dict[bool, tuple[SeenLine, ...]] = {}
        # A line that hides nothing looks the same in every version.
        self._open: dict[tuple[bool, int], tuple[Line, SeenLine | None]] = {}
        self._before = {} if before is None else before._open

    def by(self, member: Member, *, with_lines: bool = True) -> Seen:
        """The table as this member may see it."""
        snapshot = self.snapshot
        is_whole = member.role is Role.REFEREE
        company = snapshot.company
        if not is_whole and (company.asks or company.answers):
            company = replace(
                company,
                asks=tuple(one for one in company.asks if one.member == member.id),
                answers=tuple(one for one in company.answers if one.ask.member == member.id),
            )
        if not is_whole and company.sketch is not None and self._hides:
            company = replace(company, sketch=self._sketch_seen)
        undo = None if snapshot.undo is None else self.entry(snapshot.undo, member.role)
        may_undo_it = may_undo(company, snapshot.table, member, snapshot.last_act)
        if undo is None and may_undo_it and snapshot.undo is not None:
            # Members know of their own act, so that it can be undone is no secret, even if all its effects are hidden.
            own = snapshot.undo
            undo = SeenEntry(own.number, own.at, own.who, own.name, None, (), own.mark)
        redo = snapshot.redo
        return Seen(
            snapshot.id,
            snapshot.name,
            snapshot.number,
            member,
            self.table(member.role),
            company,
            undo,
            may_undo_it,
            None if redo is None else self.entry(redo, member.role),
            snapshot.redo_numbers,
            self.lines(member.role) if with_lines else (),
            snapshot.revision,
        )

    @cached_property
    def _sketch_seen(self) -> str | None:
        assert self.snapshot.company.sketch is not None
        return sketch_seen(self.snapshot.company.sketch, hidden_names(self.snapshot.table))

    def table(self, role: Role) -> Table:
        """The table as this role sees it."""
        is_whole = role is Role.REFEREE
        known = self._tables_seen.get(is_whole)
        if known is None:
            known = self._tables_seen[is_whole] = seen_by(role, self.snapshot.table)
        return known

    def lines(self, role: Role) -> tuple[SeenLine, ...]:
        """The newest lines of the history as this role sees them, newest first."""
        is_whole = role is Role.REFEREE
        known = self._lines_seen.get(is_whole)
        if known is None:
            found = (self._line(line, role) for line in self._tables.newest_lines(self.snapshot.id, LINES))
            known = self._lines_seen[is_whole] = tuple(line for line in found if line is not None)
        return known

    def lines_of(self, lines: Iterable[Line], role: Role) -> tuple[SeenLine, ...]:
        """These lines as this role sees them, without those of which it may see nothing."""
        found = (line_seen(line, role, self.snapshot.table) for line in lines)
        return tuple(line for line in found if line is not None)

    def entry(self, entry: Entry, role: Role) -> SeenEntry | None:
        """An entry as this role sees it; None if it may see nothing of it."""
        return entry_seen(entry, role, self.snapshot.table)

    def _line(self, line: Line, role: Role) -> SeenLine | None:
        is_whole = role is Role.REFEREE
        if not is_whole and (self._hides or line.entry.secret or any(one.secret for one in line.moved)):
            return line_seen(line, role, self.snapshot.table)
        key = is_whole, line.entry.number
        known = self._before.get(key)
        if known is None or known[0] is not line:
            known = line, line_seen(line, role, self.snapshot.table)
        self._open[key] = known
        return known[1]


def entry_seen(entry: Entry, role: Role, table: Table) -> SeenEntry | None:
    """An entry as this role sees it; None if it may see nothing of it. `table` is the whole table, as it is now."""
    events = events_seen(entry.events, entry.about, entry.secret, role, table)
    if role is Role.REFEREE:
        return SeenEntry(entry.number, entry.at, entry.who, entry.name, entry.command, events, entry.mark)
    if not events:
        return None
    return SeenEntry(entry.number, entry.at, entry.who, entry.name, None, events, entry.mark)


def line_seen(line: Line, role: Role, table: Table) -> SeenLine | None:
    """A line of the history as this role sees it; None if it may see nothing of it."""
    entry = entry_seen(line.entry, role, table)
    if entry is None:
        return None
    moved = (entry_seen(one, role, table) for one in line.moved)
    can_undo = line.can_undo and role is Role.REFEREE
    return SeenLine(entry, line.counts, can_undo, tuple(one for one in moved if one is not None))


def events_seen(
    events: Sequence[AnyEvent], about: Iterable[str], secret: bool, role: Role, table: Table
) -> tuple[AnyEvent, ...]:
    """The events of one entry as this role sees them. `table` is the whole table, as it is now."""
    if role is Role.REFEREE:
        return tuple(events)
    return seen_events(events, about, secret, table)  # type: ignore[return-value]


class Sights:
    """The newest sight of each table that somebody looks at, up to `SIGHTS_KEPT`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Sight] = OrderedDict()

    def of(self, snapshot: Snapshot) -> Sight:
        """The sight of a table at this snapshot, shared by all who look at this version."""
        with self._lock:
            known = self._kept.get(snapshot.id)
            if known is not None and known.snapshot is snapshot:
                return known
            made = Sight(snapshot, self._tables, known)
            if known is None or known.snapshot.number <= snapshot.number:
                self._kept[snapshot.id] = made
                self._kept.move_to_end(snapshot.id)
                if len(self._kept) > SIGHTS_KEPT:
                    self._kept.popitem(last=False)
            return made

    def now(self, table: str) -> Sight:
        """The sight of a table as it is now. Raises Unknown."""
        return self.of(self._tables.snapshot(table))
