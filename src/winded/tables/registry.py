"""All the tables of one journal: create, open, play, watch, bring in and delete them.

A command is decided on the newest state that this process knows, even while the entries that led there are being
written. Its answer is given, and watchers are told, only once its entry is safe. If another process was quicker, the
state is read again and the command decided again.
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
    """All the tables of one journal, each named by its id. Safe to use from any thread.

    `clock` gives the time, in seconds since 1970. About `at_hand` tables that nobody watches stay in memory; the others
    are read again when needed. Closing this does not close the journal.
    """

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time, *, at_hand: int = 1000) -> None:
        self.journal = journal
        self._clock = clock
        self._at_hand = AtHand(journal, at_hand)
        self._deciding = Decider(self._at_hand, self._now)

    def create(self, name: str, ruleset: Ruleset = PAGE) -> str:
        """Begin a table and return its id, which fits into an address and cannot be guessed."""
        record = TableRecord(new_table_id(), name, self._now(), ruleset)
        self.journal.create(record)
        return record.id

    def begin(
        self, name: str, ruleset: Ruleset, plays: Callable[[Tables, str], None], links: DecideLinks, table: str
    ) -> None:
        """Begin a table with this id, its first entries and its first links, all at once or not at all.

        `plays` plays what comes first, at a table in memory that nobody else can see.
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
        """Rename a table; its watchers hear its number again. Raises Unknown."""
        self.journal.rename(table, name)
        self._at_hand.call(table, name)

    def delete(self, table: str) -> None:
        """Delete a table for good, with its history and links; its watchers hear `GONE`. Raises Unknown."""
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
        """Bring in a whole table that was kept elsewhere, and change its links with it. A copy has another id.

        Raises Stale if the id is taken, unless `replacing`: then its watchers hear `ANEW`. Raises Malformed if Winded
        could not have written these entries, unless they have been `checked`.
        """
        kept = [*entries]
        if not checked:
            check_history(record.ruleset, kept)
        self.journal.put(record, kept, replacing=replacing, links=links)
        self._at_hand.begin_anew(record.id)

    def snapshot(self, table: str) -> Snapshot:
        """A table as it is now, with everything in it safely stored. Raises Unknown."""
        one = self._at_hand.get(table)
        return one.snapshot(one.committed)

    def is_of(self, table: str, revision: Revision) -> bool:
        """Whether this table's present history includes this revision. Raises Unknown."""
        now = self._at_hand.get(table).committed
        if revision.number == 0 or (revision.mark is None and revision.number <= now.number):
            return True
        # Another process may be ahead of this one, so ask the journal too.
        here = now.mark if revision.number == now.number else self.journal.mark(table, revision.number)
        return here is not None and revision.mark in (None, here)

    def check_is_here(self, table: str) -> None:
        """Raises Unknown if there is no such table."""
        self.journal.head(table)

    def newest_lines(self, table: str, limit: int) -> tuple[Line, ...]:
        """The newest lines of the history, newest first, at most `limit` and at most `NEWEST`. Raises Unknown.

        They are read once for each table, then updated with every entry.
        """
        return self._at_hand.newest_lines(self._at_hand.get(table))[:limit]

    def lines(self, table: str, before: int | None = None, limit: int = 50) -> list[Line]:
        """The history before entry `before` (all of it without one), newest first, at most `limit` lines.

        May read a long history. Raises Unknown.
        """
        one = self._at_hand.get(table)
        return lines_back(self.journal, table, before, limit, one.taken_back)

    def lines_after(self, table: str, after: int = 0, limit: int = 50) -> list[Line]:
        """The history after entry `after`, oldest first, at most `limit` lines. Raises Unknown.

        May read a long history if `lines_at_hand` gives None.
        """
        one = self._at_hand.get(table)
        found = lines_at_hand(one.committed, one.lines, after, limit)
        if found is None:
            found = lines_after(self.journal, table, after, limit, one.taken_back)
        return found

    def lines_at_hand(self, table: str, after: int = 0, limit: int = 50) -> list[Line] | None:
        """`lines_after` from memory; None if the journal must be read. Raises Unknown."""
        one = self._at_hand.get(table)
        return lines_at_hand(one.committed, one.lines, after, limit)

    def is_at_hand(self, table: str) -> bool:
        """Whether this table is in memory. One that is not is read as a whole when needed."""
        return self._at_hand.find(table) is not None

    def is_deciding(self, table: str) -> bool:
        """Whether another thread is deciding at this table, so that a command would have to wait."""
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
        """Play a command, or several as one act. The Future resolves when its entry is safe, and cannot be cancelled.

        `who` and `name` are the member's id and name. `request` is an id that the sender chooses: sent again, the
        command is not played again and gets the same answer, even a refusal. With `expect`, the command is played only
        if the newest entry has this number. `authorise` is asked each time the command is decided.

        The Future fails with what the command's `decide` or `authorise` raises; Stale if `expect` does not match;
        Malformed, naming "request", if the request id was used for another command; Unknown if there is no such table;
        Unavailable if the entry cannot be stored. Nothing has happened then.

        The Future's callbacks run in the journal's thread or another caller's. They must be quick, and must not play.

        Returns at once, unless it must read the journal first: to open a table, to redo, or to undo back through an
        entry that is not among the newest.
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
        """Play a command and wait until it is safe. Raises what the Future of `submit` fails with."""
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
        """What `do` would do now. Raises what it would raise; nothing is stored."""
        one = InFlight(command, who, "", None, expect, authorise, self.journal.help_out)
        return self._deciding.rehearse(table, one)

    def put_right(self, table: str, command: Correct) -> Corrected:
        """What this correction would make of the past, act by act; nothing happens.

        Raises Refused if an inserted command is refused, if an entry to leave out is no act that counts, and for a past
        too long ago. Reads all entries that are played again.
        """
        moment, correction = self._deciding.put_right(table, command)
        return Corrected(self._at_hand.get(table).snapshot(moment), correction)

    def watch(self, table: str, watcher: Watcher) -> AbstractContextManager[Snapshot]:
        """Call `watcher` with the table's id and number after each change, while the context lasts. Raises Unknown.

        Gives the table as it is when the watch begins; no later change is missed. The calls come from the journal's
        thread, in rising order of numbers, and must be quick, such as a `call_soon_threadsafe`. The same number comes
        again if only the table's name has changed, `ANEW` when its history was replaced, before the new numbers, and
        `GONE` when it was deleted.
        """
        return self._at_hand.watch(table, watcher)

    def refresh(self) -> None:
        """Read what other processes have written to the tables in memory, and tell their watchers.

        A server calls this about once a second; it costs next to nothing if nothing has changed.
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
                # Stale if the database was restored and has since come further: the table is then read again.
                with one.lock, suppress(Stale):
                    if now.number > one.head.number:
                        self._deciding.catch_up(one)
                self._at_hand.call(table, now.name)

    def close(self) -> None:
        """Finish what is being decided again. The journal stays open."""
        self._deciding.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self) -> float:
        return round(self._clock(), 3)
