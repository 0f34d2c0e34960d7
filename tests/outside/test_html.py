"""What the Nu Html Checker says of every page and every piece of one as they are served: nothing."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from litestar.handlers import HTTPRouteHandler

from tests.every_page import Served, every_page
from tests.serving import Server
from winded.web.screens import handlers
from winded.web.screens.sheets import SHEETS

CHECKER = Path(__file__).parents[2] / ".venv/outside/node_modules/vnu-jar/build/dist/vnu.jar"
NO_PAGE = {"/odds.csv", "/manifest.webmanifest", "/worker.js", "/tables/{table:str}/export", "/l/{token:str}"}
"""What is read and is no page: files, and a link, which leads on to the table."""


@pytest.fixture(scope="module")
def pages(server: Server) -> list[Served]:
    return list(every_page(server.address))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here to run the Nu Html Checker")
def test_the_nu_checker_finds_nothing(pages: list[Served], tmp_path: Path) -> None:
    assert CHECKER.exists(), "the Nu Html Checker is not here; make check brings it"
    for number, page in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(page.document, encoding="utf-8")
    done = subprocess.run(
        ["java", "-jar", CHECKER, "--format", "json", "--exit-zero-always", tmp_path],
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stderr)["messages"]
    assert {
        f"{one['message']} {one.get('extract', '')}": pages[int(Path(one["url"]).stem)].where for one in reversed(said)
    } == {}


@pytest.mark.slow
def test_every_page_there_is_was_asked_for(pages: list[Served]) -> None:
    asked = [urlsplit(page.address).path for page in pages]
    addresses = {
        path
        for handler in handlers
        if isinstance(handler, HTTPRouteHandler) and "GET" in handler.http_methods
        for path in handler.paths
        if not path.startswith("/static/") and path not in NO_PAGE
    }
    patterns = {path: re.compile(re.sub(r"\{\w+:str\}", "[^/]+", path)) for path in addresses}
    assert [path for path, pattern in patterns.items() if not any(map(pattern.fullmatch, asked))] == []
    sheets = {path.rpartition("/sheet/")[2] for path in asked if "/sheet/" in path}
    assert set(SHEETS) - sheets == set()
