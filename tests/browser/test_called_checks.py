"""A Check that the Referee calls for: asked on the board, pushed and rolled on the phones, and the results together."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server
from winded.roles import SetCheckDice
from winded.rules import AddCharacter

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    party = [AddCharacter(name, con=con) for name, con in (("Ash", "d12"), ("Bryn", "d8"), ("Cato", "d10"))]
    evening = Evening(server.address, server.database, party)
    evening.decide(SetCheckDice("1d20+con"))
    yield evening
    evening.close()


def sheet(page: Page) -> Locator:
    return page.locator("#sheet")


def called(page: Page, name: str) -> Locator:
    """The line of one who was called."""
    return page.locator(".called li", has_text=name)


def call(board: Page, *, secret: bool = False) -> None:
    board.get_by_role("button", name="Call a Check").click()
    sheet(board).get_by_role("checkbox", name="Cato").uncheck()
    sheet(board).get_by_label("What for").fill("the climb")
    sheet(board).get_by_label("Target", exact=True).fill("17")
    if secret:
        sheet(board).get_by_label("Keep the target secret").check()
    sheet(board).get_by_role("button", name="Call for the Check").click()
    expect(sheet(board)).to_be_hidden()


def declare(phone: Page, push: str) -> Locator:
    """Opens the Check that one is called for; the button of this push."""
    phone.locator(".bar").get_by_role("button", name="Check…").tap()
    return phone.locator("form.checking").get_by_role("button", name=push)


def test_everyone_called_pushes_and_rolls_and_the_results_stand_together(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)
    ash = evening.open(phone(), evening.player("Mia", "Ash"))
    bryn = evening.open(phone(), evening.player("Tom", "Bryn"))
    cato = evening.open(phone(), evening.player("Lu", "Cato"))
    watching = evening.open(laptop(), evening.spectator())
    call(board)
    expect(board.locator("#pane")).to_contain_text("2 still to roll")
    expect(ash.locator(".bar .cue")).to_contain_text("The Referee calls for a Check: the climb, against 17")
    expect(cato.locator(".bar .cue")).not_to_contain_text("calls")
    push = declare(ash, "+2")
    # The call's own target decides, so the chance of each push stands there at once.
    expect(push).to_contain_text("%")
    push.tap()
    expect(called(board, "Ash")).to_contain_text("+2, rolling")
    ash.get_by_label("Roll without the push").fill("16")
    ash.get_by_role("button", name="Enter", exact=True).tap()
    expect(called(board, "Ash")).to_contain_text("18 success")
    declare(bryn, "No push").tap()
    bryn.get_by_label("Roll without the push").fill("9")
    bryn.get_by_role("button", name="Enter", exact=True).tap()
    for screen in (board, watching, cato):
        expect(called(screen, "Ash")).to_contain_text("18 success")
        expect(called(screen, "Bryn")).to_contain_text("9 failure")
    expect(board.locator("#pane")).to_contain_text("everyone has rolled")
    # Something else happens, and the results make way for it.
    evening.do("start_combat")
    expect(board.locator(".called")).to_have_count(0)
    expect(watching.locator(".called")).to_have_count(0)


def test_a_secret_target_shows_chances_against_a_few_and_never_itself(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)
    ash = evening.open(phone(), evening.player("Mia", "Ash"))
    call(board, secret=True)
    expect(board.locator("#pane")).to_contain_text("against 17 (secret)")
    expect(ash.locator(".bar .cue")).to_contain_text("against a secret target")
    push = declare(ash, "+2")
    # 1d20 + d12 + 2: 219, 114 and 55 of 240.
    expect(ash.locator("form.checking .chances")).to_have_text("Chances against 10 / 20 / 25.")
    expect(push).to_contain_text("91 / 48 / 23 %")
    ash.locator("form.checking").get_by_role("button", name="No push").tap()
    expect(ash.get_by_label("Roll without the push")).to_be_visible()


def test_the_referee_rolls_for_some_and_closes_the_call_by_keyboard_alone(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)
    press = board.keyboard.press
    press("k")
    expect(sheet(board).locator("input[type=checkbox]:focus")).to_have_count(1)
    sheet(board).get_by_label("What for").focus()
    press("Enter")
    expect(sheet(board)).to_be_hidden()
    expect(board.locator("#pane")).to_contain_text("3 still to roll")
    called(board, "Ash").get_by_role("button").focus()
    press("Enter")
    expect(sheet(board).locator("input[type=radio]:focus")).to_have_count(1)
    sheet(board).get_by_role("button", name="Check", exact=True).focus()
    press("Enter")
    expect(called(board, "Ash")).to_contain_text("rolling")
    board.get_by_role("button", name="Close the call").focus()
    press("Enter")
    # Whoever has declared still rolls.
    expect(board.locator("#pane")).to_contain_text("1 still to roll")
    expect(board.locator(".called li")).to_have_count(1)


def test_the_call_is_accessible(
    evening: Evening,
    laptop: NewContext,
    phone: NewContext,
    color_scheme: str,
    assert_accessible: Callable[[Page], None],
) -> None:
    board = evening.open(laptop(color_scheme=color_scheme), evening.referee)
    ash = evening.open(phone(color_scheme=color_scheme), evening.player("Mia", "Ash"))
    board.get_by_role("button", name="Call a Check").click()
    expect(sheet(board)).to_be_visible()
    assert_accessible(board)
    board.keyboard.press("Escape")
    call(board)
    expect(ash.locator(".bar .cue")).to_contain_text("The Referee calls")
    for page in (board, ash):
        assert_accessible(page)
