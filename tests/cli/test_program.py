"""The front page, the help pages, and what every command shares."""

import re
import subprocess
import sys

import pytest

from tests.cli.conftest import WINDED, Winded
from winded.cli.program import app

COMMANDS = [name for name in app if not name.startswith("-")]


def test_the_front_page_lists_every_command(winded: Winded) -> None:
    ran = winded("--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Usage: winded COMMAND\n")
    assert COMMANDS[:3] == ["serve", "tables", "export"]
    for name in COMMANDS:
        assert re.search(rf"^│ {name} +\S", ran.stdout, re.MULTILINE), name
    assert max(map(len, ran.stdout.splitlines())) <= 80
    assert winded().stdout == winded("-h").stdout == ran.stdout


def test_the_version_is_the_packages(winded: Winded) -> None:
    from importlib.metadata import version

    assert winded("--version").stdout == f"winded {version('winded')}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_page_with_all_its_options(winded: Winded, name: str) -> None:
    ran = winded(name, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"Usage: winded {name} ")
    for argument in app[name].assemble_argument_collection(parse_docstring=True):
        assert re.search(rf"^│ \*? *{re.escape(argument.name)}\b.* \S", ran.stdout, re.MULTILINE | re.IGNORECASE)
    assert max(map(len, ran.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("rnu", "There is no command “rnu”."),
        ("--nope", "There is no option --nope."),
        ("run a b", "There is no place for “b”."),
        ("run --nope", "FILE: There is no option --nope; a file of that name is ./--nope."),
        ("run --state", "--state needs a value."),
        ("run --state never", "--state takes end or each; it is “never”."),
        ("serve --port here", "--port takes a whole number; it is “here”."),
        ("tables new", "NAME is missing."),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(winded: Winded, arguments: str, said: str) -> None:
    ran = winded(*arguments.split())
    assert (ran.returncode, ran.stdout) == (2, "")
    first, leads = ran.stderr.splitlines()
    assert first == said
    assert re.fullmatch(r"“winded.* --help” lists what you can give.", leads)


@pytest.mark.parametrize(
    "arguments",
    [
        "rules --schema --json",
        "rules --schema --rules house.toml",
        "export --schema abcdefgh",
        "export --schema --database winded.sqlite",
        "import --copy --replace table.json",
        "tables --json new Thursday",
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(winded: Winded, arguments: str) -> None:
    ran = winded(*arguments.split())
    assert (ran.returncode, ran.stdout) == (2, "")


def test_the_front_page_loads_nothing_it_does_not_show() -> None:
    """What makes `winded --help` quick; the time itself is measured by `make bench`."""
    heavy = {"asyncio", "sqlite3", "litestar", "numpy", "icepool", "segno", "winded.tables"}
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
