"""What a browser does with the links it is given: it keeps one for each table, and gives up none unasked."""

import http.client
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.roles import Role
from winded.rules import AddCharacter
from winded.service.links import Given
from winded.service.opening import begin_table

KINDS = {"board": "board", "phone": "phone", "spectator": "watched"}


class Browser:
    """Follows links and keeps cookies as a browser does."""

    def __init__(self, address: str, user_agent: str = "") -> None:
        self._there = urlsplit(address).netloc
        self._user_agent = user_agent
        self._cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **form: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self._there, timeout=PATIENCE)
        try:
            cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
            headers["User-Agent"] = self._user_agent
            connection.request(method, path, urlencode(form), headers)
            answer = connection.getresponse()
            for name, value in answer.getheaders():
                if name == "set-cookie":
                    self._cookies.update([value.partition(";")[0].split("=", 1)])
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def follow(self, given: Given) -> int:
        return self.ask("GET", f"/l/{given.token}")[0]

    def is_shown(self, given: Given) -> str:
        """What this browser shows of the table: the "board", the "phone" or the "spectator" view."""
        status, html = self.ask("GET", f"/tables/{given.link.table}")
        assert status == 200
        return next(kind for kind, mark in KINDS.items() if f'<body class="{mark}' in html)


class Table:
    def __init__(self, inside: Inside) -> None:
        links = inside.host.desk.links
        self.address = inside.address
        self.links = links
        self.tables = inside.host.desk.tables
        self.referee = begin_table(inside.host.desk, "Tuesday", [AddCharacter("Ash", con="d10")])
        self.id = self.referee.link.table
        invitation = links.invite(self.id).link
        self.mia, self.tom = links.join(invitation, "Mia"), links.join(invitation, "Tom")
        self.spectators = links.give_member(self.id, Role.SPECTATOR, "Spectators")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Inside(tmp_path / "winded.sqlite") as inside:
        yield Table(inside)


@pytest.mark.parametrize("mine", ["referee", "mia", "spectators"])
@pytest.mark.parametrize("other", ["referee", "mia", "tom", "spectators"])
def test_a_browser_gives_up_the_link_it_holds_only_when_told_to(table: Table, mine: str, other: str) -> None:
    shows = {"referee": "board", "mia": "phone", "tom": "phone", "spectators": "spectator"}
    browser = Browser(table.address)
    held, link = getattr(table, mine), getattr(table, other)
    assert browser.follow(held) == 303
    assert browser.is_shown(held) == shows[mine]
    if mine != other:
        status, html = browser.ask("GET", f"/l/{link.token}")
        assert status == 200
        assert "already at this table" in html
        assert browser.is_shown(held) == shows[mine]
    assert browser.ask("POST", f"/l/{link.token}")[0] == 303
    assert browser.is_shown(held) == shows[other]


def test_a_renewed_link_is_followed_at_once(table: Table) -> None:
    browser = Browser(table.address)
    browser.follow(table.mia)
    renewed = table.links.renew(table.id, table.mia.link.id)
    assert browser.follow(renewed) == 303
    assert browser.is_shown(renewed) == "phone"


def test_a_link_that_no_longer_holds_is_given_up_for_any_other(table: Table) -> None:
    browser = Browser(table.address)
    browser.follow(table.mia)
    table.links.revoke(table.id, table.mia.link.id)
    assert browser.follow(table.spectators) == 303
    assert browser.is_shown(table.spectators) == "spectator"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_neither_an_invitation_nor_nothing_is_a_link_to_follow(table: Table, method: str) -> None:
    invitation = table.links.invite(table.id)
    assert Browser(table.address).ask(method, f"/l/{invitation.token}")[0] == 403
    assert Browser(table.address).ask(method, "/l/nothing")[0] == 404


def test_who_taps_twice_to_sit_down_sits_down_once(table: Table) -> None:
    invitation = table.links.invite(table.id)
    browser = Browser(table.address)
    _, html = browser.ask("GET", f"/join/{invitation.token}")
    found = re.search(r'name="once" value="([^"]+)"', html)
    assert found is not None

    def tap(_: int) -> tuple[int, str]:
        return browser.ask("POST", f"/join/{invitation.token}", name="Kim", character="#1", once=found[1])

    with ThreadPoolExecutor(4) as taps:
        assert [status for status, _ in taps.map(tap, range(4))] == [303] * 4
    assert browser.ask("GET", f"/tables/{table.id}")[0] == 200
    players = table.tables.snapshot(table.id).company.players()
    assert [one.name for one in players] == ["Mia", "Tom", "Kim"]
    assert browser.ask("GET", f"/join/{invitation.token}")[1].count("played by Kim") == 1


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"


def test_two_of_one_name_are_told_apart_by_their_devices_and_since_when_they_are_here(table: Table) -> None:
    invitation = table.links.invite(table.id)
    for user_agent in (IPHONE, ANDROID):
        browser = Browser(table.address, user_agent)
        assert browser.ask("POST", f"/join/{invitation.token}", name="Kim")[0] == 303
        assert browser.ask("GET", f"/tables/{table.id}")[0] == 200
    referee = Browser(table.address)
    referee.follow(table.referee)
    players = table.tables.snapshot(table.id).company.players()
    links = {one.id: one for one in table.links.of(table.id)}
    _, html = referee.ask("GET", f"/tables/{table.id}/sheet/people")
    lines = [line for line in re.findall(r"<li>.*?</li>", html, re.DOTALL) if "Kim" in line]
    for line, player, device, called in zip(
        lines, players[-2:], ("iPhone", "Android phone"), ("Kim (1)", "Kim (2)"), strict=True
    ):
        assert f"<bdi>{called}</bdi>" in line
        assert f"Yes, remove {called}" in line
        assert f"{device}, <bdi>" in line
        since = datetime.fromtimestamp(links[player.id].created, UTC).isoformat(timespec="seconds")
        assert f'link since <time datetime="{since}"' in line
    assert "Mia (" not in html
    board = referee.ask("GET", f"/tables/{table.id}")[1]
    assert board.count("<bdi>Kim (1)</bdi>") == board.count("<bdi>Kim (2)</bdi>") == 1


def test_a_device_that_came_by_a_link_before_it_was_renewed_is_not_named_with_it(table: Table) -> None:
    old, new, referee = Browser(table.address, IPHONE), Browser(table.address, ANDROID), Browser(table.address)
    old.follow(table.mia)
    old.is_shown(table.mia)
    referee.follow(table.referee)
    assert "iPhone" in referee.ask("GET", f"/tables/{table.id}/sheet/people")[1]
    renewed = table.links.renew(table.id, table.mia.link.id)
    new.follow(renewed)
    new.is_shown(renewed)
    html = referee.ask("GET", f"/tables/{table.id}/sheet/people")[1]
    assert "iPhone" not in html
    assert "Android phone" in html
