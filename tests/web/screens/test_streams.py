"""The live streams of pages: how they begin, and how many of them one link may hold."""

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.roles import Role
from winded.rules import AddCharacter
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.web.guard import STREAM_LIMIT
from winded.web.language import language
from winded.web.screens.table import OPTION_LIMIT, overlay_viewer


class Table:
    """A table, and streams of it by one link or another."""

    def __init__(self, inside: Inside) -> None:
        self._there = urlsplit(inside.address).netloc
        self._open = ExitStack()
        self.links = inside.host.desk.links
        self.referee = begin_table(inside.host.desk, "Tuesday", [AddCharacter("Ash", con="d10")])
        self.id = self.referee.link.table

    def close(self) -> None:
        self._open.close()

    def stream(self, who: Given, **query: str) -> http.client.HTTPResponse:
        connection = self._open.enter_context(closing(http.client.HTTPConnection(self._there, timeout=PATIENCE)))
        path = f"/tables/{self.id}/live?{urlencode(query)}"
        connection.request("GET", path, headers={"Authorization": f"Bearer {who.token}"})
        return connection.getresponse()


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as made:
        yield made


@pytest.fixture
def table(inside: Inside) -> Iterator[Table]:
    with closing(Table(inside)) as made:
        yield made


@pytest.mark.parametrize("query", [{}, {"seq": ""}, {"seq": "-1"}])
def test_a_screen_that_shows_nothing_whole_is_sent_the_whole_view(table: Table, query: dict[str, str]) -> None:
    stream = table.stream(table.referee, **query)
    assert stream.status == 200
    assert stream.readline() == b"event: view\n"
    assert stream.readline().startswith(b"id: ")
    assert "root" in json.loads(stream.readline().removeprefix(b"data: "))


@pytest.mark.parametrize("seq", ["-2", "1.0", "x", "9" * 16])
def test_a_screen_cannot_show_what_is_no_number(table: Table, seq: str) -> None:
    assert table.stream(table.referee, seq=seq).status == 400


def test_overlays_of_one_link_are_few_as_each_may_be_a_view_of_its_own(table: Table) -> None:
    spectators = table.links.give_member(table.id, Role.SPECTATOR, "Spectators")
    for at in range(STREAM_LIMIT):
        assert table.stream(spectators, kind="overlay", characters=str(at)).status == 200
    refused = table.stream(spectators, kind="overlay", characters="Ash")
    assert refused.status == 429
    assert str(STREAM_LIMIT) in refused.read().decode()
    # Those who only watch all see the same, and may be many.
    assert table.stream(spectators).status == 200


def test_an_overlay_asks_for_no_more_than_a_party_has_names() -> None:
    endless = ",".join(map(str, range(100_000)))
    viewer = overlay_viewer(language("en"), {"characters": endless, "size": "huge", "seq": "4"})
    assert dict(viewer.options) == {"characters": endless[:OPTION_LIMIT], "size": "huge"}


def test_renewing_a_link_on_the_board_ends_its_streams_at_once(table: Table, inside: Inside) -> None:
    """As the API does; the beat here is longer than the test waits."""
    watching = table.links.give_member(table.id, Role.SPECTATOR, "Spectators")
    stream = table.stream(watching)
    while stream.readline() != b"\n":
        pass
    form = {"do": "renew", "link": watching.link.id}
    headers = {"Authorization": f"Bearer {table.referee.token}"}
    renewed = httpx.post(f"{inside.address}/tables/{table.id}/links", data=form, headers=headers, timeout=PATIENCE)
    assert renewed.status_code == 200
    assert b"event: gone" in stream.read()
