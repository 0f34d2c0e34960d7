"""The front page, the help pages, and what every command shares."""

import re
import subprocess
import sys

import pytest

from tests.cli.conftest import WINDED, Winded
from winded.cli.program import SHELVES

COMMANDS = [listed for shelf in SHELVES.values() for listed in shelf]


def test_the_front_page_lists_every_command(winded: Winded) -> None:
    ran = winded("--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Usage: winded COMMAND\n")
    for listed in COMMANDS:
        assert re.search(rf"^  {listed.name} +\S", ran.stdout, re.MULTILINE), listed.name
    assert max(map(len, ran.stdout.splitlines())) <= 80
    assert winded().stdout == winded("-h").stdout == ran.stdout


def test_the_version_is_the_packages(winded: Winded) -> None:
    from importlib.metadata import version

    assert winded("--version").stdout == f"winded {version('winded')}\n"


@pytest.mark.parametrize("listed", COMMANDS, ids=lambda listed: listed.name)
def test_every_command_has_a_help_page(winded: Winded, listed: tuple[str, str, str, str]) -> None:
    name, takes, *_ = listed
    ran = winded(name, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    usage = " ".join(ran.stdout.partition("\n\n")[0].split())
    assert usage.startswith(f"Usage: winded {name} {takes}".rstrip())
    for option in re.findall(r"--[a-z-]+", takes):
        assert re.search(rf"^  {option}\b", ran.stdout, re.MULTILINE), option
    assert max(map(len, ran.stdout.splitlines())) <= 80


def test_an_unknown_command_is_said_to_be_one(winded: Winded) -> None:
    ran = winded("rnu")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("There is no command “rnu”; there are “serve”, ")


def test_the_front_page_loads_nothing_it_does_not_show() -> None:
    """What makes `winded --help` quick; the time itself is measured by `make bench`."""
    heavy = {"cyclopts", "rich", "asyncio", "sqlite3", "litestar", "numpy", "icepool", "segno", "winded.tables"}
    code = (
        "import sys; sys.argv = ['winded', '--help']\n"
        "from winded.cli import main\n"
        "main()\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy & set(ran.stderr.split()) == set()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["--help", "run", "rules", "run nothing.jsonl"])
def test_closed_streams_are_no_surprise(arguments: str, closed: str) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"'{WINDED}' {arguments} {closed}"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert ran.returncode == (2 if "nothing" in arguments else 0)
    assert b"Traceback" not in ran.stderr
