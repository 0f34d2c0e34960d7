"""Every page in a language that nobody speaks: no text is left in English, and none breaks a page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from tests.every_page import Served, every_page
from tests.pseudo import CODE, pseudo, spoken
from tests.serving import Server

SAID = {"aria-label", "title", "alt", "placeholder", "aria-description", "aria-roledescription", "aria-valuetext"}
"""Attributes that people read or hear."""

UNTRANSLATED = {"script", "style", "code", "pre", "svg", "time", "textarea"}
"""Elements whose text is no text of Winded's: figures and programs, and what one writes or copies."""

# The same in every language: dice, addresses, codes, files, rules, fields as they were sent, and the example of a day.
SAME = re.compile(
    r"Winded|CON\b|\bcon\b|UTC\b|https?://\S+|\b\w+\.(?:toml|json|csv)\b|\b\d*d\d+(?:k[hl]\d+)?\b"
    r"|\b[A-Z2-9]{4}-[A-Z2-9]{4}\b|^[a-z]+\.[a-z-]+$|“\w+”|^name$|^[a-z]+\[\d\]\.\w+$"
    r"|Brakka|\bAsh\b|The mill and the road home|The stuck door|Wolves at the mill|The road home"
)
ENGLISH = re.compile(r"[A-Za-z]{2,}")


class Texts(HTMLParser):
    """Collects whatever people read or hear of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in SAID and value]
        said = dict(attrs)
        if tag == "input" and said.get("type") in {"submit", "button"}:
            self.found.append(said.get("value") or "")
        if tag in UNTRANSLATED or (said.get("lang") or CODE) != CODE:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not self._within and data.strip():
            self.found.append(" ".join(data.split()))


def english_in(html: str) -> list[str]:
    texts = Texts()
    texts.feed(html)
    return [text for text in texts.found if ENGLISH.search(SAME.sub("", text))]


def is_spoken(html: str) -> bool:
    """Whether any text of a page is in the language that nobody speaks, with the names in it or without."""
    return any(re.search(r"\[[^\]A-Za-z]+·*\]", text) for text in (html, re.sub(r"<[^>]*>", "", html)))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Served]]:
    folder = spoken(tmp_path_factory.mktemp("pseudo"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with Server(tmp_path_factory.mktemp("served") / "winded.sqlite") as server:
            yield list(every_page(server.address, CODE))


@pytest.mark.slow
def test_no_page_has_a_text_left_in_english(pages: list[Served]) -> None:
    found = {text: page.where for page in reversed(pages) for text in english_in(page.html)}
    assert found == {}


@pytest.mark.slow
def test_every_page_was_spoken_in_it(pages: list[Served]) -> None:
    assert [page.where for page in pages if not is_spoken(page.html)] == []


def test_what_is_left_in_english_is_found() -> None:
    assert english_in(f"<p>{pseudo('Next turn')}</p><p title='Undo'>12 d8</p><p>Ωρίων rests</p>") == [
        "Undo",
        "Ωρίων rests",
    ]


def test_what_stands_for_a_figure_stays() -> None:
    assert pseudo("{name} has %(left)d") == "[{name} ĥáš %(left)d·]"


def test_a_page_is_spoken_in_it_also_where_every_text_holds_a_name() -> None:
    assert is_spoken(f"<p>{pseudo('Undo')}</p>")
    assert is_spoken("<p>[<bdi>Ωρίων</bdi> ĥáš ···]</p>")
    assert not is_spoken("<p><bdi>Ωρίων</bdi> has 3</p>")
