"""All the tables of one journal: created, opened, played at, watched, taken in and deleted here.

A command is decided on the newest state this process knows, even if the entries that led there are still being written;
what comes of it is answered, and shown to those who watch, only when it is safe. Should another process have been
quicker, the state is read again and the command decided afresh.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import TYPE_CHECKING

from winded.errors import Stale
from winded.journal import DecideLinks, Entry, Journal, MemoryJournal, TableRecord
from winded.rules import PAGE, Correct, Ruleset
from winded.tables.at_hand import AtHand
from winded.tables.checking import check_history
from winded.tables.correcting import Corrected
from winded.tables.deciding import Decider
from winded.tables.in_flight import InFlight
from winded.tables.lines import Line, lines_after, lines_at_hand, lines_back
from winded.tables.names import new_table_id
from winded.tables.revision import Revision
from winded.tables.snapshot import Authorise, Done, Rehearsed, Several, Snapshot, SomeCommand
from winded.tables.watching import Watcher

if TYPE_CHECKING:
    from typing import Self


class Tables:
    """All the tables of one journal, safe to use from any thread. A table is named by its id.

    `clock` gives the time of day, in seconds since 1970. At most about `at_hand` tables that nobody watches are kept in
    memory; the others are read again when they are wanted. Closing does not close the journal.
    """

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time, *, at_hand: int = 1000) -> None:
        self.journal = journal
        self._clock = clock
        self._at_hand = AtHand(journal, at_hand)
        self._deciding = Decider(self._at_hand, self._now)

    def create(self, name: str, ruleset: Ruleset = PAGE) -> str:
        """Begin a table; its id fits into an address and cannot be guessed."""
        record = TableRecord(new_table_id(), name, self._now(), ruleset)
        self.journal.create(record)
        return record.id

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
        self._at_hand.call(table, name)

    def delete(self, table: str) -> None:
        """Delete a table for good, history, links and all. Those who watch it hear `GONE`. Raises Unknown."""
        self.journal.delete(table)
        self._at_hand.let_go(table)

    def take_in(
        self,
        record: TableRecord,
        entries: Iterable[Entry],
        *,
        replacing: bool = False,
        links: DecideLinks | None = None,
        checked: bool = False,
    ) -> None:
        """Take in a whole table that was kept elsewhere, and change its links with it. A copy has another id.

        Raises Stale if the id is taken, unless `replacing`: then those who watch hear `ANEW`. Raises Malformed
        if the entries are no history of a table, which is looked at unless they have been `checked`.
        """
        kept = [*entries]
        if not checked:
            check_history(record.ruleset, kept)
        self.journal.put(record, kept, replacing=replacing, links=links)
        self._at_hand.begin_anew(record.id)

    def snapshot(self, table: str) -> Snapshot:
        """A table as it is now, everything in it safe. Raises Unknown."""
        one = self._at_hand.get(table)
        return one.snapshot(one.committed)

    def is_of(self, table: str, revision: Revision) -> bool:
        """Whether this table's history, as it is now, has come by this revision. Raises Unknown."""
        now = self._at_hand.get(table).committed
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
        return self._at_hand.newest_lines(self._at_hand.get(table))[:limit]

    def lines(self, table: str, before: int | None = None, limit: int = 50) -> list[Line]:
        """The history below entry `before`, or all of it, newest first, at most `limit` lines. Raises Unknown.

        May read a long way.
        """
        one = self._at_hand.get(table)
        return lines_back(self.journal, table, before, limit, one.taken_back)

    def lines_after(self, table: str, after: int = 0, limit: int = 50) -> list[Line]:
        """The history above entry `after`, oldest first, at most `limit` lines. Raises Unknown.

        May read a long way, where `lines_at_hand` has nothing.
        """
        one = self._at_hand.get(table)
        found = lines_at_hand(one.committed, one.lines, after, limit)
        if found is None:
            found = lines_after(self.journal, table, after, limit, one.taken_back)
        return found

    def lines_at_hand(self, table: str, after: int = 0, limit: int = 50) -> list[Line] | None:
        """As `lines_after`, without any reading; None where that is needed. Raises Unknown."""
        one = self._at_hand.get(table)
        return lines_at_hand(one.committed, one.lines, after, limit)

    def is_at_hand(self, table: str) -> bool:
        """Whether this table is in memory: what is not is read as a whole when it is wanted."""
        return self._at_hand.find(table) is not None

    def is_deciding(self, table: str) -> bool:
        """Whether another thread is deciding at this table just now, and a command would wait for it."""
        one = self._at_hand.find(table)
        return one is not None and one.lock.locked()

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
        one = InFlight(command, who, name, request, expect, authorise, self.journal.help_out)
        return self._deciding.submit(table, one)

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
        one = InFlight(command, who, name, request, expect, authorise, self.journal.help_out, waited_for=True)
        return self._deciding.submit(table, one).result()

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
        one = InFlight(command, who, "", None, expect, authorise, self.journal.help_out)
        return self._deciding.rehearse(table, one)

    def put_right(self, table: str, command: Correct) -> Corrected:
        """What `do` would make of the past by this correction, act by act; nothing happens.

        Raises Refused for what is put in and refused itself, for an entry to leave out that is none, and for a past
        too long ago. Reads as much of the history as is played again.
        """
        moment, correction = self._deciding.put_right(table, command)
        return Corrected(self._at_hand.get(table).snapshot(moment), correction)

    def watch(self, table: str, watcher: Watcher) -> AbstractContextManager[Snapshot]:
        """Have `watcher` called with the table's id and number after each change, as long as the context lasts.

        Gives the table as it is when the watch begins: nothing that comes later is missed. The calls come from the
        journal's own thread, in rising order of numbers, and must be short: for most a `call_soon_threadsafe` will do.
        A number is heard twice if only the table's name has changed; `ANEW` once the table has another history, whose
        numbers come next; `GONE` once it is gone. Raises Unknown.
        """
        return self._at_hand.watch(table, watcher)

    def refresh(self) -> None:
        """Take in what other processes have written to the tables at hand, and tell those who watch them.

        To be called about once a second by whoever serves; costs next to nothing if there is nothing.
        """
        known = self._at_hand.heads()
        for table, now in self.journal.changed(known).items():
            one = self._at_hand.find(table)
            if one is None:
                continue
            before = known[table]
            if now is None:
                self._at_hand.let_go(table)
            elif (
                now.life != before.life
                or now.number < before.number
                or (now.number == before.number and now.mark != before.mark)
            ):
                self._at_hand.begin_anew(table)
            else:
                # Stale where it was put back and has come further than it was: then it has begun anew.
                with one.lock, suppress(Stale):
                    if now.number > one.head.number:
                        self._deciding.catch_up(one)
                self._at_hand.call(table, now.name)

    def close(self) -> None:
        """Finish what is being decided afresh. The journal stays open."""
        self._deciding.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self) -> float:
        return round(self._clock(), 3)
