"""What a journal promises, whatever it is kept in: the log of each table, entry by entry, never rewritten.

An *entry* is one command that was accepted, and the events that came of it. The entries of a table are numbered
from 1 without a gap, and (table, number) is the only lock there is: of two writers that append at the same number
one wins and the other learns, as `Stale`, that it decided on a state that is no longer the newest.

A *chain* is a row of appends of one table, each decided on top of the one before it although none may be safe yet.
Once one of a chain fails, everything behind it was decided on a state that never came to be: it fails too.

One contract test, `tests/journal/test_contract.py`, runs over every kind of journal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct

from winded.errors import Malformed, Stale, Unavailable, Unknown
from winded.journal.codec import AnyEvent, Commands
from winded.rules import Ruleset

if TYPE_CHECKING:
    from typing import Self


Result = TypeVar("Result")


class Promise(Future[Result]):
    """A Future of something that is already under way and so cannot be called off.

    Who waits for it may help: `help_out` is called first, in the thread that waits.
    """

    def __init__(self, help_out: Callable[[], None]) -> None:
        super().__init__()
        self._help_out = help_out

    def cancel(self) -> bool:
        return False

    def result(self, timeout: float | None = None) -> Result:
        if not self.done():
            self._help_out()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        if not self.done():
            self._help_out()
        return super().exception(timeout)


class Damaged(Unavailable):
    """What is kept is there and cannot be read: a copy of it has to be brought back."""


class Entry(Struct, frozen=True):
    """One accepted command of one table, with what came of it.

    `command` is a tuple where several commands were one act. `number` counts from 1 within the table. `at` is UTC in
    seconds since 1970, to the millisecond. `who` is the id of the member who sent the command, "" for Winded itself,
    and `name` what that member was called then. `request` is the id the sender gave the command so that sending it
    twice does it once, at most one entry a table for each. `about` holds the ids of the characters concerned, as
    “hidden #5” where an enemy was hidden then; `secret` says that one of them was. `mark` names, with the number, the
    state after it.
    """

    number: int
    at: float
    who: str
    name: str
    command: Commands
    events: tuple[AnyEvent, ...]
    request: str | None = None
    about: tuple[str, ...] = ()
    secret: bool = False
    mark: str = ""


class Page(Struct, frozen=True):
    """The events of some entries in a row, for those who only fold.

    `first` is the number of the first of them; `kinds` holds the figure of each one's `EntryKind`, in one text.
    """

    first: int
    kinds: str
    events: list[tuple[AnyEvent, ...]]


class TableRecord(Struct, frozen=True):
    """A table as the journal lists it. `created` is UTC in seconds since 1970; `ruleset` is kept as it was then."""

    id: str
    name: str
    created: float
    ruleset: Ruleset


class Link(Struct, frozen=True):
    """A way to a table, in one role. Neither the token nor the short code is kept, only a hash of each.

    `code_hash` is None once the code is used up or withdrawn; `revoked` is None as long as the link holds. `created`
    and `revoked` are UTC in seconds since 1970. `role` and `name` mean nothing to the journal.
    """

    id: str
    table: str
    role: str
    name: str
    token_hash: bytes
    created: float
    code_hash: bytes | None = None
    revoked: float | None = None


DecideLinks: TypeAlias = Callable[[Sequence[Link]], Iterable[Link]]
"""Given all links to a table as they are, those that are to be new or other; what it raises stops the change."""


class Head(Struct, frozen=True):
    """How far a table has come: its name now, the number of its newest entry, 0 for none, and the mark of that entry.

    `life` is another figure each time the whole table is replaced by `put`.
    """

    name: str
    number: int
    life: int
    mark: str = ""


def check_numbers(entries: Sequence[Entry]) -> int:
    """The first number of entries that are numbered in a row. Raises Malformed if they are not, or there are none."""
    if not entries:
        raise Malformed("entries", "There are no entries to append.")
    first = entries[0].number
    if len(entries) > 1:
        _check_row(entries, first)
    return first


def check_whole(entries: Sequence[Entry]) -> None:
    """Check that entries make up a whole table; raises Malformed if a number or a request id is out of place."""
    _check_row(entries, 1)
    requests: set[str] = set()
    for place, entry in enumerate(entries):
        if entry.request is None:
            continue
        if entry.request in requests:
            raise Malformed(
                f"entries[{place}].request", "Two entries have the request id “{request}”.", request=entry.request
            )
        requests.add(entry.request)


def _check_row(entries: Sequence[Entry], first: int) -> None:
    for place, entry in enumerate(entries):
        if entry.number != first + place:
            raise Malformed(
                f"entries[{place}].number",
                "Entry {number} is where entry {expected} should be.",
                number=entry.number,
                expected=first + place,
            )


def no_table(table: str) -> Unknown:
    """Said where there is no such table."""
    return Unknown("There is no table {table}.", table=table)


def table_taken(table: str) -> Stale:
    """Said where a table is to begin under an id that another one has."""
    return Stale("There is already a table {table}.", table=table)


def no_link(link: str) -> Unknown:
    """Said where a table has no such link."""
    return Unknown("This table has no link {link}.", link=link)


def link_taken() -> Stale:
    """Said of a link whose id, token or code another one has."""
    return Stale("The id, token or code of this link is taken.")


def chain_broken(number: int) -> Stale:
    """Said of an entry behind one that failed."""
    return Stale("Entry {number} was decided on a state that never existed.", number=number)


def table_replaced(table: str) -> Stale:
    """Said of an entry that was decided on a table's former life."""
    return Stale("The table {table} has been replaced.", table=table)


def not_the_newest(number: int, comes_next: int) -> Stale:
    """Said of an entry with another number than comes next."""
    return Stale(
        "Entry {number} was decided on an old state: entry {next} comes next.",
        number=number,
        next=comes_next,
    )


def request_taken(number: int) -> Stale:
    """Said of an entry whose request id an earlier one has."""
    return Stale("A request id of entry {number} was used before.", number=number)


class Chain:
    """Appends of one table that were decided on top of each other; see the top of this file.

    Make a new one whenever a table's state was read from the journal, with the `life` of its Head as that was before,
    and the `mark` of the entry up to which it was read: an append after another entry at that number fails. None goes
    after whatever is there. Only journals set `broken`, and keep `mark` up to date as entries are handed in.
    """

    __slots__ = ("broken", "life", "mark")

    def __init__(self, life: int, mark: str | None = None) -> None:
        self.life: int = life
        self.mark = mark
        self.broken: bool = False

    def handed_in(self, entries: Sequence[Entry]) -> str | None:
        """The mark of the entry that these go after; what comes next goes after the last of them."""
        before = self.mark
        if before is not None:
            self.mark = entries[-1].mark
        return before


class Journal(ABC):
    """The log of every table, and the links to them.

    Every method may be called from any thread. Those that change something return, or resolve their Future, only when
    the change is as safe as this kind of journal can make it. Everything may raise `Unavailable` when the place where
    tables are kept does not answer, is full or cannot be read, and what raised it has then not happened.

    A journal is a context manager that closes itself.
    """

    @abstractmethod
    def create(self, record: TableRecord) -> None:
        """Begin a table with no entries. Raises Stale if its id is taken."""

    @abstractmethod
    def records(self) -> list[TableRecord]:
        """Every table, oldest first."""

    @abstractmethod
    def record(self, table: str) -> TableRecord:
        """One table. Raises Unknown."""

    @abstractmethod
    def rename(self, table: str, name: str) -> None:
        """Call a table something else from now on; two tables may have one name. Raises Unknown."""

    @abstractmethod
    def delete(self, table: str) -> None:
        """Delete a table, its entries and its links for good. Raises Unknown.

        Appends that were handed in before it are written first; those that come after it fail with Unknown.
        """

    @abstractmethod
    def put(
        self,
        record: TableRecord,
        entries: Iterable[Entry],
        *,
        replacing: bool = False,
        links: DecideLinks | None = None,
    ) -> None:
        """Take in a whole table at once, entries and all, or nothing of it.

        If the id is taken, raises Stale, unless `replacing`: then the entries of that table give way to these while its
        links stay. With `links`, the table's links are changed with it, as by `change_links`. Raises Malformed, naming
        the field, if the entries are not numbered 1, 2, 3 … or two of them carry one request id.
        """

    @abstractmethod
    def append(
        self, table: str, entries: Sequence[Entry], chain: Chain | None = None, *, waited_for: bool = False
    ) -> Future[None]:
        """Write entries at the end of a table, all of them or none; returns at once.

        With `waited_for` the caller promises to wait for the Future, or to call `help_out`, next of all: a journal may
        leave it until then.

        The Future resolves when they are safe. Appends take effect in the order in which they were handed in, whatever
        their table, and their Futures resolve in that order. The callbacks of the Future run in the journal's own
        thread or in the caller's: they must be short and must not wait for this journal.

        Fails with

        - Stale, if the first number is not the one after the newest; if a request id is taken, `find` then says by
          what; if the table was replaced since the chain began, or the database put back to where another entry stands
          below the first; if `chain` was broken by an earlier append. `chain` is then broken. None stands for a chain
          of one, in whatever life the table has.
        - Unknown, if there is no such table. `chain` is then broken.
        - Unavailable, as everywhere. `chain` is then broken.

        Raises Malformed at once if `entries` is empty or not numbered in a row: that is a mistake of the caller.
        """

    def help_out(self) -> None:  # noqa: B027 - most journals need no help
        """Write what was handed in, in the caller's thread, if nobody does so yet: quicker for one who waits for it.

        What waits is written without it as well.
        """

    @abstractmethod
    def read(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries above number `after`, oldest first, at most `limit`. Raises Unknown, when iterated.

        What is appended meanwhile may or may not be seen. If the table is deleted or replaced meanwhile, raises Stale.
        """

    @abstractmethod
    def read_back(self, table: str, before: int | None = None, limit: int | None = None) -> Iterator[Entry]:
        """The entries below number `before` (None: all), newest first, otherwise like `read`."""

    @abstractmethod
    def replay(self, table: str, after: int = 0) -> Iterator[Page]:
        """The events of the entries above number `after`, oldest first, page by page. Otherwise like `read`."""

    @abstractmethod
    def takings_back(self, table: str, after: int = 0) -> Iterator[Entry]:
        """The entries above number `after` whose command is an undo or a redo, oldest first. Otherwise like `read`."""

    @abstractmethod
    def head(self, table: str) -> Head:
        """How far a table has come. Raises Unknown."""

    @abstractmethod
    def mark(self, table: str, number: int) -> str | None:
        """The mark of the entry with this number, "" for 0, None where there is no such entry. Raises Unknown."""

    @abstractmethod
    def find(self, table: str, request: str) -> Entry | None:
        """The entry that carries this request id, if there is one. Raises Unknown."""

    @abstractmethod
    def add_link(self, link: Link) -> None:
        """Add a link. Raises Unknown if there is no such table, Stale if its id or one of its hashes is taken."""

    @abstractmethod
    def change_link(self, link: Link) -> None:
        """Put this in the place of the link with the same id: a new name, token or code, or a revocation.

        Raises Unknown if that table has no such link, Stale if one of the hashes is another link's.
        """

    @abstractmethod
    def change_links(self, table: str, decide: DecideLinks) -> None:
        """Change a table's links as one change: nobody else changes them meanwhile, in any process.

        `decide` is given every link to the table, oldest first, the revoked among them, and answers with those that are
        new, or other than they were. What it raises is raised here, and nothing has changed then. Raises Unknown if
        there is no such table, Stale if an id or a hash is taken.
        """

    @abstractmethod
    def links(self, table: str) -> list[Link]:
        """Every link to a table, oldest first, the revoked among them. Raises Unknown."""

    @abstractmethod
    def link_by_token_hash(self, token_hash: bytes) -> Link | None:
        """The link with this token, revoked or not."""

    @abstractmethod
    def link_by_code_hash(self, code_hash: bytes) -> Link | None:
        """The link with this short code, revoked or not."""

    @abstractmethod
    def changed(self, known: Mapping[str, Head]) -> dict[str, Head | None]:
        """Those of the `known` tables that are no longer as given, as they are now; None for one that was deleted.

        Meant to be asked every second by a process that has tables open: it costs next to nothing as long as no other
        process has written. Tables that the caller has since changed itself may be among the answers.
        """

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write the whole journal, as it is at one moment, to a new file that only its owner may read.

        Raises Stale if there is such a file, which is left alone, and Unavailable if it cannot be written.
        """

    @abstractmethod
    def close(self) -> None:
        """Write what was handed in, resolve its Futures, and let go of everything. Closing twice is harmless.

        Whatever is asked for afterwards raises Unavailable.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
