"""A whole evening: a Referee at a laptop and four phones, from the invitation to the rest after the fight."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import PARTY, Evening, a_moment_later, answered
from tests.serving import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, PARTY)
    yield found
    found.close()


def test_an_evening_with_a_referee_and_four_phones(evening: Evening, laptop: NewContext, phone: NewContext) -> None:
    desk = laptop()
    desk.clock.install()
    board = evening.open(desk, evening.referee)

    def drive(name: str) -> None:
        with answered(board):
            board.get_by_role("button", name=name, exact=True).click()

    def join(name: str, character: str) -> Page:
        page = phone().new_page()
        page.goto(f"/join/{evening.invitation.token}")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("checkbox", name=character).check()
        page.get_by_role("button", name="Join the table").tap()
        expect(page.locator(".hand h2 bdi").first).to_have_text(character)
        return page

    mia, jo, lu, ada = join("Mia", "Ash"), join("Jo", "Bryn"), join("Lu", "Corin"), join("Ada", "Della")
    phones = (mia, jo, lu, ada)

    def together() -> None:
        """Every screen shows the newest entry, and the same figures."""
        newest = str(evening.now.number)
        for page in (board, *phones):
            expect(page.locator("#root")).to_have_attribute("data-seq", newest)
        figures = [page.locator(".others li").evaluate_all("all => all.map(one => one.innerText)") for page in phones]
        for one in figures:
            assert one == figures[0]
        for at, character in enumerate(evening.now.table.party(), start=1):
            expect(board.locator(f"#seat-{at} .fig b")).to_have_text(str(character.stamina))

    # On the way there: a Check under strain, pushed and rolled.
    lu.get_by_text("push with up to").tap()
    lu.get_by_label("What makes it hard").fill("a fast climb under fire")
    lu.get_by_label("Target").fill("14")
    lu.get_by_role("button", name="+2 leaves 8").tap()
    expect(board.locator("#seat-3")).to_contain_text("Open Check (a fast climb under fire) against 14: +2")
    lu.get_by_label("Roll without the push").fill("11")
    lu.get_by_role("button", name="Enter").tap()
    expect(ada.locator("#lines")).to_contain_text("Corin's Check: 11 + 2 = 13 against 14, a failure.")
    together()

    # The fight: two act early, at the same moment.
    evening.do("add_character", name="Wolf", con="d8", side="enemy")
    drive("Start combat")
    for page in (mia, ada):
        page.locator(".bar").get_by_role("button", name="Act early").tap()
    expect(board.locator("#seat-1")).to_contain_text("acts early")
    expect(board.locator("#seat-4")).to_contain_text("acts early")
    drive("Begin turns")
    expect(jo.locator(".order li")).to_have_text(["Ash", "Della", "Wolf", "Bryn", "Corin"])
    expect(jo.locator(".when")).to_contain_text("3 act before you")
    drive("Start Ash's turn")
    expect(mia.locator(".yours")).to_contain_text("Your turn, Ash")
    mia.get_by_role("button", name="End my turn").tap()
    expect(ada.locator(".yours")).to_contain_text("Your turn, Della")
    ada.get_by_role("button", name="End my turn").tap()
    expect(lu.locator("#moment")).to_contain_text("Round 1: Wolf's turn")
    together()

    # The wolf's turn: everyone reacts, Ash twice, and the price rises.
    for page in phones:
        page.locator(".bar").get_by_role("button", name="React").tap()
    for page in phones:
        expect(page.locator(".most")).to_contain_text("2 Stamina")
    expect(mia.locator(".bar")).to_contain_text("2 Stamina, leaves 8, the next costs 3")
    mia.locator(".bar").get_by_role("button", name="React").tap()
    expect(mia.locator(".have .fig b")).to_have_text("8")
    together()

    # Bryn is bitten: the player asks for the Wound, the Referee nods.
    jo.get_by_text("Wounds", exact=True).tap()
    jo.get_by_label("What the Wound is").fill("a torn arm")
    jo.get_by_role("button", name="Ask: take the Wound").tap()
    expect(board.locator("#asks")).to_contain_text("Jo")
    board.locator("#asks").get_by_role("button", name="Accept").click()
    expect(jo.locator("#asks")).to_contain_text("The Referee said yes")
    expect(jo.get_by_role("img", name="6 of 6 Stamina, 2 lost to Wounds").first).to_be_visible()
    together()

    # On to the next round: Ash's price is back at its foot, once its own turn comes.
    drive("Wolf is done: Bryn")
    jo.get_by_role("button", name="End my turn").tap()
    lu.get_by_role("button", name="End my turn").tap()
    expect(mia.locator("#moment")).to_contain_text("Round 2: who acts early?")
    expect(mia.locator(".most")).to_contain_text("3 Stamina")
    drive("Begin turns")
    drive("Start Wolf's turn")
    expect(mia.locator(".when")).to_contain_text("Your turn is next")
    a_moment_later(board)
    drive("Wolf is done: Ash")
    expect(mia.locator(".yours")).to_contain_text("Your turn, Ash next: Bryn")
    together()

    # A mistake is taken back, by everyone's leave seen by everyone.
    mia.get_by_role("button", name="End my turn").tap()
    expect(mia.locator(".most")).to_contain_text("1 Stamina")
    expect(jo.locator(".yours")).to_contain_text("Your turn, Bryn")
    expect(board.locator("#undo")).to_contain_text("Bryn's turn begins.")
    board.locator("#undo").get_by_role("button", name="Undo").click()
    expect(mia.locator(".yours")).to_contain_text("Your turn, Ash")
    expect(lu.locator("#lines li").first).to_contain_text("1 act is taken back.")
    together()

    # The fight is over, and a short rest brings each one back a little.
    drive("End combat")
    expect(mia.locator("#moment")).to_contain_text("No combat")
    before = [one.stamina for one in evening.now.table.party()]
    evening.do("rest", kind="short")
    together()
    after = [(one.stamina, one.maximum) for one in evening.now.table.party()]
    assert [stamina for stamina, _ in after] == [
        min(was + 1, maximum) for was, (_, maximum) in zip(before, after, strict=True)
    ]
    assert (
        len(
            {
                tuple(page.locator("#lines li").evaluate_all("all => all.slice(0, 15).map(one => one.id)"))
                for page in phones
            }
        )
        == 1
    )
