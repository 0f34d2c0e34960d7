"""Each code block of the README and the documentation runs, and says what it shows."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from winded.rules import ruleset_from_toml

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)")

# Shown to be read, not to be run.
NOT_RUN = {"json", "jsonl", "text", "http", "mermaid"}


def blocks(page: Path) -> Iterator[tuple[str, str, int]]:
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield block["kind"].strip(), block["text"], text.count("\n", 0, block.start()) + 2


def in_the_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "XDG_DATA_HOME": str(folder / "data")}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def expected(lines: list[str]) -> re.Pattern[str]:
    """What a block shows, where a line of "…" stands for any lines and "…" within a line for the rest of a word."""
    parts = [".*" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", r"\S*") + " *\n" for line in lines]
    return re.compile("".join(parts), re.DOTALL)


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_code_block_runs_and_says_what_it_shows(document: Path, tmp_path: Path) -> None:
    known: dict[str, object] = {"__name__": "example"}
    for kind, text, line in blocks(document):
        where = f"{document.relative_to(ROOT)}:{line}"
        match kind.split():
            case ["python"]:
                exec(compile(text, where, "exec"), known)
            case ["toml", "house-rules"]:
                ruleset_from_toml(text)
            case ["file", name]:
                (tmp_path / name).write_text(text, encoding="utf-8")
            case ["sh"]:
                for command in text.splitlines():
                    assert command.startswith("make "), f"{where}: {command}"
                    dry = subprocess.run([*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, check=False)
                    assert dry.returncode == 0, where
            case ["console"]:
                steps = re.split(r"^\$ ", text, flags=re.MULTILINE)
                assert not steps[0].strip(), f"{where}: a console block begins with “$ ”"
                for step in steps[1:]:
                    command, *shown = step.rstrip("\n").split("\n")
                    while command.endswith("\\"):
                        command = command[:-1] + shown.pop(0)
                    ran = in_the_shell(command, tmp_path)
                    said = "".join(f"{one.rstrip()}\n" for one in (ran.stdout + ran.stderr).splitlines())
                    if shown:
                        assert expected(shown).fullmatch(said), f"{where}: {command}\n{said}"
                    else:
                        assert ran.returncode == 0, f"{where}: {command}\n{said}"
            case [one] if one in NOT_RUN:
                pass
            case _:
                pytest.fail(f"{where}: a code block of the kind “{kind}” is not known here.")


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_the_name_of_every_file_is_read_before_the_file(document: Path) -> None:
    """What stands in a fence beside its kind is not shown where the page is rendered."""
    text = document.read_text(encoding="utf-8")
    unnamed = [
        name
        for block in BLOCK.finditer(text)
        for kind, _, name in [block["kind"].strip().partition(" ")]
        if kind == "file" and f"`{name}`" not in text[: block.start()].rstrip().rpartition("\n\n")[2]
    ]
    assert unnamed == []


def test_a_block_that_says_something_else_is_noticed() -> None:
    assert not expected(["4 left"]).fullmatch("5 left\n")
    assert expected(["one", "…", "four"]).fullmatch("one\ntwo\nthree\nfour\n")


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_link_and_picture_of_a_document_leads_somewhere(document: Path) -> None:
    missing = [to for to in LINK.findall(document.read_text(encoding="utf-8")) if not (document.parent / to).exists()]
    assert missing == []
