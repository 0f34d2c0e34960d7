"""How a command becomes an entry: decided on the newest state, written, answered; decided again where it was outrun."""

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
"""For so many seconds a command is decided afresh whenever another process was quicker; then the caller hears of it."""


class Decider:
    """Decides commands at the tables at hand. `now` gives the time of day, in seconds since 1970."""

    def __init__(self, at_hand: AtHand, now: Callable[[], float]) -> None:
        self._at_hand = at_hand
        self._journal = at_hand.journal
        self._now = now
        self._again = ThreadPoolExecutor(1, "winded-again")

    def submit(self, table: str, one: InFlight) -> Future[Done]:
        """Decide a command; the Future resolves when its entry is safe, or fails with why there is none."""
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
        """What would come of a command now; nothing happens."""
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
        """What would become of the past by a correction, and the moment at which that was asked; nothing happens."""
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
        """Read what has been written since the newest safe moment. To be called under the lock of the table.

        Raises Stale where the table has another history now: it has begun anew then.
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
        """Finish what is being decided afresh."""
        self._again.shutdown()

    def _decide(self, at: OpenTable, one: InFlight) -> None:
        """Decide a command on the newest state and hand its entry to the journal; all that is raised is the answer."""
        try:
            with at.lock:
                written, when_written = self._decided(at, one)
        except Outrun:
            self._later(at, one)
        except WindedError as error:
            _fail(at, one, error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the answer must hear of a mistake of ours too
            at.requests.forget(one)
            one.promise.set_exception(error)
        else:
            # Not under the lock: it may be written already, and whoever hears of that may play on.
            written.add_done_callback(when_written)

    def _decided(self, at: OpenTable, one: InFlight) -> tuple[Future[None], Callable[[Future[None]], None]]:
        """What is on its way into the journal now, and what to do when it is there. To be called under the lock."""
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
        """What the answer waits for where no entry is made: that the state on which it was decided is safe."""
        last = at.last
        if last is None:
            last = Future()
            last.set_result(None)
        return last, lambda last: self._answer_without(at, one, answer, last.exception())

    def _answer_without(
        self, at: OpenTable, one: InFlight, answer: WindedError | Entry, error: BaseException | None
    ) -> None:
        """Refuse, or say that nothing is changed, on a state that is safe now; if it never came to be, decide again."""
        if error is not None:
            self._later(at, one)
            return
        try:
            if self._journal.head(at.id).number > at.head.number:
                # Another process has played on: what was refused may be possible now, or for another reason not; and
                # what would have changed nothing may change something.
                one.behind = True
                self._later(at, one)
                return
            if one.request is not None:
                # Done before, in another process or long ago, it may be refused now, or nothing new, just because of
                # that.
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
        """The journal has written an entry, or not. Runs in the journal's thread, and must not wait for `at.lock`."""
        if error is None:
            self._at_hand.publish(at, after, entry)
            at.requests.remember(one, entry.number)
            one.promise.set_result(Done(entry, at.snapshot(after)))
        elif isinstance(error, Stale):
            self._later(at, one)
        else:
            _fail(at, one, cast("WindedError", error))

    def _later(self, at: OpenTable, one: InFlight) -> None:
        """Decide again, in a thread that may wait."""
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
        """Answer as the same request was answered before."""
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
    """The command to decide: meant for this state, made up on it, allowed. Raises Stale and what `authorise` raises."""
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
