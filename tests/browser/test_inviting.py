"""A table that nobody sits at is its own invitation: the code to scan, and the seats as they fill."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def begun(laptop: NewContext) -> Page:
    """The board of a table that has just been begun, with Ash and Bryn at it."""
    page = laptop().new_page()
    page.goto("/")
    page.get_by_label("What is it called?").fill("Tuesday evening")
    for at, name in enumerate(("Ash", "Bryn"), 1):
        page.locator(f"#character-{at}").fill(name)
    page.get_by_role("button", name="Start the table").click()
    expect(page.locator("#status")).to_have_text("live")
    return page


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database)
    yield found
    found.close()


def code_on(board: Page) -> str:
    code = board.locator("#invitation .code").first
    expect(code).to_have_text(re.compile("^[A-Z2-9]{4}-[A-Z2-9]{4}$"))
    return code.inner_text()


def join(phone: NewContext, code: str, name: str, *characters: str) -> Page:
    page = phone().new_page()
    page.goto("/join")
    page.get_by_label("The code on the Referee’s screen").fill(code)
    page.get_by_role("button", name="Continue").tap()
    page.get_by_label("Your name").fill(name)
    for one in characters:
        page.get_by_role("checkbox", name=one).check()
    page.get_by_role("button", name="Join the table").tap()
    expect(page.locator("#status")).to_have_text("live")
    return page


def test_a_new_table_shows_its_invitation_and_its_seats_fill(
    begun: Page, phone: NewContext, assert_accessible: Callable[[Page], None]
) -> None:
    pane = begun.get_by_role("region", name="Who is coming?")
    expect(pane.get_by_role("img", name="Invite players").first).to_be_in_viewport(ratio=1)
    box = pane.get_by_role("img", name="Invite players").first.bounding_box()
    assert box is not None
    assert box["width"] >= 200
    code = code_on(begun)
    assert_accessible(begun)
    seats = pane.locator(".coming li")
    expect(seats).to_have_text([re.compile(r"Ash\s*free"), re.compile(r"Bryn\s*free")])
    join(phone, code, "Mia", "Ash")
    expect(seats.first).to_have_text(re.compile(r"Ash\s*Mia"))
    jo = join(phone, code, "Jo")
    expect(pane).to_contain_text("is choosing a character")
    # As long as somebody is to come, the same code holds, after a reload too.
    begun.reload()
    assert code_on(begun) == code
    jo.get_by_role("button", name="Play Bryn").tap()
    expect(pane).to_have_count(0)
    expect(begun.locator("#invitation")).to_have_count(0)


def test_the_first_combat_ends_the_waiting(begun: Page) -> None:
    code_on(begun)
    begun.get_by_role("button", name="Start combat").click()
    expect(begun.locator("#round")).to_contain_text("Round 1")
    expect(begun.locator("#invitation")).to_have_count(0)


def test_an_invitation_is_closed_and_made_anew_in_its_place(begun: Page, phone: NewContext) -> None:
    old = code_on(begun)
    place = begun.locator("#invitation")
    place.get_by_role("button", name="Close the invitation").click()
    expect(place.locator(".code")).to_have_count(0)
    page = phone().new_page()
    page.goto("/join")
    page.get_by_label("The code on the Referee’s screen").fill(old)
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_role("alert")).to_contain_text("No table has this code.")
    place.get_by_role("button", name="Invite players").click()
    assert code_on(begun) != old


def test_a_new_invitation_from_the_sheet_is_the_one_on_the_board(begun: Page) -> None:
    old = code_on(begun)
    begun.get_by_role("button", name="Invite & people").click()
    sheet = begun.get_by_role("dialog")
    sheet.get_by_role("button", name="Invite players").click()
    expect(sheet.locator(".code").first).to_be_visible()
    new = sheet.locator(".code").first.inner_text()
    sheet.get_by_role("button", name="Close", exact=True).click()
    expect(begun.locator("#invitation .code").first).to_have_text(new)
    assert new != old


def test_what_another_process_gave_out_cannot_be_shown_and_is_replaced(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    expect(board.locator("#invitation").get_by_role("button", name="Invite players")).to_be_visible()
    expect(board.locator("#invitation .code")).to_have_count(0)


def test_an_empty_table_says_how_it_fills(laptop: NewContext, phone: NewContext) -> None:
    page = laptop().new_page()
    page.goto("/")
    page.get_by_label("What is it called?").fill("Nobody yet")
    page.get_by_role("button", name="Start the table").click()
    expect(page.get_by_role("heading", name="No characters yet")).to_be_visible()
    join(phone, code_on(page), "Mia")
    expect(page.locator(".coming")).to_contain_text("Mia")
