"""“How do I stand?”, asked by a button or a key, and answered where a screen reader hears it."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server
from winded.rules import StartCombat

NewContext = Callable[..., BrowserContext]


def test_a_player_hears_of_their_own_and_of_the_party(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, (*PARTY, StartCombat()))
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    page.get_by_role("link", name="The table everyone").tap()
    page.get_by_role("button", name="How do I stand?").tap()
    said = page.get_by_role("alert")
    for told in ("Ash has 12 of 12 Stamina; the next reaction costs 1.", "Acts after the enemy."):
        expect(said).to_contain_text(told)
    expect(said).not_to_contain_text("Bryn")
    page.get_by_role("button", name="How do we stand?").tap()
    expect(said).to_contain_text("Bryn has 8 of 8 Stamina")
    evening.close()


def test_the_referee_hears_of_the_party_at_a_key(server: Server, laptop: NewContext) -> None:
    evening = Evening(server.address, server.database, PARTY)
    board = evening.open(laptop(), evening.referee)
    board.keyboard.press("i")
    expect(board.get_by_role("alert")).to_contain_text("Corin has 10 of 10 Stamina.")
    evening.close()
