"""The start page: a table in one form, the sample table, the tables of this browser, the way in by code."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def start(laptop: NewContext) -> Page:
    page = laptop().new_page()
    page.goto("/")
    return page


def begin(page: Page, name: str, *characters: tuple[str, str]) -> None:
    page.get_by_label("What is it called?").fill(name)
    for at, (character, die) in enumerate(characters, 1):
        page.locator(f"#character-{at}").fill(character)
        page.locator(f"#con-{at}").select_option(die)
    page.get_by_role("button", name="Start the table").click()
    expect(page.locator("#status")).to_have_text("live")
    page.wait_for_load_state("load")  # The page stands before its script does, and a key needs the script.


@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing(
    laptop: NewContext, color_scheme: str, width: int, assert_accessible: Callable[[Page], None]
) -> None:
    page = laptop(color_scheme=color_scheme, viewport={"width": width, "height": 800}).new_page()
    page.goto("/")
    assert_accessible(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_a_table_with_its_characters_in_one_form(start: Page) -> None:
    start.get_by_role("button", name="Add a row").click()
    expect(start.locator("#character-5")).to_be_focused()
    begin(start, "Tuesday evening", ("Ash", "d12"), ("Bryn", "d6"))
    expect(start).to_have_title("Tuesday evening – Winded")
    expect(start.get_by_role("article", name="Ash")).to_contain_text("12 / 12")
    expect(start.get_by_role("article", name="Bryn")).to_contain_text("6 / 6")


def test_the_sample_table(start: Page) -> None:
    start.get_by_role("button", name="Open the sample table").click()
    expect(start.get_by_role("heading", name="Sample table")).to_be_visible()
    expect(start.get_by_role("article")).to_have_count(7)


def test_only_the_tables_this_browser_holds_links_for_are_listed(start: Page, laptop: NewContext) -> None:
    begin(start, "Ours alone", ("Ash", "d8"))
    start.goto("/")
    link = start.get_by_role("link", name="Ours alone")
    expect(link).to_contain_text("Referee")
    expect(link).to_contain_text("Ash")
    other = laptop().new_page()
    other.goto("/")
    assert "Ours alone" not in other.content()
    link.click()
    expect(start.locator("#status")).to_have_text("live")


def test_how_checks_are_rolled_is_asked_and_shown_with_each_push(start: Page) -> None:
    start.get_by_label("How are Checks rolled?").fill("2d10+con")
    begin(start, "Tuesday evening", ("Ash", "d12"))
    start.get_by_role("button", name="Invite & people").click()
    expect(start.get_by_label("Dice, such as 1d20+con")).to_have_value("2d10+con")


def test_dice_that_cannot_be_read_are_named_at_their_field(start: Page) -> None:
    start.get_by_label("What is it called?").fill("Tuesday evening")
    check = start.get_by_label("How are Checks rolled?")
    check.fill("1d20+what")
    start.get_by_role("button", name="Start the table").click()
    expect(start.get_by_role("alert")).to_contain_text("1d20+what")
    expect(check).to_have_value("1d20+what")
    expect(check).to_be_focused()
    expect(check).to_have_attribute("aria-invalid", "true")


def test_house_rules_are_filled_in_without_any_file(start: Page, assert_accessible: Callable[[Page], None]) -> None:
    start.get_by_label("House rules", exact=True).check()
    start.get_by_label("What are they called?").fill("Grim hills")
    start.get_by_label("The first cost").fill("2, 5")
    start.get_by_label("CON Ability Die d12").fill("14")
    start.get_by_label("Channel Casting").uncheck()
    assert_accessible(start)
    begin(start, "Dear reactions", ("Ash", "d12"))
    ash = start.get_by_role("article", name="Ash")
    expect(ash).to_contain_text("14 / 14")
    start.get_by_role("button", name="Rules", exact=True).click()
    sheet = start.get_by_role("dialog")
    expect(sheet).to_contain_text("Grim hills")
    expect(sheet).to_contain_text("Reactions cost 2, 5, 6 Stamina in turn")


def test_a_wrong_house_rule_is_named_at_once_and_after_sending_at_its_field(start: Page) -> None:
    start.get_by_label("What is it called?").fill("Tuesday evening")
    start.get_by_label("House rules", exact=True).check()
    respite = start.get_by_label("Respite", exact=True)
    respite.fill("4/3")
    respite.blur()
    expect(start.get_by_role("alert")).to_contain_text("“rest.respite” must be a whole number from 0 to 99")
    start.get_by_role("button", name="Start the table").click()
    expect(start.locator("#trouble")).to_contain_text("“rest.respite” must be a whole number from 0 to 99")
    expect(respite).to_have_value("4/3")
    expect(respite).to_be_focused()
    # What is not chosen is not in the way.
    start.get_by_label("The rules page, unchanged").check()
    begin(start, "Tuesday evening", ("Ash", "d12"))


def test_house_rules_are_pasted_or_uploaded(start: Page, tmp_path: Path) -> None:
    start.get_by_label("House rules from a TOML file").check()
    start.get_by_label("Or paste it").fill("[reactions]\ncosts = [2, 5]\n")
    begin(start, "Dear reactions", ("Ash", "d12"))
    start.keyboard.press("c")
    expect(start.locator(".drive .main")).to_have_text("Begin turns")
    expect(start.locator(".still")).to_have_count(0)
    start.keyboard.press("n")
    react = start.get_by_role("article", name="Ash").get_by_role("button", name=re.compile("^React"))
    expect(react).to_contain_text("2 Stamina, leaves 10, next 5")
    start.get_by_role("button", name="Rules", exact=True).click()
    expect(start.get_by_role("dialog")).to_contain_text("house rule")

    file = tmp_path / "house.toml"
    file.write_text('name = "Tall folk"\n[dice]\nd20 = 20\nd6 = 6\n', encoding="utf-8")
    start.goto("/")
    start.get_by_label("House rules from a TOML file").check()
    start.get_by_label("A file", exact=True).set_input_files(file)
    # The dice of the house can be chosen as soon as its rules are here.
    expect(start.locator("#con-1 option").first).to_have_text("d20")
    begin(start, "Tall folk", ("Ash", "d20"))
    expect(start.get_by_role("img", name="20 of 20 Stamina")).to_be_visible()
    expect(start.get_by_role("article", name="Ash")).to_contain_text("CON d20")


def test_wrong_house_rules_are_named_and_nothing_typed_is_lost(start: Page) -> None:
    start.get_by_label("What is it called?").fill("Tuesday evening")
    start.locator("#character-1").fill("Ash")
    start.locator("#con-1").select_option("d6")
    start.get_by_label("House rules from a TOML file").check()
    start.get_by_label("Or paste it").fill("[early]\ncost = 'much'")
    start.get_by_role("button", name="Start the table").click()
    expect(start.get_by_role("alert")).to_contain_text("“early.cost” must be a whole number from 0 to 99")
    expect(start.get_by_label("What is it called?")).to_have_value("Tuesday evening")
    expect(start.locator("#character-1")).to_have_value("Ash")
    expect(start.locator("#con-1")).to_have_value("d6")
    expect(start.get_by_label("Or paste it")).to_have_value("[early]\ncost = 'much'")


def test_wrong_house_rules_are_named_at_once_and_the_dice_stay(start: Page) -> None:
    start.get_by_label("House rules from a TOML file").check()
    start.get_by_label("Or paste it").fill("[early]\ncost = 'much'")
    start.get_by_label("Or paste it").blur()
    expect(start.get_by_role("alert")).to_contain_text("“early.cost” must be a whole number from 0 to 99")
    expect(start.locator("#con-1 option")).to_have_text(["d12", "d10", "d8", "d6"])
    start.get_by_label("Or paste it").fill("[dice]\nd4 = 4\nd10 = 10\nd20 = 16")
    start.get_by_label("Or paste it").blur()
    expect(start.locator("#con-1 option")).to_have_text(["d20", "d10", "d4"])
    expect(start.get_by_role("alert")).to_have_count(0)
    expect(start.locator("#con-1")).to_have_value("d10")


def test_two_characters_of_one_name_are_refused_in_words(start: Page) -> None:
    start.get_by_label("What is it called?").fill("Twins")
    for at in (1, 2):
        start.locator(f"#character-{at}").fill("Ash")
    start.get_by_role("button", name="Start the table").click()
    expect(start.get_by_role("alert")).to_contain_text("The name Ash is taken at this table.")


def test_a_wrong_code_says_so(start: Page) -> None:
    start.get_by_label("The code the Referee shows").fill("AAAA-AAAA")
    start.get_by_role("button", name="Join", exact=True).click()
    expect(start.get_by_role("alert")).to_contain_text("No table has this code.")
    # On the form still, with what was typed: one letter is put right.
    code = start.get_by_label("The code the Referee shows")
    expect(code).to_have_value("AAAA-AAAA")
    expect(code).to_be_focused()
    expect(start.get_by_role("button", name="Start the table")).to_be_visible()


def test_a_table_comes_back_from_its_file_as_a_copy_beside_the_first(start: Page, tmp_path: Path) -> None:
    begin(start, "There and back", ("Ash", "d10"))
    start.keyboard.press("c")
    expect(start.get_by_role("heading", name="Round 1")).to_be_visible()
    start.get_by_role("button", name="Table", exact=True).click()
    with start.expect_download() as download:
        start.get_by_role("link", name="Export this table").click()
    file = tmp_path / "table.json"
    download.value.save_as(file)
    start.goto("/")
    start.get_by_label("A file from “Export this table”").set_input_files(file)
    start.get_by_role("button", name="Import").click()
    start.get_by_role("button", name="copy").click()
    expect(start.locator("#status")).to_have_text("live")
    expect(start.get_by_role("heading", name="Round 1")).to_be_visible()
    start.goto("/")
    expect(start.get_by_text("There and back", exact=True)).to_have_count(1)
    expect(start.get_by_text("Copy of There and back", exact=True)).to_have_count(1)
