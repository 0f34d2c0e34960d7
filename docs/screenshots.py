"""Makes the pictures of docs/images anew, from a real server in a real browser: `python -m docs.screenshots`."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.evening import Evening
from tests.serving import Server
from winded.rules import AbilitySource, AddAbility, AddCharacter, Side, TakeWound

IMAGES = Path(__file__).with_name("images")
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

TABLE = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Brakka", con="d10"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Cato", con="d6"),
    AddAbility("Brakka", ability="Shield Wall", cost=2, source=AbilitySource.CLASS),
    AddAbility("Cato", ability="Old Song", cost=0, source=AbilitySource.TRADITION),
    AddCharacter("Ogre", con="d10", side=Side.ENEMY),
    AddCharacter("Wolf 1", side=Side.ENEMY),
    AddCharacter("Wolf 2", side=Side.ENEMY),
    TakeWound("Ash", "cracked ribs"),
)


def fight(evening: Evening) -> None:
    """Into the second round of a fight that has cost everyone something."""
    evening.do("start_combat")
    for name in ("Ash", "Bryn"):
        evening.do("act_early", character=name)
    evening.do("begin_turns")
    for _ in range(8):
        evening.do("next_turn")
    evening.do("react", character="Brakka")
    evening.do("react", character="Ash")
    evening.do("act_early", character="Ash")
    evening.do("act_early", character="Cato")
    evening.do("begin_turns")
    evening.do("next_turn")
    evening.do("channel", character="Bryn", stamina=3)
    evening.do("react", character="Brakka", what="a raised shield")
    evening.do("react", character="Brakka")
    evening.do("undo")
    evening.do("react", character="Cato")


def board(page: Page) -> None:
    page.locator("#seat-2 .acts button").first.hover()


def check(page: Page) -> None:
    page.locator("#seat-1").get_by_role("button", name="Check").click()
    page.get_by_role("dialog").get_by_text("leaves 6").click()
    page.get_by_role("dialog").get_by_label("What makes it hard").fill("keeping a gate shut against pressure")


def still(browser: Browser, evening: Evening, token: str, name: str, scheme: str, size: dict[str, int]) -> None:
    """One picture of what a link leads to."""
    is_phone = size == PHONE
    context = browser.new_context(
        base_url=evening.address,
        viewport=size,
        color_scheme=scheme,
        locale="en-GB",
        device_scale_factor=2 if is_phone else 1,
        is_mobile=is_phone,
        has_touch=is_phone,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"/l/{token}" if token else "/")
    if token:
        page.locator("#status", has_text="live").wait_for()
    if name.startswith("board") and not is_phone:
        board(page)
    if name == "check":
        check(page)
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled", caret="hide")
    context.close()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "winded.sqlite") as server,
        sync_playwright() as web,
    ):
        evening = Evening(server.address, server.database, TABLE)
        referee, player = evening.referee.token, evening.player("Mia", "Brakka").token
        fight(evening)
        chromium = web.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
        )
        still(chromium, evening, "", "start", "light", LAPTOP)
        still(chromium, evening, referee, "board-light", "light", LAPTOP)
        still(chromium, evening, referee, "board-dark", "dark", LAPTOP)
        still(chromium, evening, referee, "board-phone", "light", PHONE)
        still(chromium, evening, referee, "check", "light", LAPTOP)
        still(chromium, evening, player, "phone", "dark", PHONE)
        chromium.close()
        evening.close()


if __name__ == "__main__":
    main()
