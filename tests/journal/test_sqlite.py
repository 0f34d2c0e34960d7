"""What the journal in SQLite promises beyond the contract: safety, other processes, versions, copies, errors."""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.journal.builders import adjusted, link, record
from winded import AddCharacter, Stale, Unavailable, Unknown
from winded.journal import Chain, Head, SqliteJournal
from winded.journal.sqlite import file as sqlite_file
from winded.journal.sqlite.file import MIGRATIONS
from winded.tables import Tables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "winded.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    with SqliteJournal(path) as made:
        made.create(record())
        yield made


def append(journal: SqliteJournal, *numbers: int) -> None:
    for number in numbers:
        journal.append("gate", [adjusted(number)]).result(10)


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def asked(path: Path, question: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        (answer,) = connection.execute(question).fetchone()
        return answer


class TestSafety:
    def test_every_commit_is_flushed_to_the_disk(self, journal: SqliteJournal) -> None:
        def pragma(name: str) -> object:
            return journal._writer.connection.execute(f"PRAGMA {name}").fetchone()[0]

        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2
        assert pragma("fullfsync") == 1

    def test_a_database_opens_that_was_killed_as_its_log_was_written_into_it(
        self, journal: SqliteJournal, path: Path, tmp_path: Path
    ) -> None:
        append(journal, *range(1, 200))
        killed = tmp_path / "killed.sqlite"
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{killed}{ending}")
        # The first page has come into it, which says how many there are to be; the others have not.
        log = Path(f"{killed}-wal").read_bytes()
        size = int.from_bytes(log[8:12], "big")
        frames = [log[at : at + 24 + size] for at in range(32, len(log), 24 + size)]
        first = [frame[24:] for frame in frames if int.from_bytes(frame[:4], "big") == 1][-1]
        file = killed.read_bytes()
        assert int.from_bytes(first[28:32], "big") * size > len(file)
        killed.write_bytes(first + file[size:])
        with SqliteJournal(killed) as again:
            assert [entry.number for entry in again.read("gate")] == [*range(1, 200)]

    def test_what_was_acknowledged_is_there_after_reopening(self, journal: SqliteJournal, path: Path) -> None:
        append(journal, 1, 2, 3)
        with SqliteJournal(path) as other:
            assert [*other.read("gate")] == [adjusted(1), adjusted(2), adjusted(3)]
        journal.close()
        with SqliteJournal(path) as again:
            assert again.records() == [record()]
            assert [*again.read("gate")] == [adjusted(1), adjusted(2), adjusted(3)]

    def test_only_its_owner_may_read_the_database(self, journal: SqliteJournal, path: Path) -> None:
        append(journal, 1)
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file

    def test_the_folder_is_made_if_it_is_not_there(self, tmp_path: Path) -> None:
        with SqliteJournal(tmp_path / "a" / "b" / "winded.sqlite") as journal:
            assert journal.records() == []

    def test_many_appends_share_one_commit(self, journal: SqliteJournal, path: Path) -> None:
        commits: list[str] = []
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            journal._writer.connection.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
            chain = Chain(journal.head("gate").life)
            waiting = [journal.append("gate", [adjusted(number)], chain) for number in range(1, 301)]
            other.execute("COMMIT")
        assert [one.exception(10) for one in waiting] == [None] * 300
        assert 1 <= len(commits) <= 2
        assert journal.head("gate").number == 300

    def test_what_was_deleted_for_good_is_not_left_on_the_disk(self, journal: SqliteJournal, path: Path) -> None:
        journal.append("gate", [adjusted(1, reason="the secret of the crypt")]).result(10)
        assert any(b"secret of the crypt" in file.read_bytes() for file in path.parent.iterdir())
        journal.delete("gate")
        journal.close()
        assert not any(b"secret of the crypt" in file.read_bytes() for file in path.parent.iterdir())

    def test_a_reader_sees_nothing_of_a_group_that_is_not_safe(self, journal: SqliteJournal, path: Path) -> None:
        append(journal, 1)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = journal.append("gate", [adjusted(2)])
            assert journal.head("gate").number == 1
            assert not waiting.done()
            other.execute("COMMIT")
        waiting.result(10)
        assert journal.head("gate").number == 2


class TestOtherProcesses:
    """Another connection behaves as another process does: SQLite's locks are all that is between them."""

    @pytest.fixture
    def other(self, path: Path, journal: SqliteJournal) -> Iterator[SqliteJournal]:
        with SqliteJournal(path) as made:
            yield made

    def test_of_two_at_one_number_one_wins(self, journal: SqliteJournal, other: SqliteJournal) -> None:
        append(journal, 1)
        assert isinstance(other.append("gate", [adjusted(1)]).exception(10), Stale)
        append(other, 2)
        assert isinstance(journal.append("gate", [adjusted(2)]).exception(10), Stale)
        append(journal, 3)

    def test_two_that_write_at_once_lose_nothing(self, journal: SqliteJournal, other: SqliteJournal) -> None:
        won: list[int] = []

        def play(mine: SqliteJournal) -> None:
            for _ in range(150):
                number = mine.head("gate").number + 1
                if mine.append("gate", [adjusted(number)]).exception(30) is None:
                    won.append(number)

        threads = [threading.Thread(target=play, args=(one,)) for one in (journal, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        numbers = [entry.number for entry in journal.read("gate")]
        assert sorted(won) == numbers == [*range(1, len(numbers) + 1)]
        assert len(numbers) >= 150

    def test_what_others_wrote_is_noticed_once(self, journal: SqliteJournal, other: SqliteJournal) -> None:
        other.create(record("bridge"))
        known = {name: journal.head(name) for name in ("gate", "bridge")}
        assert journal.changed(known) == {}
        append(other, 1)
        other.rename("bridge", "The ford")
        now = {"gate": other.head("gate"), "bridge": other.head("bridge")}
        assert now["bridge"].name == "The ford"
        assert journal.changed(known) == now
        assert journal.changed(now) == {}
        other.delete("bridge")
        assert journal.changed(now) == {"bridge": None}
        other.put(record(), [adjusted(1)], replacing=True)
        (changed,) = journal.changed({"gate": now["gate"]}).values()
        assert changed == Head("The gate", 1, other.head("gate").life)
        assert changed != now["gate"]

    def test_a_table_deleted_elsewhere_is_unknown(self, journal: SqliteJournal, other: SqliteJournal) -> None:
        append(journal, 1)
        other.delete("gate")
        assert isinstance(journal.append("gate", [adjusted(2)]).exception(10), Unknown)

    def test_a_table_replaced_while_it_is_read_is_stale(self, journal: SqliteJournal, other: SqliteJournal) -> None:
        journal.append("gate", [adjusted(number) for number in range(1, 1501)]).result(10)
        for reading in (journal.read("gate"), journal.replay("gate")):
            next(reading)
            other.put(record(), [adjusted(number) for number in range(1, 1501)], replacing=True)
            with pytest.raises(Stale, match="deleted or replaced while it was being read"):
                for _ in reading:
                    pass

    def test_who_waits_too_long_for_another_says_so(self, path: Path, journal: SqliteJournal) -> None:
        with (
            SqliteJournal(path, patience=0.05) as hasty,
            closing(sqlite3.connect(path, isolation_level=None)) as other,
        ):
            other.execute("BEGIN IMMEDIATE")
            error = hasty.append("gate", [adjusted(1)]).exception(10)
            assert isinstance(error, Unavailable)
            assert "Another program has locked" in str(error)
            assert "for 0.05 seconds: nothing was written." in str(error)
            other.execute("ROLLBACK")
            append(hasty, 1)

    def test_two_that_open_a_new_database_at_once_both_succeed(self, tmp_path: Path) -> None:
        start = threading.Barrier(6)
        opened: list[int] = []

        def open_it(path: Path) -> None:
            start.wait()
            with SqliteJournal(path) as journal:
                opened.append(len(journal.records()))

        for round_ in range(5):
            threads = [threading.Thread(target=open_it, args=(tmp_path / f"{round_}",)) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert opened == [0] * 30


class TestVersions:
    @pytest.fixture
    def newer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A Winded that knows one version of the schema more."""
        monkeypatch.setattr(
            sqlite_file,
            "MIGRATIONS",
            (*MIGRATIONS, ("ALTER TABLE tables ADD COLUMN mood TEXT NOT NULL DEFAULT 'grim'",)),
        )

    def test_a_newer_schema_is_refused(self, path: Path) -> None:
        SqliteJournal(path).close()
        sql(path, "PRAGMA user_version = 99")
        with pytest.raises(Stale) as no:
            SqliteJournal(path)
        assert str(no.value) == (
            f"{path} was written by a newer Winded (schema 99; this one knows {len(MIGRATIONS)}): please update Winded."
        )
        assert asked(path, "PRAGMA user_version") == 99

    @pytest.mark.usefixtures("newer")
    def test_an_older_schema_is_brought_up_to_date_and_copied_before(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as as_before:
            as_before.setattr(sqlite_file, "MIGRATIONS", MIGRATIONS)
            with SqliteJournal(path) as journal:
                journal.create(record())
                append(journal, 1, 2)
        with SqliteJournal(path) as journal:
            append(journal, 3)
            assert [*journal.read("gate")] == [adjusted(1), adjusted(2), adjusted(3)]
        assert asked(path, "SELECT mood FROM tables") == "grim"
        assert asked(path, "PRAGMA user_version") == len(MIGRATIONS) + 1
        (copy,) = path.parent.glob(f"{path.name}.schema-{len(MIGRATIONS)}.*")
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert asked(copy, "PRAGMA user_version") == len(MIGRATIONS)
        monkeypatch.setattr(sqlite_file, "MIGRATIONS", MIGRATIONS)
        with SqliteJournal(copy) as before:
            assert [*before.read("gate")] == [adjusted(1), adjusted(2)]

    def test_a_step_that_fails_changes_nothing(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with SqliteJournal(path) as journal:
            journal.create(record())
        wrong = ("ALTER TABLE tables ADD COLUMN mood TEXT", "ALTER TABLE spells ADD COLUMN mood TEXT")
        with monkeypatch.context() as newer:
            newer.setattr(sqlite_file, "MIGRATIONS", (*MIGRATIONS, wrong))
            with pytest.raises(Unavailable, match="no such table"):
                SqliteJournal(path)
        assert asked(path, "PRAGMA user_version") == len(MIGRATIONS)
        with SqliteJournal(path) as journal:
            assert journal.records() == [record()]

    def test_a_running_winded_stops_writing_once_a_newer_one_takes_over(
        self, path: Path, journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch, newer: None
    ) -> None:
        append(journal, 1)
        SqliteJournal(path).close()
        error = journal.append("gate", [adjusted(2)]).exception(10)
        assert isinstance(error, Unavailable)
        assert str(error) == f"A newer Winded has taken over {path}: please restart with the newer one."

    @pytest.mark.usefixtures("newer")
    def test_whoever_plays_on_then_is_told_so_at_once(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as as_before:
            as_before.setattr(sqlite_file, "MIGRATIONS", MIGRATIONS)
            journal = SqliteJournal(path)
        with journal, Tables(journal) as tables:
            table = tables.create("The gate")
            SqliteJournal(path).close()
            with pytest.raises(Unavailable, match="A newer Winded has taken over"):
                tables.do(table, AddCharacter("Brakka", con="d12"), request="only-once")

    def test_an_opened_database_is_not_copied(self, path: Path) -> None:
        for _ in range(3):
            SqliteJournal(path).close()
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_version_1_of_the_schema_stays_as_it_was(self) -> None:
        """A later version is one more step: changing one that people have would leave their files behind."""
        wanted = (Path(__file__).parent / "golden_schema_1.sql").read_text()
        with closing(sqlite3.connect(":memory:")) as connection:
            for step in MIGRATIONS[0]:
                connection.execute(step)
            is_now = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE sql NOT NULL")]
        assert [" ".join(one.split()) for one in is_now] == wanted.splitlines()

    def test_a_database_of_version_1_opens(self, path: Path) -> None:
        shutil.copy(Path(__file__).parent / "golden_1.sqlite3", path)
        with SqliteJournal(path) as journal:
            (kept,) = journal.records()
            entries = [*journal.read(kept.id)]
            assert [entry.number for entry in entries] == [*range(1, 63)]
            # Each gets a mark of its own, as entries have had since version 2.
            assert len({entry.mark for entry in entries}) == 62
            assert all(re.fullmatch("[0-9a-f]{8}", entry.mark) for entry in entries)
            assert len(journal.links(kept.id)) == 1


class TestCopies:
    def test_a_backup_is_whole_by_itself(self, journal: SqliteJournal, tmp_path: Path) -> None:
        append(journal, 1, 2)
        journal.add_link(link())
        copy = tmp_path / "copy.sqlite"
        journal.backup(copy)
        append(journal, 3)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.sqlite"]
        with SqliteJournal(copy) as kept:
            assert kept.records() == [record()]
            assert [*kept.read("gate")] == [adjusted(1), adjusted(2)]
            assert kept.links("gate") == [link()]

    def test_a_backup_takes_no_files_place(self, journal: SqliteJournal, tmp_path: Path) -> None:
        there = tmp_path / "there"
        there.write_text("mine")
        with pytest.raises(Stale, match=r"there already exists. Nothing was written"):
            journal.backup(there)
        assert there.read_text() == "mine"
        assert not (tmp_path / "there.part").exists()

    def test_a_backup_into_nowhere_says_so(self, journal: SqliteJournal, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match=r"The copy .* could not be written: No such file or directory"):
            journal.backup(tmp_path / "nowhere" / "copy")


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may write anywhere; others may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that an ordinary user can reach, which is not so of `tmp_path`."""
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="folders are protected otherwise there")
class TestErrors:
    def test_what_is_no_database_is_left_alone(self, path: Path) -> None:
        path.write_bytes(b"Dear diary, " * 1000)
        with pytest.raises(Unavailable) as no:
            SqliteJournal(path)
        assert str(no.value) == f"{path} is not a database."
        assert path.read_bytes() == b"Dear diary, " * 1000

    def test_the_database_of_another_program_is_left_alone(self, path: Path) -> None:
        sql(path, "CREATE TABLE recipes (name TEXT)")
        with pytest.raises(Unavailable) as no:
            SqliteJournal(path)
        assert str(no.value) == f"{path} is the database of another program."
        assert asked(path, "SELECT count(*) FROM sqlite_schema") == 1

    def test_a_folder_is_no_database(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable) as no:
            SqliteJournal(tmp_path)
        assert str(no.value) == f"{tmp_path} is a folder, not a database."

    def test_a_file_in_the_folders_place_is_said(self, path: Path) -> None:
        path.write_text("a file")
        with pytest.raises(Unavailable, match=r"The database .* cannot be used: (Not a directory|File exists)\."):
            SqliteJournal(path / "inside")

    def test_a_damaged_database_is_said_to_be_damaged(self, path: Path) -> None:
        with SqliteJournal(path) as journal:
            journal.create(record())
            journal.append("gate", [adjusted(number) for number in range(1, 1001)]).result(10)
        data = bytearray(path.read_bytes())
        data[4096 * 8 :] = bytes(len(data) - 4096 * 8)
        path.write_bytes(data)
        with SqliteJournal(path) as journal, pytest.raises(Unavailable) as no:
            [*journal.read("gate")]
        assert str(no.value).startswith(f"{path} is damaged: ")
        assert str(no.value).endswith("Bring back a copy with “winded restore”.")

    def test_a_folder_that_cannot_be_written_to_is_said(self, open_folder: Path) -> None:
        open_folder.chmod(0o555)
        with ordinary_user(), pytest.raises(Unavailable) as no:
            SqliteJournal(open_folder / "winded.sqlite")
        assert str(no.value) == f"The database {open_folder / 'winded.sqlite'} cannot be used: Permission denied."

    def test_a_file_that_cannot_be_written_to_is_said(self, open_folder: Path) -> None:
        path = open_folder / "winded.sqlite"
        SqliteJournal(path).close()
        path.chmod(0o444)
        with ordinary_user(), pytest.raises(Unavailable) as no:
            SqliteJournal(path)
        assert str(no.value) == f"The database {path} cannot be used: Permission denied."

    def test_a_full_disk_is_said_and_what_was_safe_stays_so(self, path: Path, journal: SqliteJournal) -> None:
        append(journal, 1)
        (pages,) = journal._writer.connection.execute("PRAGMA page_count").fetchone()
        (most,) = journal._writer.connection.execute("PRAGMA max_page_count").fetchone()
        journal._writer.connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        chain = Chain(journal.head("gate").life)
        waiting = [journal.append("gate", [adjusted(number)], chain) for number in range(2, 400)]
        errors = [one.exception(10) for one in waiting]
        written = errors.count(None)
        assert errors[:written] == [None] * written
        assert {str(error) for error in errors[written:]} <= {
            f"The disk is full: nothing was written to {path}.",
            *(f"Entry {n} was decided on a state that never existed." for n in range(2, 400)),
        }
        assert errors[-1] is not None
        assert [*journal.read("gate")] == [adjusted(number) for number in range(1, written + 2)]
        journal._writer.connection.execute(f"PRAGMA max_page_count = {most}")
        append(journal, written + 2)

    def test_a_disk_that_is_really_full(self, tmp_path: Path) -> None:
        small = tmp_path / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], check=False).returncode:
            pytest.skip("a small disk can be mounted only by root")
        try:
            with SqliteJournal(small / "winded.sqlite") as journal:
                journal.create(record())
                written = 0
                while (error := journal.append("gate", [adjusted(written + 1)]).exception(10)) is None:
                    written += 1
                assert isinstance(error, Unavailable)
                assert written > 10
                assert [*journal.read("gate")] == [adjusted(number) for number in range(1, written + 1)]
        finally:
            subprocess.run(["umount", small], check=True)

    def test_a_mistake_of_ours_reaches_the_caller_and_the_journal_lives_on(self, journal: SqliteJournal) -> None:
        def mistake(connection: sqlite3.Connection) -> None:
            raise ZeroDivisionError

        with pytest.raises(Unavailable, match="The journal failed: ZeroDivisionError"):
            journal._writer.change(mistake)
        append(journal, 1)
