"""How a command becomes an entry: decided on the newest state, written, answered, and decided again if outrun."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import cast

from msgspec.structs import replace

from winded.errors import Stale, Unavailable, Unknown, WindedError
from winded.journal import Chain, Entry
from winded.journal.codec import Commands
from winded.rules import Correct
from winded.tables.at_hand import AtHand, OpenTable, Outrun
from winded.tables.correcting import Correction
from winded.tables.history import Moment
from winded.tables.in_flight import Answer, InFlight
from winded.tables.revision import Revision, new_mark
from winded.tables.snapshot import Done, Rehearsed, Several, SomeCommand

PATIENCE = 10.0
"""For how many seconds a command is decided again if another process was quicker, before the caller is told."""


class Decider:
    """Decides commands at the tables in memory. `now` gives the time, in seconds since 1970."""

    def __init__(self, at_hand: AtHand, now: Callable[[], float]) -> None:
        self._at_hand = at_hand
        self._journal = at_hand.journal
        self._now = now
        self._again = ThreadPoolExecutor(1, "winded-again")

    def submit(self, table: str, one: InFlight) -> Future[Done]:
        """Decide a command. The Future resolves when its entry is safe, or fails with the reason why there is none."""
        try:
            at = self._at_hand.get(table)
            if one.request is not None:
                with at.lock:
                    waiting, answered = at.requests.take(one)
                if waiting is not None:
                    one.check_is_the_same(waiting.command, waiting.who)
                    return waiting.promise
                if answered is not None:
                    self._answer_again(at, one, *answered)
                    return one.promise
        except WindedError as error:
            one.promise.set_exception(error)
        else:
            self._decide(at, one)
        return one.promise

    def rehearse(self, table: str, one: InFlight) -> Rehearsed:
        """What a command would do now; nothing happens."""
        at = self._at_hand.get(table)
        try:
            with at.lock:
                if at.chain.broken:
                    self.catch_up(at)
                moment = at.head
                command = _authorised(at, moment, one)
                decided = at.history.decide(moment, command, one.who)
        except Outrun as outrun:
            raise Stale("Somebody acted first: please try again.") from outrun
        return Rehearsed(
            moment.number,
            command,
            decided.events,
            decided.table,
            decided.company,
            decided.about,
            decided.secret,
            moment.mark,
        )

    def put_right(self, table: str, command: Correct) -> tuple[Moment, Correction]:
        """The table's present moment, and what a correction would make of the past; nothing happens."""
        at = self._at_hand.get(table)
        try:
            with at.lock:
                if at.chain.broken:
                    self.catch_up(at)
                moment = at.head
            return moment, at.history.put_right(moment, command)
        except Outrun as outrun:
            raise Stale("Somebody acted first: please try again.") from outrun

    def catch_up(self, at: OpenTable) -> None:
        """Read what has been written since the newest safe moment. Call it under the table's lock.

        Raises Stale if the table's history was replaced; it is then read again from the start.
        """
        life = at.chain.life
        safe = at.committed
        if self._journal.head(at.id).life != life or self._journal.mark(at.id, safe.number) != safe.mark:
            self._at_hand.begin_anew(at.id)
            raise Stale("The table {table} has been replaced: please try again.", table=at.id)
        at.last = None
        at.head = at.history.since(safe)
        at.chain = Chain(life, at.head.mark)
        self._at_hand.publish(at, at.head)

    def close(self) -> None:
        """Finish what is being decided again."""
        self._again.shutdown()

    def _decide(self, at: OpenTable, one: InFlight) -> None:
        """Decide a command on the newest state and hand its entry to the journal. What is raised becomes the answer."""
        try:
            with at.lock:
                written, when_written = self._decided(at, one)
        except Outrun:
            self._later(at, one)
        except WindedError as error:
            _fail(at, one, error)
        except Exception as error:  # noqa: BLE001 - the caller must hear of our own mistakes too
            at.requests.forget(one)
            one.promise.set_exception(error)
        else:
            # Outside the lock: the entry may be written already, and the callback may play on.
            written.add_done_callback(when_written)

    def _decided(self, at: OpenTable, one: InFlight) -> tuple[Future[None], Callable[[Future[None]], None]]:
        """The write now on its way to the journal, and what to do when it is done. Call it under the lock."""
        if at.chain.broken or one.behind:
            one.behind = False
            self.catch_up(at)
        moment = at.head
        try:
            command = _authorised(at, moment, one)
            decided = at.history.decide(moment, command, one.who)
        except WindedError as error:
            return self._nothing_happens(at, one, error)
        entry = Entry(
            moment.number + 1,
            self._now(),
            one.who,
            one.name,
            cast("Commands", command),
            decided.events,
            one.request,
            decided.about,
            decided.secret,
            new_mark(),
        )
        if not decided.events:
            return self._nothing_happens(at, one, replace(entry, number=moment.number, mark=moment.mark))
        written = self._journal.append(at.id, (entry,), at.chain, waited_for=one.waited_for)
        at.head = after = decided.made(entry, moment.table)
        at.last = written
        return written, lambda written: self._written(at, one, entry, after, written.exception())

    def _nothing_happens(
        self, at: OpenTable, one: InFlight, answer: WindedError | Entry
    ) -> tuple[Future[None], Callable[[Future[None]], None]]:
        """What an answer without an entry waits for: that the state it was decided on is safe."""
        last = at.last
        if last is None:
            last = Future()
            last.set_result(None)
        return last, lambda last: self._answer_without(at, one, answer, last.exception())

    def _answer_without(
        self, at: OpenTable, one: InFlight, answer: WindedError | Entry, error: BaseException | None
    ) -> None:
        """Answer a refusal, or that nothing changes, once the state is safe; decide again if it never will be."""
        if error is not None:
            self._later(at, one)
            return
        try:
            if self._journal.head(at.id).number > at.head.number:
                # Another process has played on: the answer may be another now.
                one.behind = True
                self._later(at, one)
                return
            if one.request is not None:
                # The same request may have been done before, which may be the very reason for this answer.
                entry = self._journal.find(at.id, one.request)
                if entry is not None:
                    if entry.number > at.committed.number:
                        self._later(at, one)
                    else:
                        self._answer_again(at, one, entry.command, entry.who, entry.number)
                    return
        except WindedError as other:
            answer = other
        if isinstance(answer, WindedError):
            _fail(at, one, answer)
        else:
            at.requests.remember(one, answer)
            one.promise.set_result(Done(answer, at.snapshot(at.committed)))

    def _written(self, at: OpenTable, one: InFlight, entry: Entry, after: Moment, error: BaseException | None) -> None:
        """Answer once the journal has written an entry or failed. Runs in its thread; must not wait for `at.lock`."""
        if error is None:
            self._at_hand.publish(at, after, entry)
            at.requests.remember(one, entry.number)
            one.promise.set_result(Done(entry, at.snapshot(after)))
        elif isinstance(error, Stale):
            self._later(at, one)
        else:
            _fail(at, one, cast("WindedError", error))

    def _later(self, at: OpenTable, one: InFlight) -> None:
        """Decide again, in another thread."""
        one.waited_for = False
        try:
            self._again.submit(self._decide_again, at, one)
        except RuntimeError:
            _fail(at, one, Unavailable("Winded is shutting down."))

    def _decide_again(self, at: OpenTable, one: InFlight) -> None:
        try:
            entry = None if one.request is None else self._journal.find(at.id, one.request)
            if entry is not None:
                if entry.number > at.committed.number:
                    with at.lock:
                        with suppress(Outrun):
                            at.flushed()
                        self.catch_up(at)
                self._answer_again(at, one, entry.command, entry.who, entry.number)
                return
            one.until = one.until or time.monotonic() + PATIENCE
            if time.monotonic() > one.until:
                raise Stale(
                    "Others kept acting first for {seconds} seconds: please try again.", seconds=f"{PATIENCE:g}"
                )
        except WindedError as error:
            _fail(at, one, error)
        else:
            self._decide(at, one)

    def _answer_again(
        self, at: OpenTable, one: InFlight, command: SomeCommand | Several, who: str, answer: Answer
    ) -> None:
        """Give the answer that the same request got before."""
        try:
            one.check_is_the_same(command, who)
        except WindedError as error:
            at.requests.forget(one)
            one.promise.set_exception(error)
            return
        if isinstance(answer, WindedError):
            one.promise.set_exception(answer)
        else:
            entry = answer if isinstance(answer, Entry) else next(self._journal.read(at.id, answer - 1, 1))
            at.requests.remember(one, answer)
            one.promise.set_result(Done(entry, at.snapshot(at.committed)))


def _authorised(at: OpenTable, moment: Moment, one: InFlight) -> SomeCommand:
    """The command to decide, once it fits this state and is allowed. Raises Stale and what `authorise` raises."""
    expected = Revision(one.expect) if isinstance(one.expect, int) else one.expect
    if expected is not None and expected.number != moment.number:
        raise Stale(
            "Somebody acted first: the newest entry is {number}, not {expected}.",
            number=moment.number,
            expected=expected.number,
        )
    if expected is not None and expected.mark not in (None, moment.mark):
        raise Stale("The table {table} has been replaced since: please look again.", table=at.id)
    command = one.command
    if isinstance(command, Several):
        command = command.commands(moment.table)
    if one.authorise is None:
        return command
    return one.authorise(at.snapshot(moment), command)


def _fail(at: OpenTable, one: InFlight, error: WindedError) -> None:
    if isinstance(error, Stale | Unavailable | Unknown):
        at.requests.forget(one)
    else:
        at.requests.remember(one, error)
    one.promise.set_exception(error)
