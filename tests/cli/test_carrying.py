"""`winded export` and `winded import`: from one machine to another, and back."""

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from jsonschema_rs import validator_for

from tests.cli.conftest import ENDS_WITHIN, WINDED, Winded
from winded.journal import SqliteJournal
from winded.service.links import Links
from winded.tables import Tables

LINK = re.compile(r"Referee: http://127\.0\.0\.1:8000/l/(\S+)")


@pytest.fixture
def thursday(winded: Winded) -> str:
    """The id of a table in the database at home."""
    winded("tables", "new", "Thursday")
    (table,) = json.loads(winded("tables", "--json").stdout)
    return str(table["id"])


def test_a_table_goes_to_another_machine_and_is_the_same_there(winded: Winded, thursday: str, tmp_path: Path) -> None:
    ran = winded("export", thursday, "thursday.json")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    there = tmp_path / "there.sqlite"
    ran = winded("import", "thursday.json", "--database", there)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"“Thursday” is imported as {thursday}, with 1 entry.\n")
    found = LINK.search(ran.stdout)
    assert found is not None
    with SqliteJournal(there) as journal, Tables(journal) as tables:
        assert Links(tables).holder(found[1]).table == thursday
    assert winded("export", thursday, "--database", there).stdout == (tmp_path / "thursday.json").read_text("utf-8")


def test_a_table_goes_through_a_pipe(winded: Winded, thursday: str, tmp_path: Path) -> None:
    written = winded("export", thursday, "-").stdout
    assert winded("export", thursday).stdout == written
    ran = winded("import", "-", "--database", tmp_path / "there.sqlite", given=written)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_importing_twice_asks_what_is_meant(winded: Winded, thursday: str) -> None:
    winded("export", thursday, "thursday.json")
    ran = winded("import", "thursday.json")
    assert (ran.returncode, ran.stdout) == (5, "")
    assert ran.stderr == (
        "“Thursday” is already here. Use --copy to add it as a copy, or --replace to replace the one here.\n"
    )
    ran = winded("import", "--copy", "--replace", "thursday.json")
    assert (ran.returncode, ran.stderr) == (2, "Choose either --copy or --replace, not both.\n")
    assert len(json.loads(winded("tables", "--json").stdout)) == 1


def test_a_copy_stands_beside_the_first(winded: Winded, thursday: str) -> None:
    winded("export", thursday, "thursday.json")
    ran = winded("import", "--copy", "thursday.json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert LINK.search(ran.stdout)
    assert [table["name"] for table in json.loads(winded("tables", "--json").stdout)] == [
        "Thursday",
        "Copy of Thursday",
    ]


def test_replacing_keeps_the_links(winded: Winded, thursday: str) -> None:
    before = winded("tables").stdout
    winded("export", thursday, "thursday.json")
    ran = winded("import", "--replace", "thursday.json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"“Thursday” is imported as {thursday}, with 1 entry.\n"
    assert winded("tables").stdout == before


@pytest.mark.parametrize(("typed", "status", "left"), [("copy", 0, 2), ("replace", 0, 1), ("", 5, 1)])
def test_someone_at_a_terminal_is_asked_in_words(
    winded: Winded, thursday: str, environment: dict[str, str], tmp_path: Path, typed: str, status: int, left: int
) -> None:
    winded("export", thursday, "thursday.json")
    here, there = pty.openpty()
    with subprocess.Popen(
        [WINDED, "import", "thursday.json"],
        stdin=there,
        stdout=subprocess.DEVNULL,
        stderr=there,
        cwd=tmp_path,
        env=environment,
    ) as process:
        os.close(there)
        asked = os.read(here, 1000).decode()
        assert "Type copy or replace" in asked
        os.write(here, f"{typed}\n".encode())
        assert process.wait(ENDS_WITHIN) == status
    os.close(here)
    assert len(json.loads(winded("tables", "--json").stdout)) == left


def test_the_schema_is_that_of_the_file(winded: Winded, thursday: str) -> None:
    validator = validator_for(json.loads(winded("export", "--schema").stdout))
    validator.validate(json.loads(winded("export", thursday).stdout))


def test_a_file_that_is_there_is_left_alone(winded: Winded, thursday: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    ran = winded("export", thursday, "notes.txt")
    assert (ran.returncode, ran.stdout) == (5, "")
    assert ran.stderr == "notes.txt already exists. Nothing was written.\n"
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["export"], 2, "Which table? `winded tables` lists them by their ids."),
        (["export", "nowhere"], 4, "There is no table nowhere."),
        (["export", "nowhere", "no/such/folder.json"], 4, "There is no table nowhere."),
        (["import"], 2, "FILE is missing."),
        (["import", "nothing.json"], 2, "nothing.json cannot be read: No such file or directory."),
        (["import", "-"], 2, "This is not a table file from Winded: it is not JSON."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    winded: Winded, thursday: str, arguments: list[str], status: int, said: str
) -> None:
    ran = winded(*arguments)
    assert (ran.returncode, ran.stdout) == (status, "")
    assert ran.stderr.splitlines()[0] == said


def test_a_folder_that_is_not_there(winded: Winded, thursday: str) -> None:
    ran = winded("export", thursday, "no/such/folder.json")
    assert (ran.returncode, ran.stderr) == (7, "no/such/folder.json cannot be written: No such file or directory.\n")


def test_a_newer_file_is_left_alone(winded: Winded, thursday: str) -> None:
    data = json.loads(winded("export", thursday).stdout)
    ran = winded("import", "-", "--copy", given=json.dumps({**data, "format": 99}))
    assert (ran.returncode, ran.stdout) == (5, "")
    assert ran.stderr == "This file has format 99, from a newer Winded; this one reads formats up to 1.\n"
