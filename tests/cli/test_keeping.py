"""`winded restore` and `winded doctor`: beside a server with screens open, and without one."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import Winded
from tests.serving import Server
from tests.waiting import PATIENCE
from winded import D12, AddCharacter
from winded.service import copies, open_desk, opening

ASH = {"name": "Ash", "con": "d12"}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "winded.sqlite"


@pytest.fixture
def thursday(database: Path) -> str:
    with open_desk(database) as desk:
        return opening.begin_table(desk, "Thursday", [AddCharacter("Ash", con=D12)]).link.table


def test_a_restore_beside_a_server_reaches_everyone_who_listens(
    serve: Callable[..., Server], winded: Winded, tmp_path: Path
) -> None:
    server = serve()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        made = client.post("/api/tables", json={"name": "The gate", "characters": [ASH]}).json()
        table = f"/api/tables/{made['id']}"
        client.headers["authorization"] = f"Bearer {made['token']}"
        assert winded("backup", "copy.sqlite", "--database", server.database).returncode == 0
        spend = {"do": "channel", "character": "Ash", "stamina": 5}
        assert client.post(f"{table}/commands", json=spend).status_code == 200
        with client.stream("GET", f"{table}/live", headers={"accept": "text/event-stream"}) as live:
            lines = live.iter_lines()
            next(lines)
            ran = winded("restore", "copy.sqlite", "--database", server.database)
            assert (ran.returncode, ran.stderr) == (0, "")
            first, second = ran.stdout.splitlines()
            assert first == "1 table is restored from copy.sqlite."
            kept = Path(second.removeprefix("What was there before is kept in ").removesuffix("."))
            assert any(line == "event: reset" for line in lines)
        state = client.get(table).json()
        assert state["state"]["characters"]["Ash"]["stamina"] == 12
        assert client.post(f"{table}/commands", json=spend).status_code == 200
    listed = json.loads(winded("tables", "--json", "--database", kept).stdout)
    assert [one["entries"] for one in listed] == [3]


def test_a_restore_that_cannot_be_says_why_and_changes_nothing(winded: Winded, database: Path, thursday: str) -> None:
    ran = winded("restore", "nowhere.sqlite", "--database", database)
    assert (ran.returncode, ran.stdout, ran.stderr) == (4, "", "There is no file nowhere.sqlite.\n")
    assert thursday in winded("tables", "--database", database).stdout


def test_doctor_finds_all_well(winded: Winded, database: Path, thursday: str) -> None:
    with open_desk(database) as desk:
        made = copies.make(desk)
    assert made is not None
    ran = winded("doctor", "--database", database)
    assert (ran.returncode, ran.stderr) == (0, "")
    server, whole, tables, copy, disk = ran.stdout.splitlines()
    assert server == "  Server       none runs over it"
    assert whole.startswith(f"  Database     {database} is whole, ")
    assert tables == "  Tables       1 can be read"
    assert copy == f"  Newest copy  {made.path}, less than a minute old"
    assert disk.endswith(" free")


def test_doctor_says_that_there_is_no_copy_and_where_the_server_is(
    winded: Winded, database: Path, thursday: str
) -> None:
    with Server(database, "--copies", "0") as server:
        ran = winded("doctor", "--database", database)
    assert ran.returncode == 7
    assert f"  Server       runs over it, at {server.address}/\n" in ran.stdout
    assert f"! Newest copy  there is none in {database}.copies\n" in ran.stdout


def test_doctor_names_each_table_that_cannot_be_read(winded: Winded, database: Path, thursday: str) -> None:
    with open_desk(database) as desk:
        opening.begin_table(desk, "Friday", [])
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute('UPDATE entries SET events = \'[{"event": "sang"}]\' WHERE number = 2')
    ran = winded("doctor", "--database", database)
    assert ran.returncode == 7
    assert f"! Table        “Thursday” ({thursday}) cannot be read: " in ran.stdout
    assert "  Tables       1 can be read\n" in ran.stdout


def test_doctor_sees_damage(winded: Winded, database: Path, thursday: str) -> None:
    with database.open("r+b") as file:
        file.truncate(database.stat().st_size - 4096)
    ran = winded("doctor", "--database", database)
    assert ran.returncode == 7
    assert f"! Database     {database} is damaged: " in ran.stdout


def test_doctor_makes_no_database(winded: Winded, database: Path) -> None:
    ran = winded("doctor", "--database", database)
    assert (ran.returncode, ran.stdout) == (4, "")
    assert ran.stderr == f"There are no tables in {database}: the file does not exist.\n"
    assert not database.exists()
