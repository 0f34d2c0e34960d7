"""What the phone makes large: a Check from its target to its result, and one's own turn."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.evening import PARTY, Evening, stamina
from tests.serving import Server
from winded.roles import SetCheckDice
from winded.rules import AddAbility, AddCharacter, Side

NewContext = Callable[..., BrowserContext]

SMALL = {"width": 320, "height": 568}
LARGE = {"width": 390, "height": 844}
A_FIGHT = (*PARTY, AddCharacter("Wolf", con="d8", side=Side.ENEMY), AddAbility("Ash", ability="Cleave", cost=2))


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, A_FIGHT)
    found.decide(SetCheckDice("1d20+con"))
    yield found
    found.close()


def ash(evening: Evening, context: BrowserContext) -> Page:
    return evening.open(context, evening.player("Mia", "Ash"))


def amounts(page: Page) -> list[str]:
    return page.locator("#hand-1 .checking .amounts button").all_inner_texts()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_check_shows_every_push_with_its_chance_at_once_on_the_smallest_phone(
    evening: Evening, phone: NewContext, locale: str
) -> None:
    context = phone(viewport=SMALL, locale=locale)
    page = context.new_page()
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    page.locator("#open-1-declare_check-push summary").tap()
    page.locator(".checking [name=target]").fill("18")
    buttons = page.locator("#hand-1 .checking .amounts button")
    expect(buttons).to_have_count(13)
    expect(buttons.nth(2)).to_contain_text("%")
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
    assert page.locator(".checking .amounts span").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.closest('button').clientWidth).map(one => one.innerText)"
    ) == []  # fmt: skip
    if locale == "en-GB":
        assert amounts(page)[2].split("\n") == ["+2 · 57.5 %", "leaves 10, then 4 reactions"]
        assert amounts(page)[12].split("\n") == ["+12 · 95.8 %", "leaves 0"]


def test_a_check_is_pushed_rolled_and_told_large_to_everyone(evening: Evening, phone: NewContext) -> None:
    page, watching = ash(evening, phone()), evening.open(phone(), evening.spectator())
    bryn = evening.open(phone(viewport=SMALL), evening.player("Jo", "Bryn"))
    page.locator("#open-1-declare_check-push summary").tap()
    page.locator(".checking [name=target]").fill("18")
    page.get_by_role("button", name="keeping a gate shut against pressure").tap()
    page.locator(".checking").get_by_role("button", name="+2").tap()
    expect(page.locator("#bar-1")).to_contain_text("for +2, against 18, keeping a gate shut against pressure")
    # The next step has the focus.
    expect(page.get_by_label("Roll without the push")).to_be_focused()
    page.keyboard.type("16")
    page.keyboard.press("Enter")
    for everyone in (page, bryn, watching):
        result = everyone.locator("#moment .result.yes")
        expect(result).to_have_text("Ash 18 against 18 success")
        expect(result).to_be_in_viewport(ratio=1)
        assert result.locator("b").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 28
    # Whatever happens next takes its place.
    evening.do("start_combat")
    expect(page.locator("#moment .result")).to_have_count(0)


def test_winded_rolls_at_a_tap_with_dice_that_are_kept(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone())
    page.locator("#open-1-declare_check-push summary").tap()
    page.locator(".checking [name=target]").fill("18")
    page.locator(".checking").get_by_role("button", name="No push").tap()
    page.get_by_role("button", name="Roll 1d20+d12").tap()
    expect(page.locator("#moment .result")).to_contain_text("against 18")
    expect(page.locator("#lines li").first).to_contain_text("Winded rolls 1d20+d12 for Ash")


def test_escape_and_the_cross_lead_back_to_what_opened_the_check(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone())
    summary = page.locator("#open-1-declare_check-push summary")
    for close in (lambda: page.keyboard.press("Escape"), page.locator("[data-shut]").tap):
        summary.tap()
        expect(page.locator(".checking")).to_be_focused()
        close()
        expect(page.locator(".checking")).to_be_hidden()
        expect(summary).to_be_focused()


def test_ones_turn_is_a_banner_the_pages_title_a_buzz_and_said_aloud(evening: Evening, phone: NewContext) -> None:
    context = phone()
    context.add_init_script("window.buzzed = 0; navigator.vibrate = () => { buzzed += 1; return true; }")
    page = ash(evening, context)
    title = page.title()
    evening.do("start_combat")
    evening.do("act_early", character="Ash")
    evening.do("begin_turns")
    expect(page.locator("#bar-1")).to_contain_text("You go first")
    evening.do("next_turn")
    expect(page.locator("#moment .yours")).to_contain_text("Your turn, Ash next: Wolf")
    assert page.title() == f"▸ Your turn, Ash – {title}"
    expect(page.locator("#hear")).to_contain_text("Your turn, Ash")
    assert page.evaluate("buzzed") == 1
    # Off by one tap, and it stays off.
    evening.do("next_turn")
    expect(page.locator("#moment .yours")).to_have_count(0)
    assert page.title() == title
    page.locator("#tabs a").last.tap()
    page.get_by_label("Vibrate when it is my turn").tap()
    evening.do("undo")
    expect(page.locator("#moment .yours")).to_have_count(1)
    assert page.evaluate("buzzed") == 1


def test_not_this_round_costs_nothing_and_stands_beside_act_early(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone(viewport=SMALL))
    evening.do("start_combat")
    no = page.locator("#bar-1").get_by_role("button", name="Not this round")
    expect(no).to_be_in_viewport(ratio=1)
    no.tap()
    expect(no).to_have_attribute("aria-disabled", "true")
    assert stamina(page) == "12"
    # It binds nobody: acting early is still offered.
    page.locator("#can-1-act_early button").tap()
    expect(no).to_have_count(0)
    assert stamina(page) == "11"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_header_takes_at_most_a_quarter_of_the_smallest_phone(
    evening: Evening, phone: NewContext, locale: str
) -> None:
    page = phone(viewport=SMALL, locale=locale).new_page()
    page.goto(f"/l/{evening.player('Mia', 'Ash').token}")
    for moment in ("start_combat", "begin_turns", "next_turn", "next_turn"):
        evening.do(moment)
        expect(page.locator("#root")).to_have_attribute("data-seq", str(evening.now.number))
        assert page.locator("header.now").evaluate("one => one.getBoundingClientRect().height") <= 568 / 4
        assert page.locator(".newest, .order-place").evaluate_all(
            "all => all.every(one => one.scrollHeight <= one.clientHeight + 1)"
        )


def test_an_answer_on_the_phone_can_be_put_away(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone())
    page.locator("#rest-1 summary").tap()
    page.get_by_role("button", name="Ask: Short Rest").tap()
    asked = page.locator("#asks .wish")
    expect(asked).to_have_count(1)
    evening.company("decline", ask=asked.get_attribute("id").removeprefix("ask-"), reason="there are wolves about")
    answer = page.locator("#asks .answer")
    expect(answer).to_contain_text("there are wolves about")
    answer.get_by_role("button", name="Dismiss").tap()
    expect(answer).to_be_hidden()
    page.reload()
    expect(page.locator("#status")).to_have_text("live")
    expect(answer).to_be_hidden()


def test_what_is_done_most_takes_few_taps(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone(viewport=SMALL))
    taps = 0

    def tap(where: str, name: str) -> None:
        nonlocal taps
        page.locator(where).get_by_role("button", name=name).tap()
        taps += 1

    def opened(key: str) -> None:
        nonlocal taps
        page.locator(f"#open-1-{key} summary").tap()
        taps += 1

    def taken() -> int:
        nonlocal taps
        before, taps = taps, 0
        return before

    evening.do("start_combat")
    tap("#bar-1", "Act early")
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    assert taken() == 1
    evening.do("begin_turns")
    tap("#bar-1", "React")
    expect(page.locator("#have-1 .fig b")).to_have_text("10")
    assert taken() == 1
    opened("channel-stamina")
    tap("#can-1-channel-stamina", "2 leaves 8")
    expect(page.locator("#have-1 .fig b")).to_have_text("8")
    assert taken() == 2
    opened("declare_check-push")
    tap(".checking", "+2 leaves 6")
    expect(page.locator("#roll-1")).to_be_focused()
    page.keyboard.type("16")
    page.keyboard.press("Enter")
    expect(page.locator("#moment .result")).to_contain_text("18")
    assert taken() == 2
    evening.do("next_turn")
    tap("#bar-1", "End my turn")
    expect(page.locator("#moment .yours")).to_have_count(0)
    assert taken() == 1


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_check_says_what_is_best_with_what_is_ahead_and_a_tap_says_what_that_assumes(
    evening: Evening, phone: NewContext, size: dict[str, int]
) -> None:
    page = ash(evening, phone(viewport=size))
    summary, told = page.locator("#open-1-declare_check-push summary"), page.locator("#hand-1 .advice")
    summary.tap()
    expect(told).to_have_count(0)
    evening.company("share_sketch", sketch="fight The mill rounds=3 early=1 reactions=2; check Door target=20")
    expect(told).to_contain_text("The mill, round 1")
    page.locator(".checking [name=target]").fill("18")
    expect(told).to_contain_text("With what is ahead:")
    told.locator("a").tap()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Reactions called for: 2 a round")
    expect(sheet).to_contain_text("Later")
    sheet.get_by_role("button", name="Close").tap()
    # The figures follow what one has.
    page.locator(".checking [name=target]").fill("")
    evening.do("adjust", character="Ash", by=-9, reason="a fall")
    expect(told).to_contain_text("with 3 Stamina")
    evening.company("share_sketch", sketch="")
    expect(told).to_have_count(0)


def test_advice_that_comes_once_nothing_is_shown_any_more_is_dropped(evening: Evening, phone: NewContext) -> None:
    page = ash(evening, phone())
    evening.company("share_sketch", sketch="fight The mill rounds=3 early=1")
    expect(page.locator("#hand-1 .advice")).to_have_count(1)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/advice?as=sentence*", hold)
    with page.expect_request("**/advice?as=sentence*"):
        page.locator("#open-1-declare_check-push summary").tap()
    evening.company("share_sketch", sketch="")
    expect(page.locator("#hand-1 .advice")).to_have_count(0)
    with page.expect_response("**/advice?as=sentence*"):
        held[0].fulfill(body="late", headers={"winded": "1"})
    expect(page.locator(".checking")).not_to_contain_text("late")
