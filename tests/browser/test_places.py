"""Nothing moves while people aim: no control is elsewhere after anyone's act, on any screen."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server
from winded.rules import AddAbility, AddCharacter, Side

NewContext = Callable[..., BrowserContext]

PARTY = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Brakka", con="d10"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Corin the Grey", con="d10"),
    AddCharacter("Della", con="d6", stamina=0),
    AddAbility("Brakka", "Shield Wall", 2),
    AddCharacter("Wolf 1", con="d8", side=Side.ENEMY),
    AddCharacter("Wolf 2", con="d8", side=Side.ENEMY),
    AddCharacter("Ogre", con="d10", side=Side.ENEMY, hidden=True),
)

SIZES = [(1280, 800), (820, 1180), (390, 844), (320, 568)]

# A control is named by the part of the screen it stands in and by its words, without its price. The history grows, and
# the order of a round is what an act changes.
PLACES = """() => {
    const found = {};
    for (const one of document.querySelectorAll("button, input:not([hidden], [type=hidden]), a[href], summary")) {
        if (one.closest("#lines, .order, dialog, .skip, #said") || !one.checkVisibility()) continue;
        const part = one.closest("article") ?? one.closest("section, form, header, nav"), copy = one.cloneNode(true);
        copy.querySelectorAll("small").forEach(small => small.remove());
        const words = one.getAttribute("aria-label") ?? copy.textContent.trim();
        const box = one.getBoundingClientRect();
        const key = [part?.id || part?.getAttribute("aria-label") || part?.className, words || one.id].join(": ");
        found[key] = [Math.round(box.x + scrollX), Math.round(box.y + scrollY)];
    }
    return found;
}"""


def places(page: Page) -> dict[str, tuple[int, int]]:
    """Where each control of a screen stands, in pixels of the whole page."""
    return {name: (at[0], at[1]) for name, at in page.evaluate(PLACES).items()}


def moved(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> list[str]:
    """The controls that are on both, and elsewhere now."""
    return [
        f"{name} from {before[name]} to {after[name]}"
        for name in before.keys() & after.keys()
        if any(abs(old - new) > 2 for old, new in zip(before[name], after[name], strict=True))
    ]


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, PARTY, permissions="nod")
    yield found
    found.close()


def a_round(evening: Evening) -> Iterator[tuple[str, int]]:
    """What people do in a round and after it, one act at a time, with the number of its entry."""

    def do(what: str, **fields: object) -> tuple[str, int]:
        return f"{what} {fields}", evening.do(what, **fields)

    yield do("start_combat")
    yield do("act_early", character="Ash")
    yield "not this round", evening.company("not_early", character="Bryn")
    yield do("begin_turns")
    yield do("next_turn")
    yield do("take_wound", character="Brakka", wound="cracked ribs")
    yield do("react", character="Brakka")
    yield do("react", character="Brakka")
    yield do("declare_check", character="Ash", push=2, strain="holding the gate", target=18)
    yield do("declare_check", character="Bryn", push=1, strain="fear of deep water")
    yield do("resolve_check", character="Ash", roll=12)
    yield do("withdraw_check", character="Bryn")
    yield do("undo")
    yield do("redo")
    yield do("channel", character="Corin the Grey", stamina=3)
    for _ in range(8):
        yield do("next_turn")
    yield do("end_combat")
    yield do("rest", kind="short")
    yield do("undo")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_control_of_the_board_moves_by_anyone_s_act(
    width: int, height: int, evening: Evening, laptop: NewContext
) -> None:
    board = evening.open(laptop(viewport={"width": width, "height": height}), evening.referee)
    before = places(board)
    assert len(before) > 20
    faults = []
    for act, number in a_round(evening):
        expect(board.locator("#root")).to_have_attribute("data-seq", str(number))
        after = places(board)
        faults += [f"{act}: {one}" for one in moved(before, after)]
        before = after
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_no_control_of_a_phone_moves_by_anyone_s_act(
    width: int, height: int, server: Server, phone: NewContext
) -> None:
    evening = Evening(server.address, server.database, PARTY)
    context = phone(viewport={"width": width, "height": height})
    mia = evening.player("Mia", "Ash", "Brakka")
    page = evening.open(context, mia)
    one, other = page.locator("#hand-1"), page.locator("#hand-2")
    # What is filled in for a Check lies over the hand, and stays where it is as well.
    other.locator("[id$=declare_check-push] summary").dispatch_event("click")
    one.locator("summary", has_text="Rest").tap()
    # What opens below the edge is brought up with the next frame.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = places(page)
    assert len(before) > 40
    faults: list[str] = []

    def look(act: str, number: int) -> None:
        nonlocal before
        expect(page.locator("#root")).to_have_attribute("data-seq", str(number))
        after = places(page)
        faults.extend(f"{act}: {one}" for one in moved(before, after))
        before = after

    def does(**fields: str) -> int:
        number = evening.send("do", sender=mia, **fields)
        look(f"Mia: {fields}", number)
        return number

    for act, number in a_round(evening):
        look(act, number)
        combat = evening.now.table.combat
        if act.startswith("next_turn") and combat is not None and combat.turn not in (None, "Ash"):
            does(do="react", character="Ash")
            does(do="undo")
        if act.startswith("rest"):
            asked = does(do="rest", kind="short", characters="Ash")
            look("is told no", evening.company("decline", ask=asked))
    look("added", evening.do("add_character", name="Finn", con="d6"))
    look("removed", evening.do("remove_character", character="Della"))
    evening.close()
    assert not faults, "\n".join(faults)


WHOLE = """() => [...document.querySelectorAll(".seat")].filter(seat => {
    const box = seat.getBoundingClientRect(), all = seat.closest(".all").getBoundingClientRect();
    return box.top >= all.top && box.bottom <= Math.min(all.bottom, innerHeight) && box.right <= innerWidth;
}).length"""


@pytest.mark.parametrize(("width", "height", "more"), [(1280, 800, 0), (1440, 900, 2)])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_everyone_is_whole_in_a_fight_without_scrolling_and_the_history_beside_them(
    width: int, height: int, more: int, locale: str, evening: Evening, laptop: NewContext
) -> None:
    board = evening.open(laptop(viewport={"width": width, "height": height}, locale=locale), evening.referee)
    for at in range(more):
        evening.do("add_character", name=f"Hound {at}", con="d8", side=("party", "enemy")[at])
    for act in ("start_combat", "begin_turns", "next_turn"):
        number = evening.do(act)
    expect(board.locator("#root")).to_have_attribute("data-seq", str(number))
    assert board.evaluate(WHOLE) == board.locator(".seat").count() == 8 + more
    expect(board.locator("#lines > li").first).to_be_in_viewport(ratio=1)
    expect(board.locator("#pane")).to_be_in_viewport(ratio=1)
