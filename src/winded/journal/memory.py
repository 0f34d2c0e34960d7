"""The journal in memory: for tests, `winded run` and trying things out. It is gone when the process is."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Unavailable, WindedError
from winded.journal import codec
from winded.journal.contract import (
    Chain,
    DecideLinks,
    Entry,
    Head,
    Journal,
    Link,
    Page,
    TableRecord,
    chain_broken,
    check_numbers,
    check_whole,
    link_taken,
    no_link,
    no_table,
    not_the_newest,
    request_taken,
    table_replaced,
    table_taken,
)


class _Log(Struct):
    """All there is of one table."""

    record: TableRecord
    life: int
    entries: list[Entry]
    kinds: list[codec.EntryKind]
    requests: dict[str, int]
    """The number of the entry that carries each request id."""


class MemoryJournal(Journal):
    """A journal that keeps nothing: as safe as it can make a change is done at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logs: dict[str, _Log] = {}
        self._links: dict[str, Link] = {}
        self._lives = 0
        self._closed = False

    def create(self, record: TableRecord) -> None:
        self.put(record, ())

    def records(self) -> list[TableRecord]:
        with self._lock:
            self._check_open()
            return sorted((log.record for log in self._logs.values()), key=lambda record: record.created)

    def record(self, table: str) -> TableRecord:
        with self._lock:
            return self._log(table).record

    def rename(self, table: str, name: str) -> None:
        with self._lock:
            log = self._log(table)
            log.record = replace(log.record, name=name)

    def delete(self, table: str) -> None:
        with self._lock:
            self._log(table)
            del self._logs[table]
            self._links = {link.id: link for link in self._links.values() if link.table != table}

    def put(
        self,
        record: TableRecord,
        entries: Iterable[Entry],
        *,
        replacing: bool = False,
        links: DecideLinks | None = None,
    ) -> None:
        whole = list(entries)
        check_whole(whole)
        with self._lock:
            self._check_open()
            if record.id in self._logs and not replacing:
                raise table_taken(record.id)
            if links is not None:
                self._put_links(record.id, links)
            self._lives += 1
            self._logs[record.id] = _Log(record, self._lives, [], [], {})
            self._extend(self._logs[record.id], whole)

    def append(
        self, table: str, entries: Sequence[Entry], chain: Chain | None = None, *, waited_for: bool = False
    ) -> Future[None]:
        first = check_numbers(entries)
        done: Future[None] = Future()
        after = None if chain is None else chain.handed_in(entries)
        try:
            with self._lock:
                log = self._log(table)
                if chain is not None and chain.broken:
                    raise chain_broken(first)
                if chain is not None and chain.life != log.life:
                    raise table_replaced(table)
                newest = len(log.entries)
                if first != newest + 1:
                    raise not_the_newest(first, newest + 1)
                if after is not None and after != self._mark(log, newest):
                    raise table_replaced(table)
                requests = [entry.request for entry in entries if entry.request is not None]
                if len(set(requests)) < len(requests) or not log.requests.keys().isdisjoint(requests):
                    raise request_taken(first)
                self._extend(log, entries)
        except WindedError as error:
            if chain is not None:
                chain.broken = True
            if self._closed:
                raise
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def read(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        with self._lock:
            entries = self._log(table).entries
            stop = len(entries)
        if limit is not None:
            stop = min(stop, after + limit)
        for place in range(after, stop):
            yield entries[place]

    def read_back(self, table: str, before: int | None = None, limit: int | None = None) -> Iterator[Entry]:
        with self._lock:
            entries = self._log(table).entries
            start = len(entries)
        if before is not None:
            start = min(start, before - 1)
        stop = 0 if limit is None else max(0, start - limit)
        for place in range(start - 1, stop - 1, -1):
            yield entries[place]

    def replay(self, table: str, after: int = 0) -> Iterator[Page]:
        with self._lock:
            log = self._log(table)
            entries, kinds = log.entries[after:], log.kinds[after:]
        if entries:
            yield Page(after + 1, "".join(f"{kind:d}" for kind in kinds), [entry.events for entry in entries])

    def takings_back(self, table: str, after: int = 0) -> Iterator[Entry]:
        for entry in self.read(table, after):
            if codec.kind_of(entry.command, entry.events) is codec.EntryKind.TAKING_BACK:
                yield entry

    def head(self, table: str) -> Head:
        with self._lock:
            log = self._log(table)
            number = len(log.entries)
            return Head(log.record.name, number, log.life, self._mark(log, number) or "")

    def mark(self, table: str, number: int) -> str | None:
        with self._lock:
            return self._mark(self._log(table), number)

    def find(self, table: str, request: str) -> Entry | None:
        with self._lock:
            log = self._log(table)
            number = log.requests.get(request)
            return None if number is None else log.entries[number - 1]

    def add_link(self, link: Link) -> None:
        with self._lock:
            self._log(link.table)
            if link.id in self._links:
                raise link_taken()
            self._keep(link)

    def change_link(self, link: Link) -> None:
        with self._lock:
            self._log(link.table)
            old = self._links.get(link.id)
            if old is None or old.table != link.table:
                raise no_link(link.id)
            self._keep(link)

    def change_links(self, table: str, decide: DecideLinks) -> None:
        with self._lock:
            self._log(table)
            self._put_links(table, decide)

    def _put_links(self, table: str, decide: DecideLinks) -> None:
        before = dict(self._links)
        mine = sorted((one for one in before.values() if one.table == table), key=lambda link: link.created)
        try:
            for link in decide(mine):
                other = self._links.get(link.id)
                if other is not None and other.table != table:
                    raise link_taken()
                self._keep(link)
        except BaseException:
            self._links = before
            raise

    def links(self, table: str) -> list[Link]:
        with self._lock:
            self._log(table)
            mine = [link for link in self._links.values() if link.table == table]
        return sorted(mine, key=lambda link: link.created)

    def link_by_token_hash(self, token_hash: bytes) -> Link | None:
        with self._lock:
            self._check_open()
            return next((link for link in self._links.values() if link.token_hash == token_hash), None)

    def link_by_code_hash(self, code_hash: bytes) -> Link | None:
        with self._lock:
            self._check_open()
            return next((link for link in self._links.values() if link.code_hash == code_hash), None)

    def _keep(self, link: Link) -> None:
        for other in self._links.values():
            if other.id != link.id and (
                other.token_hash == link.token_hash
                or (link.code_hash is not None and other.code_hash == link.code_hash)
            ):
                raise link_taken()
        self._links[link.id] = link

    def changed(self, known: Mapping[str, Head]) -> dict[str, Head | None]:
        """Nothing, ever: no other process can write here."""
        self._check_open()
        return {}

    def backup(self, path: Path) -> None:
        raise Unavailable("A journal in memory cannot be copied to {path}.", path=str(path))

    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("The journal is closed.")

    def _log(self, table: str) -> _Log:
        self._check_open()
        log = self._logs.get(table)
        if log is None:
            raise no_table(table)
        return log

    @staticmethod
    def _mark(log: _Log, number: int) -> str | None:
        if number == 0:
            return ""
        return log.entries[number - 1].mark if number <= len(log.entries) else None

    @staticmethod
    def _extend(log: _Log, entries: Sequence[Entry]) -> None:
        log.entries.extend(entries)
        log.kinds.extend(codec.kind_of(entry.command, entry.events) for entry in entries)
        for entry in entries:
            if entry.request is not None:
                log.requests[entry.request] = entry.number
