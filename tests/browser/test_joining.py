"""Sitting down at a table: by the invitation or its code, with a name and no account, in one's own language."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server
from winded.rules import AddCharacter, Side

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    wolves = AddCharacter("Lurker", con="d8", side=Side.ENEMY, hidden=True)
    found = Evening(server.address, server.database, (*PARTY, wolves))
    yield found
    found.close()


@pytest.fixture
def page(phone: NewContext) -> Page:
    return phone().new_page()


def test_an_invitation_asks_for_a_name_and_leads_to_the_phone(page: Page, evening: Evening) -> None:
    page.goto(f"/join/{evening.invitation.token}")
    expect(page.get_by_role("heading", name="Join Thursday night")).to_be_visible()
    expect(page.get_by_text("Lurker")).to_have_count(0)
    page.get_by_label("Your name").fill("Mia")
    page.get_by_role("checkbox", name="Ash").check()
    page.get_by_role("checkbox", name="Della").check()
    page.get_by_role("button", name="Join the table").tap()
    expect(page).to_have_url(f"/tables/{evening.id}")
    expect(page.locator("#status")).to_have_text("live")
    expect(page.locator(".hand h2 bdi").first).to_have_text("Ash")
    expect(page.locator("#tabs a")).to_have_count(3)
    expect(page.locator("#lines")).to_contain_text("Mia plays Della.")


def test_the_short_code_is_typed_in_any_case_and_spacing(page: Page, evening: Evening) -> None:
    assert evening.invitation.code is not None
    page.goto("/join")
    page.get_by_label("The code on the Referee’s screen").fill(evening.invitation.code.replace("-", " ").lower())
    page.get_by_role("button", name="Continue").tap()
    page.get_by_label("Your name").fill("Jo")
    page.get_by_role("button", name="Join the table").tap()
    expect(page.get_by_role("heading", name="Which character do you play?")).to_be_visible()


def test_a_wrong_code_says_so_in_words(page: Page, evening: Evening) -> None:
    page.goto("/join")
    page.get_by_label("The code on the Referee’s screen").fill("AAAA-AAAA")
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_role("alert")).to_contain_text("No table has this code.")
    expect(page.get_by_label("The code on the Referee’s screen")).to_have_value("AAAA-AAAA")


def test_a_link_that_is_no_longer_good_says_so_and_what_to_do(page: Page, evening: Evening) -> None:
    given = evening.player("Mia", "Ash")
    evening.revoke(given)
    for address in (f"/l/{given.token}", "/l/nothing", "/join/nothing"):
        page.goto(address)
        expect(page.get_by_role("main")).to_contain_text(
            "This link is invalid or has expired. Ask the Referee for a new one."
        )


def test_a_new_invitation_ends_the_one_before_it(page: Page, evening: Evening) -> None:
    before = evening.invitation.token
    evening.invite_anew()
    page.goto(f"/join/{before}")
    expect(page.get_by_role("main")).to_contain_text(
        "This link is invalid or has expired. Ask the Referee for a new one."
    )
    page.goto(f"/join/{evening.invitation.token}")
    expect(page.get_by_label("Your name")).to_be_visible()


def test_whoever_is_at_the_table_already_goes_back_to_it(page: Page, evening: Evening) -> None:
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    page.goto(f"/join/{evening.invitation.token}")
    expect(page.get_by_text("You are already at this table, as Mia.")).to_be_visible()
    expect(page.get_by_label("Your name")).to_be_hidden()
    page.get_by_role("link", name="Go to the table").tap()
    expect(page.locator("#have-1")).to_be_visible()


def test_a_name_of_odd_signs_is_shown_as_it_was_written(page: Page, evening: Evening) -> None:
    name = "<b>Миа</b> & ميا"
    page.goto(f"/join/{evening.invitation.token}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the table").tap()
    expect(page.locator("#lines bdi").first).to_have_text(name)


def test_every_page_speaks_the_browsers_language_and_can_be_switched(evening: Evening, phone: NewContext) -> None:
    page = phone(locale="de-DE").new_page()
    page.goto(f"/join/{evening.invitation.token}")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name="English").tap()
    expect(page).to_have_url(f"/join/{evening.invitation.token}")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("button", name="English")).to_have_attribute("aria-pressed", "true")
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    page.locator("#tabs a").last.tap()
    page.get_by_role("button", name="Deutsch").tap()
    expect(page).to_have_url(f"/tables/{evening.id}")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_language_switch_leads_to_no_other_site(evening: Evening, phone: NewContext) -> None:
    context = phone()
    for back in ("https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)"):
        answer = context.request.post(f"{evening.address}/language", form={"to": "de", "back": back}, max_redirects=0)
        assert answer.headers["location"] == "/"


def test_the_token_is_in_no_address_after_the_first_visit_and_out_of_reach_of_scripts(
    page: Page, evening: Evening
) -> None:
    given = evening.player("Mia", "Ash")
    page.goto(f"/l/{given.token}")
    expect(page.locator("#status")).to_have_text("live")
    assert given.token not in page.url
    assert given.token not in page.content()
    assert page.evaluate("() => document.cookie") == ""
