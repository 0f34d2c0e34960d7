"""One act on several, chosen on the board: to all of them or to none, with one undo."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    evening = Evening(server.address, server.database, PARTY)
    yield evening
    evening.close()


def sheet(page: Page) -> Locator:
    return page.locator("#sheet")


def choose(board: Page, *names: str) -> None:
    board.get_by_role("button", name="Several", exact=True).click()
    for name in names:
        sheet(board).locator("label", has_text=name).click()


def test_a_wound_for_two_is_one_undo(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    choose(board, "Ash", "Della")
    sheet(board).get_by_label("What the Wound is").fill("burned")
    sheet(board).get_by_role("button", name="Take a Wound").click()
    expect(sheet(board)).to_be_hidden()
    for name in ("Ash", "Della"):
        expect(board.get_by_role("article", name=name).locator(".wound")).to_have_text("burned")
    board.locator("#undo button").first.click()
    expect(board.locator(".wound")).to_have_count(0)


def test_whoever_stands_in_the_way_is_named_and_nothing_happens(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    choose(board, "Ash", "Bryn", "Della")
    sheet(board).get_by_label("Stamina").fill("9")
    sheet(board).get_by_label("Reason").fill("the flood")
    sheet(board).get_by_role("button", name="− Take").click()
    said = sheet(board).locator(".said")
    expect(said).to_contain_text("Nothing has changed. Bryn has 8 of 8 Stamina")
    expect(said).to_contain_text("Della has 6 of 6 Stamina")
    expect(said).not_to_contain_text("Ash")
    assert evening.character("Ash").stamina == 12
    # What was chosen and typed is still there: a smaller figure is all that is needed.
    sheet(board).get_by_label("Stamina").fill("2")
    sheet(board).get_by_role("button", name="− Take").click()
    expect(sheet(board)).to_be_hidden()
    assert [evening.character(name).stamina for name in ("Ash", "Bryn", "Corin", "Della")] == [10, 6, 10, 4]


def test_two_are_set_aside_by_keyboard_alone(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    press = board.keyboard.press
    press("m")
    expect(sheet(board).locator("input[type=checkbox]:focus")).to_have_count(1)
    press("Space")
    press("Tab")
    press("Space")
    sheet(board).get_by_role("button", name="Set aside").focus()
    press("Enter")
    expect(sheet(board)).to_be_hidden()
    assert [one.name for one in evening.now.table.characters.values() if one.aside] == ["Ash", "Bryn"]


def test_the_sheet_is_accessible(
    evening: Evening, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    board = evening.open(phone(color_scheme=color_scheme), evening.referee)
    choose(board, "Ash")
    assert_accessible(board)
    assert board.evaluate("document.querySelector('#sheet').scrollWidth <= innerWidth")
