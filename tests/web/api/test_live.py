"""Live streams of the API: each entry as it happens, resumed from any number, ended once the link no longer holds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.serving import Server
from tests.waiting import PATIENCE, until
from tests.web.api.callers import HIDDEN, Caller, Evening
from tests.web.inside import BEAT, Inside
from winded.journal import SqliteJournal
from winded.web.guard import STREAM_LIMIT

NewTable = Callable[..., Caller]
ASH = {"name": "Ash", "con": "d12"}


def channel(referee: Caller) -> int:
    return int(referee.done("channel", character="Ash", stamina=1)["number"])


def test_an_entry_comes_as_it_stands_in_the_journal(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    with referee.follow() as stream:
        number = channel(referee)
        event = stream.next()
    (entry,) = referee.get("/journal", after=number - 1).json()["entries"]
    assert event == {"event": "entry", "id": entry["revision"], "data": entry}


@pytest.mark.parametrize("by", ["after", "Last-Event-ID"])
def test_a_stream_resumes_after_any_number_without_a_gap(new_table: NewTable, by: str) -> None:
    referee = new_table(characters=[ASH])
    first = channel(referee)
    missed = [channel(referee) for _ in range(6)]
    with referee.follow(last=first) if by == "Last-Event-ID" else referee.follow(after=first) as stream:
        missed.append(channel(referee))
        assert [stream.next().number for _ in missed] == missed


def test_last_event_id_counts_before_the_address_it_was_opened_with(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    newest = channel(referee)
    with referee.follow(last=newest, after=0) as stream:
        assert stream.next().number if channel(referee) else newest + 1 == 0


def test_without_a_number_a_stream_begins_with_what_comes_next(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    channel(referee)
    with referee.follow() as stream:
        number = channel(referee)
        assert stream.next().number == number


def test_a_long_history_comes_whole_and_in_order(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    for _ in range(250):
        referee.done("adjust", character="Ash", by=-1, reason="down")
        number = referee.done("adjust", character="Ash", by=1, reason="up")["number"]
    with referee.follow(after=0) as stream:
        assert [stream.next().number for _ in range(number)] == list(range(1, number + 1))


def test_a_device_that_was_away_for_six_events_has_the_same_list_as_all_others(evening: Evening) -> None:
    with evening.other.follow(after=0) as there, evening.player.follow(after=0) as away:
        seen = [away.next()["data"]]
        last = int(seen[0]["number"])
        evening.fight()
        number = evening.referee.done("end_combat")["number"]
        whole = []
        while not whole or whole[-1]["number"] != number:
            whole.append(there.next()["data"])
    with evening.player.follow(last=last) as back:
        while seen[-1]["number"] != number:
            seen.append(back.next()["data"])
    # What was undone by then no longer counts; all else is the same.
    assert [one["number"] for one in seen] == [one["number"] for one in whole]
    assert [one["told"] for one in seen] == [one["told"] for one in whole]


def test_what_has_been_undone_meanwhile_does_not_count(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    before = referee.number()
    channel(referee)
    referee.done("undo")
    with referee.follow(after=before) as stream:
        assert [stream.next()["data"]["counts"] for _ in range(2)] == [False, True]


def test_every_role_follows_and_only_the_referee_hears_of_the_hidden(evening: Evening) -> None:
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(caller.follow()) for caller in evening.all]
        evening.referee.done("adjust", character=HIDDEN, by=1, reason="unseen")
        evening.referee.done("adjust", character="Ash", by=-1, reason="seen")
        first = [stream.next()["data"]["events"][0]["reason"] for stream in streams]
    assert first == ["unseen", "seen", "seen", "seen"]


def test_an_idle_stream_beats(new_table: NewTable) -> None:
    with new_table().follow() as stream:
        for _ in range(3):
            assert stream.next("beat")["data"] == {"every": BEAT}


@pytest.mark.parametrize("how", ["revoked", "renewed"])
def test_a_stream_ends_as_soon_as_its_link_is_revoked_or_renewed(evening: Evening, how: str) -> None:
    player = evening.player
    with player.follow() as stream, evening.other.follow() as others:
        if how == "revoked":
            answer = evening.referee.send("DELETE", f"/links/{player.member}")
            assert answer.status_code == 204
        else:
            answer = evening.referee.post(f"/links/{player.member}/renew")
            assert answer.status_code == 200
        assert [event["event"] for event in stream.until_end() if event["event"] != "entry"][-1] == "gone"
        evening.referee.done("adjust", character="Ash", by=-1, reason="still here")
        while others.next("entry")["data"]["events"][0].get("reason") != "still here":
            pass
    assert player.get().status_code == 401
    if how == "renewed":
        again = Caller(player.client, player.table, answer.json()["token"], "Pip", player.member)
        again.done("channel", character="Ash", stamina=1)


def test_a_renewed_link_ends_its_stream_even_at_a_table_where_something_always_happens(evening: Evening) -> None:
    with evening.player.follow() as stream, ThreadPoolExecutor(1) as pool:

        def busy() -> None:
            for _ in range(60):
                evening.referee.done("adjust", character="Ash", by=-1, reason="busy")
                evening.referee.done("adjust", character="Ash", by=1, reason="busy")

        acting = pool.submit(busy)
        stream.next()
        evening.referee.post(f"/links/{evening.player.member}/renew")
        assert stream.until_end()[-1]["event"] == "gone"
        assert not acting.done()
        acting.result()


def test_streams_of_a_deleted_table_are_told_that_it_is_gone(evening: Evening) -> None:
    with evening.referee.follow() as mine, evening.spectator.follow() as theirs:
        evening.referee.send("DELETE")
        assert mine.until_end()[-1]["event"] == "gone"
        assert theirs.until_end()[-1]["event"] == "gone"


def test_one_link_holds_so_many_streams_and_no_more(new_table: NewTable) -> None:
    referee = new_table()
    with ExitStack() as open_ones:
        for _ in range(STREAM_LIMIT):
            assert open_ones.enter_context(referee.follow()).status == 200
        answer = referee.get("/live")
        assert (answer.status_code, answer.json()["error"]) == (429, "too-much")
        assert str(STREAM_LIMIT) in answer.json()["message"]

    def one_more() -> bool:
        with referee.follow() as stream:
            return stream.status == 200

    until(one_more, "the streams that were closed are still counted")


def test_a_stream_that_was_left_leaves_nothing_behind(inside: Inside, new_table: NewTable) -> None:
    referee = new_table()
    with referee.follow() as stream:
        stream.next("beat")
        assert referee.table in inside.host.live._feeds
    until(lambda: referee.table not in inside.host.live._feeds, "the table's feed is still there")


def test_a_stream_is_never_compressed(new_table: NewTable) -> None:
    with new_table().follow() as stream:
        assert "content-encoding" not in stream.answer.headers


def test_what_another_process_writes_is_followed_too(tmp_path: Path) -> None:
    database = tmp_path / "winded.sqlite"
    with (
        Inside(database) as one,
        Inside(database) as two,
        httpx.Client(base_url=one.address, timeout=PATIENCE) as client,
    ):
        made = client.post("/api/tables", json={"name": "Two doors", "characters": [ASH]}).json()
        here = Caller(client, made["id"], made["token"], "Referee")
        with httpx.Client(base_url=two.address, timeout=PATIENCE) as other:
            there = Caller(other, made["id"], made["token"], "Referee")
            with here.follow() as stream:
                number = channel(there)
                assert stream.next().number == number
            assert here.state() == there.state()
            with ThreadPoolExecutor(8) as pool:
                doors = [here, there] * 4
                answers = list(pool.map(lambda door: door.do("channel", character="Ash", stamina=1), doors))
            numbers = [answer.json()["number"] for answer in answers]
            assert sorted(numbers) == list(range(number + 1, number + 9))


def test_a_server_that_was_killed_and_started_again_resumes_every_stream(serve: Callable[..., Server]) -> None:
    server = serve()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        made = client.post("/api/tables", json={"name": "The Gate", "characters": [ASH]}).json()
        referee = Caller(client, made["id"], made["token"], "Referee")
        with referee.follow(after=0) as stream:
            acknowledged = [channel(referee) for _ in range(5)]
            seen = [stream.next().number for _ in range(acknowledged[-1])]
            server.kill()
            stream.until_end()
    server.start()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        referee = Caller(client, made["id"], made["token"], "Referee")
        assert referee.state()["characters"]["Ash"]["stamina"] == 7
        with referee.follow(last=seen[-1]) as stream:
            assert stream.next().number if channel(referee) else seen[-1] + 1 == 0


@pytest.mark.parametrize("last", ["50", "50-9f3ac21e", "2-00000000"])
def test_who_comes_from_another_history_is_told_to_begin_anew(new_table: NewTable, last: str) -> None:
    referee = new_table(characters=[ASH])
    with referee.follow(last=last) as stream:
        reset = stream.next(kind=None)
        assert (reset["event"], reset["id"]) == ("reset", referee.revision())
        assert reset["data"] == {"number": 2, "revision": referee.revision()}
        assert stream.next().number if channel(referee) else 0 == 3


def test_a_stream_goes_on_after_any_revision_of_its_own_history(new_table: NewTable) -> None:
    referee = new_table(characters=[ASH])
    before = referee.revision()
    missed = [channel(referee) for _ in range(3)]
    for stream_of in (referee.follow(last=before), referee.follow(after=before)):
        with stream_of as stream:
            assert [stream.next(kind=None).number for _ in missed] == missed


def test_those_who_follow_a_table_that_is_replaced_begin_anew_and_go_on(evening: Evening) -> None:
    referee = evening.referee
    file = referee.get("/export").content
    number = referee.number()
    ours, theirs = evening.referee.follow(), evening.player.follow()
    with ours as mine, theirs as yours:
        lost = channel(referee)
        assert [stream.next().number for stream in (mine, yours)] == [lost, lost]
        brought = referee.client.post(
            "/api/import?here=replace", content=file, headers=referee.headers | {"Content-Type": "application/json"}
        )
        assert brought.status_code == 201, brought.text
        for stream in (mine, yours):
            reset = stream.next("reset")
            assert reset["data"] == {"number": number, "revision": referee.revision()}
        again = channel(referee)
        assert again == lost
        assert [stream.next().number for stream in (mine, yours)] == [again, again]
        assert mine.answer.is_closed is False


def test_a_server_with_an_older_copy_of_its_database_tells_another_history_apart(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        made = client.post("/api/tables", json={"name": "The Gate", "characters": [ASH]}).json()
        referee = Caller(client, made["id"], made["token"], "Referee")
        common = referee.revision()
        with SqliteJournal(server.database) as journal:
            journal.backup(tmp_path / "yesterday.sqlite")
        lost = [channel(referee), channel(referee)]
        gone = referee.revision()
    server.stop()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{server.database}{suffix}").unlink(missing_ok=True)
    (tmp_path / "yesterday.sqlite").rename(server.database)
    server.start()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        referee = Caller(client, made["id"], made["token"], "Referee")
        now = [channel(referee), channel(referee)]
        assert now == lost
        with referee.follow(last=gone) as stream:
            assert stream.next(kind=None)["event"] == "reset"
        with referee.follow(last=common) as stream:
            assert [stream.next(kind=None).number for _ in now] == now
        page = referee.get("/journal", after=gone)
        assert (page.status_code, page.json()["error"]) == (409, "stale")
        assert [entry["number"] for entry in referee.get("/journal", after=common).json()["entries"]] == now
        stale = referee.post("/commands", {"do": "channel", "character": "Ash", "stamina": 1}, If_Match=gone)
        assert (stale.status_code, stale.json()["error"]) == (409, "stale")
