"""The words of the page explain themselves at a tap, in the rules in force, and each moment has its sentence."""

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


def test_a_word_opens_over_the_phone_and_closes_again(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Ann", "Ash"))
    page.get_by_role("link", name="CON Ability Die").tap()
    sheet = page.get_by_role("dialog", name="CON Ability Die")
    expect(sheet).to_contain_text("d12 → 12, d10 → 10, d8 → 8, d6 → 6")
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    expect(page).to_have_url(f"/tables/{evening.id}")


def test_a_way_to_spend_is_explained_where_it_is_filled_in(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Ann", "Ash"))
    page.locator("summary", has_text="Channel").tap()
    page.get_by_role("link", name="Channel Casting").tap()
    expect(page.get_by_role("dialog", name="Channel Casting")).to_contain_text("the caster")
    page.get_by_role("link", name="All words and rules").tap()
    expect(page.locator("#channel")).to_be_in_viewport()


def test_without_a_script_the_link_leads_to_the_word(evening: Evening, phone: NewContext) -> None:
    page = phone(java_script_enabled=False).new_page()
    page.goto(f"/l/{evening.player('Ann', 'Ash').token}")
    page.get_by_role("link", name="CON Ability Die").tap()
    expect(page.locator("#con")).to_be_in_viewport()
    expect(page.locator("[id='early.cost']")).to_contain_text("1 Stamina lets a character act early")


def test_rests_are_explained_where_they_are_chosen(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.referee)
    page.get_by_role("button", name="Rest", exact=True).click()
    sheet = page.get_by_role("dialog", name="Rest")
    sheet.locator("summary", has_text="Respite").click()
    expect(sheet).to_contain_text("Respite: all Stamina comes back.")


def test_everyone_at_the_table_may_look_words_up(
    evening: Evening, laptop: NewContext, assert_accessible: Callable[[Page], None]
) -> None:
    page = evening.open(laptop(), evening.spectator())
    page.get_by_role("link", name="Words and rules").click()
    expect(page.get_by_role("heading", name="Words and rules")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Thursday night").click()
    expect(page.locator("#status")).to_have_text("live")


def test_the_phone_says_what_there_is_to_decide(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Ann", "Ash"))
    expect(page.locator(".cue")).to_contain_text("Out of combat: Checks can be pushed")
    evening.do("start_combat")
    expect(page.locator(".cue")).to_contain_text("Pay 1 Stamina now to act before the enemy, or keep it")
    # What one does oneself leaves the sentence where it is.
    page.locator("#can-1-react button").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator(".cue")).to_contain_text("Pay 1 Stamina now to act before the enemy, or keep it")
