"""The pages let nobody do or see more than the API does: each form beside the same command, each address for each role.

The API's own matrix, `tests/web/api/test_permissions.py`, says what each role may do; here the pages are held to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.callers import Caller, Evening
from tests.web.api.test_permissions import WHOSE, command_on
from tests.web.inside import Inside
from winded.rules import COMMANDS
from winded.web.screens import handlers

AS_ON_PAGES = {200: 204, 202: 202, 403: 403, 422: 422}
"""The answer of a page's form for each answer of the API to the same command."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    path: Path = tmp_path_factory.mktemp("pages") / "winded.sqlite"
    with Inside(path) as inside, httpx.Client(base_url=inside.address, timeout=PATIENCE) as one:
        yield one


def sit_down(client: httpx.Client) -> Evening:
    made = client.post("/api/tables", json={"name": "The Matrix"}).json()
    evening = Evening(Caller(client, made["id"], made["token"], "Referee"))
    evening.referee.done("take_wound", character="Ash", wound="cracked ribs")
    evening.fight()
    return evening


@pytest.fixture(scope="module")
def table(client: httpx.Client) -> Evening:
    """One table for everything that changes nothing."""
    return sit_down(client)


def send(caller: Caller, where: str, fields: dict[str, Any]) -> httpx.Response:
    """Send a form as a page of ours does."""
    headers = {**caller.headers, "Winded-Script": "1"}
    return caller.client.post(f"/tables/{caller.table}/{where}", data=fields, headers=headers)


IN_A_FORM = [do for do in COMMANDS if do != "correct"]
"""The commands that a form can carry: none has fields for commands within a command."""


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize("do", IN_A_FORM)
def test_a_spectators_form_does_nothing_whatever_it_asks_for(table: Evening, do: str, whose: str) -> None:
    before = table.referee.number()
    assert send(table.spectator, "do", command_on(do, WHOSE[whose])).status_code == 403
    assert table.referee.number() == before


@pytest.mark.parametrize("do", IN_A_FORM)
def test_a_players_form_is_answered_as_the_same_command_is(client: httpx.Client, do: str) -> None:
    evening = sit_down(client)
    for name in WHOSE.values():
        command = command_on(do, name)
        said = evening.player.post("/check", command).status_code
        before = evening.referee.number()
        answer = send(evening.player, "do", command)
        assert answer.status_code == AS_ON_PAGES[said], (name, answer.text)
        if said in (403, 422):
            assert evening.referee.number() == before
            assert 'class="message"' in answer.text


@pytest.mark.parametrize("do", ["set_permissions", "accept", "decline", "set_check_dice"])
def test_what_is_the_referees_in_the_company_no_other_form_does(table: Evening, do: str) -> None:
    fields = {"do": do, "preset": "trust", "ask": "1", "dice": "1d20"}
    for caller in (table.player, table.spectator):
        before = table.referee.number()
        assert send(caller, "company", fields).status_code == 403
        assert table.referee.number() == before


def test_nobody_claims_or_releases_for_somebody_else(table: Evening) -> None:
    for do in ("claim", "release"):
        fields = {"do": do, "character": "Bryn", "member": table.player.member}
        assert send(table.other, "company", fields).status_code == 403
        assert send(table.spectator, "company", fields).status_code == 403


def addresses() -> list[str]:
    """Every address that can be read and belongs to a table, but for the live stream, which never ends."""
    paths = {path for handler in handlers for path in getattr(handler, "paths", ())}
    return sorted(path for path in paths if path.startswith("/tables/{table:str}") and not path.endswith("/live"))


def get(table: Evening, path: str, headers: dict[str, str]) -> httpx.Response:
    filled = path.replace("{table:str}", table.referee.table).replace("{token:str}", "nothing")
    return table.referee.client.get(filled.replace("{name:str}", "table"), headers=headers, follow_redirects=False)


def test_there_are_addresses_to_look_at() -> None:
    assert len(addresses()) > 8


@pytest.mark.parametrize("path", addresses())
def test_no_page_of_a_table_opens_without_a_link_to_it(table: Evening, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer nothing"}, {"Cookie": f"winded-{table.referee.table}=nothing"}):
        assert get(table, path, headers).status_code in (403, 404, 405)


REFEREES_ALONE = ("/sheet/", "/export", "/ahead", "/copy")
EVERYONES = ("/sheet/words", "/sheet/advice")


@pytest.mark.parametrize("path", addresses())
def test_what_is_the_referees_to_look_at_opens_for_nobody_else(table: Evening, path: str) -> None:
    for caller in (table.player, table.spectator):
        answer = get(table, path, caller.headers)
        if any(one in path for one in REFEREES_ALONE) and not path.endswith(EVERYONES):
            assert answer.status_code in (403, 404, 405), path
        assert answer.status_code < 500
