"""The first evening of docs/tutorial/first-evening.md, as it stands there, in every browser engine.

The Referee and the players come from other machines, by http, in two networks; in the middle of it a copy of the whole
database is brought back, with every screen open.
"""

import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from tests.engines.conftest import Laptop
from tests.engines.devices import Device, Hand
from tests.serving import WINDED

STATUS = "//*[@id='status']"
CLOSE = "//dialog[@open]//button[@aria-label='Close' or contains(., 'Close')]"
GIVEN = "[...document.querySelectorAll('[id^=given-address]')].map(one => one.value)"


def stamina(seat: int) -> str:
    return f"//*[@id='have-{seat}']//*[contains(@class, 'fig')]/b"


def button(words: str) -> str:
    return f"//button[contains(normalize-space(.), '{words}')]"


def winded(laptop: Laptop, *command: str | Path) -> None:
    """A command typed at the laptop while the server runs."""
    database = ("--database", laptop.server.database)
    subprocess.run([*laptop.server.within, WINDED, *command, *database], check=True, stdout=sys.stderr)


def test_the_first_evening_with_a_restore_in_the_middle(hand: Hand, laptop: Laptop, tmp_path: Path) -> None:
    # Start
    board = hand()
    board.go(laptop.address)
    assert board.run("isSecureContext") is False
    board.tap(button("Open the sample table"))
    board.wait_for(STATUS, "live")

    # Let the players in
    board.tap(button("Invite & people"))
    board.tap(button("Invite players"))
    board.wait_for("//dialog", "Players scan this")
    given = board.run(GIVEN)
    assert {urlsplit(one).hostname for one in given} == {urlsplit(one).hostname for one in laptop.addresses}
    assert board.run("document.querySelectorAll('dialog svg').length >= 1")

    def sit_down(number: int, name: str, character: str) -> Device:
        device = hand()
        device.go(given[number % len(given)])
        device.type("//input[@name='name']", name)
        device.tap(f"//label[contains(., '{character}')]")
        device.tap(button("Join the table"))
        device.wait_for(STATUS, "live")
        return device

    ash, brakka, bryn = sit_down(0, "Mia", "Ash"), sit_down(1, "Jo", "Brakka"), sit_down(2, "Lu", "Bryn")
    if len(laptop.addresses) > 1:  # By a name everyone is this computer itself.
        board.wait_for("//dialog", "Other devices reach Winded.")
    board.tap(CLOSE)

    # Fight a round
    board.tap(button("Start combat"))
    ash.tap(button("Act early"))
    ash.wait_for(stamina(1), "9")
    board.tap(button("Begin turns"))
    board.tap(button("Start Ash"))
    ash.wait_for("//*[@id='moment']", "Ash's turn")
    winded(laptop, "backup", tmp_path / "copy.sqlite")
    board.tap(button("Ash is done"))
    brakka.tap(button("React"))
    brakka.wait_for(stamina(2), "9")

    # The copy is put back: as if nothing since had happened, on every screen, and it goes on from there.
    winded(laptop, "restore", tmp_path / "copy.sqlite")
    board.wait_for(button("Ash is done"), "Ogre")
    for phone in (ash, brakka, bryn):
        phone.wait_for("//*[@id='moment']", "Ash's turn")
    for device in (board, ash, brakka, bryn):
        device.wait_for(STATUS, "live")
    brakka.wait_for(stamina(2), "10")
    board.tap(button("Ash is done"))
    brakka.tap(button("React"))
    brakka.wait_for(stamina(2), "9")
    # A page that is loaded anew takes the same press at once.
    brakka.go(brakka.run("location.href"))
    brakka.tap(button("React"))
    brakka.wait_for(stamina(2), "7")

    # Somebody pressed the wrong button
    board.tap(button("Undo"))
    brakka.wait_for(stamina(2), "9")

    # Push a Check
    bryn.tap("//summary[contains(., 'push')] | //*[contains(text(), 'push with up to')]")
    bryn.type("//input[@name='strain']", "hanging from a rope")
    bryn.tap(button("+2"))
    bryn.wait_for(stamina(3), "3")
    bryn.type("//input[@name='roll']", "11")
    bryn.tap(button("Enter"))
    board.wait_for("//*[@id='lines']", "11 + 2 = 13")

    # Take a Wound, and rest
    board.tap("//button[@aria-label='More about Ash']")
    board.type("//dialog[@open]//input[@name='wound']", "a bite")
    board.tap(button("Take a Wound"))
    ash.wait_for(stamina(1), "8")
    board.tap(CLOSE)
    board.tap(button("End combat"))
    board.tap("//button[normalize-space(.)='Rest']")
    board.wait_for("//dialog[@open]", "Ash 8 / 8")
    board.enter(button("Safe Long Rest"))
    bryn.wait_for(stamina(3), "8")
    brakka.wait_for(stamina(2), "10")
    board.wait_for("//*[@id='lines']", "Safe Long Rest")
