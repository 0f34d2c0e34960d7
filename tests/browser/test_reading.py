"""What is shown can be read and heard: strong colours, fields that no phone zooms into, the newest figures aloud."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server
from winded.rules import StartCombat

NewContext = Callable[..., BrowserContext]

CONTRASTS = """([inks, grounds]) => {
    const probe = document.body.appendChild(document.createElement("p"));
    const light = name => {
        probe.style.color = `var(--${name})`;
        const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
    };
    const found = [];
    for (const ink of inks) for (const ground of grounds) {
        const [more, less] = [light(ink), light(ground)].sort((a, b) => b - a);
        found.push([ink, ground, (more + .05) / (less + .05)]);
    }
    return found;
}"""


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, (*PARTY, StartCombat()))
    yield found
    found.close()


def test_every_colour_of_writing_stands_out_as_aaa_asks(laptop: NewContext, color_scheme: str) -> None:
    page = laptop(color_scheme=color_scheme, bypass_csp=True).new_page()
    page.goto("/")
    inks = ["ink", "soft", "go", "go-deep", "hot", "gold", "foe"]
    for ink, ground, contrast in page.evaluate(CONTRASTS, [inks, ["paper", "card", "sunk"]]):
        assert contrast >= 7, f"--{ink} on --{ground}"
    [[*_, on_buttons]] = page.evaluate(CONTRASTS, [["on-go"], ["go"]])
    assert on_buttons >= 7


def test_no_field_is_so_small_that_a_phone_zooms_into_it(
    evening: Evening, phone: NewContext, laptop: NewContext
) -> None:
    player = evening.open(phone(), evening.player("Mia", "Ash"))
    board = evening.open(laptop(), evening.referee)
    small = """() => [...document.querySelectorAll("input:not([type=hidden], [hidden]), select, textarea")]
        .filter(one => parseFloat(getComputedStyle(one).fontSize) < 16).map(one => one.outerHTML)"""
    assert player.evaluate(small) == []
    for sheet in ("a", "p", "w"):
        board.keyboard.press(sheet)
        expect(board.locator("#sheet")).to_be_visible()
        assert board.evaluate(small) == []
        board.keyboard.press("Escape")
        expect(board.locator("#sheet")).to_be_hidden()
    for where in ("/", "/join", "/odds", "/forecast"):
        board.goto(where)
        assert board.evaluate(small) == []


@pytest.mark.parametrize("watches", ["a player", "a spectator"])
def test_after_an_undo_the_new_figures_are_heard_last(watches: str, evening: Evening, phone: NewContext) -> None:
    given = evening.player("Mia", "Ash") if watches == "a player" else evening.spectator()
    page = evening.open(phone(), given)
    heard = page.locator("#hear p")
    expect(heard).to_have_count(0)
    evening.do("react", character="Bryn")
    expect(heard.last).to_have_text("Bryn reacts: 1 Stamina, 7 left.")
    evening.do("undo")
    expect(heard.last).to_have_text("Bryn: 8 of 8 Stamina")
    evening.do("redo")
    expect(heard.last).to_have_text("Bryn: 7 of 8 Stamina")
    # Each line is said once: the list of what happened says nothing by itself.
    assert page.locator("#lines").evaluate("one => !one.closest('[aria-live], [role=log]')")


def chosen(board: Page) -> str:
    return str(board.evaluate("document.querySelector('#sheet [name=push]:checked').value"))


def test_a_choice_that_no_longer_fits_stays_and_is_marked(evening: Evening, laptop: NewContext) -> None:
    evening.do("adjust", character="Ash", by=-7, reason="a long march")
    board = evening.open(laptop(), evening.referee)
    board.locator("#seat-1").get_by_role("button", name="Check").click()
    sheet = board.locator("#sheet")
    sheet.get_by_text("leaves 2").click()
    assert chosen(board) == "3"
    evening.do("adjust", character="Ash", by=-4, reason="a fall")
    expect(sheet.locator(".too-much")).to_have_text("3too much now")
    assert chosen(board) == "3"
    before = evening.now.number
    sheet.locator("button.main").click()
    expect(sheet.locator(".said")).to_contain_text("Ash has 1 Stamina; this costs 3.")
    assert evening.now.number == before
    # Once it fits again, it is a choice like any other.
    evening.do("adjust", character="Ash", by=6, reason="a rest")
    expect(sheet.locator(".too-much")).to_have_count(0)
    assert chosen(board) == "3"


def test_a_figure_goes_up_and_down_by_buttons_and_is_read_in_any_script(evening: Evening, phone: NewContext) -> None:
    player = evening.open(phone(), evening.player("Mia", "Ash"))
    player.locator("#hand-by-1 summary").tap()
    by = player.locator("#by-1-by")
    step = player.locator("#hand-by-1 .step")
    for _ in range(2):
        step.get_by_role("button", name="less").tap()
    expect(by).to_have_value("-2")
    step.get_by_role("button", name="more").tap()
    expect(by).to_have_value("-1")
    by.fill("−٢")
    player.get_by_label("Reason").fill("a fall")
    player.get_by_role("button", name="Ask: change by hand").tap()
    expect(player.locator("#asks .wish")).to_contain_text("Change by hand")
    wish = evening.now.company.asks[0].command
    assert getattr(wish, "by", None) == -2
