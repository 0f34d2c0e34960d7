"""Spectators and streaming software: the same table, nothing to tap, and never more than players may see."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.evening import PARTY, Evening
from tests.pixels import read_png
from tests.serving import Server
from winded.rules import ActEarly, AddCharacter, BeginTurns, Side, StartCombat, TakeWound

NewContext = Callable[..., BrowserContext]

FIGHT = (
    *PARTY,
    AddCharacter("Wolf", con="d8", side=Side.ENEMY),
    AddCharacter("Lurker", con="d8", side=Side.ENEMY, hidden=True),
    TakeWound("Ash", wound="cracked ribs"),
    StartCombat(),
    ActEarly("Ash"),
    BeginTurns(),
)


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, FIGHT)
    yield found
    found.close()


def test_a_spectator_sees_each_change_and_can_do_nothing(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(), evening.spectator())
    expect(page.locator(".seat")).to_have_count(5)
    expect(page.locator("#seat-1")).to_contain_text("cracked ribs")
    expect(page.locator("#seat-1")).to_contain_text("acts early")
    assert page.locator("button:not(.languages button)").count() == 0
    evening.do("react", character="Bryn")
    evening.do("next_turn")
    expect(page.locator("#seat-2 .fig b")).to_have_text("7")
    expect(page.locator("#seat-1")).to_contain_text("acting now")
    expect(page.locator("#moment")).to_contain_text("Round 1: Ash's turn")
    expect(page.locator("#lines li").first).to_contain_text("Ash's turn begins.")
    assert "Lurker" not in page.content()


def test_the_overlay_shows_those_it_is_asked_for_live(evening: Evening, laptop: NewContext) -> None:
    given = evening.spectator()
    page = laptop().new_page()
    page.goto(f"/tables/{evening.id}/overlay?key={given.token}&characters=2,Ash,Lurker,Nobody&size=huge")
    expect(page.locator("li bdi")).to_have_text(["Bryn", "Ash"])
    unknown = page.locator("#unknown")
    expect(unknown).to_have_text("Names 3, 4 in this overlay’s address fit nobody the players can see.")
    expect(unknown).to_be_visible()
    unknown.evaluate("one => one.getAnimations().forEach(reading => reading.finish())")
    expect(unknown).to_be_hidden()
    assert page.locator("li").first.evaluate("one => getComputedStyle(document.documentElement).fontSize") == "36px"
    evening.do("react", character="Bryn")
    expect(page.locator("#seat-2 b").last).to_have_text("7")
    evening.do("next_turn")
    expect(page.locator("#seat-1")).to_contain_text("▸ Ash")
    expect(page.locator("#moment")).to_have_text("Round 1: Ash's turn")
    evening.do("end_combat")
    expect(page.locator("#moment")).to_be_empty()


def test_without_a_wish_the_overlay_shows_the_party_alone(evening: Evening, laptop: NewContext) -> None:
    page = laptop().new_page()
    page.goto(f"/tables/{evening.id}/overlay?key={evening.spectator().token}&size=nonsense&theme=nonsense")
    expect(page.locator("li bdi")).to_have_text(["Ash", "Bryn", "Corin", "Della"])
    expect(page.locator("body")).to_have_class("overlay dark")
    expect(page.locator("html")).to_have_class("overlaid large")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_overlay_is_transparent_and_its_writing_stands_out(
    evening: Evening, laptop: NewContext, color_scheme: str, theme: str
) -> None:
    page = laptop(color_scheme=color_scheme).new_page()
    page.goto(f"/tables/{evening.id}/overlay?key={evening.spectator().token}&characters=1&theme={theme}")
    part = {"x": 0, "y": 0, "width": 640, "height": 240}
    picture = read_png(page.screenshot(omit_background=True, clip=part))
    assert picture.at(picture.width - 5, 5)[3] == 0
    box = page.locator("#seat-1").bounding_box()
    assert box is not None
    ground = picture.at(int(box["x"] + box["width"] - 12), int(box["y"] + 8))
    assert ground[3] > 180
    assert (sum(ground[:3]) / 3 < 80) is (theme == "dark")


def test_the_overlay_may_be_framed_and_nothing_else(evening: Evening, laptop: NewContext) -> None:
    given = evening.spectator()
    context = laptop()
    overlay = context.request.get(f"{evening.address}/tables/{evening.id}/overlay?key={given.token}")
    assert "frame-ancestors *" in overlay.headers["content-security-policy"]
    assert "x-frame-options" not in overlay.headers
    page = context.request.get(f"{evening.address}/l/{given.token}")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"


def test_the_overlay_takes_the_spectators_link_and_no_other(evening: Evening, laptop: NewContext) -> None:
    context = laptop()
    for given in (evening.referee, evening.player("Mia", "Ash")):
        answer = context.request.get(f"{evening.address}/tables/{evening.id}/overlay?key={given.token}")
        assert answer.status == 403
        assert "An overlay works only with the spectators" in answer.text()
