"""Taps that can be trusted: nothing changes meaning under a finger, and nobody does twice what was meant once."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server
from winded.rules import AddCharacter, Side, StartCombat

NewContext = Callable[..., BrowserContext]
FIGHT = (*PARTY, AddCharacter("Wolf", con="d8", side=Side.ENEMY), StartCombat())


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, FIGHT)
    yield found
    found.close()


@pytest.fixture
def player(evening: Evening, phone: NewContext) -> Page:
    """The phone of one who plays Ash, with a clock that the test may stop and move on."""
    context = phone()
    context.clock.install()
    return evening.open(context, evening.player("Mia", "Ash"))


@pytest.fixture
def board(evening: Evening, laptop: NewContext) -> Page:
    context = laptop()
    context.clock.install()
    return evening.open(context, evening.referee)


def centre(what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stop_clock(page: Page) -> None:
    """From now on only the test moves this page's time on."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def bar(page: Page) -> Locator:
    return page.locator("#bar-1 button.main")


def test_a_press_does_what_stood_there_when_it_began_or_nothing(evening: Evening, laptop: NewContext) -> None:
    player = evening.open(laptop(), evening.player("Mia", "Ash"))
    expect(bar(player)).to_contain_text("Act early")
    before = evening.now.number
    player.mouse.move(*centre(bar(player)))
    player.mouse.down()
    evening.do("begin_turns")
    expect(bar(player)).to_contain_text("React")
    player.mouse.up()
    # What is meant anew counts.
    expect(player.locator(".still")).to_have_count(0)
    player.locator("#can-1-react button").click()
    expect(player.locator("#have-1 .fig b")).to_have_text("11")
    assert evening.now.number == before + 2


def test_a_press_at_another_price_than_it_began_with_is_none(evening: Evening, laptop: NewContext) -> None:
    player = evening.open(laptop(), evening.player("Mia", "Ash"))
    react = player.locator("#can-1-react button")
    player.mouse.move(*centre(react))
    player.mouse.down()
    evening.do("react", character="Ash")
    expect(react).to_contain_text("2 Stamina")
    player.mouse.up()
    newest = evening.do("react", character="Bryn")
    expect(player.locator("#root")).to_have_attribute("data-seq", str(newest))
    assert evening.character("Ash").stamina == 11


@pytest.mark.parametrize("apart", [150, 300, 500])
def test_the_second_of_two_quick_taps_never_does_the_next_thing(apart: int, evening: Evening, player: Page) -> None:
    """End my turn, twice: the second tap falls where nothing is to be done any more."""
    evening.do("begin_turns")
    evening.do("reorder", order=["Ash", "Wolf", "Bryn", "Corin", "Della"], reason="an ambush")
    evening.do("next_turn")
    expect(bar(player)).to_contain_text("End my turn")
    expect(player.locator(".still")).to_have_count(0)
    place = centre(bar(player))
    stop_clock(player)
    player.touchscreen.tap(*place)
    expect(bar(player)).to_contain_text("React")
    player.clock.run_for(apart)
    player.touchscreen.tap(*place)
    newest = evening.do("react", character="Bryn")
    expect(player.locator("#root")).to_have_attribute("data-seq", str(newest))
    assert evening.character("Ash").stamina == 12
    # A moment later what is by the thumb does what it says.
    player.clock.run_for(700)
    player.touchscreen.tap(*centre(bar(player)))
    expect(player.locator("#have-1 .fig b")).to_have_text("11")


@pytest.mark.parametrize("apart", [150, 300, 500])
@pytest.mark.parametrize(("begins", "then"), [("Start combat", "End combat"), ("Begin turns", "Start Wolf's turn")])
def test_two_quick_clicks_on_what_moves_the_combat_on_are_one(
    begins: str, then: str, apart: int, evening: Evening, board: Page
) -> None:
    if begins == "Start combat":
        evening.do("end_combat")
    drive = board.locator(".drive button").first
    expect(drive).to_contain_text(begins)
    expect(board.locator(".still")).to_have_count(0)
    place = centre(drive)
    before = evening.now.number
    stop_clock(board)
    board.mouse.click(*place)
    expect(board.get_by_role("button", name=then)).to_be_visible()
    board.clock.run_for(apart)
    board.mouse.click(*place)
    newest = evening.do("react", character="Bryn")
    expect(board.locator("#root")).to_have_attribute("data-seq", str(newest))
    assert newest == before + 2


def test_the_same_command_within_four_tenths_of_a_second_is_one_press_and_later_another(
    evening: Evening, player: Page
) -> None:
    react = player.locator("#can-1-react button")
    place = centre(react)
    stop_clock(player)
    player.touchscreen.tap(*place)
    expect(react).to_contain_text("2 Stamina")
    player.clock.run_for(350)
    player.touchscreen.tap(*place)
    player.clock.run_for(450)
    player.touchscreen.tap(*place)
    # The second that was meant is paid at the price it showed.
    expect(player.locator("#have-1 .fig b")).to_have_text("9")
    assert evening.character("Ash").stamina == 9


def test_two_meant_taps_without_a_connection_are_two_each_at_its_price(evening: Evening, player: Page) -> None:
    player.route("**/do", lambda route: route.abort())
    stop_clock(player)
    react = player.locator("#can-1-react button")
    react.tap()
    waits = player.locator("#said .kept li")
    expect(waits).to_have_count(1)
    expect(waits).to_contain_text("Ash: React, 1 Stamina")
    player.clock.run_for(1500)
    react.tap()
    player.clock.run_for(100)
    expect(waits).to_have_count(2)
    player.unroute("**/do")
    player.clock.resume()
    expect(player.locator("#have-1 .fig b")).to_have_text("11")
    # The first changed the price that the second was shown.
    expect(player.locator("#said")).to_contain_text("This now costs 2 Stamina, not 1. Nothing was spent.")
    assert evening.character("Ash").stamina == 11


def test_putting_a_message_away_and_not_sending_are_two_buttons(evening: Evening, player: Page) -> None:
    player.route("**/do", lambda route: route.abort())
    player.locator("#can-1-react button").tap()
    said = player.locator("#said")
    expect(said).to_contain_text("You’re offline. This will be sent when you reconnect.")
    expect(said.get_by_role("button", name="Don’t send")).to_be_visible()
    said.get_by_role("button", name="Dismiss").tap()
    expect(said).to_be_empty()
    player.unroute("**/do")
    expect(player.locator("#have-1 .fig b")).to_have_text("11")


def test_a_laptop_clock_that_is_set_back_stops_no_taps(evening: Evening, player: Page) -> None:
    react = player.locator("#can-1-react button")
    react.tap()
    expect(player.locator("#have-1 .fig b")).to_have_text("11")
    player.evaluate("() => { const now = Date.now; Date.now = () => now() - 600000; }")
    player.clock.run_for(1000)
    react.tap()
    expect(player.locator("#have-1 .fig b")).to_have_text("9")


def test_a_form_that_is_still_on_its_way_is_not_sent_again(evening: Evening, board: Page) -> None:
    held: list[Route] = []
    sent: list[str] = []

    def hold(route: Route) -> None:
        held.append(route)

    board.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    board.get_by_role("button", name="Add", exact=True).click()
    board.get_by_label("Name").fill("Edda")
    board.route("**/tables/*/add", hold)
    add = board.get_by_role("button", name="Add", exact=True).last
    add.click()
    board.clock.run_for(500)
    add.click()
    # What is still on its way is not taken for done.
    expect(board.get_by_label("Name")).to_have_value("Edda")
    board.unroute("**/tables/*/add")  # which lets go of what was held
    expect(board.get_by_label("Name")).to_have_value("")
    newest = evening.do("react", character="Bryn")
    expect(board.locator("#root")).to_have_attribute("data-seq", str(newest))
    assert len(sent) == 1
    assert [one for one in evening.now.table.characters if "Edda" in one] == ["Edda"]
