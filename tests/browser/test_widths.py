"""Nothing is wider than the screen: every page and sheet, at every size, with ordinary and with long names."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server
from winded.rules import AddAbility, AddCharacter, Command, Side, StartCombat, TakeWound

NewContext = Callable[..., BrowserContext]

WIDTHS = (320, 390, 820, 1280)
NAMES = {
    "ordinary": (
        "Sir Aldric Vane",
        "Marguerite de la Cour",
        "Thorn Ironfoot",
        "Brother Anselm",
        "Lady Isolde Grey",
        "Old Mirren",
    ),
    "long": (
        "Donaudampfschifffahrtsgesellschaftskapit",
        "W" * 40,
        "Æthelflæd Æthelstansdohtor of the Marches",
        "Bartholomew-Maximilian Fitzwilliam-Hoare",
        "مرحبا بالعالم الطويل جدا هنا في القصة",
        "超長い名前の勇者様がここに座っています本当に",
    ),
}

# What sticks out of the page to either side; what lies in a box that scrolls sideways by itself may be wider than it.
OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth, found = [];
    const scrolls = one => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) && one !== document.body
        && !one.matches("html, dialog, .sheet, .phone") || scrolls(one.parentElement));
    const hidden = one => getComputedStyle(one).clipPath !== "none" || one.closest(".hear, .away, .skip, [hidden]");
    if (document.documentElement.scrollWidth > wide) found.push("the page is " + document.documentElement.scrollWidth + " px wide");
    const top = document.querySelector("dialog[open]") ?? document.body;
    for (const one of top.querySelectorAll("*")) {
        const box = one.getBoundingClientRect();
        if (!box.width || !box.height || hidden(one) || scrolls(one.parentElement) || one.closest("svg > *")) continue;
        if (box.right > wide + 1 || box.left < -1) found.push(one.outerHTML.slice(0, 90) + " " + Math.round(box.left) + "-" + Math.round(box.right));
    }
    return found.slice(0, 5);
}"""  # noqa: E501


@pytest.fixture(params=NAMES)
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(name[:40] for name in NAMES[request.param])


@pytest.fixture
def evening(server: Server, names: tuple[str, ...]) -> Iterator[Evening]:
    commands: list[Command] = [
        AddCharacter(name, con=die) for name, die in zip(names, ("d12", "d10", "d8") * 2, strict=True)
    ]
    commands += [
        AddCharacter(names[0][:30] + " Captain", con="d12", side=Side.ENEMY),
        AddAbility(names[0], ability=names[0][::-1], cost=2),
        TakeWound(names[0], wound=names[3]),
        StartCombat(),
    ]
    found = Evening(server.address, server.database, commands)
    found.company("set_check_dice", dice="1d20+con")
    yield found
    found.close()


def nothing_sticks_out(page: Page, where: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OUTSIDE) == [], f"{where} at {width}"


def test_the_board_and_its_sheets(evening: Evening, names: tuple[str, ...], laptop: NewContext) -> None:
    board = evening.open(laptop(), evening.referee)
    nothing_sticks_out(board, "the board as everyone declares")
    evening.do("begin_turns")
    evening.do("next_turn")
    evening.do("declare_check", character=names[2], push=1, strain=names[0], target=15)
    expect(board.locator(".line [aria-current=step]")).to_be_visible()
    nothing_sticks_out(board, "the board in a turn")
    sheets = board.locator("[data-sheet]").evaluate_all("all => [...new Set(all.map(one => one.dataset.sheet))]")
    kinds = {sheet.partition("?")[0]: sheet for sheet in sheets if not sheet.startswith("reorder")}
    assert {"rest", "add", "people", "summary", "ahead", "rules", "table", "keys", "history", "act"} <= set(kinds)
    for kind, sheet in kinds.items():
        opener = board.locator(f"[data-sheet='{sheet}']").first
        board.set_viewport_size({"width": 1280, "height": 800})
        opener.evaluate("one => one.click()")
        expect(board.locator("#sheet")).to_be_visible()
        nothing_sticks_out(board, f"the sheet {kind}")
        board.keyboard.press("Escape")
        expect(board.locator("#sheet")).to_be_hidden()


def test_a_phone(evening: Evening, names: tuple[str, ...], laptop: NewContext) -> None:
    player = evening.open(laptop(viewport={"width": 390, "height": 844}), evening.player(names[3], *names[:3]))
    evening.do("begin_turns")
    evening.do("declare_check", character=names[2], push=1, strain=names[0], target=15)
    expect(player.locator("#moment")).to_contain_text("the order is fixed")
    for tab in player.locator("#tabs a").all():
        player.set_viewport_size({"width": 390, "height": 844})
        tab.evaluate("one => one.click()")
        hand = player.locator(str(tab.get_attribute("href")))
        for opens in hand.locator("summary").all():
            opens.evaluate("one => one.parentElement.open = true")
        for width in WIDTHS:
            player.set_viewport_size({"width": width, "height": 800})
            found = player.evaluate(
                """hand => [...document.querySelectorAll(hand + ", header, .sheet, .bar, #asks, footer")]
                    .filter(one => one.closest(hand) || !one.closest(".hand"))
                    .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML.slice(0, 80))""",
                tab.get_attribute("href"),
            )
            assert found == [], f"{tab.inner_text()} at {width}"


def test_those_who_watch(evening: Evening, laptop: NewContext) -> None:
    spectator = evening.spectator()
    watching = evening.open(laptop(), spectator)
    evening.do("begin_turns")
    expect(watching.locator("#moment")).to_contain_text("the order is fixed")
    nothing_sticks_out(watching, "the spectators' page")
    watching.goto(f"/tables/{evening.id}/overlay?key={spectator.token}")
    for width in WIDTHS[2:]:
        watching.set_viewport_size({"width": width, "height": 800})
        assert watching.evaluate(OUTSIDE) == [], f"the overlay at {width}"


def test_the_pages_around_a_table(evening: Evening, names: tuple[str, ...], laptop: NewContext) -> None:
    browser = laptop()
    page = evening.open(browser, evening.player(names[4], names[0]))
    for where in (
        "/",
        "/join",
        f"/join/{evening.invitation.token}",
        f"/l/{evening.referee.token}",
        f"/tables/{evening.id}/ahead",
        "/odds",
        "/odds?dice=1d20%2Bcon&con=d8&target=15&push=9",
        "/forecast",
        "/nowhere",
    ):
        page.goto(where)
        nothing_sticks_out(page, where)
