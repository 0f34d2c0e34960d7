"""Phones, spectators and streams for everyone: small screens, keyboards, screen readers, no colours, either scheme."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import PARTY, Evening
from tests.pixels import read_png
from tests.serving import Server
from winded.rules import ActEarly, AddCharacter, BeginTurns, NextTurn, Side, StartCombat, TakeWound

NewContext = Callable[..., BrowserContext]

LONG = "Mordecai the Unreasonably Long-Named Owl"
FIGHT = (
    *PARTY,
    AddCharacter(LONG, con="d12"),
    AddCharacter("Wolf", con="d8", side=Side.ENEMY),
    TakeWound("Ash", wound="cracked ribs, and something in the knee that does not sound as it should"),
    StartCombat(),
    ActEarly("Ash"),
    BeginTurns(),
    NextTurn(),
)


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, FIGHT)
    yield found
    found.close()


def everything_open(page: Page) -> None:
    """Open every part of a page that can be opened; several of one name take turns."""
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.name = ''; one.open = true })")


def test_axe_finds_nothing_on_a_players_phone(
    evening: Evening, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    page = evening.open(phone(color_scheme=color_scheme), evening.player("Mia", "Ash", LONG))
    assert_accessible(page)
    everything_open(page)
    assert_accessible(page)
    page.locator("#tabs a").last.click()
    expect(page.locator("#around h2").first).to_be_in_viewport()
    assert_accessible(page)


def test_axe_finds_nothing_on_a_phone_with_asks_a_check_and_a_message(
    server: Server, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    evening = Evening(server.address, server.database, (*PARTY, StartCombat()), permissions="nod")
    page = evening.open(phone(color_scheme=color_scheme), evening.player("Mia", "Ash"))
    page.locator("#can-1-react button").tap()
    expect(page.locator("#asks .wish")).to_have_count(1)
    evening.company("decline", ask=page.locator("#asks .wish").get_attribute("id").removeprefix("ask-"), reason="no")
    page.locator("#can-1-react button").tap()
    evening.do("declare_check", character="Ash", push=1)
    expect(page.locator("#bar-1 form")).to_be_visible()
    assert_accessible(page)
    page.evaluate("() => document.querySelector('#can-1-react button').setAttribute('value', 'do=react&cost=9')")
    page.locator("#can-1-react button").tap()
    expect(page.locator("#said")).to_contain_text("Nothing was spent")
    assert_accessible(page)
    evening.close()


def test_axe_finds_nothing_before_a_character_is_claimed(
    evening: Evening, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    assert_accessible(evening.open(phone(color_scheme=color_scheme), evening.player("Jo")))


def test_axe_finds_nothing_for_spectators_and_on_the_overlay(
    evening: Evening,
    phone: NewContext,
    laptop: NewContext,
    color_scheme: str,
    assert_accessible: Callable[[Page], None],
) -> None:
    given = evening.spectator()
    for context in (phone(color_scheme=color_scheme), laptop(color_scheme=color_scheme)):
        assert_accessible(evening.open(context, given))
    for theme in ("dark", "light"):
        page = laptop(color_scheme=color_scheme).new_page()
        page.goto(f"/tables/{evening.id}/overlay?key={given.token}&theme={theme}")
        assert_accessible(page)


def test_axe_finds_nothing_on_the_way_in(
    evening: Evening, phone: NewContext, color_scheme: str, assert_accessible: Callable[[Page], None]
) -> None:
    page = phone(color_scheme=color_scheme).new_page()
    for address in ("/join", f"/join/{evening.invitation.token}", "/join/nothing-good", "/tables/nothing"):
        page.goto(address)
        assert_accessible(page)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_cut_off_on_a_narrow_phone(evening: Evening, phone: NewContext, width: int, locale: str) -> None:
    context = phone(viewport={"width": width, "height": 568}, locale=locale)
    page = context.new_page()
    page.goto(f"/l/{evening.player('Mia', 'Ash', LONG).token}")
    everything_open(page)
    for at in range(3):
        page.locator("#tabs a").nth(at).click()
        page.wait_for_function(
            """at => {
                const hands = document.querySelector("#hands"), hand = hands.children[at];
                return Math.abs(hand.getBoundingClientRect().left - hands.getBoundingClientRect().left) < 1;
            }""",
            arg=at,
        )
        wide = page.evaluate(
            """at => [...document.querySelectorAll("#hands > *")[at].querySelectorAll("*")]
                .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".strains"))
                .map(one => one.outerHTML.slice(0, 120))""",
            at,
        )
        assert wide == []
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
    for address in ("/join", f"/join/{evening.invitation.token}"):
        page.goto(address)
        everything_open(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
    page.goto(f"/l/{evening.spectator().token}")
    assert page.evaluate("() => document.documentElement.scrollWidth") == width


def test_everything_a_thumb_taps_is_large_enough(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash", LONG))
    everything_open(page)
    small = page.locator("button, summary, input, select, #tabs a").evaluate_all(
        """all => all.filter(one => !one.closest("dialog") && one.getClientRects().length)
            .map(one => [one.outerHTML.slice(0, 100), one.getBoundingClientRect().height, one.type])
            .filter(([, height, type]) => height < (type === "radio" ? 20 : 32))"""
    )
    assert small == []


def test_text_twice_as_large_still_fits(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(viewport={"width": 390, "height": 844}), evening.player("Mia", "Ash"))
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    expect(page.locator("#bar-1 .main")).to_be_in_viewport(ratio=1)


def test_on_its_side_the_act_of_the_moment_is_still_by_the_thumb(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(viewport={"width": 844, "height": 390}), evening.player("Mia", "Ash"))
    expect(page.get_by_role("button", name="End my turn")).to_be_in_viewport(ratio=1)
    expect(page.locator("#have-1 .fig")).to_be_in_viewport(ratio=1)
    expect(page.locator("#tabs")).to_be_in_viewport(ratio=1)


def test_a_turn_is_played_with_the_keyboard_alone(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(has_touch=False, is_mobile=False), evening.player("Mia", "Ash"))

    def tab_to(name: str) -> None:
        """Press Tab until the focus is on the field of this name, or on what begins with these words."""
        for _ in range(60):
            page.keyboard.press("Tab")
            told = "(one => one.matches('input, select') ? one.name : one.innerText)(document.activeElement)"
            if page.evaluate(told).startswith(name):
                return
        raise AssertionError(f"the Tab key never comes to {name}")

    tab_to("Push a Check")
    page.keyboard.press("Enter")
    tab_to("strain")
    page.keyboard.type("holding the gate")
    tab_to("+2")
    expect(page.locator("#have-1 .pips .m")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator("#bar-1")).to_contain_text("pushed with 2 Stamina")
    tab_to("roll")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.locator("#lines li").first).to_contain_text("9 + 2 = 11")
    tab_to("End my turn")
    page.keyboard.press("Enter")
    expect(page.locator("#moment")).to_contain_text("Wolf's turn")
    tab_to("React")
    page.keyboard.press("Space")
    expect(page.locator("#have-1 .fig b")).to_have_text("6")
    tab_to("The table")
    page.keyboard.press("Enter")
    expect(page.locator("#around")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#around")).to_be_focused()


def test_a_screen_reader_hears_each_change_with_the_new_figures(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    page.evaluate(
        """() => {
            window.heard = [];
            new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(
                node => window.heard.push(node.innerText.split("\\n")[0].trim())
            ))).observe(document.querySelector("[role=log]"), { childList: true });
        }"""
    )
    evening.do("next_turn")
    page.locator("#can-1-react button").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("8")
    evening.do("react", character="Bryn", what="a shove")
    evening.do("take_wound", character="Corin", wound="a cut")
    expect(page.locator("#lines")).to_contain_text("Corin takes a Wound")
    heard = [line.replace("\N{FIRST STRONG ISOLATE}", "") for line in page.evaluate("() => window.heard")]
    assert [line.removesuffix(" early.before").removesuffix(" reaction.cost") for line in heard][:3] == [
        "Wolf's turn begins.",
        "Ash reacts: 1 Stamina, 8 left.",
        "Bryn reacts (a shove): 1 Stamina, 7 left.",
    ]
    assert "8 of 8 Stamina" in heard[3] or "cut" in heard[3]
    log = page.locator("[role=log]")
    expect(log).to_have_attribute("aria-live", "polite")


def test_without_colours_spent_left_and_lost_are_told_apart(
    evening: Evening, phone: NewContext, color_scheme: str
) -> None:
    page = evening.open(phone(color_scheme=color_scheme), evening.player("Mia", "Ash"))
    evening.do("adjust", character="Ash", by=-3, reason="a fall")
    expect(page.locator("#have-1 .fig b")).to_have_text("6")
    page.mouse.move(0, 0)
    pips = page.locator("#have-1 .pips")
    picture = read_png(pips.screenshot())
    means: dict[str, list[float]] = {}
    for kind in ("b", "i", "s"):
        boxes = pips.evaluate(
            """(pips, kind) => {
                const from = pips.getBoundingClientRect();
                return [...pips.querySelectorAll(kind)].map(one => one.getBoundingClientRect()).map(
                    one => [one.x - from.x + one.width / 4, one.y - from.y + one.height / 4, one.width, one.height]
                );
            }""",
            kind,
        )
        for x, y, width, height in boxes:
            # Two pixels of the picture for each of the page, and of each pip the middle half.
            grey = picture.grey(2 * x, 2 * y, width, height)
            means.setdefault(kind, []).append(sum(grey) / len(grey))
    left, spent, lost = means["b"], means["i"], means["s"]
    assert (len(left), len(spent), len(lost)) == (6, 4, 2)
    assert min(abs(one - other) for one in left for other in spent) > 80, means
    assert min(abs(one - other) for one in lost for other in spent) > 10, means
    assert min(abs(one - other) for one in lost for other in left) > 40, means


def test_without_colours_early_late_and_enemy_are_told_apart_by_shape_and_words(
    evening: Evening, phone: NewContext
) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    looks = page.evaluate(
        """() => Object.fromEntries(["early", "enemy", "late"].map(side => {
            const style = getComputedStyle(document.querySelector(`.order .${side}`));
            return [side, [style.borderRadius, style.borderTopWidth].join(" ")];
        }))"""
    )
    assert len(set(looks.values())) == 3
    expect(page.locator(".order [aria-current]")).to_have_text("Ash")
    page.locator("#tabs a").last.click()
    expect(page.locator("#seat-1")).to_contain_text("acts early")


def test_nothing_moves_where_the_person_asked_for_no_motion(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(reduced_motion="reduce"), evening.player("Mia", "Ash"))
    assert page.locator("#hands").evaluate("one => getComputedStyle(one).scrollBehavior") == "auto"
    assert page.locator(".pips b").first.evaluate("one => getComputedStyle(one).transitionDuration") == "0s"
