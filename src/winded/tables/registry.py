"""The one place where the rules meet the journal: tables are created, opened, played at, undone and watched here.

A command is decided on the newest state this process knows, even if the entries that led there are still being written;
what comes of it is answered, and shown to those who watch, only when it is safe. Should another process have been
quicker, the state is read again and the command decided afresh.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Malformed, Stale, Unavailable, Unknown, WindedError
from winded.journal import Chain, DecideLinks, Entry, Head, Journal, MemoryJournal, TableRecord
from winded.journal.codec import AnyEvent, Commands, kind_of
from winded.journal.contract import Promise
from winded.roles import Company, CompanyCommand, LastAct
from winded.rules import PAGE, Command, Ruleset, Table
from winded.rules.fields import Name, check_fields
from winded.rules.undoing import Redone, Undone
from winded.tables.checking import check_history
from winded.tables.history import History, Moment, undone_by
from winded.tables.revision import Revision, new_mark

if TYPE_CHECKING:
    from typing import Self


class _Named(Struct, frozen=True):
    name: Name

    def __post_init__(self) -> None:
        check_fields(self)


def table_name(name: str) -> str:
    """What a table may be called: this, trimmed, if it has 1 to 40 characters. Raises Malformed."""
    return _Named(name).name


SomeCommand: TypeAlias = Command | CompanyCommand | tuple[Command, ...]
"""What is decided as one act: a command, or several of the rules' in a row, each on what the one before it left."""


class Several(ABC):
    """Several commands that become one act, made up on the state that they meet."""

    @abstractmethod
    def commands(self, table: Table) -> tuple[Command, ...]:
        """The commands, at least one; may raise what keeps them from being played."""

    @abstractmethod
    def came_to(self, commands: tuple[Command, ...]) -> bool:
        """Whether these commands, done under the same request id, may have come of this."""


PATIENCE = 10.0
"""For so many seconds a command is decided afresh whenever another process was quicker; then the caller hears of it."""

REMEMBERED = 64
"""For so many of a table's newest request ids the answer is at hand. The journal knows every accepted one besides."""

GONE = -1
"""The number that watchers of a table hear when it is deleted."""

ANEW = -2
"""The number they hear when it has another history: it was replaced, or the database was put back."""

_ID = re.compile(r"[a-z0-9]{1,64}")
_ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def is_table_id(text: str) -> bool:
    """Whether a table may have this id: 1 to 64 small letters and figures."""
    return _ID.fullmatch(text) is not None


class Snapshot(Struct, frozen=True):
    """A table as it was after entry `number`, 0 for before the first.

    `undo` is the entry that an undo would take back, and `before_undo` the table as it was before it. A redo would put
    back the entries `redo_numbers`, oldest first; `redo` is the first of them. `mark` is that of the entry; see
    `revision`.
    """

    id: str
    name: str
    number: int
    table: Table
    company: Company
    undo: Entry | None = None
    redo: Entry | None = None
    redo_numbers: tuple[int, ...] = ()
    mark: str = ""
    before_undo: Table | None = None

    @property
    def revision(self) -> Revision:
        """What names this state."""
        return Revision(self.number, self.mark)

    @property
    def last_act(self) -> LastAct | None:
        """What an undo would take back, for those who decide who may."""
        if self.undo is None or self.before_undo is None:
            return None
        command = self.undo.command
        commands = command if isinstance(command, tuple) else (command,)
        return LastAct(self.undo.who, commands, self.undo.events, self.before_undo)


class Done(Struct, frozen=True):
    """The answer to an accepted command: its entry, now safe, and the table after it.

    Where the command had been done before under the same request id, `snapshot` is the newest instead. Where it changes
    nothing, no entry is made: `entry` has no events then, and the number of the newest one.
    """

    entry: Entry
    snapshot: Snapshot


NEWEST = 30
"""So many of a table's newest lines are kept at hand, once somebody has looked at them."""

MOVED_TOLD = 3
"""So many of the entries that an undo takes back are told with it."""


class Line(Struct, frozen=True):
    """An entry as the history shows it: whether it counts now, and whether an undo through it is possible.

    `moved` are the entries that an undo took back or a redo put back, in that order; the first `MOVED_TOLD` of them.
    """

    entry: Entry
    counts: bool
    can_undo: bool
    moved: tuple[Entry, ...] = ()


class Rehearsed(Struct, frozen=True):
    """What a command would do at a table whose newest entry is `number`, with this `mark`.

    `about` and `secret` are as in an `Entry`.
    """

    number: int
    command: SomeCommand
    events: tuple[AnyEvent, ...]
    table: Table
    company: Company
    about: tuple[str, ...]
    secret: bool
    mark: str = ""

    @property
    def revision(self) -> Revision:
        """What names the state at which it was tried."""
        return Revision(self.number, self.mark)


Authorise: TypeAlias = Callable[[Snapshot, SomeCommand], SomeCommand]
"""Given the table as a command is decided, the command to decide in its place, mostly the same; may raise Forbidden."""

Watcher: TypeAlias = Callable[[str, int], None]


class _Asked:
    """A command on its way."""

    __slots__ = ("authorise", "behind", "command", "expect", "name", "promise", "request", "until", "waited_for", "who")

    def __init__(
        self,
        command: SomeCommand | Several,
        who: str,
        name: str,
        request: str | None,
        expect: int | Revision | None,
        authorise: Authorise | None,
        help_out: Callable[[], None],
        waited_for: bool = False,
    ) -> None:
        self.command = command
        self.who = who
        self.name = name
        self.request = request
        self.expect = expect
        self.authorise = authorise
        self.promise: Promise[Done] = Promise(help_out)
        self.until = 0.0
        self.behind = False
        self.waited_for = waited_for

    def is_the_same(self, command: object, who: str) -> bool:
        """Whether this asks for what was asked for, or done, under the same request id; an ask holds what it is for."""
        if isinstance(self.command, Several) and isinstance(command, tuple):
            return who == self.who and self.command.came_to(command)
        return who == self.who and self.command in (command, getattr(command, "command", None))


class _Outrun(Exception):
    """What the head was built on never came to be."""


class _Held:
    """A table at hand.

    `head` is the newest moment decided on, `committed` the newest that is safe; they differ while entries are being
    written. Whoever decides holds `lock`; `committed` and `name` change only under the lock of `Tables`.
    """

    def __init__(self, journal: Journal, table: str) -> None:
        self.id = table
        self.lock = threading.Lock()
        self.journal = journal
        self.asked: dict[str, _Asked] = {}
        self.answers: OrderedDict[str, tuple[SomeCommand | Several, str, int | Entry | WindedError]] = OrderedDict()
        self.lines: tuple[Line, ...] | None = None
        # In this order: if the table is replaced meanwhile, the chain is of the old life and breaks.
        head = journal.head(table)
        self.history = History(journal, table, journal.record(table).ruleset, self.flushed)
        self.name = head.name
        self.head = self.committed = self.history.newest()
        self.chain = Chain(head.life, self.head.mark)
        self.last: Future[None] | None = None
        self._shown: tuple[Moment, Snapshot] | None = None

    def flushed(self) -> None:
        """Wait until everything decided so far is in the journal; raises _Outrun if some of it never will be."""
        if self.last is not None and self.last.exception() is not None:
            raise _Outrun

    def snapshot(self, moment: Moment) -> Snapshot:
        """What callers see of a moment; the same one as long as nothing changes."""
        known = self._shown
        if known is not None and known[0] is moment and known[1].name == self.name:
            return known[1]
        acts = moment.acts
        taken = moment.taken
        made = Snapshot(
            self.id,
            self.name,
            moment.number,
            moment.table,
            moment.company,
            acts[-1].entry if acts else None,
            None if taken is None else taken.first,
            () if taken is None else taken.numbers,
            moment.mark,
            acts[-1].before if acts else None,
        )
        self._shown = moment, made
        return made

    def remember(self, asked: _Asked, answer: int | Entry | WindedError) -> None:
        """Keep the answer to a request: the number of its entry, or what was answered where none was made."""
        if asked.request is None:
            return
        self.answers[asked.request] = (asked.command, asked.who, answer)
        if len(self.answers) > REMEMBERED:
            self.answers.popitem(last=False)
        # Last: whoever looks for the answer does so here first.
        self.forget(asked)

    def forget(self, asked: _Asked) -> None:
        """Let the same request try again: nothing was decided about it."""
        if asked.request is not None and self.asked.get(asked.request) is asked:
            del self.asked[asked.request]


class Tables:
    """All the tables of one journal, safe to use from any thread. A table is named by its id.

    `clock` gives the time of day, in seconds since 1970. At most about `at_hand` tables that nobody watches are kept in
    memory; the others are read again when they are wanted. Closing does not close the journal.
    """

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time, *, at_hand: int = 1000) -> None:
        self.journal = journal
        self._clock = clock
        self._at_hand = at_hand
        self._lock = threading.RLock()
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._watchers: dict[str, tuple[Watcher, ...]] = {}
        self._again = ThreadPoolExecutor(1, "winded-again")

    def create(self, name: str, ruleset: Ruleset = PAGE) -> str:
        """Begin a table; its id fits into an address and cannot be guessed."""
        record = TableRecord(self.new_id(), name, self._now(), ruleset)
        self.journal.create(record)
        return record.id

    @staticmethod
    def new_id() -> str:
        """A table id that nobody can guess: 16 letters and figures, 80 bits."""
        return "".join(secrets.choice(_ID_LETTERS) for _ in range(16))

    def begin(
        self, name: str, ruleset: Ruleset, plays: Callable[[Tables, str], None], links: DecideLinks, table: str
    ) -> None:
        """Begin a table with this id, its first entries and its first links, all at once or not at all.

        `plays` does what is done at it before anyone sees it, at a table of its own that is kept nowhere.
        """
        record = TableRecord(table, name, self._now(), ruleset)
        with MemoryJournal() as draft, Tables(draft, self._clock) as tables:
            draft.create(record)
            plays(tables, table)
            entries = [*draft.read(table)]
        self.journal.put(record, entries, links=links)

    def records(self) -> list[TableRecord]:
        """Every table, oldest first."""
        return self.journal.records()

    def rename(self, table: str, name: str) -> None:
        """Call a table something else; those who watch it hear its number again. Raises Unknown."""
        self.journal.rename(table, name)
        with self._lock:
            held = self._held.get(table)
            if held is not None:
                held.name = name
                self._tell(table, held.committed.number)

    def delete(self, table: str) -> None:
        """Delete a table for good, history, links and all. Those who watch it hear `GONE`. Raises Unknown."""
        self.journal.delete(table)
        self._let_go(table)

    def take_in(
        self,
        record: TableRecord,
        entries: Iterable[Entry],
        *,
        replacing: bool = False,
        links: DecideLinks | None = None,
    ) -> None:
        """Take in a whole table that was kept elsewhere, and change its links with it. A copy has another id.

        Raises Stale if the id is taken, unless `replacing`: then those who watch hear `ANEW`. Raises Malformed
        if the entries are no history of a table.
        """
        kept = [*entries]
        check_history(record.ruleset, kept)
        self.journal.put(record, kept, replacing=replacing, links=links)
        self._begin_anew(record.id)

    def snapshot(self, table: str) -> Snapshot:
        """A table as it is now, everything in it safe. Raises Unknown."""
        held = self._at(table)
        return held.snapshot(held.committed)

    def is_of(self, table: str, revision: Revision) -> bool:
        """Whether this table's history, as it is now, has come by this revision. Raises Unknown."""
        now = self._at(table).committed
        if revision.number == 0 or (revision.mark is None and revision.number <= now.number):
            return True
        # Not only in what this process knows: another may be ahead of it.
        here = now.mark if revision.number == now.number else self.journal.mark(table, revision.number)
        return here is not None and revision.mark in (None, here)

    def check_is_here(self, table: str) -> None:
        """Raises Unknown where there is no such table."""
        self.journal.head(table)

    def newest_lines(self, table: str, limit: int) -> tuple[Line, ...]:
        """The newest of the history, newest first, at most `limit` and `NEWEST` lines. Raises Unknown.

        Read once for each table, and kept up with every entry from then on.
        """
        held = self._at(table)
        with self._lock:
            lines, committed = held.lines, held.committed
        if lines is None:
            lines = tuple(self.lines(table, limit=NEWEST))
            with self._lock:
                if held.committed is committed:
                    held.lines = lines
        return lines[:limit]

    def lines(self, table: str, before: int | None = None, limit: int = 50) -> list[Line]:
        """The history below entry `before`, or all of it, newest first, at most `limit` lines. Raises Unknown."""
        entries = [*self.journal.read_back(table, before, limit)]
        return self._lines(table, entries, entries[-1].number if entries else 0)

    def lines_after(self, table: str, after: int = 0, limit: int = 50) -> list[Line]:
        """The history above entry `after`, oldest first, at most `limit` lines. Raises Unknown.

        Costs no reading where only the newest acts are wanted and none of them has been undone.
        """
        now = self._at(table).committed
        missing = now.number - after
        newest = now.acts[-missing:] if 0 < missing <= len(now.acts) else ()
        if newest and newest[0].number == after + 1 and newest[-1].number == now.number:
            lines = [Line(act.entry, True, True) for act in newest[:limit] if act.entry is not None]
            if len(lines) == min(limit, missing):
                return lines
        return self._lines(table, [*self.journal.read(table, after, limit)], after)

    def _lines(self, table: str, entries: Sequence[Entry], since: int) -> list[Line]:
        """These entries as lines; what has been undone was undone by entries above number `since`."""
        if not entries:
            return []
        undone = undone_by(self.journal.takings_back(table, since)).numbers
        known = {entry.number: entry for entry in entries}
        return [
            Line(
                entry,
                entry.number not in undone,
                entry.number not in undone and kind_of(entry.command, entry.events).is_act,
                tuple(self._moved(table, entry, known)),
            )
            for entry in entries
        ]

    def _moved(self, table: str, entry: Entry, known: Mapping[int, Entry]) -> Iterator[Entry]:
        for event in entry.events:
            if isinstance(event, Undone | Redone):
                for number in event.numbers[:MOVED_TOLD]:
                    found = known.get(number)
                    yield from self.journal.read(table, number - 1, 1) if found is None else (found,)

    def submit(
        self,
        table: str,
        command: SomeCommand | Several,
        *,
        who: str = "",
        name: str = "",
        request: str | None = None,
        expect: int | Revision | None = None,
        authorise: Authorise | None = None,
    ) -> Future[Done]:
        """Play a command, or several as one act; the Future resolves when its entry is safe, and cannot be called off.

        `who` and `name` are the member's id and name. `request` is an id of the sender's choice: sent again, the
        command is not played again and is answered alike, even if it was refused. With `expect`, the command is played
        only if the newest entry has this number. `authorise` is asked each time the command is decided.

        The Future fails with what the command's `decide` or `authorise` raises; with Stale if `expect` does not hold;
        with Malformed, naming "request", if the request id was used for another command; with Unknown if there is no
        such table; with Unavailable if it cannot be kept. Nothing has happened then.

        Callbacks of the Future run in the journal's thread or in that of another caller. They must be short, and must
        not play themselves.

        Returns at once, except that opening a table, a redo, and an undo through an entry that is not among the newest
        read the journal first.
        """
        asked = _Asked(command, who, name, request, expect, authorise, self.journal.help_out)
        return self._submit(table, asked)

    def do(
        self,
        table: str,
        command: SomeCommand | Several,
        *,
        who: str = "",
        name: str = "",
        request: str | None = None,
        expect: int | Revision | None = None,
        authorise: Authorise | None = None,
    ) -> Done:
        """Play a command and wait until it is safe; see `submit`, whose Future's errors are raised here."""
        help_out = self.journal.help_out
        return self._submit(
            table, _Asked(command, who, name, request, expect, authorise, help_out, waited_for=True)
        ).result()

    def rehearse(
        self,
        table: str,
        command: SomeCommand | Several,
        *,
        who: str = "",
        expect: int | Revision | None = None,
        authorise: Authorise | None = None,
    ) -> Rehearsed:
        """What `do` would do now, without doing it: raises what it would raise, and keeps nothing."""
        held = self._at(table)
        try:
            with held.lock:
                if held.chain.broken:
                    self._catch_up(held)
                moment = held.head
                command = self._authorised(
                    held, moment, _Asked(command, who, "", None, expect, authorise, self.journal.help_out)
                )
                step = held.history.decide(moment, command, who)
        except _Outrun as outrun:
            raise Stale("Somebody acted first: please try again.") from outrun
        return Rehearsed(
            moment.number, command, step.events, step.table, step.company, step.about, step.secret, moment.mark
        )

    @contextmanager
    def watch(self, table: str, watcher: Watcher) -> Iterator[Snapshot]:
        """Have `watcher` called with the table's id and number after each change, as long as the context lasts.

        Gives the table as it is when the watch begins: nothing that comes later is missed. The calls come from the
        journal's own thread, in rising order of numbers, and must be short: for most a `call_soon_threadsafe` will do.
        A number is heard twice if only the table's name has changed; `ANEW` once the table has another history, whose
        numbers come next; `GONE` once it is gone. Raises Unknown.
        """
        self._at(table)
        with self._lock:
            self._watchers[table] = (*self._watchers.get(table, ()), watcher)
        try:
            yield self.snapshot(table)
        finally:
            with self._lock:
                left = [*self._watchers[table]]
                left.remove(watcher)
                if left:
                    self._watchers[table] = tuple(left)
                else:
                    del self._watchers[table]

    def refresh(self) -> None:
        """Take in what other processes have written to the tables at hand, and tell those who watch them.

        To be called about once a second by whoever serves; costs next to nothing if there is nothing.
        """
        with self._lock:
            known = {
                held.id: Head(held.name, held.committed.number, held.chain.life, held.committed.mark)
                for held in self._held.values()
            }
        for table, now in self.journal.changed(known).items():
            with self._lock:
                held = self._held.get(table)
            if held is None:
                continue
            if now is None:
                self._let_go(table)
                continue
            before = known[table]
            if (
                now.life != before.life
                or now.number < before.number
                or (now.number == before.number and now.mark != before.mark)
            ):
                self._begin_anew(table)
                continue
            # Stale where it was put back and has come further than it was: then it has begun anew.
            with held.lock, suppress(Stale):
                if now.number > held.head.number:
                    self._catch_up(held)
            with self._lock:
                if held.name != now.name:
                    held.name = now.name
                    self._tell(table, held.committed.number)

    def close(self) -> None:
        """Finish what is being decided afresh. The journal stays open."""
        self._again.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self) -> float:
        return round(self._clock(), 3)

    def _at(self, table: str) -> _Held:
        """The table with this id, read from the journal if it is not at hand."""
        with self._lock:
            held = self._held.get(table)
            if held is not None:
                self._held.move_to_end(table)
                return held
        held = _Held(self.journal, table)
        with self._lock:
            # Two threads may have read it at once; the first one counts.
            held = self._held.setdefault(table, held)
            if len(self._held) > self._at_hand:
                self._make_room(table)
        return held

    def _make_room(self, but: str) -> None:
        """Put away the table that was wanted least lately, of those that are at rest and that nobody watches."""
        for table, held in self._held.items():
            if table != but and table not in self._watchers and held.head.number == held.committed.number:
                del self._held[table]
                return

    def _let_go(self, table: str) -> None:
        """Forget a table that is no longer what it was."""
        with self._lock:
            self._held.pop(table, None)
            self._tell(table, GONE)

    def _begin_anew(self, table: str) -> None:
        """Forget a table that has another history now: it is read again, and those who watch hear `ANEW`."""
        with self._lock:
            self._held.pop(table, None)
            self._tell(table, ANEW)

    def _tell(self, table: str, number: int) -> None:
        for watcher in self._watchers.get(table, ()):
            watcher(table, number)

    def _submit(self, table: str, asked: _Asked) -> Future[Done]:
        try:
            held = self._at(table)
            if asked.request is not None:
                with held.lock:
                    waiting = held.asked.get(asked.request)
                    answered = held.answers.get(asked.request)
                    if waiting is None and answered is None:
                        held.asked[asked.request] = asked
                if waiting is not None:
                    if not asked.is_the_same(waiting.command, waiting.who):
                        raise _used_otherwise(asked.request)
                    return waiting.promise
                if answered is not None:
                    self._answer_again(held, asked, *answered)
                    return asked.promise
        except WindedError as error:
            asked.promise.set_exception(error)
        else:
            self._decide(held, asked)
        return asked.promise

    def _decide(self, held: _Held, asked: _Asked) -> None:
        """Decide a command on the newest state and hand its entry to the journal; all that is raised is the answer."""
        try:
            with held.lock:
                written, when_written = self._decided(held, asked)
        except _Outrun:
            self._later(held, asked)
        except WindedError as error:
            self._fail(held, asked, error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the answer must hear of a mistake of ours too
            held.forget(asked)
            asked.promise.set_exception(error)
        else:
            # Not under the lock: it may be written already, and whoever hears of that may play on.
            written.add_done_callback(when_written)

    def _decided(self, held: _Held, asked: _Asked) -> tuple[Future[None], Callable[[Future[None]], None]]:
        """What is on its way into the journal now, and what to do when it is there. To be called under the lock."""
        if held.chain.broken or asked.behind:
            asked.behind = False
            self._catch_up(held)
        moment = held.head
        try:
            command = self._authorised(held, moment, asked)
            step = held.history.decide(moment, command, asked.who)
        except WindedError as error:
            return self._nothing_happens(held, asked, error)
        entry = Entry(
            moment.number + 1,
            self._now(),
            asked.who,
            asked.name,
            cast("Commands", command),
            step.events,
            asked.request,
            step.about,
            step.secret,
            new_mark(),
        )
        if not step.events:
            return self._nothing_happens(held, asked, replace(entry, number=moment.number, mark=moment.mark))
        written = self.journal.append(held.id, (entry,), held.chain, waited_for=asked.waited_for)
        held.head = after = step.made(entry, moment.table)
        held.last = written
        return written, lambda written: self._written(held, asked, entry, after, written.exception())

    def _nothing_happens(
        self, held: _Held, asked: _Asked, answer: WindedError | Entry
    ) -> tuple[Future[None], Callable[[Future[None]], None]]:
        """What the answer waits for where no entry is made: that the state on which it was decided is safe."""
        last = held.last
        if last is None:
            last = Future()
            last.set_result(None)
        return last, lambda last: self._answer_without(held, asked, answer, last.exception())

    def _authorised(self, held: _Held, moment: Moment, asked: _Asked) -> SomeCommand:
        expected = Revision(asked.expect) if isinstance(asked.expect, int) else asked.expect
        if expected is not None and expected.number != moment.number:
            raise Stale(
                "Somebody acted first: the newest entry is {number}, not {expected}.",
                number=moment.number,
                expected=expected.number,
            )
        if expected is not None and expected.mark not in (None, moment.mark):
            raise Stale("The table {table} has been replaced since: please look again.", table=held.id)
        command = asked.command
        if isinstance(command, Several):
            command = command.commands(moment.table)
        if asked.authorise is None:
            return command
        return asked.authorise(held.snapshot(moment), command)

    def _catch_up(self, held: _Held) -> None:
        """Read what has been written since the newest safe moment. To be called under the lock of the table."""
        life = held.chain.life
        safe = held.committed
        if self.journal.head(held.id).life != life or self.journal.mark(held.id, safe.number) != safe.mark:
            self._begin_anew(held.id)
            raise Stale("The table {table} has been replaced: please try again.", table=held.id)
        held.last = None
        held.head = held.history.since(safe)
        held.chain = Chain(life, held.head.mark)
        self._publish(held, held.head)

    def _answer_without(
        self, held: _Held, asked: _Asked, answer: WindedError | Entry, error: BaseException | None
    ) -> None:
        """Refuse, or say that nothing is changed, on a state that is safe now; if it never came to be, decide again."""
        if error is not None:
            self._later(held, asked)
            return
        try:
            if self.journal.head(held.id).number > held.head.number:
                # Another process has played on: what was refused may be possible now, or for another reason not; and
                # what would have changed nothing may change something.
                asked.behind = True
                self._later(held, asked)
                return
            if asked.request is not None:
                # Done before, in another process or long ago, it may be refused now, or nothing new, just because of
                # that.
                entry = self.journal.find(held.id, asked.request)
                if entry is not None:
                    if entry.number > held.committed.number:
                        self._later(held, asked)
                    else:
                        self._answer_again(held, asked, entry.command, entry.who, entry.number)
                    return
        except WindedError as other:
            answer = other
        if isinstance(answer, WindedError):
            self._fail(held, asked, answer)
        else:
            held.remember(asked, answer)
            asked.promise.set_result(Done(answer, held.snapshot(held.committed)))

    def _written(self, held: _Held, asked: _Asked, entry: Entry, after: Moment, error: BaseException | None) -> None:
        """The journal has written an entry, or not. Runs in the journal's thread, and must not wait for `held.lock`."""
        if error is None:
            self._publish(held, after, entry)
            held.remember(asked, entry.number)
            asked.promise.set_result(Done(entry, held.snapshot(after)))
        elif isinstance(error, Stale):
            self._later(held, asked)
        else:
            self._fail(held, asked, cast("WindedError", error))

    def _later(self, held: _Held, asked: _Asked) -> None:
        """Decide again, in a thread that may wait."""
        asked.waited_for = False
        try:
            self._again.submit(self._decide_again, held, asked)
        except RuntimeError:
            self._fail(held, asked, Unavailable("Winded is closing."))

    def _decide_again(self, held: _Held, asked: _Asked) -> None:
        try:
            entry = None if asked.request is None else self.journal.find(held.id, asked.request)
            if entry is not None:
                if entry.number > held.committed.number:
                    with held.lock:
                        with suppress(_Outrun):
                            held.flushed()
                        self._catch_up(held)
                self._answer_again(held, asked, entry.command, entry.who, entry.number)
                return
            asked.until = asked.until or time.monotonic() + PATIENCE
            if time.monotonic() > asked.until:
                raise Stale("Others were quicker for {seconds} seconds: please try again.", seconds=f"{PATIENCE:g}")
        except WindedError as error:
            self._fail(held, asked, error)
        else:
            self._decide(held, asked)

    def _publish(self, held: _Held, moment: Moment, entry: Entry | None = None) -> None:
        """Make a moment the newest that is safe; `entry` is the one that led to it, if it was only one."""
        with self._lock:
            if moment.number > held.committed.number:
                held.committed = moment
                if held.lines is not None:
                    held.lines = None if entry is None else lines_with(held.lines, entry)
                if self._held.get(held.id) in (held, None):
                    self._tell(held.id, moment.number)

    def _answer_again(
        self,
        held: _Held,
        asked: _Asked,
        command: SomeCommand | Several,
        who: str,
        answer: int | Entry | WindedError,
    ) -> None:
        """Answer as the same request was answered before."""
        assert asked.request is not None
        if not asked.is_the_same(command, who):
            held.forget(asked)
            asked.promise.set_exception(_used_otherwise(asked.request))
        elif isinstance(answer, WindedError):
            asked.promise.set_exception(answer)
        else:
            entry = answer if isinstance(answer, Entry) else next(self.journal.read(held.id, answer - 1, 1))
            held.remember(asked, answer)
            asked.promise.set_result(Done(entry, held.snapshot(held.committed)))

    def _fail(self, held: _Held, asked: _Asked, error: WindedError) -> None:
        if isinstance(error, Stale | Unavailable | Unknown):
            held.forget(asked)
        else:
            held.remember(asked, error)
        asked.promise.set_exception(error)


def lines_with(lines: tuple[Line, ...], entry: Entry) -> tuple[Line, ...] | None:
    """The newest lines once this entry has followed; None where they have to be read again."""
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


def _used_otherwise(request: str) -> Malformed:
    return Malformed("request", "The request id “{request}” was used for something else.", request=request)
