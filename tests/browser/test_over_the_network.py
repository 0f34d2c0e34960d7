"""What a phone in the house's network sees: plain http at a name that is no secure context, where browsers say less."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database)
    yield found
    found.close()


@pytest.fixture
def page(phone: NewContext) -> Page:
    return phone().new_page()


def test_a_player_joins_by_the_invitation(page: Page, evening: Evening) -> None:
    page.goto(f"/join/{evening.invitation.token}")
    assert not page.evaluate("isSecureContext")
    page.get_by_label("Your name").fill("Mia")
    page.get_by_role("checkbox", name="Ash").check()
    page.get_by_role("button", name="Join the table").tap()
    expect(page.locator("#status")).to_have_text("live")
    expect(page.locator(".hand h2 bdi").first).to_have_text("Ash")


def test_a_player_joins_by_the_short_code(page: Page, evening: Evening) -> None:
    assert evening.invitation.code is not None
    page.goto("/join")
    page.get_by_label("The code on the Referee’s screen").fill(evening.invitation.code)
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_label("Your name")).to_be_visible()


def test_the_sample_table_is_opened(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Open the sample table").click()
    expect(page.locator("#status")).to_have_text("live")


def test_the_language_is_switched(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_form_sent_as_from_nowhere_is_turned_away(page: Page, server: Server) -> None:
    to = f"{server.address}/language"
    answer = page.context.request.post(to, form={"to": "de"}, headers={"Origin": "null"}, max_redirects=0)
    assert answer.status == 403
