"""Files that are deleted, moved and replaced while they are open, and a disk that confirms nothing."""

import itertools
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journal.builders import adjusted, record
from winded import AddCharacter, Adjust, Unavailable
from winded.journal import Chain, Head, SqliteJournal
from winded.tables import Tables

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files that are open stay where they are there")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "winded.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    with SqliteJournal(path) as made:
        made.create(record())
        made.append("gate", [adjusted(1)]).result(10)
        # Long passes between two looks.
        made._writer.place._clock = map(float, itertools.count(10**12)).__next__
        yield made


def delete(path: Path) -> None:
    path.unlink()


def delete_log_and_all(path: Path) -> None:
    for file in [*path.parent.iterdir()]:
        file.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite"))


def move_to_another_disk_and_link_it(path: Path) -> None:
    there = path.with_name("another-disk")
    there.mkdir()
    shutil.copy(path, there / path.name)
    path.unlink()
    path.symlink_to(there / path.name)


def move_without_its_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("backup"))
    path.with_name("backup").replace(path)


def take_the_folder_away(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


WAYS = (
    delete,
    delete_log_and_all,
    move,
    move_to_another_disk_and_link_it,
    move_without_its_log,
    replace,
    take_the_folder_away,
)


@pytest.mark.parametrize("away", WAYS)
def test_nothing_is_acknowledged_that_nobody_will_find(
    journal: SqliteJournal, path: Path, away: Callable[[Path], None]
) -> None:
    away(path)
    for number in (2, 2):
        assert isinstance(journal.append("gate", [adjusted(number)]).exception(10), Unavailable)
    for ask in (
        lambda: journal.rename("gate", "The bridge"),
        lambda: journal.head("gate"),
        lambda: journal.changed({"gate": Head("The gate", 1, 1)}),
        journal.records,
    ):
        with pytest.raises(Unavailable, match="in use: nothing more can be saved"):
            ask()


@pytest.mark.parametrize("away", WAYS)
def test_also_what_was_being_written_then_is_not_acknowledged(
    journal: SqliteJournal, path: Path, away: Callable[[Path], None]
) -> None:
    """The file goes between the last look before writing and the end of the commit."""
    gone: list[None] = []

    def take_away(statement: str) -> None:
        if statement.startswith("COMMIT") and not gone:
            gone.append(away(path))

    journal._writer.connection.set_trace_callback(take_away)
    waiting = [journal.append("gate", [adjusted(number)], Chain(1)) for number in (2, 3)]
    assert all(isinstance(one.exception(10), Unavailable) for one in waiting)
    assert gone


@pytest.mark.parametrize("away", WAYS)
def test_a_table_says_so_and_shows_nothing_that_is_not_kept(
    journal: SqliteJournal, path: Path, away: Callable[[Path], None]
) -> None:
    with Tables(journal) as tables:
        table = tables.create("The bridge")
        before = tables.do(table, AddCharacter("Brakka", con="d12", stamina=6)).snapshot
        away(path)
        for _ in range(2):
            with pytest.raises(Unavailable):
                tables.do(table, Adjust("Brakka", by=1, reason="a draught"))
        assert tables.snapshot(table) == before


def test_no_empty_database_stands_where_one_was_deleted(journal: SqliteJournal, path: Path) -> None:
    journal._idle.clear()
    delete_log_and_all(path)
    with pytest.raises(Unavailable):
        journal.records()
    assert not path.exists()


def test_what_is_put_back_goes_on(journal: SqliteJournal, path: Path) -> None:
    elsewhere = path.with_name("elsewhere.sqlite")
    path.rename(elsewhere)
    assert isinstance(journal.append("gate", [adjusted(2)]).exception(10), Unavailable)
    elsewhere.rename(path)
    journal.append("gate", [adjusted(2)]).result(10)
    assert journal.head("gate").number == 2


def test_nothing_is_looked_for_again_within_a_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteJournal(path) as journal:
        journal._writer.place._clock = lambda: 0.0
        journal.create(record())
        looks: list[str] = []
        stat = os.stat
        monkeypatch.setattr(os, "stat", lambda file, **more: (looks.append(str(file)), stat(file, **more))[1])
        journal.append("gate", [adjusted(1)]).result(10)
        assert looks == [str(path), f"{path}-wal"]


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="system calls have other numbers there"
)
def test_what_the_disk_did_not_confirm_is_said_to_be_uncertain(path: Path) -> None:
    with SqliteJournal(path) as made:
        made.create(record())
        made.append("gate", [adjusted(1)]).result(10)
    said = subprocess.check_output(
        [sys.executable, "-m", "tests.journal.unflushed", path], text=True, timeout=60, cwd=ROOT
    ).splitlines()
    if said == ["cannot"]:
        pytest.skip("no calls can be refused here")
    answer, number = said
    assert answer.startswith(f"The disk did not confirm a write to {path}. It counts as not done, but may be")
    assert number == "2"
    with SqliteJournal(path) as again:
        # It was on its way to the disk and nothing came after it: it is there. Its request id tells it apart.
        assert again.head("gate").number == 3
        assert again.find("gate", "twice-is-once") == adjusted(3, "twice-is-once")
