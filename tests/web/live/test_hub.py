"""Live views: every screen shows one table's newest state, whatever it missed, and is sent no more than it lacks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.callers import Caller, Event
from tests.web.inside import Inside
from winded import D8, AddCharacter
from winded.journal import MemoryJournal
from winded.roles import Role
from winded.service import Desk, Seen
from winded.service.opening import begin_table
from winded.tables import Revision, Tables
from winded.web.live import Kept, Live, Rendered, Viewer


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("live") / "winded.sqlite") as running:
        yield running


@pytest.fixture
def referee(inside: Inside) -> Iterator[Caller]:
    with httpx.Client(base_url=inside.address, timeout=PATIENCE, limits=httpx.Limits(max_connections=100)) as client:
        made = client.post("/api/tables", json={"sample": True}).json()
        yield Caller(client, made["id"], made["token"], "Referee")


def on_pages(caller: Caller) -> Caller:
    """The same one, at the table's page."""
    page = Caller(caller.client, caller.table, caller.token, caller.name, caller.member)
    page.base = f"/tables/{caller.table}"
    return page


def view(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = event["data"]
    return data


def act(referee: Caller, by: int = -1) -> int:
    return int(referee.done("adjust", character="Ash", by=by, reason="the table agrees")["number"])


def test_a_screen_that_shows_the_newest_is_sent_only_what_changes(referee: Caller) -> None:
    with on_pages(referee).follow(seq=referee.number()) as stream:
        stream.next("beat")
        number = act(referee)
        update = view(stream.next("view"))
    assert update["number"] == number
    assert "root" not in update
    assert 0 < len(update["fragments"]) < 8
    for name, html in update["fragments"].items():
        assert f'id="{name}"' in html or f"id={name}" in html


def test_an_update_for_one_character_stays_under_2_kib(referee: Caller) -> None:
    with on_pages(referee).follow(seq=referee.number()) as stream:
        stream.next("beat")
        before = len(stream.raw)
        act(referee)
        stream.next("view")
        assert len(stream.raw) - before < 2048


@pytest.mark.parametrize("seq", ["", "0", "3", "999999"])
def test_a_screen_that_shows_anything_else_is_sent_the_whole_view_at_once(referee: Caller, seq: str) -> None:
    with on_pages(referee).follow(seq=seq) as stream:
        update = view(stream.next("view"))
    assert update["number"] == referee.number()
    assert 'id="root"' in update["root"]


@pytest.mark.parametrize("seq", ["x", "--1", "1.5", "9" * 16])
def test_what_is_no_number_is_malformed(referee: Caller, seq: str) -> None:
    with on_pages(referee).follow(seq=seq) as stream:
        assert stream.status == 400


def test_a_slow_screen_gets_the_newest_and_never_a_backlog(inside: Inside, referee: Caller) -> None:
    with on_pages(referee).follow(seq=referee.number()) as stream:
        stream.next("beat")
        for _ in range(40):
            act(referee)
            number = act(referee, by=1)
        seen = []
        while not seen or seen[-1] != number:
            seen.append(view(stream.next("view"))["number"])
    assert seen == sorted(set(seen))


def test_all_who_look_the_same_way_are_sent_the_same(referee: Caller) -> None:
    spectator = referee.give("spectator")
    with ExitStack() as open_ones:
        number = referee.number()
        streams = [open_ones.enter_context(on_pages(spectator).follow(seq=number)) for _ in range(20)]
        for stream in streams:
            stream.next("beat")
        act(referee)
        first, *others = [view(stream.next("view")) for stream in streams]
    assert all(one == first for one in others)


def test_a_new_name_of_the_table_is_seen_at_once(referee: Caller) -> None:
    with on_pages(referee).follow(seq=referee.number()) as stream:
        stream.next("beat")
        referee.send("PATCH", "", {"name": "The Bridge at Night"})
        update = view(stream.next("view"))
        assert "The Bridge at Night" in str(update) or update.get("fragments") == {}


@pytest.mark.parametrize("role", ["referee", "player", "spectator"])
def test_a_revoked_link_ends_its_screens(referee: Caller, role: str) -> None:
    other = referee.let_in("Pip", "Ash") if role == "player" else referee.give(role)
    with on_pages(other).follow() as stream:
        stream.next("view")
        assert referee.send("DELETE", f"/links/{other.member}").status_code == 204
        assert stream.until_end()[-1]["event"] == "gone"


def test_a_renewed_link_ends_its_screens_within_a_beat(referee: Caller) -> None:
    player = referee.let_in("Pip", "Ash")
    with on_pages(player).follow() as stream:
        stream.next("view")
        referee.post(f"/links/{player.member}/renew")
        assert stream.until_end()[-1]["event"] == "gone"


# -- the hub itself


class Screen:
    """One screen of the hub, without a network between."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.left = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message.get("body"):
            self.sent.append(message["body"])
        if message["type"] == "http.response.body" and not message["more_body"]:
            # Whoever asks for more of a request that has been answered hears that nobody is there.
            self.left.set()

    def told(self) -> list[dict[str, Any]]:
        """What the views hold."""
        views = (one.partition(b"data: ")[2] for one in self.sent if one.startswith(b"event: view"))
        return [json.loads(one) for one in views]

    def views(self) -> int:
        return sum(one.startswith(b"event: view") for one in self.sent)


async def until(holds: Callable[[], bool]) -> None:
    """Let everything else run until this holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            # A turn of the event loop for everyone else: there is no event for it.
            turn = asyncio.Event()
            asyncio.get_running_loop().call_soon(turn.set)
            await turn.wait()


VIEWER = Viewer("board", Role.REFEREE, "", "en")


class Rendering:
    """Counts how often a view is rendered."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, _: Viewer, seen: Seen, kept: Kept) -> Rendered:
        self.times += 1
        fragments = {"number": f"<p id=number>{seen.number}</p>", "same": "<p id=same></p>"}
        return Rendered("number same", fragments, lambda: "<main id=root></main>")


def hub(scenario: Callable[[Live, Tables, str], Any], beat: float = 5.0) -> None:
    with MemoryJournal() as journal:
        desk = Desk(journal)
        table = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8)]).link.table
        asyncio.run(scenario(Live(desk, beat), desk.tables, table))


def test_a_view_that_many_share_is_rendered_once_a_change() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        screens, rendering = [Screen() for _ in range(50)], Rendering()
        shown = tables.snapshot(table).revision
        async with asyncio.TaskGroup() as tasks:
            for one in screens:
                tasks.create_task(
                    live.view(table, VIEWER, rendering, shown, lambda *_: True, one.receive, one.send)  # type: ignore[arg-type]
                )
            await until(lambda: all(one.sent for one in screens))
            before = rendering.times
            tables.do(table, AddCharacter("Bryn", con=D8))
            await until(lambda: all(one.views() for one in screens))
            assert [one.views() for one in screens] == [1] * 50
            assert rendering.times == before + 1
            for one in screens:
                one.left.set()

    hub(scenario)


def test_a_screen_of_another_history_is_sent_the_whole_view_anew() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        now = tables.snapshot(table)
        stranger, newest = Screen(), Screen()
        async with asyncio.TaskGroup() as tasks:
            for screen, shown in ((stranger, Revision(now.number, "00000000")), (newest, now.revision)):
                tasks.create_task(
                    live.view(table, VIEWER, Rendering(), shown, lambda *_: True, screen.receive, screen.send)  # type: ignore[arg-type]
                )
            await until(lambda: bool(stranger.sent) and bool(newest.sent))
            (told,) = stranger.told()
            assert told == {"number": now.number, "mark": now.mark, "anew": True, "root": "<main id=root></main>"}
            assert newest.told() == []
            for screen in (stranger, newest):
                screen.left.set()

    hub(scenario)


def test_screens_of_a_table_that_is_replaced_are_sent_the_restored_one_anew_and_go_on() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        record, entries = tables.journal.record(table), [*tables.journal.read(table)]
        tables.do(table, AddCharacter("Bryn", con=D8))
        screen, shown = Screen(), tables.snapshot(table).revision
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(
                live.view(table, VIEWER, Rendering(), shown, lambda *_: True, screen.receive, screen.send)  # type: ignore[arg-type]
            )
            await until(lambda: bool(screen.sent))
            tables.take_in(record, entries, replacing=True)
            await until(lambda: screen.views() == 1)
            tables.do(table, AddCharacter("Cato", con=D8))
            await until(lambda: screen.views() == 2)
            anew, after = screen.told()
            assert (anew["number"], anew["anew"], "root" in anew) == (shown.number - 1, True, True)
            assert (after["number"], "anew" in after, list(after["fragments"])) == (shown.number, False, ["number"])
            assert after["mark"] != shown.mark
            assert not any(one.startswith(b"event: gone") for one in screen.sent)
            screen.left.set()

    hub(scenario)


def test_a_table_that_nobody_watches_any_more_leaves_nothing_behind() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        screens = [Screen() for _ in range(5)]
        async with asyncio.TaskGroup() as tasks:
            for one in screens:
                tasks.create_task(
                    live.view(table, VIEWER, Rendering(), Revision(-1), lambda *_: True, one.receive, one.send)  # type: ignore[arg-type]
                )
            await until(lambda: all(one.sent for one in screens))
            assert live._feeds
            for one in screens:
                one.left.set()
        assert live._feeds == {}
        assert tables._at_hand._watchers._of == {}

    hub(scenario)


def test_a_link_is_looked_at_closely_once_a_beat_and_not_at_each_change() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        looks: list[bool] = []
        screen = Screen()

        def holds(closely: bool) -> bool:
            looks.append(closely)
            return True

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(
                live.view(table, VIEWER, Rendering(), Revision(-1), holds, screen.receive, screen.send)  # type: ignore[arg-type]
            )
            for number in range(1, 11):
                await until(lambda wanted=number: screen.views() == wanted)  # type: ignore[misc]
                tables.do(table, AddCharacter(f"One {number}", con=D8))
            assert looks[0]
            assert not any(looks[1:])
            live.desk.links.forget(table)
            await until(lambda: looks[-1])
            screen.left.set()

    hub(scenario)


def test_closing_ends_every_stream() -> None:
    async def scenario(live: Live, tables: Tables, table: str) -> None:
        screens = [Screen() for _ in range(5)]
        streams = [
            asyncio.ensure_future(
                live.view(table, VIEWER, Rendering(), Revision(-1), lambda *_: True, one.receive, one.send)  # type: ignore[arg-type]
            )
            for one in screens
        ]
        await until(lambda: all(one.sent for one in screens))
        live.close()
        await asyncio.wait_for(asyncio.gather(*streams), 5)

    hub(scenario)


def test_the_database_is_not_kept_open_by_a_stream(tmp_path: Path) -> None:
    with (
        Inside(tmp_path / "winded.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        made = client.post("/api/tables", json={"sample": True}).json()
        caller = Caller(client, made["id"], made["token"], "Referee")
        with on_pages(caller).follow() as stream:
            stream.next("view")
    assert not (tmp_path / "winded.sqlite-wal").exists() or (tmp_path / "winded.sqlite-wal").stat().st_size == 0
