"""Odds on real screens: the chance of each push where it is declared, what is ahead, and the pages without a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server
from winded.charts.ahead import left_words
from winded.odds import HABITS, check, sketch_from_text, what_is_ahead
from winded.rules import AddCharacter, Side, Table

NewContext = Callable[..., BrowserContext]

TABLE = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Wolf", con="d8", side=Side.ENEMY, hidden=True),
)
SKETCH = "fight The mill rounds=3 early=1/2 reactions=1; rest short; fight The road home rounds=3 early=1 reactions=2"


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    one = Evening(server.address, server.database, TABLE)
    one.company("set_check_dice", dice="1d20+con")
    yield one
    one.close()


def board_check(page: Page, name: str) -> Locator:
    """The board's sheet of a Check, opened."""
    seat = page.get_by_role("article", name=name, exact=True)
    seat.locator("[data-sheet*=declare_check]").first.click()
    return page.get_by_role("dialog")


def phone_check(page: Page) -> Locator:
    """A Check on a phone, opened, over the rest."""
    page.locator("[id$=-declare_check-push] > summary").click()
    return page.locator(".checking")


def type_target(place: Locator, target: int) -> None:
    place.get_by_label("Target", exact=True).fill(str(target))
    expect(place.locator(".odds caption")).to_contain_text(f"against {target}")


def aim(hand: Locator, target: int) -> None:
    """Set a phone's target: each push shows its chance once it is known."""
    hand.locator("[name=target]").fill(str(target))
    expect(hand.locator(".amounts button").first).to_contain_text("%")


def chances(place: Locator) -> list[str]:
    found: list[str] = place.locator("[data-chance]").evaluate_all("all => all.map(one => one.dataset.chance)")
    return found


def leaves(place: Locator) -> list[str]:
    return place.locator(".odds tbody td:last-child").all_inner_texts()


def expected(target: int, con: str, most: int, bonus: int = 1) -> list[str]:
    return [f"{one.ways}/{one.of}" for one in check("1d20+con", target, most, con=con, push_bonus=bonus).pushes]


def percents(target: int, con: str, most: int) -> list[str]:
    """The chance of each push as a phone shows it."""
    return [f" {100 * one.ways / one.of:.1f} %" for one in check("1d20+con", target, most, con=con).pushes]


def test_board_and_phone_show_the_chance_of_each_push_as_the_target_is_typed(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = board_check(evening.open(laptop(), evening.referee), "Bryn")
    expect(board.locator(".odds-targets")).to_be_visible()
    type_target(board, 15)
    assert chances(board) == expected(15, "d8", 8)
    assert leaves(board) == [str(left) for left in range(8, -1, -1)]
    expect(board.get_by_role("status")).to_contain_text("52.5 in 100 without a push. 57.5 with 1 Stamina.")
    type_target(board, 20)
    assert chances(board) == expected(20, "d8", 8)
    board.get_by_label("Target", exact=True).fill("")
    expect(board.locator(".odds-targets")).to_be_visible()
    hand = phone_check(evening.open(phone(), evening.player("Mia", "Bryn")))
    for target in (15, 20):
        hand.locator("[name=target]").fill(str(target))
        expect(hand.locator(".amounts button")).to_contain_text(percents(target, "d8", 8))


def test_the_chances_follow_the_table_while_a_target_is_being_typed(
    evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    board = board_check(evening.open(laptop(), evening.referee), "Bryn")
    hand = phone_check(evening.open(phone(), evening.player("Mia", "Bryn")))
    type_target(board, 15)
    hand.locator("[name=target]").fill("15")
    expect(hand.locator(".amounts button").first).to_contain_text("52.5 %")
    evening.do("take_wound", character="Bryn", wound="cracked ribs")
    expect(board.locator(".odds tbody tr")).to_have_count(7)
    assert chances(board) == expected(15, "d6", 6)
    expect(board.get_by_label("Target", exact=True)).to_have_value("15")
    expect(hand.locator(".amounts button")).to_contain_text(percents(15, "d6", 6))
    expect(hand.locator("[name=target]")).to_have_value("15")


def test_other_dice_and_a_wrong_target_are_shown_in_place(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.referee)
    board = board_check(page, "Ash")
    type_target(board, 15)
    board.get_by_label("Target", exact=True).fill("1234")
    expect(board.locator(".odds")).to_contain_text("must be a whole number from -999 to 999".replace("-", "−"))
    type_target(board, 7)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Invite & people").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(re.compile("^Dice, such as")).fill("2d1x")
    sheet.locator("form:has(#people-check) button").click()
    expect(sheet.locator(".said")).to_contain_text("cannot be read at column 4")
    sheet.get_by_label(re.compile("^Dice, such as")).fill("2d12kh1")
    sheet.locator("form:has(#people-check) button").click()
    expect(page.locator("#lines")).to_contain_text("Checks are rolled with 2d12kh1.")
    page.keyboard.press("Escape")
    board = board_check(page, "Ash")
    type_target(board, 12)
    assert chances(board)[:3] == ["23/144", "44/144", "63/144"]


def words(table: Table, habit: str = "freely") -> dict[str, str]:
    found = what_is_ahead(table, sketch_from_text(SKETCH, "1d20+con"), usual=HABITS[habit])
    return {one.name: str(left_words(one.stamina[-1].tolist())) for one in found.characters}


def open_ahead(page: Page, sketch: str = SKETCH) -> Locator:
    page.evaluate("sketch => { location.hash = 'ahead?' + new URLSearchParams({ sketch }) }", sketch)
    page.reload()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name="What is ahead")).to_be_visible()
    return sheet


def line(sheet: Locator, name: str) -> Locator:
    return sheet.locator(".ahead-sum li", has_text=name)


def test_the_referee_sees_what_is_ahead_and_it_follows_the_table(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.referee)
    sheet = open_ahead(page)
    for name, left in words(evening.now.table).items():
        expect(line(sheet, name)).to_contain_text(f"at the end: {left}")
    expect(sheet.locator("svg.odds-chart")).to_have_count(2)
    assert "Wolf" not in sheet.inner_text()
    evening.do("adjust", character="Ash", by=-9, reason="a long day")
    expect(sheet.get_by_role("heading", name="Ash")).to_contain_text("3 of 12 now")
    for name, left in words(evening.now.table).items():
        expect(line(sheet, name)).to_contain_text(f"at the end: {left}")


def test_the_sketch_is_changed_row_by_row_and_stands_in_the_address(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.referee)
    page.get_by_role("button", name="What is ahead").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".ahead-step")).to_have_count(1)
    sheet.get_by_role("button", name="+ Rest").click()
    expect(sheet.locator(".ahead-step")).to_have_count(2)
    expect(sheet.locator("#rest-1")).to_be_focused()
    expect(page.locator("#said")).to_have_text("")
    sheet.locator("#rest-1").select_option("respite")
    expect(page).to_have_url(re.compile("#ahead.*rest\\+respite"))
    sheet.locator("#fight-0").fill("Wolves at the mill")
    expect(page).to_have_url(re.compile("#ahead.*Wolves\\+at\\+the\\+mill"))
    expect(line(sheet, "Ash")).to_contain_text("at the end: exactly 12 left")
    sheet.get_by_label("Everyone spends").select_option("never")
    expect(line(sheet, "Ash")).to_contain_text("exactly 12 left")
    sheet.get_by_role("button", name="Step 2 earlier").click()
    expect(sheet.locator("#rest-0")).to_have_value("respite")
    expect(sheet.locator("#fight-1")).to_have_value("Wolves at the mill")
    sheet.get_by_role("button", name="Remove step 1").click()
    expect(sheet.locator(".ahead-step")).to_have_count(1)

    # Shared as an address: as a page of its own, on another device; and the board opens the sheet again.
    other = laptop().new_page()
    other.goto(f"/l/{evening.referee.token}")
    there = sheet.get_by_role("link", name=re.compile("page of its own")).get_attribute("href")
    assert there is not None
    other.goto(there)
    expect(other.locator("#fight-0")).to_have_value("Wolves at the mill")
    page.reload()
    expect(sheet.locator("#fight-0")).to_have_value("Wolves at the mill")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/tables/[a-z0-9]+$"))
    page.get_by_role("button", name="What is ahead").click()
    expect(sheet.locator("#fight-0")).to_have_value("Wolves at the mill")


def test_without_a_connection_it_says_so_and_goes_on_afterwards(evening: Evening, laptop: NewContext) -> None:
    context = laptop()
    page = evening.open(context, evening.referee)
    page.get_by_role("button", name="What is ahead").click()
    sheet = page.get_by_role("dialog")
    expect(page).to_have_url(re.compile("#ahead"))
    context.set_offline(True)
    sheet.get_by_role("button", name="+ Rest").click()
    expect(sheet.get_by_role("alert").filter(has_text="Please try again")).to_be_visible()
    context.set_offline(False)
    sheet.get_by_role("button", name="+ Wound").click()
    expect(sheet.locator(".ahead-step")).to_have_count(2)
    expect(sheet.get_by_text("Please try again")).to_have_count(0)


def test_what_is_ahead_by_keyboard_alone(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.referee)
    page.keyboard.press("w")
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("#fight-0")).to_be_visible()
    sheet.locator("#fight-0").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("The ford")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("The\\+ford"))
    expect(sheet.locator(".ahead-step")).to_have_count(1)
    expect(sheet.locator("#fight-0")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page).not_to_have_url(re.compile("rounds%3D3\\+"))
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_the_odds_page_answers_as_one_types_and_keeps_it_in_the_address(laptop: NewContext) -> None:
    page = laptop().new_page()
    page.goto("/")
    page.get_by_role("link", name="Odds of a Check").click()
    page.get_by_label("Target", exact=True).fill("15")
    expect(page.locator("[data-chance]").first).to_have_text("52.5")
    expect(page).to_have_url(re.compile("target=15"))
    page.get_by_label("How the Check is rolled").fill("2d")
    expect(page.get_by_role("alert")).to_contain_text("ends too early")
    page.get_by_label("How the Check is rolled").fill("2d12kh1")
    expect(page.locator("caption").first).to_contain_text("2d12kh1 against 15")
    assert chances(page.locator("main")) == [f"{one.ways}/{one.of}" for one in check("2d12kh1", 15, 5).pushes]
    page.reload()
    expect(page.get_by_label("How the Check is rolled")).to_have_value("2d12kh1")
    expect(page.get_by_label("Target", exact=True)).to_have_value("15")


def test_pages_about_odds_work_without_scripts(laptop: NewContext) -> None:
    page = laptop(java_script_enabled=False).new_page()
    page.goto("/odds")
    page.get_by_label("Target", exact=True).fill("15")
    page.get_by_role("button", name="Show the odds").click()
    expect(page.locator("[data-chance]").first).to_have_text("52.5")
    page.goto("/forecast")
    page.get_by_role("button", name="Forecast this day").click()
    expect(page).to_have_url(re.compile("day="))
    expect(page.locator("svg.odds-chart")).to_have_count(3)


def test_axe_finds_nothing(
    evening: Evening,
    laptop: NewContext,
    phone: NewContext,
    color_scheme: str,
    assert_accessible: Callable[[Page], None],
) -> None:
    page = evening.open(laptop(color_scheme=color_scheme), evening.referee)
    board = board_check(page, "Bryn")
    expect(board.locator(".odds-targets")).to_be_visible()
    assert_accessible(page)
    type_target(board, 15)
    assert_accessible(page)
    open_ahead(page).locator("summary").first.click()
    assert_accessible(page)
    for address in ("/odds", "/odds?dice=1d20%2Bcon&con=d8&target=15", "/odds?dice=x", "/forecast"):
        page.goto(address)
        assert_accessible(page)
    hand = evening.open(phone(color_scheme=color_scheme), evening.player("Mia", "Bryn"))
    aim(phone_check(hand), 15)
    assert_accessible(hand)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_cut_off_at_320_pixels(evening: Evening, phone: NewContext, locale: str) -> None:
    narrow = phone(viewport={"width": 320, "height": 640}, locale=locale)
    page = narrow.new_page()

    def fits(where: str) -> None:
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 320, (where, wide)

    for address in ("/odds", "/odds?dice=1d20%2Bcon&con=d8&target=15", "/forecast"):
        page.goto(address)
        fits(address)
    page.goto(f"/l/{evening.referee.token}")
    page.goto(f"/tables/{evening.id}/ahead")
    fits("ahead")
    page.goto(f"/tables/{evening.id}#ahead")
    page.reload()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".ahead-step").first).to_be_visible()
    assert sheet.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    hand = phone(viewport={"width": 320, "height": 640}, locale=locale).new_page()
    hand.goto(f"/l/{evening.player('Mia', 'Bryn').token}")
    tile = phone_check(hand)
    aim(tile, 15)
    assert tile.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


def test_bars_are_told_apart_without_colours(evening: Evening, laptop: NewContext) -> None:
    board = board_check(evening.open(laptop(), evening.referee), "Bryn")
    type_target(board, 15)
    looks = (
        board.locator(".odds-bar")
        .nth(3)
        .locator("rect")
        .evaluate_all(
            "all => all.map(one => { const { fill, fillOpacity, stroke } = getComputedStyle(one);"
            " return [fill, fillOpacity, stroke].join() })"
        )
    )
    assert len(set(looks)) == 3


def test_the_first_load_of_the_board_brings_nothing_of_odds(evening: Evening, laptop: NewContext) -> None:
    context = laptop()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    evening.open(context, evening.referee)
    assert not [url for url in asked if "odds." in url]
