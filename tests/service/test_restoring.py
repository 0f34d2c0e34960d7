"""A copy of the database brought back: everything in it, in the place of what was there, which is kept."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winded import D12, AddCharacter, Adjust, Malformed, Stale, Unavailable, Unknown, WindedError
from winded.journal import SqliteJournal
from winded.journal.sqlite.file import MIGRATIONS
from winded.service import Desk, joining, linking, open_desk, opening, visiting
from winded.service.restoring import restore
from winded.service.serving import noted
from winded.tables import ANEW, GONE


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "winded.sqlite"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.sqlite"


def begin(desk: Desk, name: str = "The gate") -> tuple[str, str]:
    """A table at which Ash sits with 6 Stamina: its id, and the Referee's token."""
    given = opening.begin_table(desk, name, [AddCharacter("Ash", con=D12, stamina=6)])
    return given.link.table, given.token


def drink(desk: Desk, table: str) -> None:
    desk.tables.do(table, Adjust("Ash", by=1, reason="a draught"))


def stamina(desk: Desk, table: str) -> int:
    return desk.tables.snapshot(table).table.character("Ash").stamina


def test_everything_is_back_and_what_was_there_is_kept(database: Path, copy: Path) -> None:
    with open_desk(database) as desk:
        table, token = begin(desk)
        drink(desk, table)
        desk.backup(copy)
        drink(desk, table)
        later, _ = begin(desk, "A later table")
    back = restore(database, copy)
    assert back.tables == 1
    with open_desk(database) as desk:
        assert [one.id for one in desk.tables.records()] == [table]
        assert stamina(desk, table) == 7
        assert visiting.visitor(desk, token, table).is_referee
        drink(desk, table)
    assert back.kept is not None
    assert back.kept.parent == database.parent / "winded.sqlite.copies"
    with open_desk(back.kept) as desk:
        assert {one.id for one in desk.tables.records()} == {table, later}
        assert stamina(desk, table) == 8


def test_the_copy_itself_is_left_as_it_is(database: Path, copy: Path) -> None:
    with open_desk(database) as desk:
        begin(desk)
        desk.backup(copy)
    before = copy.read_bytes()
    copy.chmod(0o400)
    restore(database, copy)
    assert copy.read_bytes() == before
    assert not [*copy.parent.glob("copy.sqlite-*")]
    assert {file.name for file in database.parent.iterdir()} <= {
        "winded.sqlite", "winded.sqlite.copies", "winded.sqlite.hand"
    }  # fmt: skip


def test_what_goes_on_meanwhile_goes_on_at_the_restored_table(database: Path, copy: Path) -> None:
    """Another process has the database open, watches a table and plays on."""
    heard: list[int] = []
    with open_desk(database) as desk:
        table, token = begin(desk)
        desk.backup(copy)
        gone, _ = begin(desk, "A later table")
        drink(desk, table)
        with desk.tables.watch(table, lambda _, number: heard.append(number)):
            with desk.tables.watch(gone, lambda _, number: heard.append(number)):
                restore(database, copy)
                desk.refresh()
            assert sorted(heard) == [ANEW, GONE]
            assert stamina(desk, table) == 6
            assert visiting.visitor(desk, token, table).is_referee
            drink(desk, table)
            assert stamina(desk, table) == 7


def test_what_was_decided_before_is_never_written_behind_the_restored_history(database: Path, copy: Path) -> None:
    with open_desk(database) as desk:
        table, _ = begin(desk)
        desk.backup(copy)
        drink(desk, table)
        restore(database, copy)
        # It has not looked yet: what it decides on what it knows is decided again, or refused.
        with pytest.raises(Stale):
            drink(desk, table)
        desk.refresh()
        assert stamina(desk, table) == 6


def test_links_stay_as_they_are_now(database: Path, copy: Path) -> None:
    with open_desk(database) as desk:
        table, token = begin(desk)
        referee = visiting.visitor(desk, token, table)
        asked = desk.links.invite(table).link
        sent_away = joining.join(desk, asked, "Pip", characters=("Ash",))
        before = joining.join(desk, asked, "Mia")
        desk.backup(copy)
        linking.revoke_link(desk, referee, sent_away.link.id)
        renewed = linking.renew_link(desk, referee, before.link.id)
        later = joining.join(desk, asked, "Orla")
    restore(database, copy)
    with open_desk(database) as desk:
        members = desk.tables.snapshot(table).company.members
        assert {one.name for one in members.values()} == {"Referee", "Mia", "Orla"}
        for given in (renewed, later):
            assert visiting.member_at(desk.tables.snapshot(table), visiting.visitor(desk, given.token, table))
        for given in (sent_away, before):
            with pytest.raises(WindedError):
                visiting.visitor(desk, given.token, table)


def test_a_copy_comes_to_a_machine_that_has_no_tables_yet(database: Path, copy: Path, tmp_path: Path) -> None:
    with open_desk(tmp_path / "old.sqlite") as desk:
        table, token = begin(desk)
        desk.backup(copy)
    back = restore(database, copy)
    assert (back.tables, back.kept) == (1, None)
    with open_desk(database) as desk:
        assert visiting.visitor(desk, token, table).is_referee
        assert stamina(desk, table) == 6


def test_a_database_of_another_machine_with_its_log_is_a_copy_too(database: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite"
    with open_desk(old) as desk:
        table, _ = begin(desk)
        for file in tmp_path.glob("old.sqlite*"):
            shutil.copy(file, tmp_path / file.name.replace("old", "carried"))
    assert (tmp_path / "carried.sqlite-wal").stat().st_size > 0
    restore(database, tmp_path / "carried.sqlite")
    with open_desk(database) as desk:
        assert stamina(desk, table) == 6


def test_a_copy_of_an_older_winded_is_brought_up_to_date(database: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as old:
        for step in MIGRATIONS[0]:
            old.execute(step)
        old.execute("PRAGMA application_id = 1466852452")
        old.execute("PRAGMA user_version = 1")
        old.execute("INSERT INTO tables VALUES (1, 'gate', 'The gate', 0.0, '{}')")
    with open_desk(database) as desk:
        begin(desk)
    restore(database, copy)
    with open_desk(database) as desk:
        assert [one.name for one in desk.tables.records()] == ["The gate"]


def damage(path: Path) -> None:
    """Write over the middle of it, as a bad stick does."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def another(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cats (name)")


@pytest.mark.parametrize(
    ("spoil", "error", "says"),
    [
        (Path.unlink, Unknown, "There is no file {copy}."),
        (lambda path: path.write_bytes(b""), Unavailable, "{copy} is not a copy of Winded's tables."),
        (lambda path: path.write_bytes(b"no" * 5000), Unavailable, "{copy} is not a database."),
        (another, Unavailable, "{copy} is not a copy of Winded's tables."),
        (damage, Unavailable, "{copy} is damaged"),
        (cut, Unavailable, "{copy} is damaged"),
        (newer, Stale, "{copy} was written by a newer Winded"),
    ],
)
def test_a_copy_that_is_of_no_use_changes_nothing(
    database: Path, copy: Path, spoil: Callable[[Path], object], error: type[WindedError], says: str
) -> None:
    with open_desk(database) as desk:
        table, _ = begin(desk)
        desk.backup(copy)
        drink(desk, table)
    spoil(copy)
    with pytest.raises(error) as no:
        restore(database, copy)
    assert str(no.value).startswith(says.format(copy=copy))
    with open_desk(database) as desk:
        assert stamina(desk, table) == 7
    assert not [*database.parent.glob("*.copies/*")]


@pytest.mark.parametrize("spoil", [damage, cut, Path.unlink, lambda path: path.write_bytes(b"no" * 5000)])
def test_a_database_that_cannot_be_read_makes_room_and_is_kept(
    database: Path, copy: Path, spoil: Callable[[Path], object]
) -> None:
    with open_desk(database) as desk:
        table, _ = begin(desk)
        desk.backup(copy)
    spoil(database)
    there = database.read_bytes() if database.exists() else None
    back = restore(database, copy)
    with open_desk(database) as desk:
        assert stamina(desk, table) == 6
    assert (None if back.kept is None else back.kept.read_bytes()) == there


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"no" * 5000)])
def test_that_is_refused_while_a_server_has_it_open(
    database: Path, copy: Path, spoil: Callable[[Path], object]
) -> None:
    with open_desk(database) as desk:
        begin(desk)
        desk.backup(copy)
    with noted(database, "http://127.0.0.1:8000/"):
        spoil(database)
        with pytest.raises(Unavailable, match=r"A server at http://127.0.0.1:8000/ still has .* stop it, then restore"):
            restore(database, copy)


def test_a_copy_that_was_renamed_over_a_database_is_never_mixed_with_its_log(database: Path, copy: Path) -> None:
    with open_desk(database) as desk:
        table, _ = begin(desk)
        desk.backup(copy)
        drink(desk, table)
        log = database.with_name("winded.sqlite-wal")
        shutil.copy(log, database.with_name("log"))
    # As the process left it that was killed.
    database.with_name("log").rename(log)
    copy.rename(database)
    whole = database.read_bytes()
    with pytest.raises(Unavailable, match=r"whose log is still beside it .* Move it away again"), open_desk(database):
        pass
    assert database.read_bytes() == whole
    # What it says is followed.
    database.rename(copy)
    restore(database, copy)
    with open_desk(database) as desk:
        assert stamina(desk, table) == 6


def test_a_log_of_its_own_is_read_after_a_crash(database: Path) -> None:
    with open_desk(database) as desk:
        table, _ = begin(desk)
        for file in [*database.parent.iterdir()]:
            if file.is_file():
                shutil.copy(file, database.parent.parent / file.name)
    with open_desk(database.parent.parent / database.name) as desk:
        assert stamina(desk, table) == 6


def test_the_database_is_no_copy_of_itself(database: Path) -> None:
    with open_desk(database) as desk:
        begin(desk)
    with pytest.raises(Malformed, match="is the database itself: name a copy of it"):
        restore(database, database)


@settings(max_examples=8)
@given(played=st.lists(st.integers(0, 2), max_size=6), again=st.integers(1, 3))
def test_a_restore_of_what_a_restore_replaced_takes_it_back(
    tmp_path_factory: pytest.TempPathFactory, played: list[int], again: int
) -> None:
    database = tmp_path_factory.mktemp("restore") / "winded.sqlite"
    copy = database.with_name("copy.sqlite")
    with open_desk(database) as desk:
        ids = [begin(desk, name)[0] for name in ("One", "Two", "Three")]
        desk.backup(copy)
        for at in played:
            drink(desk, ids[at])
        before = {one: desk.tables.snapshot(one) for one in ids}
    for _ in range(again):
        kept = restore(database, copy).kept
        assert kept is not None
        with SqliteJournal(database) as journal:
            assert {journal.head(one).number for one in ids} == {2}
        copy_of_before = kept
        assert restore(database, copy_of_before).tables == 3
    with open_desk(database) as desk:
        assert {one: desk.tables.snapshot(one) for one in ids} == before
