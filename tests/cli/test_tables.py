"""`winded tables`, `backup` and `delete`: a database as its owner handles it, beside a server or without one."""

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Winded
from tests.serving import Server
from winded import D8, D12, AddCharacter, StartCombat
from winded.cli.database import address_or_found
from winded.journal import SqliteJournal
from winded.roles import Role
from winded.service import Desk, open_desk
from winded.service.links import Links
from winded.service.opening import begin_table
from winded.tables import Tables


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "winded.sqlite"


@pytest.fixture
def desk(database: Path) -> Iterator[Desk]:
    """The database as the test itself has it open."""
    with open_desk(database) as opened:
        yield opened


@pytest.fixture
def tables(desk: Desk) -> Tables:
    return desk.tables


@pytest.fixture
def thursday(desk: Desk, tables: Tables) -> str:
    """A table with a Referee and a player, six entries long."""
    links = Links(tables)
    given = begin_table(desk, "Thursday at Mia's", [AddCharacter("Ash", con=D12), AddCharacter("Bo", con=D8)])
    player = links.join(links.invite(given.link.table).link, "Mia")
    links.claim(player, "Ash")
    tables.do(given.link.table, StartCombat(), who=given.link.id, name="Referee")
    return given.link.table


def test_every_table_is_listed_with_its_people(winded: Winded, database: Path, tables: Tables, thursday: str) -> None:
    other = tables.create("狼の群れ")
    ran = winded("tables", "--database", database)
    assert (ran.returncode, ran.stderr) == (0, "")
    title, first, second = ran.stdout.splitlines()
    assert title.split() == ["ID", "Name", "Made", "Entries", "People"]
    made = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    assert re.fullmatch(rf"{thursday}  Thursday at Mia's  {made} +6  Referee, Mia", first)
    assert re.fullmatch(rf"{other}  狼の群れ +{made} +0", second)


def test_the_list_as_json(winded: Winded, database: Path, thursday: str) -> None:
    (listed,) = json.loads(winded("tables", "--json", "--database", database).stdout)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", listed.pop("created"))
    assert listed == {
        "id": thursday,
        "name": "Thursday at Mia's",
        "entries": 6,
        "people": [{"name": "Referee", "role": "referee"}, {"name": "Mia", "role": "player"}],
    }


def test_no_tables_are_said_to_be_none(winded: Winded, database: Path, tables: Tables) -> None:
    assert winded("tables", "--database", database).stdout == "There are no tables yet.\n"


def test_without_a_choice_the_database_is_among_ones_own_data(winded: Winded, home: Path) -> None:
    ran = winded("tables")
    assert (ran.returncode, ran.stdout) == (4, "")
    path = home / "data" / "winded" / "winded.sqlite"
    assert ran.stderr == f"There are no tables in {path}: the file does not exist.\n"
    assert not path.exists()


def test_a_new_table_is_played_by_house_rules_and_its_link_is_a_referees(
    winded: Winded, database: Path, tmp_path: Path
) -> None:
    (tmp_path / "house.toml").write_text('name = "Grim hills"\n[early]\ncost = 2\n', encoding="utf-8")
    ran = winded("tables", "new", "  Thursday ", "--rules", "house.toml", "--database", database)
    assert (ran.returncode, ran.stderr) == (0, "")
    with SqliteJournal(database) as journal, Tables(journal) as tables:
        link = Links(tables).holder(ran.stdout.strip().rpartition("/l/")[2])
        assert link.role == Role.REFEREE
        snapshot = tables.snapshot(link.table)
    assert (snapshot.name, snapshot.table.ruleset.name, snapshot.table.ruleset.early.cost) == (
        "Thursday",
        "Grim hills",
        2,
    )


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "\x1b[2J"])
def test_a_name_that_is_none_makes_no_table(winded: Winded, database: Path, name: str) -> None:
    ran = winded("tables", "new", name, "--database", database)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch("“name” .+ must be a name of 1 to 40 characters.*\\.\n", ran.stderr)
    assert not database.exists()


def test_recover_lets_the_owner_in_as_referee(winded: Winded, database: Path, tables: Tables, thursday: str) -> None:
    before = Links(tables).of(thursday)
    ran = winded("tables", "recover", thursday, "--database", database)
    assert (ran.returncode, ran.stderr) == (0, "")
    found = re.fullmatch(r"http://127\.0\.0\.1:8000/l/(\S+)\n", ran.stdout)
    assert found is not None
    link = Links(tables).holder(found[1])
    assert (link.table, link.role) == (thursday, Role.REFEREE)
    tables.refresh()
    assert tables.snapshot(thursday).company.member(link.id).role is Role.REFEREE
    assert [*before, link] == Links(tables).of(thursday), "the other links still hold"


def test_links_lead_to_the_server_that_runs_wherever_it_listens(winded: Winded, database: Path, thursday: str) -> None:
    with Server(database) as server:
        ran = winded("tables", "recover", thursday, "--database", database)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith(f"{server.address}/l/")
    assert winded("tables", "recover", thursday, "--database", database).stdout.startswith("http://127.0.0.1:8000/l/")


def test_that_no_server_runs_is_said_to_whoever_sits_at_the_terminal(
    database: Path, thursday: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert address_or_found(None, database) == "http://127.0.0.1:8000/"
    assert capsys.readouterr().err.startswith("No server is using this database")
    assert address_or_found("https://winded.test/", database) == "https://winded.test/"
    assert capsys.readouterr().err == ""


def test_recover_names_the_server_it_is_told(winded: Winded, database: Path, thursday: str) -> None:
    ran = winded("tables", "recover", thursday, "--database", database, "--address", "https://winded.test/")
    assert ran.stdout.startswith("https://winded.test/l/")


@pytest.mark.parametrize("command", [("tables", "recover"), ("delete", "--yes")])
def test_a_table_that_is_not_there(winded: Winded, database: Path, tables: Tables, command: tuple[str, ...]) -> None:
    ran = winded(*command, "nowhere", "--database", database)
    assert (ran.returncode, ran.stdout) == (4, "")
    assert ran.stderr == "There is no table nowhere.\n"


def test_a_backup_holds_all_and_is_never_written_over_another(
    winded: Winded, database: Path, tables: Tables, thursday: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    ran = winded("backup", copy, "--database", database)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"All tables are copied to {copy}.\n", "")
    with SqliteJournal(copy) as journal, Tables(journal) as copied:
        assert copied.snapshot(thursday) == tables.snapshot(thursday)
    written = copy.read_bytes()
    again = winded("backup", copy, "--database", database)
    assert (again.returncode, again.stdout) == (5, "")
    assert again.stderr == f"{copy} already exists. Nothing was written.\n"
    assert copy.read_bytes() == written


def test_delete_wants_to_be_told_twice(winded: Winded, database: Path, tables: Tables, thursday: str) -> None:
    ran = winded("delete", thursday, "--database", database)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "This would delete “Thursday at Mia's” for good, with its history (6 entries). Add --yes to delete it.\n"
    )
    assert [record.id for record in tables.records()] == [thursday]
    ran = winded("delete", thursday, "--yes", "--database", database)
    assert (ran.returncode, ran.stdout) == (0, "“Thursday at Mia's” is deleted.\n")
    assert tables.records() == []


@pytest.mark.parametrize("command", [("tables",), ("tables", "recover", "any"), ("backup", "copy"), ("delete", "any")])
def test_what_is_no_database_is_said_to_be_none(winded: Winded, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "notes.txt").write_text("not a database " * 100, encoding="utf-8")
    for path in ("notes.txt", "."):
        ran = winded(*command, "--database", path)
        assert (ran.returncode, ran.stdout) == (7, "")
        assert ran.stderr.count("\n") == 1


def test_a_database_of_a_newer_winded_is_left_alone(
    winded: Winded, database: Path, tables: Tables, tmp_path: Path
) -> None:
    copy = tmp_path / "newer.sqlite"
    tables.journal.backup(copy)
    with sqlite3.connect(copy) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    ran = winded("tables", "--database", copy)
    assert (ran.returncode, ran.stdout) == (5, "")
    assert "newer" in ran.stderr
