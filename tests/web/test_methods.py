"""HEAD is answered wherever GET is, a wrong method is told the right ones, and private pages are not indexed."""

import http.client
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from tests.web.screens.board.test_handlers import Table
from winded.rules import DeclareCheck, StartCombat
from winded.web.assets import asset
from winded.web.guard import PUBLIC
from winded.web.screens.sheets import SHEETS

MAY_BE_FOUND = sorted(PUBLIC)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with Inside(tmp_path_factory.mktemp("methods") / "winded.sqlite") as inside:
        found = Table(inside)
        found.tables.do(found.id, StartCombat())
        found.tables.do(found.id, DeclareCheck("Ash", push=1, strain="the gate"))
        found.address = inside.address  # type: ignore[attr-defined]
        yield found


def ask(table: Table, method: str, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection(urlsplit(table.address).netloc, timeout=PATIENCE)  # type: ignore[attr-defined]
    try:
        headers = {"Authorization": f"Bearer {table.referee.token}", "Accept-Encoding": "identity"}
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def pages(table: Table) -> list[str]:
    at = f"/tables/{table.id}"
    return [
        "/",
        "/join",
        "/odds",
        at,
        f"{at}/sheet/who?of=1",
        asset("winded.css"),
        asset("icon.svg"),
        "/worker.js",
        "/no",
    ]


def test_head_is_answered_as_get_is_and_brings_no_body(table: Table) -> None:
    for path in pages(table):
        whole, head = ask(table, "GET", path), ask(table, "HEAD", path)
        assert head[0] == whole[0], path
        assert head[1]["content-length"] == str(len(whole[2])), path
        assert head[1]["content-type"] == whole[1]["content-type"], path
        assert head[2] == b"", path


def test_what_is_text_names_its_charset_once(table: Table) -> None:
    at = f"/tables/{table.id}"
    others = [f"{at}/overlay?key={table.referee.token}", f"{at}/live?seq=0", f"{at}/sheet/people", f"{at}/nowhere"]
    for path in [*pages(table), *others, asset("board.js"), "/odds/table.csv?dice=2d6", "/api/nowhere", "/join/no"]:
        kind = ask(table, "HEAD", path)[1]["content-type"]
        if kind.startswith("text/"):
            assert kind.count("charset=utf-8") == 1, (path, kind)
        else:
            assert "charset" not in kind, (path, kind)


def test_head_of_a_stream_ends(table: Table) -> None:
    status, headers, body = ask(table, "HEAD", f"/tables/{table.id}/live?seq=0")
    assert (status, body) == (200, b"")
    assert headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/", "GET, HEAD, OPTIONS"),
        ("PUT", "/tables/{id}", "GET, HEAD, OPTIONS"),
        ("GET", "/tables/{id}/do", "OPTIONS, POST"),
        ("PUT", "/join", "GET, HEAD, OPTIONS, POST"),
        ("DELETE", "/static/winded.css", "GET, HEAD, OPTIONS"),
        ("DELETE", "/static/icon.svg", "GET, HEAD, OPTIONS"),
        ("PUT", "/tables/{id}/live", "GET, HEAD"),
    ],
)
def test_another_method_is_told_which_there_are(table: Table, method: str, path: str, allow: str) -> None:
    status, headers, _ = ask(table, method, path.format(id=table.id))
    assert (status, headers["allow"]) == (405, allow)


def test_what_is_private_asks_not_to_be_indexed(table: Table) -> None:
    at = f"/tables/{table.id}"
    for path in (at, f"{at}/sheet/people", f"{at}/live?once=1", "/l/nothing", "/join/nothing", "/nowhere"):
        assert ask(table, "GET", path)[1]["x-robots-tag"] == "noindex", path
    for path in MAY_BE_FOUND:
        assert ask(table, "GET", path)[1]["x-robots-tag"] is None, path


class Nesting(HTMLParser):
    """Finds what stands within a paragraph and may not."""

    PHRASING_ONLY = ("p", "h1", "h2", "h3")
    BLOCKS = ("p", "div", "form", "ul", "ol", "section", "fieldset", "table", "h2", "h3")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.BLOCKS and any(one in self.PHRASING_ONLY for one in self.open):
            self.wrong.append(f"{tag} in {self.open}")
        if tag in (*self.BLOCKS, *self.PHRASING_ONLY):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag) :]


def test_no_paragraph_stands_in_another(table: Table) -> None:
    at = f"/tables/{table.id}"
    acts = [f"{at}/sheet/act?of=1&do={do}" for do in ("resist", "channel")]
    for path in (
        at,
        "/",
        "/join",
        *acts,
        *(f"{at}/sheet/{name}?of=1&through=1&entry=2" for name in SHEETS if name != "act"),
    ):
        status, _, body = ask(table, "GET", path)
        assert status == 200, path
        nesting = Nesting()
        nesting.feed(body.decode())
        assert nesting.wrong == [], path
