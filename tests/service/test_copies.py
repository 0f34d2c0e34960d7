"""Copies that make themselves: at the start, after an evening, at the end; the newest ones are kept."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from winded import D12, AddCharacter, Adjust, Unavailable
from winded.journal import MemoryJournal, SqliteJournal
from winded.service import Desk, open_desk, opening
from winded.service.copies import QUIET, Copying, copies_of, folder_of, make, newest
from winded.service.restoring import restore


class Clock:
    """The time of day, as the test says."""

    def __init__(self) -> None:
        self.now = 2_000_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with SqliteJournal(tmp_path / "winded.sqlite") as journal:
        opened = Desk(journal, clock)
        yield opened
        opened.close()


@pytest.fixture
def table(desk: Desk) -> str:
    return opening.begin_table(desk, "The gate", [AddCharacter("Ash", con=D12, stamina=1)]).link.table


def play(desk: Desk, table: str) -> None:
    desk.tables.do(table, Adjust("Ash", by=1, reason="a draught"))


def database_of(desk: Desk) -> Path:
    assert isinstance(desk.journal, SqliteJournal)
    return desk.journal.path


def touch(desk: Desk, clock: Clock) -> None:
    """The files changed at the time that the test's clock shows."""
    for end in ("", "-wal"):
        os.utime(f"{database_of(desk)}{end}", (clock.now, clock.now))


def test_a_copy_holds_everything_and_is_for_its_owner_alone(desk: Desk, table: str) -> None:
    made = make(desk)
    assert made is not None
    assert made == newest(desk)
    assert made.path.parent == folder_of(database_of(desk))
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert made.path.parent.stat().st_mode & 0o777 == 0o700
    with open_desk(made.path) as copied:
        assert copied.tables.snapshot(table) == desk.tables.snapshot(table)


def test_what_has_not_changed_is_not_copied_again(desk: Desk, table: str) -> None:
    assert make(desk) is not None
    assert make(desk) is None
    play(desk, table)
    assert make(desk) is not None
    desk.links.invite(table)
    assert make(desk) is not None
    desk.tables.rename(table, "The bridge")
    assert make(desk) is not None
    assert make(desk) is None
    assert len(copies_of(database_of(desk))) == 4


def test_the_newest_are_kept_and_no_other_file_is_touched(desk: Desk, table: str) -> None:
    database = database_of(desk)
    folder_of(database).mkdir()
    mine = folder_of(database) / "before the dragon.sqlite"
    mine.write_text("mine")
    made = []
    for _ in range(5):
        play(desk, table)
        made.append(make(desk, keep=3))
    assert copies_of(database) == made[:1:-1]
    assert mine.read_text() == "mine"


def test_what_a_restore_replaced_is_never_thrown_away(desk: Desk, table: str) -> None:
    made = make(desk)
    assert made is not None
    play(desk, table)
    kept = restore(database_of(desk), made.path).kept
    desk.refresh()
    for _ in range(3):
        play(desk, table)
        make(desk, keep=1)
    assert kept is not None
    assert kept.exists()
    assert len(copies_of(database_of(desk))) == 1


def test_none_are_made_where_none_are_kept(desk: Desk, table: str) -> None:
    assert make(desk, keep=0) is None
    assert not folder_of(database_of(desk)).exists()
    assert make(Desk(MemoryJournal())) is None
    assert newest(Desk(MemoryJournal())) is None


def test_one_is_made_at_the_start_and_one_at_the_end(desk: Desk, table: str) -> None:
    with Copying(desk):
        assert len(copies_of(database_of(desk))) == 1
        play(desk, table)
    assert len(copies_of(database_of(desk))) == 2


def test_one_is_made_after_an_evening_and_only_one(desk: Desk, table: str, clock: Clock) -> None:
    database = database_of(desk)
    with Copying(desk) as copying:
        for evening in (2, 3):
            play(desk, table)
            touch(desk, clock)
            for _ in range(3):
                clock.now += QUIET / 3 - 1
                copying.look()
            assert len(copies_of(database)) == evening - 1
            clock.now += 3
            for _ in range(3):
                copying.look()
            assert len(copies_of(database)) == evening


def test_what_stands_in_the_way_is_logged_and_play_goes_on(
    desk: Desk, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder_of(database_of(desk)).write_text("in the way")
    with pytest.raises(Unavailable):
        make(desk)
    with Copying(desk):
        play(desk, table)
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def test_a_copy_that_cannot_be_read_is_not_taken_for_one(desk: Desk, table: str) -> None:
    made = make(desk)
    assert made is not None
    made.path.write_bytes(b"no" * 5000)
    assert make(desk) is not None
