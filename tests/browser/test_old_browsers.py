"""The oldest browsers that Winded is made for: without what came later it works; below them, the page says so."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.evening import PARTY, Evening, fetched
from tests.serving import Server
from winded.rules import StartCombat
from winded.web.assets import STYLES

NewContext = Callable[..., BrowserContext]

# What Safari 15.4, Chrome 100 or Firefox 102 lack, each by the script that takes it away before a page's own begin.
LACKING = {
    "AbortSignal.timeout": "delete AbortSignal.timeout",
    "checkVisibility": "delete Element.prototype.checkVisibility",
    "ariaLabel": "delete Element.prototype.ariaLabel",
    "moveBefore": "for (const one of [Element, Document, DocumentFragment]) delete one.prototype.moveBefore",
    "inert": "delete HTMLElement.prototype.inert",
    "BroadcastChannel": "delete window.BroadcastChannel",
    "wakeLock": "delete Navigator.prototype.wakeLock",
    "Array.at": "delete Array.prototype.at; delete String.prototype.at",
    "structuredClone": "delete window.structuredClone",
    "randomUUID": "delete Crypto.prototype.randomUUID",
    "submitter": "delete SubmitEvent.prototype.submitter",
    ":has()": """
        const searches = ["querySelector", "querySelectorAll"];
        const searching = [Element, Document, DocumentFragment].map(one => [one, searches]);
        for (const [of, names] of [...searching, [Element, ["matches", "closest"]]]) for (const name of names) {
            const known = of.prototype[name];
            of.prototype[name] = function(query) {
                if (query.includes(":has(")) throw new SyntaxError(query);
                return known.call(this, query);
            };
        }""",
}
# Words of style sheets that they do not know: whoever does not know one leaves out the declaration, or the whole rule.
NEWER_WORDS = re.compile(
    r"light-dark\(|color-mix\(|:has\(|\d(?:dvh|svh|lvh|dvw)\b|text-wrap|field-sizing|@starting-style|@layer|@container|\boklch\("
)


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, (*PARTY, StartCombat()))
    yield found
    found.close()


def with_older_styles(context: BrowserContext) -> BrowserContext:
    """Style sheets come to it with each newer word made one that no browser knows."""

    def older(route: Route) -> None:
        answer = fetched(route)
        unknown = NEWER_WORDS.sub(lambda found: re.sub(r"[a-z]", "q", found[0], count=2), answer.text())
        route.fulfill(response=answer, body=unknown)

    context.route("**/*.css?*", older)
    return context


def play(board: Page, player: Page) -> None:
    """A reaction on the phone, a sheet and a Wound on the board, and an undo, each seen on the other screen."""
    player.locator("#can-1-react button").tap()
    expect(board.locator("#seat-1 .fig b")).to_have_text("11")
    board.get_by_role("button", name="More about Ash").click()
    board.get_by_label("What the Wound is").fill("cracked ribs")
    board.get_by_role("button", name="Take a Wound").click()
    expect(player.locator("#have-1 .wounds")).to_contain_text("cracked ribs")
    board.get_by_role("button", name="Close").click()
    board.locator("#undo").get_by_role("button", name="Undo").click()
    expect(player.locator("#have-1 .wounds li:not(.none)")).to_have_count(0)
    player.locator("#open-1-declare_check-push summary").tap()
    player.get_by_role("button", name="+2 leaves 9").tap()
    expect(board.locator("#seat-1")).to_contain_text("Open Check: +2")


@pytest.mark.parametrize("lacking", LACKING)
def test_an_evening_goes_on_without_it(lacking: str, evening: Evening, phone: NewContext, laptop: NewContext) -> None:
    contexts = phone(), laptop()
    for context in contexts:
        context.add_init_script(LACKING[lacking])
    player = evening.open(contexts[0], evening.player("Mia", "Ash"))
    board = evening.open(contexts[1], evening.referee)
    expect(board.locator("#too-old")).to_be_hidden()
    play(board, player)


def test_an_evening_goes_on_with_the_words_of_older_style_sheets(
    evening: Evening, phone: NewContext, laptop: NewContext, color_scheme: str
) -> None:
    player = evening.open(with_older_styles(phone(color_scheme=color_scheme)), evening.player("Mia", "Ash"))
    board = evening.open(with_older_styles(laptop(color_scheme=color_scheme)), evening.referee)
    expect(board.locator("#too-old")).to_be_hidden()
    play(board, player)
    for page, pip in ((board, "#seat-1 .pips b"), (player, "#have-1 .pips b")):
        ground, ink, filled = page.evaluate(
            """pip => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
                getComputedStyle(document.querySelector(pip)).backgroundColor]""",
            pip,
        )
        assert "rgba(0, 0, 0, 0)" not in (ground, filled)
        assert len({ground, ink, filled}) == 3
    expect(player.locator("footer")).to_be_in_viewport(ratio=1)
    board.get_by_role("button", name="Rest", exact=True).click()
    sheet = board.locator("#sheet")
    assert sheet.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    expect(sheet).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", STYLES)
def test_no_rule_is_void_where_a_newer_word_is_unknown(path: str, server: Server, laptop: NewContext) -> None:
    """A selector that is unknown voids the whole rule it stands in: it may stand only in a rule of its own."""
    page = laptop().new_page()
    text = page.request.get(f"{server.address}/static/{path}").text()
    for selectors in re.findall(r"([^{}]+)\{", text):
        if ":has(" in selectors and "@supports" not in selectors:
            assert "," not in re.sub(r"\([^()]*\)", "", selectors), selectors


@pytest.mark.parametrize("lacking", ["showModal", "accent-color"])
def test_a_browser_that_is_too_old_says_so(lacking: str, evening: Evening, laptop: NewContext) -> None:
    context = laptop()
    context.add_init_script("delete HTMLDialogElement.prototype.showModal" if lacking == "showModal" else "")

    def older(route: Route) -> None:
        answer = fetched(route)
        route.fulfill(response=answer, body=answer.text().replace(lacking, "q-unknown"))

    context.route("**/*.css?*", older)
    board = evening.open(context, evening.referee)
    expect(board.locator("#too-old")).to_be_visible()
    expect(board.locator("#too-old")).to_contain_text("This browser is too old for Winded")


def test_a_browser_without_script_is_told_by_the_style_sheet_alone(evening: Evening, laptop: NewContext) -> None:
    context = laptop(java_script_enabled=False)

    def older(route: Route) -> None:
        answer = fetched(route)
        route.fulfill(response=answer, body=answer.text().replace("accent-color", "q-unknown"))

    context.route("**/*.css?*", older)
    page = context.new_page()
    page.goto("/join")
    expect(page.locator("#too-old")).to_be_visible()
    plain = laptop(java_script_enabled=False).new_page()
    plain.goto("/join")
    expect(plain.locator("#too-old")).to_be_hidden()
