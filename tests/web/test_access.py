"""Who is asking: links, cookies and tokens, and the one way in which anyone acts from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded import D8, AddCharacter, React, TakeWound
from winded.errors import Forbidden, Malformed, Refused, Stale
from winded.journal import MemoryJournal
from winded.roles import Role
from winded.service import Desk, Visitor
from winded.service.acting import act, request_id
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.service.visiting import follow, visitor
from winded.web.access import COOKIE_PREFIX, link_cookie


class Here:
    """A table with a Referee and a player who plays Ash."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.tables, self.links = desk.tables, desk.links
        self.referee = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8)])
        self.table = self.referee.link.table
        self.player = self.links.join(self.links.invite(self.table).link, "Pip")
        self.links.claim(self.player, "Ash")

    def visitor(self, given: Given) -> Visitor:
        return visitor(self.desk, given.token, self.table)


@pytest.fixture
def here() -> Iterator[Here]:
    with MemoryJournal() as journal:
        yield Here(Desk(journal))


def test_a_token_says_who_its_holder_is(here: Here) -> None:
    assert here.visitor(here.referee) == Visitor(here.table, here.referee.link.id, Role.REFEREE, "Referee")
    assert here.visitor(here.player).is_referee is False


def test_a_token_to_another_table_does_not_hold_here(here: Here) -> None:
    other = begin_table(here.desk, "The Bridge")
    with pytest.raises(Forbidden):
        here.visitor(other)


def test_an_invitation_makes_nobody_anything(here: Here) -> None:
    with pytest.raises(Forbidden):
        follow(here.desk, here.links.invite(here.table).token)


@pytest.mark.parametrize("value", ["x" * 8, "x" * 100, "~!@#$%^&"])
def test_a_request_id_has_8_to_100_visible_characters(value: str) -> None:
    assert request_id(value) == value


@pytest.mark.parametrize("value", ["", "x" * 7, "x" * 101, "1234 678", "ääääääää", "1234567\n"])
def test_what_is_no_request_id_is_malformed(value: str) -> None:
    with pytest.raises(Malformed):
        request_id(value)
    assert request_id(None) is None


def test_an_act_is_authorised_on_the_state_it_is_decided_on(here: Here) -> None:
    who = here.visitor(here.player)
    here.links.revoke(here.table, who.member)
    with pytest.raises(Forbidden):
        asyncio.run(act(here.desk, who, React("Ash")))


def test_what_needs_the_nod_is_asked_for(here: Here) -> None:
    acted = asyncio.run(act(here.desk, here.visitor(here.player), TakeWound("Ash", "cracked ribs")))
    assert acted.asked
    (asked,) = acted.seen.company.asks
    assert asked.command == TakeWound("Ash", "cracked ribs")
    assert here.tables.snapshot(here.table).table.character("Ash").con == D8


def test_an_act_on_an_older_state_than_was_expected_is_stale(here: Here) -> None:
    number = here.tables.snapshot(here.table).number
    who = here.visitor(here.referee)
    with pytest.raises(Stale):
        asyncio.run(act(here.desk, who, TakeWound("Ash", "cracked ribs"), expect=number - 1))
    with pytest.raises(Refused):
        asyncio.run(act(here.desk, who, React("Ash"), expect=number))


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    header = link_cookie("abcdefgh", "token", secure=True).to_header(header="")
    assert header.startswith(f"{COOKIE_PREFIX}abcdefgh=token")
    for word in ("HttpOnly", "SameSite=lax", "Secure", "Path=/"):
        assert word in header
    assert "Secure" not in link_cookie("abcdefgh", "token", secure=False).to_header(header="")


# -- in a browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("access") / "winded.sqlite") as running:
        yield running


@pytest.fixture
def browser(server: Inside) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as one:
        yield one


def test_following_a_link_keeps_it_in_a_cookie_and_takes_it_out_of_the_address(browser: httpx.Client) -> None:
    made = browser.post("/api/tables", json={"sample": True}).json()
    followed = browser.get(made["links"]["link"])
    assert followed.is_redirect
    assert followed.headers["location"] == made["links"]["page"]
    assert made["token"] not in followed.headers["location"]
    assert "httponly" in followed.headers["set-cookie"].lower()
    assert followed.headers["referrer-policy"] == "same-origin"
    page = browser.get(made["links"]["page"])
    assert page.status_code == 200
    assert made["token"] not in page.text
    with httpx.Client(base_url=str(browser.base_url), timeout=PATIENCE) as stranger:
        assert stranger.get(made["links"]["page"]).status_code == 403


def test_a_revoked_link_is_out_everywhere_at_once(browser: httpx.Client) -> None:
    made = browser.post("/api/tables", json={"sample": True}).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    given = browser.post(f"/api/tables/{made['id']}/links", json={"role": "spectator"}, headers=headers).json()
    with httpx.Client(base_url=str(browser.base_url), timeout=PATIENCE) as spectator:
        spectator.get(given["link"])
        assert spectator.get(f"/tables/{made['id']}").status_code == 200
        gone = browser.delete(f"/api/tables/{made['id']}/links/{given['id']}", headers=headers)
        assert gone.status_code == 204
        assert spectator.get(f"/tables/{made['id']}").status_code == 403
        assert spectator.get(f"/tables/{made['id']}/live").status_code == 403
        assert spectator.get(given["link"]).status_code == 404
