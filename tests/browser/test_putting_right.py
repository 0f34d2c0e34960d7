"""The past put right on the board: what was forgotten is put in, and what becomes of the rest is seen before."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server
from winded.rules import AddCharacter

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    """Ash has paid for two reactions and a hard push since the Wound that everybody forgot."""
    party = (AddCharacter("Ash", con="d12"), AddCharacter("Bryn", con="d8"))
    evening = Evening(server.address, server.database, party)
    evening.do("start_combat")
    evening.do("begin_turns")
    for _ in range(2):
        evening.do("react", character="Ash")
    evening.do("channel", character="Ash", stamina=4)
    yield evening
    evening.close()


def sheet(page: Page) -> Locator:
    return page.locator("#sheet")


def put_right(board: Page, line: str) -> None:
    """Opens the sheet at the act of this line of the history."""
    board.get_by_role("button", name="all", exact=True).click()
    sheet(board).locator("li", has_text=line).get_by_role("button", name="Put right…").click()
    expect(sheet(board).get_by_role("heading", name="Put the past right")).to_be_visible()


def wounded_before_the_first_reaction(board: Page, wound: str = "cracked ribs", steps: int = 1) -> None:
    put_right(board, "Ash reacts: 1 Stamina")
    sheet(board).get_by_role("button", name="A Wound", exact=True).click()
    sheet(board).get_by_label("What the Wound is").fill(wound)
    if steps > 1:
        sheet(board).get_by_label("Steps down the dice").fill(str(steps))
    sheet(board).get_by_role("button", name="See what changes").click()
    expect(sheet(board).get_by_role("heading", name="What becomes of everything since")).to_be_visible()


def becomes(board: Page, number: int) -> Locator:
    """What becomes of the act that follows as number 0, 1, …."""
    return sheet(board).locator("ol.lines > li").nth(number)


def test_a_forgotten_wound_goes_where_it_belongs_and_is_one_undo(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)
    player = evening.open(phone(), evening.player("Mia", "Ash"))
    wounded_before_the_first_reaction(board)
    # Every act since stands there beside what becomes of it, and nothing has happened yet.
    expect(sheet(board)).to_contain_text("Ash now has 3 of 10 Stamina, not 5 of 12.")
    for number, then in enumerate(("1 Stamina, 9 left", "2 Stamina, 7 left", "4 Stamina, 3 left")):
        expect(becomes(board, number).locator("ins")).to_contain_text(then)
    assert evening.character("Ash").stamina == 5
    sheet(board).get_by_role("button", name="Put it right").click()
    expect(sheet(board)).to_be_hidden()
    expect(player.locator("#have-1 .fig b")).to_have_text("3")
    expect(board.locator("#lines > li").first).to_contain_text("cracked ribs")
    board.locator("#undo button").first.click()
    expect(player.locator("#have-1 .fig b")).to_have_text("5")
    assert not evening.character("Ash").wounds


def test_what_is_no_longer_possible_is_left_out_in_the_open(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    wounded_before_the_first_reaction(board, "a broken back", steps=3)
    expect(sheet(board)).to_contain_text("1 act is no longer possible.")
    expect(becomes(board, 2)).to_contain_text("Ash has 3 Stamina; this costs 4.")
    sheet(board).get_by_role("button", name="Leave out 1 act and put it right").click()
    expect(sheet(board)).to_be_hidden()
    assert evening.character("Ash").stamina == 3
    board.get_by_role("button", name="all", exact=True).click()
    # The history keeps what was, and says what was put right.
    expect(sheet(board)).to_contain_text("Ash uses Channel Casting: 4 Stamina")
    expect(sheet(board)).to_contain_text("is left out.")


def test_what_is_no_longer_possible_is_mended_on_the_spot(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    wounded_before_the_first_reaction(board, "a broken back", steps=3)
    becomes(board, 2).get_by_role("button", name="Something else happened…").click()
    sheet(board).get_by_role("button", name="Channel Casting").click()
    sheet(board).get_by_label("Stamina").fill("3")
    sheet(board).get_by_role("button", name="See what changes").click()
    expect(sheet(board)).to_contain_text("Ash uses Channel Casting: 3 Stamina, 0 left.")
    sheet(board).get_by_role("button", name="Put it right").click()
    expect(sheet(board)).to_be_hidden()
    assert evening.character("Ash").stamina == 0


def test_what_should_not_have_happened_is_left_out_by_keyboard_alone(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    press = board.keyboard.press
    press("h")
    expect(sheet(board)).to_be_visible()
    line = sheet(board).locator("li", has_text="Ash reacts: 1 Stamina")
    line.get_by_role("button", name="Put right…").focus()
    press("Enter")
    expect(sheet(board).locator("input[type=radio]:focus")).to_have_count(1)
    sheet(board).get_by_role("button", name="Leave it out: see what changes").focus()
    press("Enter")
    # The reaction that was the second is the first now.
    expect(becomes(board, 0)).to_contain_text("left out")
    expect(becomes(board, 1).locator("ins")).to_contain_text("Ash reacts: 1 Stamina, 11 left.")
    sheet(board).get_by_role("button", name="Put it right").focus()
    press("Enter")
    expect(sheet(board)).to_be_hidden()
    assert evening.character("Ash").stamina == 7


def test_nobody_puts_right_what_they_have_not_seen(evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    wounded_before_the_first_reaction(board)
    number = evening.do("adjust", character="Ash", by=-5, reason="a fall")
    expect(board.locator("#root")).to_have_attribute("data-seq", str(number))
    sheet(board).get_by_role("button", name="Put it right").click()
    expect(sheet(board).locator(".said")).to_contain_text("Somebody acted first")
    assert not evening.character("Ash").wounds


def test_every_step_fits_a_phone_and_is_accessible(
    evening: Evening, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    board = evening.open(phone(color_scheme=color_scheme), evening.referee)
    put_right(board, "Ash reacts: 1 Stamina")
    assert_accessible(board)
    sheet(board).get_by_role("button", name="A Wound", exact=True).click()
    sheet(board).get_by_label("What the Wound is").fill("cracked ribs")
    assert_accessible(board)
    sheet(board).get_by_role("button", name="See what changes").click()
    expect(sheet(board)).to_contain_text("Ash now has 3 of 10 Stamina")
    assert_accessible(board)
    assert board.evaluate("document.querySelector('#sheet').scrollWidth <= innerWidth")
