"""The reference page of the command line is true: it names every command, every option and every exit status."""

import re
from pathlib import Path

import pytest

from winded.cli.program import app
from winded.errors import WindedError

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
COMMANDS = [name for name in app if not name.startswith("-")]


def told_of(command: str) -> str:
    """The sections whose headings name this command."""
    found = [section for section in re.split(r"(?m)^## ", PAGE)[1:] if f"`winded {command}" in section.split("\n")[0]]
    return "\n".join(found)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_stands_on_the_page(name: str) -> None:
    options = app[name].assemble_argument_collection(parse_docstring=True)
    assert [option.name for option in options if not re.search(re.escape(option.name) + r"\b", told_of(name))] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_no_other_option_of_a_command(name: str) -> None:
    headings = re.findall(rf"(?m)^## .*`(winded {name}\b[^`]*)`", PAGE)
    named = {option for heading in headings for option in re.findall(r"--[a-z-]+", heading)}
    assert named <= {option.name for option in app[name].assemble_argument_collection(parse_docstring=True)}


def test_every_exit_status_of_an_error_stands_on_the_page() -> None:
    def below(kind: type[WindedError]) -> set[int]:
        return {kind.exit_status}.union(*map(below, kind.__subclasses__()))

    assert below(WindedError) <= {int(status) for status in re.findall(r"(?m)^\| (\d+) \|", PAGE)}
