"""Networks as they are: login pages in the way, streams that do not come through, many pages of one browser."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import INSECURE_HOST
from tests.browser.evening import PARTY, Evening
from tests.serving import Server
from winded.rules import StartCombat

NewContext = Callable[..., BrowserContext]

LOGIN = "<!doctype html><title>Guest network</title><main><p class=message>Please sign in to our network</p></main>"
ALIVE = re.compile("live|updates every 2 s")
FOREIGN = [("text/html", LOGIN), ("application/json", "{}"), ("text/plain", "")]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, (*PARTY, StartCombat()))
    yield found
    found.close()


@pytest.mark.parametrize(("kind", "text"), FOREIGN)
def test_an_answer_that_is_not_ours_is_none_and_the_act_is_sent_once(
    kind: str, text: str, evening: Evening, phone: NewContext
) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    before = evening.now.number

    def portal(route: Route) -> None:
        route.fulfill(status=200, content_type=kind, body=text)

    page.route("**/do", portal)
    page.locator("#open-1-resist-stamina summary").tap()
    page.locator("#can-1-resist-stamina").get_by_label("Hardship").select_option("fear")
    page.locator("#can-1-resist-stamina").get_by_role("button", name="1 leaves 11").tap()
    expect(page.locator("#said")).to_contain_text("You’re offline. This will be sent when you reconnect.")
    expect(page.get_by_text("Please sign in")).to_have_count(0)
    # What was filled in is still there.
    expect(page.locator("#open-1-resist-stamina")).to_have_attribute("open", "")
    expect(page.locator("#can-1-resist-stamina").get_by_label("Hardship")).to_have_value("fear")
    assert evening.now.number == before
    page.unroute("**/do")
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#said")).to_be_empty()
    assert evening.now.number == before + 1


@pytest.mark.parametrize(("kind", "text"), FOREIGN)
def test_foreign_html_is_never_shown_as_a_sheet(kind: str, text: str, evening: Evening, laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    board.route("**/sheet/*", lambda route: route.fulfill(status=200, content_type=kind, body=text))
    board.get_by_role("button", name="Add", exact=True).click()
    expect(board.locator("#said")).to_contain_text("You’re offline. This opens when you reconnect")
    expect(board.locator("#sheet")).to_be_hidden()
    expect(board.get_by_text("Please sign in")).to_have_count(0)


def test_a_login_page_in_the_way_of_everything_is_shown_as_being_behind(evening: Evening, phone: NewContext) -> None:
    page = phone().new_page()
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    page.route("**/live?*", lambda route: route.fulfill(status=200, content_type="text/html", body=LOGIN))
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#status")).to_contain_text("Behind since")
    page.unroute("**/live?*")
    expect(page.locator("#status")).to_have_text("live")


def test_where_no_stream_comes_through_the_page_asks_now_and_then_and_says_so(
    evening: Evening, phone: NewContext
) -> None:
    page = phone().new_page()
    page.route("**/live?*", lambda route: route.continue_() if "once=1" in route.request.url else route.abort())
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    expect(page.locator("#status")).to_have_text("updates every 2 s")
    evening.do("react", character="Ash")
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    page.locator("#can-1-react button").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("9")
    expect(page.locator("#status")).to_have_text("updates every 2 s")


def test_nine_pages_of_one_browser_all_load_all_follow_and_all_act(evening: Evening, laptop: NewContext) -> None:
    browser = laptop()
    first = evening.open(browser, evening.referee)
    pages = [first, *(browser.new_page() for _ in range(8))]
    for page in pages[1:]:
        page.goto(first.url)
    for page in pages:
        expect(page.locator("#status")).to_have_text(ALIVE)
    last = pages[-1]
    expect(last.locator("#status")).to_have_text("updates every 2 s")
    last.locator("#seat-1").get_by_role("button", name="Act early").click()
    for page in pages:
        expect(page.locator("#seat-1 .fig b")).to_have_text("11")
    # Those who stay go live again when others leave, and go on.
    for page in pages[:5]:
        page.close()
    for page in pages[5:]:
        expect(page.locator("#status")).to_have_text("live")
    last.locator("#seat-2").get_by_role("button", name="Act early").click()
    for page in pages[5:]:
        expect(page.locator("#seat-2 .fig b")).to_have_text("7")


def test_a_page_that_asks_now_and_then_goes_live_as_another_leaves(evening: Evening, laptop: NewContext) -> None:
    browser = laptop()
    pages = [evening.open(browser, evening.referee), *(browser.new_page() for _ in range(3))]
    for page in pages[1:]:
        page.goto(pages[0].url)
    waiting = browser.new_page()
    waiting.clock.install()
    waiting.goto(pages[0].url)
    expect(waiting.locator("#status")).to_have_text("updates every 2 s")
    # From here on nothing that it plans for later comes about.
    waiting.clock.pause_at(waiting.evaluate("Date.now()") / 1000 + 1)
    pages[0].close()
    expect(waiting.locator("#status")).to_have_text("live")


def reach_by_name(server: Server) -> str:
    return f"http://{INSECURE_HOST}:{urlsplit(server.address).port}"


def test_a_phone_that_cannot_stay_awake_says_so(evening: Evening, server: Server, phone: NewContext) -> None:
    player = evening.player("Mia", "Ash")
    told = "This browser cannot keep the screen awake here."
    for address, says in ((reach_by_name(server), True), (server.address, False)):
        page: Page = phone(secure=not says, base_url=address).new_page()
        page.goto(f"/l/{player.token}")
        expect(page.locator("#status")).to_have_text("live")
        page.locator("#tabs a").last.tap()
        assert page.evaluate("isSecureContext") is not says
        expect(page.get_by_text(told)).to_be_visible() if says else expect(page.get_by_text(told)).to_be_hidden()
