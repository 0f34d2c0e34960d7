"""The Referee's board: a whole fight by mouse and by keyboard alone, and everything a Referee looks after besides."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.evening import Evening, a_moment_later, answered, fetched
from tests.serving import Server
from winded.rules import AddAbility, AddCharacter, DeclareCheck, Side, StartCombat, TakeWound

NewContext = Callable[..., BrowserContext]

TABLE = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Cato", con="d6", stamina=0),
    AddAbility("Bryn", ability="Shield Wall", cost=2),
    AddCharacter("Ogre", con="d10", side=Side.ENEMY),
)


@pytest.fixture
def table(server: Server) -> Iterator[Callable[..., Evening]]:
    """Makes tables: `table(*commands, permissions="trust")`."""
    made: list[Evening] = []

    def make(*commands: object, permissions: str = "trust") -> Evening:
        made.append(Evening(server.address, server.database, commands or TABLE, permissions=permissions))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for evening in made:
        evening.close()


@pytest.fixture
def evening(table: Callable[..., Evening]) -> Evening:
    return table()


@pytest.fixture
def board(evening: Evening, laptop: NewContext) -> Page:
    context = laptop()
    context.clock.install()
    context.add_init_script(
        "window.streams = []; const Own = EventSource;"
        "window.EventSource = class extends Own { constructor(at) { super(at); streams.push(this); } };"
    )
    return evening.open(context, evening.referee)


def seat(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def button(page: Page, name: str, choice: str) -> Locator:
    """What a character may do on its card, by the beginning of its button's words."""
    return seat(page, name).get_by_role("button", name=re.compile("^" + re.escape(choice)))


def open_all(page: Page, name: str) -> None:
    """Open everything that there is to do for a character."""
    seat(page, name).get_by_role("button", name=f"More about {name}").click()


def choice(page: Page, name: str) -> Locator:
    """Something to do in an open sheet, by the beginning of its button's words."""
    return sheet(page).get_by_role("button", name=re.compile("^" + re.escape(name)))


def drive(page: Page) -> Locator:
    """The one big button for the next step."""
    return page.locator(".drive .main")


def pane(page: Page) -> Locator:
    """The pane of the one who acts."""
    return page.locator("#pane")


def figure(page: Page, name: str) -> Locator:
    return seat(page, name).locator(".fig")


def sheet(page: Page) -> Locator:
    return page.get_by_role("dialog")


def newest(page: Page) -> Locator:
    return page.locator("#lines > li").first


def figures(page: Page) -> dict[str, str]:
    """Each one's Stamina and marks, as the board shows them."""
    return dict(
        page.locator(".seat").evaluate_all(
            "all => all.map(one => [one.querySelector('h3').innerText,"
            " (one.querySelector('.fig')?.innerText ?? '') + ' ' + one.querySelector('.tags').innerText])"
        )
    )


def check_the_fight_is_over(page: Page, evening: Evening) -> None:
    expect(page.get_by_role("heading", name="No combat")).to_be_visible()
    for name, shown in {"Ash": "9 / 10", "Bryn": "6 / 8", "Cato": "1 / 6", "Ogre": "9 / 10"}.items():
        expect(figure(page, name)).to_have_text(shown)
    now = evening.now.table
    assert {one.name: (one.stamina, one.maximum) for one in now.characters.values()} == {
        "Ash": (9, 10),
        "Bryn": (6, 8),
        "Cato": (1, 6),
        "Ogre": (9, 10),
    }
    assert [wound.wound for wound in now.character("Ash").wounds] == ["cracked ribs"]


def test_a_whole_fight_by_mouse(board: Page, evening: Evening) -> None:
    board.get_by_role("button", name="Start combat").click()
    expect(board.locator("#round")).to_contain_text("who acts early?")
    button(board, "Ash", "Act early").click()
    expect(figure(board, "Ash")).to_have_text("11 / 12")
    expect(seat(board, "Ash").locator(".tags")).to_contain_text("acts early")
    expect(pane(board)).to_contain_text("2 of 3 decided")
    pane(board).get_by_role("button", name="Not this round").click()
    expect(pane(board)).to_contain_text("3 of 3 decided")
    board.get_by_role("button", name="Begin turns").click()
    expect(drive(board)).to_have_text("Start Ash's turn")
    assert board.locator(".line li").all_inner_texts() == ["early\nAsh", "enemy\nOgre", "the rest\nBryn", "Cato"]
    drive(board).click()
    expect(drive(board)).to_have_text("Ash is done: Ogre")
    expect(board.locator(".line [aria-current=step]")).to_have_text("Ash")
    expect(pane(board)).to_contain_text("acting now")
    button(board, "Bryn", "React").click()
    expect(button(board, "Bryn", "React")).to_contain_text("2 Stamina, leaves 5, next 3")
    button(board, "Ogre", "React").click()
    expect(figure(board, "Ogre")).to_have_text("9 / 10")

    button(board, "Ash", "Check").click()
    sheet(board).get_by_text("leaves 9").click()
    sheet(board).get_by_label("What makes it hard").fill("holding the gate")
    sheet(board).get_by_label("Target").fill("14")
    sheet(board).get_by_role("button", name="Check").click()
    expect(seat(board, "Ash")).to_contain_text("Open Check (holding the gate) against 14: +2")
    expect(figure(board, "Ash")).to_have_text("9 / 12")
    pane(board).get_by_label("Roll without the push").fill("12")
    pane(board).get_by_role("button", name="Enter the roll").click()
    expect(newest(board)).to_contain_text("12 + 2 = 14 against 14, a success.")

    seat(board, "Ash").get_by_role("button", name="More about Ash").click()
    sheet(board).get_by_label("What the Wound is").fill("cracked ribs")
    sheet(board).get_by_role("button", name="Take a Wound").click()
    expect(sheet(board).get_by_text("9 / 10")).to_be_visible()
    expect(sheet(board).get_by_label("What the Wound is")).to_have_value("")
    sheet(board).get_by_role("button", name="Close").click()
    expect(seat(board, "Ash").get_by_role("img", name="9 of 10 Stamina, 2 lost to Wounds")).to_be_visible()

    for _ in range(4):
        number = board.locator("#root").get_attribute("data-seq") or ""
        with answered(board):
            drive(board).click()
        expect(board.locator("#root")).not_to_have_attribute("data-seq", number)
        a_moment_later(board)
    expect(board.locator("#round")).to_contain_text("Round 2")
    open_all(board, "Bryn")
    choice(board, "Resist hardship").click()
    sheet(board).get_by_text("shock", exact=True).click()
    sheet(board).get_by_text("leaves 5").click()
    sheet(board).get_by_role("button", name="Resist hardship").click()
    expect(figure(board, "Bryn")).to_have_text("5 / 8")
    board.get_by_role("button", name="End combat").click()

    board.get_by_role("button", name="Rest", exact=True).click()
    sheet(board).get_by_role("checkbox", name="Ash").uncheck()
    sheet(board).get_by_role("button", name="Short Rest").click()
    check_the_fight_is_over(board, evening)


def tab_to(page: Page, name: str, inside: str = "") -> None:
    """Presses Tab until what is focused has this name, as someone without a mouse does."""
    for _ in range(90):
        page.keyboard.press("Tab")
        at = page.evaluate(
            """() => { const at = document.activeElement;
                const name = at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || "";
                return [name, at.closest("article")?.querySelector("h3")?.innerText ?? ""]; }"""
        )
        if at[0].strip().startswith(name) and inside in at[1]:
            return
    raise AssertionError(f"Tab never came to {name}")


def choose_by_arrow(page: Page, words: str) -> None:
    """Moves on to the next amount in a sheet, once the sheet has taken the focus from what it was opened by."""
    amount = sheet(page).locator("label", has=page.locator("input[type=radio]:focus"))
    expect(amount).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(amount).to_contain_text(words)


def test_the_same_fight_by_keyboard_alone(board: Page, evening: Evening) -> None:
    press = board.keyboard.press
    press("c")
    expect(board.locator("#round")).to_contain_text("who acts early?")
    press("1")
    expect(board.get_by_role("heading", name="Ash")).to_be_focused()
    tab_to(board, "Act early", "Ash")
    press("Enter")
    expect(figure(board, "Ash")).to_have_text("11 / 12")
    # A key that newly does something else does it only after a moment.
    expect(board.locator(".still")).to_have_count(0)
    press("n")
    expect(board.locator(".line [data-name]")).to_have_count(4)
    expect(board.locator(".still")).to_have_count(0)
    press("n")
    expect(board.locator(".line [aria-current=step]")).to_have_text("Ash")
    press("2")
    tab_to(board, "React", "Bryn")
    press("Enter")
    expect(figure(board, "Bryn")).to_have_text("7 / 8")
    press("4")
    tab_to(board, "React", "Ogre")
    press("Enter")
    expect(figure(board, "Ogre")).to_have_text("9 / 10")

    press("1")
    tab_to(board, "Check", "Ash")
    press("Enter")
    choose_by_arrow(board, "leaves 10")
    choose_by_arrow(board, "leaves 9")
    tab_to(board, "What makes it hard")
    board.keyboard.type("holding the gate")
    tab_to(board, "Target")
    board.keyboard.type("14")
    press("Enter")
    expect(seat(board, "Ash")).to_contain_text("Open Check (holding the gate) against 14: +2")
    expect(sheet(board)).to_be_hidden()
    press("1")
    tab_to(board, "Enter the roll", "Ash")
    press("Enter")
    tab_to(board, "Roll without the push")
    board.keyboard.type("12")
    press("Enter")
    expect(newest(board)).to_contain_text("12 + 2 = 14 against 14, a success.")
    expect(sheet(board)).to_be_hidden()

    press("1")
    tab_to(board, "More about Ash", "Ash")
    press("Enter")
    expect(sheet(board)).to_be_visible()
    tab_to(board, "What the Wound is")
    board.keyboard.type("cracked ribs")
    press("Enter")
    expect(sheet(board).get_by_text("9 / 10")).to_be_visible()
    press("Escape")
    expect(seat(board, "Ash").get_by_role("button", name="More about Ash")).to_be_focused()

    for _ in range(4):
        number = board.locator("#root").get_attribute("data-seq") or ""
        with answered(board):
            press("n")
        expect(board.locator("#root")).not_to_have_attribute("data-seq", number)
        a_moment_later(board)
    expect(board.locator("#round")).to_contain_text("Round 2")
    press("2")
    tab_to(board, "More about Bryn", "Bryn")
    press("Enter")
    expect(sheet(board)).to_be_visible()
    tab_to(board, "Resist hardship")
    press("Enter")
    choose_by_arrow(board, "leaves 5")
    tab_to(board, "Resist hardship")
    press("Enter")
    expect(figure(board, "Bryn")).to_have_text("5 / 8")
    expect(sheet(board)).to_be_hidden()
    press("e")
    expect(board.get_by_role("heading", name="No combat")).to_be_visible()
    press("t")
    expect(sheet(board)).to_be_visible()
    tab_to(board, "Ash")
    press("Space")
    tab_to(board, "Short Rest")
    press("Enter")
    check_the_fight_is_over(board, evening)


def test_single_keys_can_be_switched_off(board: Page) -> None:
    board.keyboard.press("?")
    sheet(board).get_by_label("Use single-key shortcuts in this browser").uncheck()
    board.keyboard.press("Escape")
    expect(sheet(board)).to_be_hidden()
    board.keyboard.press("t")
    board.keyboard.press("?")
    expect(sheet(board)).to_contain_text("Keyboard shortcuts")
    expect(sheet(board).get_by_label("Use single-key shortcuts in this browser")).not_to_be_checked()


def test_two_boards_and_a_phone_see_each_other_s_changes(
    board: Page, evening: Evening, laptop: NewContext, phone: NewContext
) -> None:
    other = evening.open(laptop(), evening.referee)
    player = evening.open(phone(), evening.player("Mia", "Ash"))
    button(board, "Bryn", "Use Shield Wall").click()
    expect(figure(other, "Bryn")).to_have_text("6 / 8")
    player.locator("#open-1-channel-stamina summary").tap()
    player.locator("#can-1-channel-stamina").get_by_role("button", name="3 leaves 9").tap()
    for page in (board, other):
        expect(figure(page, "Ash")).to_have_text("9 / 12")
        expect(newest(page)).to_contain_text("Ash uses Channel Casting: 3 Stamina, 9 left.")
        expect(newest(page)).to_contain_text("Mia")


@pytest.mark.parametrize("sheet_key", ["", "t", "a", "p", "s", "h", "?"])
def test_axe_finds_nothing(
    table: Callable[..., Evening],
    laptop: NewContext,
    color_scheme: str,
    sheet_key: str,
    assert_accessible: Callable[[Page], None],
) -> None:
    evening = table(*TABLE, TakeWound("Ash", "cracked ribs"), StartCombat(), DeclareCheck("Bryn", 1, "fear"))
    evening.player("Mia", "Ash")
    board = evening.open(laptop(color_scheme=color_scheme), evening.referee)
    if not sheet_key:
        assert_accessible(board)
        board.get_by_role("button", name="Begin turns").click()
        expect(board.locator(".line [data-name]")).to_have_count(4)
        evening.do("undo")
        expect(board.locator(".undone")).to_have_count(1)
    else:
        board.keyboard.press(sheet_key)
        expect(sheet(board)).to_be_visible()
    assert_accessible(board)


@pytest.mark.parametrize("width", [320, 820])
def test_axe_finds_nothing_on_small_screens(
    table: Callable[..., Evening], laptop: NewContext, width: int, assert_accessible: Callable[[Page], None]
) -> None:
    evening = table(*TABLE, StartCombat())
    board = evening.open(laptop(viewport={"width": width, "height": 700}), evening.referee)
    assert_accessible(board)
    board.get_by_role("button", name="Begin turns").click()
    expect(board.locator(".line [data-name]")).to_have_count(4)
    assert_accessible(board)


def test_axe_finds_nothing_on_what_a_character_s_buttons_open(
    board: Page, assert_accessible: Callable[[Page], None]
) -> None:
    for opens in ("Check", "More about Bryn"):
        button(board, "Bryn", opens).click()
        expect(sheet(board)).to_be_visible()
        assert_accessible(board)
        board.keyboard.press("Escape")
    for opens in ("Resist hardship", "Channel Casting"):
        open_all(board, "Bryn")
        choice(board, opens).click()
        expect(sheet(board)).to_contain_text("leaves 5")
        assert_accessible(board)
        board.keyboard.press("Escape")
    for opens in ("Rules", "Table"):
        board.get_by_role("button", name=opens, exact=True).click()
        expect(sheet(board)).to_be_visible()
        assert_accessible(board)
        board.keyboard.press("Escape")


def test_what_is_not_possible_is_small_and_says_why_when_it_is_asked(board: Page, evening: Evening) -> None:
    number = evening.now.number
    open_all(board, "Ash")
    react = choice(board, "React")
    expect(react).to_have_attribute("aria-disabled", "true")
    react.focus()
    board.keyboard.press("Enter")
    expect(sheet(board).get_by_role("alert")).to_contain_text("Ash can react only in combat.")
    board.keyboard.press("Escape")
    nothing = button(board, "Cato", "Resist hardship")
    expect(nothing.locator("small")).to_have_css("clip-path", "inset(50%)")
    nothing.click(force=True)
    expect(board.locator("#said")).to_contain_text("Cato has 0 Stamina; this costs 1.")
    assert evening.now.number == number


def test_0_stamina_looks_calm(board: Page) -> None:
    expect(figure(board, "Cato")).to_have_text("0 / 6")
    looks = """name => {
        const one = getComputedStyle(document.querySelector(name));
        return [one.backgroundColor, one.borderTopColor, one.color];
    }"""
    assert board.evaluate(looks, "#seat-3") == board.evaluate(looks, "#seat-2")
    assert board.evaluate(looks, "#seat-3 .fig b") == board.evaluate(looks, "#seat-2 .fig b")


def test_the_pips_a_choice_would_spend_are_marked_by_pointer_and_by_focus(board: Page) -> None:
    marked = seat(board, "Bryn").locator(".pips .m")
    button(board, "Bryn", "Use Shield Wall").hover()
    expect(marked).to_have_count(2)
    board.mouse.move(5, 5)
    expect(marked).to_have_count(0)
    button(board, "Bryn", "Use Shield Wall").focus()
    expect(marked).to_have_count(2)
    button(board, "Bryn", "Check").click()
    sheet(board).get_by_text("leaves 5").click()
    expect(sheet(board).locator(".pips .m")).to_have_count(3)


def test_left_spent_lost_and_marked_pips_differ_in_shape_not_only_in_colour(
    table: Callable[..., Evening], laptop: NewContext
) -> None:
    evening = table(*TABLE, TakeWound("Bryn", "cracked ribs"), AddAbility("Ash", ability="Leap", cost=1))
    evening.do("channel", character="Bryn", stamina=2)
    board = evening.open(laptop(), evening.referee)
    button(board, "Bryn", "Use Shield Wall").hover()
    shapes = board.evaluate(
        """() => ["b:not(.m)", "b.m", "i", "s"].map(kind => {
            const one = getComputedStyle(document.querySelector("#seat-2 .pips " + kind));
            const filled = one.backgroundColor !== "rgba(0, 0, 0, 0)";
            return [filled, one.backgroundImage.slice(0, 6), one.borderTopStyle].join();
        })"""
    )
    assert len(set(shapes)) == 4, shapes


def test_without_any_colour_spent_is_told_from_left_and_early_from_late(
    table: Callable[..., Evening], laptop: NewContext, color_scheme: str
) -> None:
    evening = table(*TABLE, TakeWound("Bryn", "cracked ribs"), StartCombat())
    evening.do("act_early", character="Bryn")
    evening.do("begin_turns")
    board = evening.open(laptop(color_scheme=color_scheme), evening.referee)
    session = board.context.new_cdp_session(board)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    board.locator("#seat-1 h3").hover()
    pips = {kind: board.locator(f"#seat-2 .pips {kind}").first.screenshot() for kind in ("b", "i", "s")}
    button(board, "Bryn", "React").hover()
    pips["marked"] = board.locator("#seat-2 .pips .m").first.screenshot()
    assert len(set(pips.values())) == 4

    # Whoever acts early stands before the enemy under a word, has a mark in words, and a stronger outline.
    labels = board.locator(".line li.first small").all_inner_texts()
    assert labels == ["early", "enemy", "the rest"]
    expect(seat(board, "Bryn").locator(".tags .early")).to_have_text("acts early")
    width = "one => getComputedStyle(one).borderTopWidth"
    early, late = board.locator(".line .early button"), board.locator(".line .rest button").first
    assert early.evaluate(width) != late.evaluate(width)


def test_typed_text_survives_an_update(board: Page, evening: Evening) -> None:
    evening.do("start_combat")
    evening.do("begin_turns")
    evening.do("next_turn")
    evening.do("next_turn")
    evening.do("next_turn")
    evening.do("declare_check", character="Bryn")
    roll = pane(board).get_by_label("Roll without the push")
    roll.fill("17")
    seat(board, "Ash").get_by_role("button", name="More about Ash").click()
    wound = sheet(board).get_by_label("What the Wound is")
    wound.fill("a half-written wo")
    wound.evaluate("one => one.setSelectionRange(2, 6)")
    evening.do("channel", character="Ash", stamina=4)
    evening.do("channel", character="Bryn", stamina=1)
    expect(sheet(board).get_by_text("8 / 12")).to_be_visible()
    expect(figure(board, "Bryn")).to_have_text("7 / 8")
    expect(wound).to_have_value("a half-written wo")
    expect(wound).to_be_focused()
    assert wound.evaluate("one => [one.selectionStart, one.selectionEnd]") == [2, 6]
    expect(roll).to_have_value("17")


def test_a_late_answer_never_overwrites_a_newer_view(board: Page, evening: Evening) -> None:
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    board.route("**/do", hold)
    button(board, "Bryn", "Use Shield Wall").click()
    board.wait_for_function("() => document.querySelector('#seat-2')")
    evening.do("channel", character="Bryn", stamina=3)
    expect(figure(board, "Bryn")).to_have_text("5 / 8")
    # The answer to the tap comes only now, and the view is brought by the stream, not by it.
    late[0].fulfill(response=fetched(late[0]))
    expect(figure(board, "Bryn")).to_have_text("3 / 8")

    # A stream that is resumed with an older view shows nothing older either.
    seen = board.locator("#root").get_attribute("data-seq")
    board.evaluate(
        """() => {
            const older = JSON.stringify({ number: 1, root: "<div id=root data-seq=1>old</div>" });
            window.streams.at(-1).dispatchEvent(new MessageEvent("view", { data: older }));
        }"""
    )
    evening.do("channel", character="Ash", stamina=1)
    expect(figure(board, "Ash")).to_have_text("11 / 12")
    assert seen != "1"


def test_a_double_tap_happens_once(board: Page, evening: Evening) -> None:
    button(board, "Bryn", "Use Shield Wall").dblclick()
    expect(figure(board, "Bryn")).to_have_text("6 / 8")
    # Acts are sent in the order of the taps: what comes after it would have found it done twice.
    board.get_by_role("button", name="Start combat").click()
    expect(board.locator("#round")).to_contain_text("who acts early?")
    assert evening.character("Bryn").stamina == 6


def test_what_is_tapped_without_a_connection_is_sent_once_when_it_is_back(board: Page, evening: Evening) -> None:
    board.route("**/do", lambda route: route.abort())
    button(board, "Bryn", "Use Shield Wall").click()
    expect(board.locator("#said")).to_contain_text("You’re offline. This will be sent when you reconnect.")
    assert evening.character("Bryn").stamina == 8
    board.unroute("**/do")
    expect(figure(board, "Bryn")).to_have_text("6 / 8")
    expect(board.locator("#said")).to_be_empty()
    assert evening.character("Bryn").stamina == 6


def test_what_was_not_sent_can_be_given_up(board: Page, evening: Evening) -> None:
    board.route("**/do", lambda route: route.abort())
    button(board, "Bryn", "Use Shield Wall").click()
    board.get_by_role("button", name="Don’t send").click()
    board.unroute("**/do")
    board.clock.run_for(2000)
    board.get_by_role("button", name="Start combat").click()
    expect(board.locator("#round")).to_contain_text("who acts early?")
    assert evening.character("Bryn").stamina == 8


NASTY = (
    "<img src=x onerror=hacked=1>",
    "</article></main><script>hacked=1</script>"[:40],
    "مرحبا بالعالم الطويل جدا هنا 123",
    "👩‍👩‍👧‍👦🐉🔥 Dragonheart of the Ember",
    "Wolfgangamadeusmozartderachtzehntenichts",
    "O'Brien & \"Co\" 'x' onclick=hacked=1",
)


@pytest.mark.parametrize("width", [1280, 820, 390, 320])
def test_html_in_any_text_runs_nothing_and_the_layout_holds(
    table: Callable[..., Evening], laptop: NewContext, width: int
) -> None:
    evil = "<b onpointerenter=hacked=1>" + "W" * 100
    commands: list[object] = [AddCharacter(name, con="d10", note=None) for name in NASTY]
    evening = table(
        *commands,
        AddCharacter("<i>enemy</i>", side=Side.ENEMY, note=evil),
        AddAbility(NASTY[0], ability=NASTY[4], cost=1, note=evil),
        TakeWound(NASTY[0], evil),
        StartCombat(),
        DeclareCheck(NASTY[0], 1, evil),
    )
    board = evening.open(laptop(viewport={"width": width, "height": 800}), evening.referee)
    evening.do("begin_turns")
    evening.do("next_turn")
    expect(board.locator(".line [aria-current=step]")).to_be_visible()
    for opens in ("?", "h", "p", "s"):
        board.keyboard.press(opens)
        expect(sheet(board)).to_be_visible()
        assert board.evaluate("() => document.documentElement.scrollWidth") <= width
        board.keyboard.press("Escape")
    board.locator("#seat-1 .more").click()
    expect(sheet(board)).to_be_visible()
    assert board.evaluate("() => document.querySelector('#sheet').scrollWidth") <= width
    assert board.evaluate("() => typeof hacked") == "undefined"
    assert board.locator("#root img, #root script").count() == 0


def test_undo_says_what_it_takes_back_and_takes_back_nothing_else(board: Page, evening: Evening) -> None:
    button(board, "Bryn", "Use Shield Wall").click()
    undo = board.locator("#undo").get_by_role("button", name="Undo")
    expect(undo).to_contain_text("Bryn uses Shield Wall: 2 Stamina, 6 left.")
    undo.click()
    expect(figure(board, "Bryn")).to_have_text("8 / 8")
    expect(board.locator("#lines li").nth(1).locator("s")).to_contain_text("Bryn uses Shield Wall")
    redo = board.get_by_role("button", name="Redo")
    expect(redo).to_contain_text("Bryn uses Shield Wall")
    redo.click()
    expect(figure(board, "Bryn")).to_have_text("6 / 8")

    # A board that lags behind: what it would undo is not what happened last.
    board.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    board.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    evening.do("channel", character="Ash", stamina=1)
    undo.click()
    expect(board.locator("#said")).to_be_visible()
    assert evening.character("Ash").stamina == 11
    assert evening.character("Bryn").stamina == 6


def test_jump_undo_lists_what_it_takes_back(board: Page, evening: Evening) -> None:
    evening.do("channel", character="Ash", stamina=1)
    number = evening.do("channel", character="Ash", stamina=2)
    evening.do("take_wound", character="Bryn", wound="a bruise")
    board.locator(f"#h-{number}").get_by_role("button", name="Undo to here").click()
    expect(sheet(board)).to_contain_text("This undoes 2 actions, newest first:")
    expect(sheet(board).locator("ol li")).to_have_count(2)
    expect(sheet(board).locator("ol li").first).to_contain_text("Bryn takes a Wound, a bruise")
    sheet(board).get_by_role("button", name="Undo 2 actions").click()
    expect(figure(board, "Ash")).to_have_text("11 / 12")
    expect(figure(board, "Bryn")).to_have_text("8 / 8")
    expect(board.locator("#lines .undone")).to_have_count(2)
    expect(board.get_by_role("button", name="Redo")).to_contain_text("and 1 more")


def expect_order(page: Page, *names: str) -> None:
    expect(page.locator(".line bdi")).to_have_text([*names])


@pytest.fixture
def turns(table: Callable[..., Evening], laptop: NewContext) -> Page:
    evening = table(*TABLE, StartCombat())
    evening.do("begin_turns")
    board = evening.open(laptop(), evening.referee)
    expect_order(board, "Ogre", "Ash", "Bryn", "Cato")
    return board


def test_the_order_is_changed_by_keyboard_with_a_reason(turns: Page) -> None:
    turns.locator(".line [data-name=Cato]").focus()
    for _ in range(3):
        turns.keyboard.press("ArrowLeft")
    expect(turns.locator(".line [data-name=Cato]")).to_be_focused()
    turns.keyboard.press("Enter")
    expect(sheet(turns)).to_be_visible()
    tab_to(turns, "Move Cato down")
    turns.keyboard.press("Enter")
    turns.get_by_label("Reason").focus()
    turns.keyboard.type("ambush")
    turns.keyboard.press("Enter")
    expect(newest(turns)).to_contain_text("The Referee changes the order to Ogre, Cato, Ash, Bryn (ambush).")
    expect_order(turns, "Ogre", "Cato", "Ash", "Bryn")


def drag(page: Page, name: str, to: str) -> None:
    start = page.locator(f".line [data-name={name}]").bounding_box()
    end = page.locator(f".line [data-name={to}]").bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] - 10, start["y"] + 12, steps=3)
    page.mouse.move(end["x"] + 4, end["y"] + 12, steps=6)
    page.mouse.up()


def test_the_order_is_changed_by_drag_with_a_reason(turns: Page) -> None:
    drag(turns, "Cato", "Ogre")
    expect(sheet(turns).locator("ol li").first).to_contain_text("Cato")
    sheet(turns).get_by_label("Reason").fill("surprise")
    sheet(turns).get_by_role("button", name="Change the order").click()
    expect(newest(turns)).to_contain_text("Cato, Ogre, Ash, Bryn (surprise)")
    expect_order(turns, "Cato", "Ogre", "Ash", "Bryn")


def test_a_drag_without_a_reason_changes_nothing(turns: Page) -> None:
    drag(turns, "Cato", "Ogre")
    expect(sheet(turns)).to_be_visible()
    turns.keyboard.press("Escape")
    expect_order(turns, "Ogre", "Ash", "Bryn", "Cato")


def test_what_players_ask_for_is_accepted_with_one_tap_or_declined_with_a_word(
    table: Callable[..., Evening], laptop: NewContext, phone: NewContext
) -> None:
    evening = table(*TABLE, StartCombat(), permissions="nod")
    board = evening.open(laptop(), evening.referee)
    device = phone()
    device.clock.install()
    player = evening.open(device, evening.player("Mia", "Ash"))
    player.locator("#can-1-react button").tap()
    asks = board.locator("#asks")
    expect(asks).to_contain_text("Mia for Ash: React 1 Stamina")
    expect(figure(board, "Ash")).to_have_text("12 / 12")
    asks.get_by_role("button", name="Accept").click()
    expect(figure(board, "Ash")).to_have_text("11 / 12")
    expect(asks.get_by_role("button")).to_have_count(0)

    a_moment_later(player)
    player.locator("#can-1-react button").tap()
    asks.get_by_label("Reason for declining").fill("you are too far away")
    asks.get_by_role("button", name="Decline").click()
    expect(newest(board)).to_contain_text("The Referee declines Mia's request: you are too far away")
    expect(player.locator("#asks")).to_contain_text("you are too far away")
    expect(figure(board, "Ash")).to_have_text("11 / 12")


def test_everyone_rests_but_one_and_each_sees_what_it_gives_first(board: Page, evening: Evening) -> None:
    evening.do("channel", character="Ash", stamina=3)
    evening.do("channel", character="Bryn", stamina=3)
    board.keyboard.press("t")
    row = sheet(board).get_by_role("row", name=re.compile("^Ash"))
    expect(row).to_contain_text("+1 → 10")
    expect(row).to_contain_text("+3 → 12 of 4 offered")
    sheet(board).get_by_role("checkbox", name="Bryn").uncheck()
    # The button says who would rest; the whole party is ticked again at one tap, no enemy with it.
    expect(sheet(board).get_by_role("button", name="Safe Long Rest Ash, Cato", exact=True)).to_be_visible()
    sheet(board).get_by_role("button", name="Select the whole party").click()
    expect(sheet(board).get_by_role("button", name="Safe Long Rest Ash, Bryn, Cato", exact=True)).to_be_visible()
    sheet(board).get_by_role("checkbox", name="Bryn").uncheck()
    sheet(board).get_by_role("button", name="Safe Long Rest Ash, Cato", exact=True).click()
    expect(figure(board, "Ash")).to_have_text("12 / 12")
    expect(figure(board, "Cato")).to_have_text("4 / 6")
    assert evening.character("Bryn").stamina == 5
    assert evening.character("Ogre").stamina == 10


def test_rest_in_combat_says_why_not(turns: Page) -> None:
    turns.keyboard.press("t")
    expect(sheet(turns)).to_contain_text("Nobody can rest in combat: end the combat first.")
    expect(sheet(turns).get_by_role("button", name="Respite")).to_have_attribute("aria-disabled", "true")


def test_enemies_come_in_numbers_hidden_until_they_are_revealed(
    board: Page, evening: Evening, phone: NewContext
) -> None:
    player = evening.open(phone(), evening.player("Mia", "Ash"))
    board.get_by_role("button", name="Add enemies").click()
    expect(sheet(board).get_by_label("CON Ability Die")).to_have_value("")
    board.keyboard.type("3 Wolf")
    sheet(board).get_by_role("button", name="Add hidden from players").click()
    # It says who was added, and is ready for more of the same side.
    expect(sheet(board).get_by_role("status")).to_have_text("Added: Wolf 1, Wolf 2, Wolf 3")
    expect(sheet(board).get_by_label("Name")).to_be_focused()
    expect(sheet(board).get_by_role("button", name="enemy")).to_have_attribute("aria-pressed", "true")
    expect(seat(board, "Wolf 3")).to_contain_text("hidden from players")
    expect(seat(board, "Wolf 3")).to_contain_text("enemy")
    board.keyboard.press("Escape")
    open_all(board, "Wolf 2")
    sheet(board).get_by_role("button", name="Reveal to the players").click()
    expect(player.locator("body")).to_contain_text("Wolf 2")
    assert "Wolf 1" not in player.content()
    assert [one.name for one in evening.now.table.enemies()] == ["Ogre", "Wolf 1", "Wolf 2", "Wolf 3"]


def test_a_character_is_edited_noted_given_abilities_and_changed_by_hand(board: Page, evening: Evening) -> None:
    seat(board, "Bryn").get_by_role("button", name="More about Bryn").click()
    expect(sheet(board)).to_contain_text("Up to 8 to take, 0 to give.")
    sheet(board).locator(".step", has=board.locator("#hand-by")).locator("[data-step='1']").click()
    expect(sheet(board).get_by_label("Stamina", exact=True)).to_have_value("2")
    sheet(board).get_by_label("Reason").fill("a long night")
    sheet(board).get_by_role("button", name="− Take").click()
    expect(sheet(board).get_by_text("6 / 8")).to_be_visible()
    sheet(board).get_by_label("Ability", exact=True).fill("Leap")
    sheet(board).get_by_label("Cost in Stamina").fill("3")
    sheet(board).get_by_label("Granted by").select_option("tradition")
    sheet(board).get_by_role("button", name="Add the ability").click()
    expect(sheet(board)).to_contain_text("Leap 3 Stamina, tradition")
    sheet(board).get_by_role("button", name="Remove Shield Wall").click()
    expect(sheet(board).get_by_text("Shield Wall")).to_have_count(0)
    sheet(board).get_by_label("Name", exact=True).fill("Bryn the Bold")
    sheet(board).get_by_label("CON Ability Die").select_option("d12")
    sheet(board).get_by_label("Note (Referees only)").fill("owes the smith")
    sheet(board).get_by_role("button", name="Save").click()
    expect(seat(board, "Bryn the Bold")).to_contain_text("owes the smith")
    expect(figure(board, "Bryn the Bold")).to_have_text("6 / 12")
    expect(button(board, "Bryn the Bold", "Use Leap")).to_contain_text("3 Stamina, leaves 3")
    assert evening.character("Bryn the Bold").note == "owes the smith"


def test_players_are_invited_by_qr_and_code_given_characters_and_sent_away(
    board: Page, evening: Evening, phone: NewContext
) -> None:
    board.keyboard.press("p")
    sheet(board).get_by_role("button", name="Invite players").click()
    expect(sheet(board).get_by_role("img", name="Invite players")).to_be_visible()
    code = sheet(board).locator(".code").inner_text()
    address = sheet(board).get_by_label("Address").input_value()
    assert "/join/" in address
    expect(sheet(board)).to_contain_text("until you make a new invitation")
    expect(sheet(board)).not_to_contain_text("Remove")
    player = phone().new_page()
    player.goto("/join")
    player.locator("[name=code]").fill(code.lower())
    player.get_by_role("button").first.click()
    player.locator("[name=name]").fill("Mia")
    player.locator("form button.main").click()
    expect(player.locator("#status")).to_have_text("live")
    # The invitation stays on the screen while others join.
    expect(sheet(board).locator(".code")).to_have_text(code)
    sheet(board).get_by_role("button", name="People and links").click()
    sheet(board).get_by_label("A character for Mia").select_option(label="Bryn")
    sheet(board).get_by_role("button", name="Give").click()
    expect(sheet(board)).to_contain_text("plays Bryn")
    expect(player.locator("#hand-2")).to_contain_text("Bryn")
    sheet(board).get_by_label("Release Bryn").click()
    expect(sheet(board)).to_contain_text("plays Bryn")
    sheet(board).get_by_role("button", name="Yes, release Bryn").click()
    expect(sheet(board).get_by_text("plays Bryn")).to_have_count(0)
    sheet(board).get_by_role("button", name="The Referee does everything").click()
    expect(sheet(board).get_by_role("button", name="The Referee does everything")).to_have_attribute(
        "aria-pressed", "true"
    )
    # Asked first, in its place: Mia sits on until the yes, by keys as well, and the sheet stays for what comes next.
    sheet(board).get_by_label("Remove Mia").press("Enter")
    expect(sheet(board)).to_contain_text("Mia loses access at once")
    assert [one.name for one in evening.now.company.players()] == ["Mia"]
    sheet(board).get_by_role("button", name="Yes, remove Mia").press("Enter")
    expect(sheet(board)).to_contain_text("Nobody has joined yet.")
    expect(player.locator("#said, #status").first).to_contain_text("no longer valid")
    expect(player.locator("#root")).to_have_js_property("inert", True)
    assert [one.name for one in evening.now.company.players()] == []


def test_the_summary_says_what_each_one_spent_on_what(board: Page, evening: Evening) -> None:
    evening.do("channel", character="Ash", stamina=3)
    evening.do("channel", character="Ash", stamina=2)
    evening.do("use_ability", character="Bryn", ability="Shield Wall")
    evening.do("use_ability", character="Bryn", ability="Shield Wall")
    evening.do("undo")
    board.keyboard.press("s")
    expect(sheet(board).locator("tbody tr")).to_have_count(2)
    rows = [re.sub(r"\s+", " ", one) for one in sheet(board).locator("tbody tr").all_inner_texts()]
    assert rows == ["Ash – 5 2× 5 – –", "Bryn 2 1× – 2 – –"]


def test_a_round_is_read_aloud_as_it_is_told_each_sentence_once_with_the_new_figures(
    board: Page, evening: Evening
) -> None:
    heard = board.locator("#hear p")
    expect(heard).to_have_count(0)
    evening.do("start_combat")
    evening.do("act_early", character="Ash")
    evening.do("begin_turns")
    evening.do("next_turn")
    evening.do("react", character="Bryn")
    evening.do("undo")
    expect(heard).to_have_count(8)
    assert heard.all_inner_texts() == [
        "Combat begins: round 1. Who acts early?",
        "Ash will act early: 1 Stamina, 11 left.",
        "The order is fixed: Ash, Ogre, Bryn, Cato.",
        "Ash's turn begins.",
        "Bryn reacts: 1 Stamina, 7 left.",
        "1 act is taken back.",
        "It was: Bryn reacts: 1 Stamina, 7 left.",
        "Bryn: 8 of 8 Stamina",
    ]


def test_a_line_of_the_history_leads_to_its_rule(board: Page, evening: Evening) -> None:
    evening.do("channel", character="Ash", stamina=3)
    board.get_by_role("button", name="channel.needs-stamina").press("Enter")
    expect(sheet(board)).to_contain_text("Rules in force")
    asked = sheet(board).locator(".asked")
    expect(asked).to_contain_text("channel.needs-stamina")
    expect(asked).to_be_focused()


def test_a_card_names_who_plays_it_and_enemies_without_a_die_stand_together(board: Page, evening: Evening) -> None:
    evening.player("Mia", "Ash")
    evening.player("Jo", "Ash")
    expect(seat(board, "Ash")).to_contain_text("played by Mia, Jo")
    expect(board.locator(".seats.low")).to_have_count(0)
    evening.do("add_character", name="Wolf", side="enemy")
    expect(board.locator(".seats.low .seat")).to_have_text(re.compile("Wolf"))
    evening.do("edit_character", character="Wolf", con="d6")
    expect(board.locator(".seats.low")).to_have_count(0)


def test_a_refusal_is_said_and_nothing_changes(board: Page, evening: Evening) -> None:
    seat(board, "Bryn").get_by_role("button", name="More about Bryn").click()
    sheet(board).get_by_label("Stamina", exact=True).fill("5")
    sheet(board).get_by_label("Reason").fill("why not")
    sheet(board).get_by_role("button", name="+ Give").click()
    expect(sheet(board).get_by_role("alert")).to_contain_text("Bryn has 8 of 8 Stamina; a change by +5 would go past")
    expect(sheet(board).get_by_label("Reason")).to_have_value("why not")


def test_a_table_is_renamed_exported_and_deleted_for_good(board: Page, evening: Evening) -> None:
    board.get_by_role("button", name="Table", exact=True).click()
    sheet(board).get_by_label("Name").fill("The last night")
    sheet(board).get_by_role("button", name="Save").click()
    expect(board.get_by_role("heading", name="The last night")).to_be_visible()
    board.get_by_role("button", name="Table", exact=True).click()
    with board.expect_download() as download:
        sheet(board).get_by_role("link", name="Export this table").click()
    assert download.value.suggested_filename == "The-last-night.winded.json"
    sheet(board).get_by_label("Delete it for good").check()
    sheet(board).get_by_role("button", name="Delete for good").click()
    expect(board).to_have_url(re.compile("/$"))
    assert "The last night" not in board.content()


def test_the_smallest_first_load_and_nothing_from_elsewhere(evening: Evening, laptop: NewContext) -> None:
    context = laptop()
    sizes: list[int] = []
    context.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page = context.new_page()
    with page.expect_event("requestfinished", lambda request: "board.js" in request.url):
        page.goto(f"/l/{evening.referee.token}")
    expect(page.locator("#status")).to_have_text("live")
    assert sum(sizes) <= 25 * 1024, sizes
