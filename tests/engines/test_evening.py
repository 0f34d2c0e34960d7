"""A first evening in every browser engine, at an address that is no secure context."""

from tests.browser.evening import Evening
from tests.engines.conftest import Laptop
from tests.engines.devices import Device, Hand
from winded.service.links import Given

STATUS = "//*[@id='status']"
STAMINA = "//*[@id='have-1']//*[contains(@class, 'fig')]/b"


def button(words: str) -> str:
    return f"//button[contains(normalize-space(.), '{words}')]"


def opened(hand: Hand, laptop: Laptop, given: Given) -> Device:
    device = hand()
    device.go(f"{laptop.address}/l/{given.token}")
    device.wait_for(STATUS, "live")
    return device


def test_a_player_joins_by_the_invitation_and_acts_before_everyones_eyes(
    hand: Hand, laptop: Laptop, evening: Evening
) -> None:
    board = opened(hand, laptop, evening.referee)
    mia = hand()
    mia.go(f"{laptop.address}/join/{evening.invitation.token}")
    assert mia.run("isSecureContext") is False
    mia.type("//input[@name='name']", "Mia")
    mia.tap("//label[contains(., 'Ash')]")
    mia.tap(button("Join the table"))
    mia.wait_for(STATUS, "live")
    mia.wait_for(STAMINA, "12")

    board.tap(button("Start combat"))
    mia.wait_for("//*[@id='moment']", "who acts early?")
    mia.tap(button("Act early"))
    mia.wait_for(STAMINA, "11")
    board.wait_for("//*[@id='seat-1']", "acts early")
    board.tap(button("Begin turns"))
    mia.wait_for("//*[@id='moment']", "the order is fixed")
    assert evening.character("Ash").stamina == 11


def test_what_others_do_is_seen_as_it_happens_and_taken_back_as_well(
    hand: Hand, laptop: Laptop, evening: Evening
) -> None:
    mia = opened(hand, laptop, evening.player("Mia", "Ash"))
    evening.do("take_wound", character="Ash", wound="cracked ribs")
    mia.wait_for(STAMINA, "10")
    evening.do("undo")
    mia.wait_for(STAMINA, "12")


def test_the_laptop_goes_away_and_comes_back_and_the_phone_heals_by_itself(
    hand: Hand, laptop: Laptop, evening: Evening
) -> None:
    mia = opened(hand, laptop, evening.player("Mia", "Ash"))
    mia.run("(() => { window.first = true; return true; })()")
    laptop.restart()
    evening.do("adjust", character="Ash", by=-3, reason="a long march")
    mia.wait_for(STAMINA, "9")
    mia.wait_for(STATUS, "live")
    assert mia.run("window.first") is True


def test_the_first_page_speaks_and_opens_the_sample_table(hand: Hand, laptop: Laptop) -> None:
    referee = hand()
    referee.go(laptop.address)
    referee.tap(button("Deutsch"))
    referee.wait_for("//main", "Ohne Tisch")
    assert referee.run("document.documentElement.lang") == "de"
    referee.tap(button("English"))
    referee.wait_for("//main", "Without a table")
    referee.tap(button("Open the sample table"))
    referee.wait_for(STATUS, "live")
    referee.tap(button("Start combat"))
    referee.wait_for("//*[@id='round']", "who acts early?")
