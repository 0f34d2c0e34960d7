"""Every screen in step: phones that sleep, links that drop or fall silent, servers that restart, taps at one moment."""

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.evening import PARTY, Evening, fetched, hide, stamina, wake
from tests.hop import Hop
from tests.serving import Server
from tests.waiting import until
from tests.web.inside import Inside
from winded.rules import StartCombat

NewContext = Callable[..., BrowserContext]

BEAT_MS = 1000
FIGHT = (*PARTY, StartCombat())


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, FIGHT)
    yield found
    found.close()


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[tuple[Evening, Hop]]:
    """A fight at a server with a quick beat, and a hop on the way to it."""
    database = tmp_path / "winded.sqlite"
    with Inside(database, beat=BEAT_MS / 1000, keep_alive=0) as inside, Hop(inside.address) as hop:
        evening = Evening(inside.address, database, FIGHT)
        yield evening, hop
        evening.close()


def history(page: Page, entries: int = 12) -> list[str]:
    """The newest lines of the history, each with its entry's number."""
    lines = page.locator("#lines li").evaluate_all("all => all.map(one => `${one.id} ${one.innerText}`)")
    return [re.sub(r"\s+", " ", line) for line in lines[:entries]]


def seats(page: Page) -> list[str]:
    return page.locator(".others li").evaluate_all("all => all.map(one => one.innerText)")


def number(page: Page) -> int:
    return int(page.locator("#root").get_attribute("data-seq") or -1)


def act(page: Page, name: str) -> Any:
    return page.locator(".most").get_by_role("button", name=name).first


def tap_together(pages: list[Page], name: str) -> None:
    """All tap before the first of them is answered: no act reaches the server until every page has sent its own."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    for page in pages:
        page.route("**/do", hold, times=1)
    for page in pages:
        act(page, name).tap()
    while len(held) < len(pages):
        pages[0].evaluate("() => true")
    for route in held:
        route.continue_()


def alone_with_its_stream(evening: Evening, hop: Hop, phone: NewContext) -> Page:
    """A phone at which nobody has done anything for a while: of its connections only the stream is left.

    Its clock stands still from then on.
    """
    device = phone(base_url=hop.address)
    device.clock.install()
    page = evening.open(device, evening.player("Mia", "Ash"))
    until(lambda: hop.connections == 1, "the page keeps more connections than its stream")
    page.clock.pause_at(page.evaluate("() => Date.now() / 1000") + 0.5)
    return page


def test_a_screen_that_lost_a_piece_of_its_view_is_whole_again_at_the_next_change(
    evening: Evening, phone: NewContext
) -> None:
    mia = evening.open(phone(), evening.player("Mia", "Ash"))
    mia.locator("#moment").evaluate("piece => piece.remove()")
    evening.do("begin_turns")
    expect(mia.locator("#moment")).to_contain_text("the order is fixed")


def test_a_sheet_that_was_on_its_way_while_the_table_moved_on_shows_the_newest_state(
    evening: Evening, laptop: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)

    def overtaken(route: Route) -> None:
        old = fetched(route)
        evening.do("end_combat")
        board.locator("#round.off").wait_for()
        route.fulfill(response=old)

    board.route("**/sheet/rest", overtaken, times=1)
    board.get_by_role("button", name="Rest", exact=True).click()
    expect(board.locator("#sheet").get_by_role("button", name="Short Rest")).to_be_enabled()


def test_a_phone_that_slept_for_six_events_shows_what_all_the_others_do(evening: Evening, phone: NewContext) -> None:
    slept = evening.open(phone(), evening.player("Mia", "Ash"))
    awake = evening.open(phone(), evening.player("Jo", "Bryn"))
    hide(slept)
    before = number(slept)
    evening.do("act_early", character="Corin")
    evening.do("react", character="Ash")
    evening.do("undo")
    evening.do("take_wound", character="Ash", wound="cracked ribs")
    evening.do("add_character", name="Wolf", con="d8", side="enemy")
    last = evening.do("begin_turns")
    expect(awake.locator("#moment")).to_contain_text("the order is fixed")
    assert number(slept) == before
    wake(slept)
    expect(slept.locator("#root")).to_have_attribute("data-seq", str(last))
    expect(slept.locator("#status")).to_have_text("live")
    assert history(slept) == history(awake)
    assert seats(slept) == seats(awake)
    assert stamina(slept) == "10"
    assert slept.locator(".order li").all_inner_texts() == awake.locator(".order li").all_inner_texts()


def test_a_phone_in_the_background_holds_no_stream_and_catches_up_when_it_wakes(
    apart: tuple[Evening, Hop], phone: NewContext
) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    page.evaluate("() => { window.first = true }")
    hide(page)
    evening.do("react", character="Ash")
    wake(page)
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    assert page.evaluate("() => window.first"), "the page was loaded anew"


def test_a_half_open_link_is_noticed_and_healed_within_three_beats(
    apart: tuple[Evening, Hop], phone: NewContext
) -> None:
    evening, hop = apart
    page = alone_with_its_stream(evening, hop, phone)
    hop.swallow()
    hop.restore()
    evening.do("react", character="Ash")
    page.clock.run_for(BEAT_MS)
    expect(page.locator("#status")).to_have_text("live")
    with page.expect_request("**/live?*"):
        page.clock.run_for(2 * BEAT_MS)
    page.clock.resume()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#status")).to_have_text("live")


def test_a_link_that_stays_silent_is_shown_and_healed_once_it_speaks(
    apart: tuple[Evening, Hop], phone: NewContext
) -> None:
    evening, hop = apart
    page = alone_with_its_stream(evening, hop, phone)
    hop.swallow()
    evening.do("react", character="Ash")
    page.clock.run_for(4 * BEAT_MS)
    expect(page.locator("#status")).to_contain_text("Behind since")
    assert stamina(page) == "12"
    hop.restore()
    page.clock.resume()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#status")).to_have_text("live")


def test_a_restart_of_the_server_is_healed_without_a_reload(serve: Callable[..., Server], phone: NewContext) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = serve(port=port)
    evening = Evening(server.address, server.database, FIGHT)
    page = evening.open(phone(base_url=server.address), evening.player("Mia", "Ash"))
    page.evaluate("() => { window.first = true }")
    page.get_by_text("Resist hardship").tap()
    server.kill()
    expect(page.locator("#status")).to_contain_text("Behind since")
    server.start()
    evening.do("react", character="Ash")
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#status")).to_have_text("live")
    expect(page.locator("#open-1-resist-stamina")).to_have_attribute("open", "")
    assert page.evaluate("() => window.first"), "the page was loaded anew"
    evening.close()


def test_taps_at_the_same_moment_each_get_their_answer(evening: Evening, phone: NewContext) -> None:
    pages = [
        evening.open(phone(), evening.player(name, character))
        for name, character in (("Mia", "Ash"), ("Jo", "Bryn"), ("Lu", "Corin"), ("Ada", "Della"))
    ]
    before = evening.now.number
    tap_together(pages, "React")
    for page, left in zip(pages, ("11", "7", "9", "5"), strict=True):
        expect(page.locator(".have .fig b")).to_have_text(left)
        expect(page.locator("#root")).to_have_attribute("data-seq", str(before + 4))
    assert len({tuple(history(page)) for page in pages}) == 1


def test_two_phones_on_one_character_tap_together_and_nobody_pays_twice_for_one_price(
    evening: Evening, phone: NewContext
) -> None:
    pages = [evening.open(phone(), evening.player(name, "Ash")) for name in ("Mia", "Jo")]
    tap_together(pages, "React")
    for page in pages:
        expect(page.locator(".have .fig b")).to_have_text("11")
    said = [page.locator("#said").inner_text() for page in pages]
    assert sorted(bool(one) for one in said) == [False, True], said
    assert "This now costs 2 Stamina, not 1. Nothing was spent." in "".join(said)


def test_a_double_tap_happens_once(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    before = evening.now.number
    act(page, "React").dblclick()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    # Acts are sent in the order of the taps: a second one would be done before this one.
    act(page, "Act early").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("10")
    assert evening.now.number == before + 2


def test_a_late_answer_never_overwrites_a_newer_view(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/do", hold, times=1)
    act(page, "React").tap()
    while not held:
        page.evaluate("() => true")
    [route] = held
    answer = fetched(route)
    evening.do("adjust", character="Ash", by=-3, reason="a fall")
    newest = evening.do("react", character="Bryn")
    expect(page.locator("#root")).to_have_attribute("data-seq", str(newest))
    page.evaluate(
        """() => {
            window.numbers = [];
            const note = () => window.numbers.push(+document.getElementById("root").dataset.seq);
            new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
        }"""
    )
    route.fulfill(response=answer)
    # The next act is sent once the answer to the one before it has been heard.
    act(page, "Act early").tap()
    expect(page.locator("#root")).to_have_attribute("data-seq", str(newest + 1))
    assert stamina(page) == "7"
    assert set(page.evaluate("() => window.numbers")) == {newest, newest + 1}


def test_an_older_view_never_covers_a_newer_one(evening: Evening, phone: NewContext) -> None:
    page = phone().new_page()
    older = 'event: view\ndata: {"number": 1, "root": "<main id=root data-seq=1>an older view</main>"}\n\n'
    page.route("**/live?*", lambda route: route.fulfill(body=older, content_type="text/event-stream"))
    player = evening.player("Mia", "Ash")
    with page.expect_request("**/live?*"):
        page.goto(f"/l/{player.token}")
    # The screen asks again once it has heard all of this stream.
    page.wait_for_event("request", lambda sent: "/live?" in sent.url)
    assert number(page) == evening.now.number
    expect(page.get_by_text("an older view")).to_have_count(0)


def test_screens_show_a_restored_table_by_themselves_awake_or_asleep(evening: Evening, phone: NewContext) -> None:
    awake = evening.open(phone(), evening.player("Mia", "Ash"))
    slept = evening.open(phone(), evening.player("Jo", "Bryn"))
    put_back = evening.copy()
    for _ in range(2):
        evening.do("adjust", character="Ash", by=-1, reason="the cold")
        newest = evening.do("adjust", character="Bryn", by=-1, reason="the cold")
    expect(awake.locator("#root")).to_have_attribute("data-seq", str(newest))
    expect(slept.locator("#root")).to_have_attribute("data-seq", str(newest))
    hide(slept)
    restored = put_back()
    expect(awake.locator("#root")).to_have_attribute("data-seq", str(restored))
    expect(awake.locator("#status")).to_have_text("live")
    # The restored table comes to the same numbers by another way.
    for by in (-4, 1, 1, 1):
        newest = evening.do("adjust", character="Ash", by=by, reason="another evening")
    wake(slept)
    for page in (awake, slept):
        expect(page.locator("#root")).to_have_attribute("data-seq", str(newest))
        expect(page.locator("#root")).to_have_attribute("data-mark", evening.now.mark)
        expect(page.locator("#status")).to_have_text("live")
        expect(page.locator("#lines")).not_to_contain_text("the cold")
        expect(page.locator("#lines")).to_contain_text("another evening")
    assert history(awake) == history(slept)


def test_what_was_tried_while_cut_off_is_sent_once_when_back(apart: tuple[Evening, Hop], phone: NewContext) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    before = evening.now.number
    hop.cut()
    expect(page.locator("#status")).to_contain_text("Behind since")
    act(page, "React").tap()
    expect(page.locator("#said")).to_contain_text("You’re offline. This will be sent when you reconnect.")
    assert evening.now.number == before
    hop.restore()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#said")).to_be_empty()
    act(page, "Act early").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("10")
    assert evening.now.number == before + 2


def test_an_answer_lost_on_the_way_back_does_not_do_it_twice(apart: tuple[Evening, Hop], phone: NewContext) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    lost: list[int] = []

    def lose(route: Route) -> None:
        """The server hears of it and answers, and the line breaks before the answer is through."""
        if lost:
            route.continue_()
            return
        lost.append(fetched(route).status)
        route.abort("connectionreset")

    page.route("**/do", lose)
    before = evening.now.number
    act(page, "React").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    expect(page.locator("#said")).to_be_empty()
    assert lost == [204]
    assert evening.now.number == before + 1
    assert evening.character("Ash").stamina == 11


def test_what_was_tried_while_cut_off_can_be_called_off(apart: tuple[Evening, Hop], phone: NewContext) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    before = evening.now.number
    hop.cut()
    act(page, "React").tap()
    expect(page.locator("#said")).to_contain_text("You’re offline")
    page.get_by_role("button", name="Don’t send").tap()
    hop.restore()
    expect(page.locator("#status")).to_have_text("live")
    act(page, "Act early").tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("11")
    assert evening.now.number == before + 1


def test_what_was_tried_while_cut_off_is_refused_visibly_where_it_is_no_longer_possible(
    apart: tuple[Evening, Hop], phone: NewContext
) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    hop.cut()
    act(page, "React").tap()
    expect(page.locator("#said")).to_contain_text("You’re offline")
    evening.do("end_combat")
    hop.restore()
    expect(page.locator("#said")).to_contain_text("Ash can react only in combat.")
    assert evening.character("Ash").stamina == 12


def test_two_acts_tried_while_cut_off_are_done_in_their_order(apart: tuple[Evening, Hop], phone: NewContext) -> None:
    evening, hop = apart
    page = evening.open(phone(base_url=hop.address), evening.player("Mia", "Ash"))
    hop.cut()
    act(page, "Act early").tap()
    act(page, "React").tap()
    hop.restore()
    expect(page.locator("#have-1 .fig b")).to_have_text("10")
    first, second = history(page)[1::-1]
    assert "will act early" in first
    assert "reacts" in second


def test_several_referees_and_all_phones_show_one_state(
    evening: Evening, phone: NewContext, laptop: NewContext
) -> None:
    board = evening.open(laptop(), evening.referee)
    again = evening.open(laptop(), evening.referee)
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    act(page, "React").tap()
    for screen in (board, again):
        expect(screen.locator("#seat-1 .fig b")).to_have_text("11")
        expect(screen.locator("#root")).to_have_attribute("data-seq", str(evening.now.number))


def test_a_form_opened_before_the_line_was_cut_overwrites_nothing(
    apart: tuple[Evening, Hop], laptop: NewContext
) -> None:
    evening, hop = apart
    first, second = (evening.open(laptop(base_url=one), evening.referee) for one in (hop.address, evening.address))
    first.get_by_role("button", name="More about Ash").click()
    expect(first.locator("#edit-name")).to_have_value("Ash")
    hop.cut()
    second.get_by_role("button", name="More about Ash").click()
    second.locator("#edit-con").select_option("d8")
    second.locator("#edit-note").fill("owes the miller")
    second.locator("#edit-note").press("Enter")
    expect(second.locator("#seat-1")).to_contain_text("owes the miller")
    first.locator("#edit-name").fill("Ashe")
    first.locator("#edit-name").press("Enter")
    expect(first.locator("#sheet")).to_contain_text("You’re offline")
    hop.restore()
    expect(first.locator("#seat-1 h3")).to_have_text("Ashe")
    ash = evening.character("Ashe")
    assert (ash.name, ash.base_con, ash.note) == ("Ashe", "d8", "owes the miller")
