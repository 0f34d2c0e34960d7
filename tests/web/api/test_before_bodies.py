"""Who asks, what is asked for and how often are looked at before any of a body is read."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.operations import OPERATIONS, Described
from tests.web.inside import Inside
from winded.service.limits import Limits

TAKING = [one for one in OPERATIONS if one.body is not None]


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with its limits in force, from whose clock no second passes."""
    with Inside(tmp_path_factory.mktemp("limited") / "winded.sqlite", limits=Limits(lambda: 0.0)) as running:
        yield running


@pytest.fixture(scope="module")
def table(limited: Inside) -> dict[str, str]:
    made: dict[str, str] = httpx.post(
        f"{limited.address}/api/tables", json={"name": "The Gate"}, timeout=PATIENCE
    ).json()
    return made


def answer_to_the_head(server: Inside, one: Described, table: dict[str, str], *headers: str, query: str = "") -> str:
    """What is answered to the head of a request whose body never comes."""
    path = "/api" + one.path.format(table=table["id"], link="x") + query
    lines = [f"{one.method} {path} HTTP/1.1", "Host: localhost", "Content-Length: 1000", "Connection: close", *headers]
    there = urlsplit(server.address)
    with socket.create_connection((there.hostname or "", there.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        heard = b""
        while b"}" not in heard:
            part = connection.recv(65536)
            assert part, heard
            heard += part
    head, _, body = heard.decode().partition("\r\n\r\n")
    assert json.loads(body)["message"]
    return head.split()[1]


@pytest.mark.parametrize("one", TAKING, ids=lambda one: one.name)
def test_who_may_not_or_asks_wrongly_is_told_before_the_body(
    limited: Inside, table: dict[str, str], one: Described
) -> None:
    token = f"Authorization: Bearer {table['token']}"
    if one.token:
        assert answer_to_the_head(limited, one, table, "Content-Type: application/json") == "401"
    assert answer_to_the_head(limited, one, table, token, "Content-Type: text/plain") == "415"
    wrong = answer_to_the_head(limited, one, table, token, "Content-Type: application/json", query="?colour=red")
    assert wrong == "400"


@pytest.mark.parametrize("one", [one for one in TAKING if not one.token], ids=lambda one: one.name)
def test_an_address_that_has_asked_too_often_is_told_before_the_body(
    limited: Inside, table: dict[str, str], one: Described
) -> None:
    with httpx.Client(base_url=limited.address, timeout=PATIENCE) as client:
        headers = {"Content-Type": "application/json"}
        while client.request(one.method, f"/api{one.path}", content=b"{}", headers=headers).status_code != 429:
            pass
    assert answer_to_the_head(limited, one, table, "Content-Type: application/json") == "429"
