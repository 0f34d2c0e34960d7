"""No request makes another wait: what is long is done beside the loop, and grows no faster than the history."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE
from tests.web.live.test_hub import Screen, until
from winded import D12, AddCharacter, Adjust, Undo
from winded.journal import Entry, SqliteJournal
from winded.roles import Role
from winded.service import Desk, Visitor, seeing
from winded.service.acting import act, rehearse
from winded.service.limits import Limits, Rate
from winded.service.opening import begin_table
from winded.tables import Revision
from winded.web.live import Live, feed

UNDONE = 100
"""Acts that were taken back again, each by an undo of its own."""


class NoLimits(Limits):
    def take(self, rate: Rate, who: str) -> None:
        """Count nothing."""


class Counting(SqliteJournal):
    """Counts what is read of histories, and in which threads."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.entries = 0
        self.threads: set[int] = set()

    def _entries(self, *given: Any) -> Iterator[Entry]:
        for entry in super()._entries(*given):
            self.entries += 1
            self.threads.add(threading.get_ident())
            yield entry

    def replay(self, *given: Any) -> Iterator[Any]:
        self.threads.add(threading.get_ident())
        yield from super().replay(*given)

    def begin_anew(self) -> None:
        self.entries = 0
        self.threads.clear()

    def read_in_this_thread(self) -> bool:
        return threading.get_ident() in self.threads


class House:
    """A desk over a table with a long history of acts that were taken back."""

    def __init__(self, journal: Counting) -> None:
        self.journal = journal
        self.desk = Desk(journal, limits=NoLimits())
        link = begin_table(self.desk, "The Gate", [AddCharacter("Ash", con=D12)]).link
        self.table = link.table
        self.referee = Visitor(link.table, link.id, Role.REFEREE, link.name)
        for _ in range(UNDONE):
            self.desk.tables.do(self.table, Adjust("Ash", by=-1, reason="the cold"))
            self.desk.tables.do(self.table, Undo())
        self.number = self.desk.tables.snapshot(self.table).number

    def anew(self) -> House:
        """The same, once nothing of it is in memory."""
        self.desk.close()
        self.journal = Counting(self.journal.path)
        self.desk = Desk(self.journal, limits=NoLimits())
        return self


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(Counting(tmp_path / "winded.sqlite"))
    made.journal.begin_anew()
    yield made
    made.desk.close()


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(PATIENCE):
            await scenario()

    asyncio.run(within())


def test_a_stream_catches_up_with_a_long_history_page_by_page_and_reads_each_undo_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "NEWS", 20)

    async def scenario() -> None:
        screen, told = Screen(), 0

        def tell(_: object) -> bytes:
            nonlocal told
            told += 1
            return b"{}"

        async with asyncio.TaskGroup() as tasks:
            live = Live(house.desk)
            tasks.create_task(
                live.entries(
                    house.table, Role.REFEREE, tell, Revision(0), lambda _: True, screen.receive, screen.send  # type: ignore[arg-type]
                )
            )  # fmt: skip
            await until(lambda: told == house.number)
            screen.left.set()

    run(scenario)
    # Each entry, each undo once more for what it took back, and the entry that it took back.
    assert house.journal.entries <= house.number + 2 * UNDONE + 20
    assert not house.journal.read_in_this_thread()


def test_a_stream_whose_reader_has_left_reads_no_further(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "NEWS", 20)

    async def scenario() -> None:
        screen = Screen()
        told = 0

        def tell(_: object) -> bytes:
            nonlocal told
            told += 1
            screen.left.set()
            return b"{}"

        live = Live(house.desk)
        await live.entries(
            house.table, Role.REFEREE, tell, Revision(0), lambda _: True, screen.receive, screen.send  # type: ignore[arg-type]
        )  # fmt: skip
        assert told <= 2 * feed.NEWS

    run(scenario)


def test_a_page_of_the_history_costs_what_stands_on_it_once_somebody_has_read_there(house: House) -> None:
    async def scenario() -> None:
        await seeing.see_lines_after(house.desk, house.referee, 0, 1)
        house.journal.begin_anew()
        for after in range(10):
            following = await seeing.see_lines_after(house.desk, house.referee, after, 1)
            assert [line.entry.number for line in following.lines] == [after + 1]
        assert house.journal.entries <= 10 * 2
        assert not house.journal.read_in_this_thread()

    run(scenario)


def test_the_newest_lines_are_read_by_nobody_once_they_are_at_hand(house: House) -> None:
    async def scenario() -> None:
        sight = house.desk.sights.now(house.table)
        sight.by(house.desk.sights.now(house.table).snapshot.company.members[house.referee.member])
        house.journal.begin_anew()
        for _ in range(5):
            await act(house.desk, house.referee, Adjust("Ash", by=-1, reason="the cold"))
            await act(house.desk, house.referee, Undo())
            now = seeing.see(house.desk, house.referee, with_lines=True).number
            following = await seeing.see_lines_after(house.desk, house.referee, now - 7, 200)
            assert len(following.lines) == 7
        assert house.journal.entries == 0

    run(scenario)


@pytest.mark.parametrize("way", [act, rehearse])
def test_an_undo_through_a_long_history_is_decided_beside_the_loop(
    house: House, way: Callable[..., Coroutine[Any, Any, object]]
) -> None:
    for number in range(200):
        house.desk.tables.do(house.table, Adjust("Ash", by=(-1, 1)[number % 2], reason="the cold"))
    through = house.number + 1
    anew = house.anew()

    async def scenario() -> None:
        await seeing.have_at_hand(anew.desk, anew.table)
        await way(anew.desk, anew.referee, Undo(through=through))
        assert anew.journal.entries > 0
        assert not anew.journal.read_in_this_thread()

    run(scenario)


def test_who_acts_while_a_long_undo_is_decided_keeps_nobody_else_waiting(house: House) -> None:
    async def scenario() -> None:
        deciding = house.desk.tables._at_hand.get(house.table).lock
        with deciding:
            acting = asyncio.ensure_future(act(house.desk, house.referee, Adjust("Ash", by=-1, reason="the cold")))
            turns = 0

            def turn() -> None:
                nonlocal turns
                turns += 1

            asyncio.get_running_loop().call_soon(turn)
            await until(lambda: turns == 1)
            assert not acting.done()
        await acting

    run(scenario)


def test_a_table_is_read_beside_the_loop_before_it_is_seen(house: House) -> None:
    anew = house.anew()

    async def scenario() -> None:
        await seeing.have_at_hand(anew.desk, anew.table)
        assert anew.journal.threads
        assert anew.desk.tables.snapshot(anew.table).number == anew.number
        assert not anew.journal.read_in_this_thread()
        # What is no table's id, or nobody's table, is no error before it is asked for.
        await seeing.have_at_hand(anew.desk, "")
        await seeing.have_at_hand(anew.desk, "n" * 16)

    run(scenario)
