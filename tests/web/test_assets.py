"""The scripts and style sheets as browsers get them: joined, thinned, small, and for browsers that people have."""

import gzip
import re
from pathlib import Path

import pytest

from winded.web.assets import SCRIPTS, STATIC, STYLES, asset, served
from winded.web.live import BEAT

MODULES = sorted(path for path in STATIC.rglob("*.js") if path.parent.name != "vendor")
IMPORTED = re.compile(r'^import (?:\{ (.*) \} from )?"(.*)";$', re.MULTILINE)
EXPORTED = re.compile(r"^export (?:const|function|async function) ([\w$]+)", re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_is_served_with_its_modules_and_asks_for_none(script: str) -> None:
    text = served(script).decode()
    assert text.startswith('"use strict";\n')
    assert not re.search(r"^\s*(import|export)\b[^(]", text, re.MULTILINE)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_what_another_exports(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(IMPORTED.findall(text)) == len(re.findall(r"^import\b", text, re.MULTILINE))
    assert len(EXPORTED.findall(text)) == len(re.findall(r"^export\b", text, re.MULTILINE))
    for names, source in IMPORTED.findall(text):
        exported = EXPORTED.findall((path.parent / source).read_text(encoding="utf-8"))
        assert set(names.split(", ") if names else []) <= set(exported), source


def test_every_module_is_in_some_script() -> None:
    reached = [STATIC / script for script in SCRIPTS]
    for path in reached:
        found = ((path.parent / source).resolve() for _, source in IMPORTED.findall(path.read_text(encoding="utf-8")))
        reached += [one for one in found if one not in reached]
    assert set(reached) == set(MODULES)


@pytest.mark.parametrize("name", SCRIPTS + STYLES)
def test_what_only_readers_need_is_not_served(name: str) -> None:
    text = served(name).decode()
    assert not re.search(r"^\s+\S|^//|^/\*", text, re.MULTILINE)


def test_an_address_changes_with_what_is_served_there() -> None:
    assert re.fullmatch(r"/static/board\.js\?v=[0-9a-f]{10}", asset("board.js"))
    assert asset("board.js") != asset("phone.js")


@pytest.mark.parametrize(
    ("script", "styles", "most"),
    [("board.js", ["winded.css", "seats.css", "board.css"], 20.75), ("phone.js", ["winded.css", "phone.css"], 20.25)],
)
def test_what_the_first_load_of_a_screen_brings_is_small(script: str, styles: list[str], most: float) -> None:
    brought = [script, "vendor/idiomorph.min.js", *styles]
    # With the page itself it stays under 25 KiB, which `make bench` counts in a browser.
    assert sum(len(gzip.compress(served(name), 6)) for name in brought) < most * 1024


def test_a_screen_on_a_dead_link_is_stale_for_less_than_eight_seconds() -> None:
    text = (STATIC / "table/stream.js").read_text(encoding="utf-8")
    patience, wait = re.search(r"PATIENCE = ([\d.]+)", text), re.search(r"Math\.min\((\d+) \* tries", text)
    assert patience is not None
    assert wait is not None
    # One beat missed is no sign yet: two are waited for, and the link is opened anew within a second.
    assert float(patience[1]) > 2
    assert float(patience[1]) * BEAT + int(wait[1]) / 1000 + 0.5 < 8
