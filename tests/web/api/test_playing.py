"""A command that is played past the framework is answered in every way as the framework would have it answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.callers import Caller
from tests.web.inside import Inside
from winded.web import api
from winded.web.guard import BODY_LIMIT

NewTable = Callable[..., Caller]
JSON = {"Content-Type": "application/json"}
START = b'{"do": "start_combat"}'
RIGHT = {"Authorization": "Bearer {token}"} | JSON


async def in_parts() -> AsyncIterator[bytes]:
    for part in (START[:7], b"", START[7:]):
        yield part


async def without_end() -> AsyncIterator[bytes]:
    for _ in range(BODY_LIMIT // 1024 + 1):
        yield b" " * 1024


REQUESTS: dict[str, tuple[str, dict[str, str], Callable[[], Any]]] = {
    "accepted": ("", RIGHT, lambda: START),
    "in parts": ("", RIGHT, in_parts),
    "refused": ("", RIGHT, lambda: b'{"do": "end_combat"}'),
    "refused for its Stamina": ("", RIGHT, lambda: b'{"do": "channel", "character": "Ash", "stamina": 13}'),
    "no token": ("", JSON, lambda: START),
    "another scheme": ("", {"Authorization": "Basic abc"} | JSON, lambda: START),
    "a wrong token": ("", {"Authorization": "Bearer nonsense"} | JSON, lambda: START),
    "no type": ("", {"Authorization": "Bearer {token}"}, lambda: START),
    "another type": ("", RIGHT | {"Content-Type": "text/plain"}, lambda: START),
    "UTF8": ("", RIGHT | {"Content-Type": "application/json; charset=UTF8"}, lambda: START),
    "a parameter": ("?colour=red", RIGHT, lambda: START),
    "no body": ("", RIGHT, lambda: b""),
    "no JSON": ("", RIGHT, lambda: b"{"),
    "no object": ("", RIGHT, lambda: b"[]"),
    "no command": ("", RIGHT, lambda: b'{"do": "dance"}'),
    "a wrong field": ("", RIGHT, lambda: b'{"do": "react", "character": 1}'),
    "too much": ("", RIGHT, lambda: b" " * (BODY_LIMIT + 1)),
    "too much, unannounced": ("", RIGHT, without_end),
    "a key": ("", RIGHT | {"Idempotency-Key": "once-and-for-all"}, lambda: START),
    "a wrong key": ("", RIGHT | {"Idempotency-Key": "short"}, lambda: START),
    "built on what is not the newest": ("", RIGHT | {"If-Match": "1"}, lambda: START),
    "built on nothing": ("", RIGHT | {"If-Match": "*"}, lambda: START),
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", REQUESTS)
async def test_the_short_way_and_the_framework_answer_alike(inside: Inside, new_table: NewTable, name: str) -> None:
    query, headers, body = REQUESTS[name]
    answers = []
    for app in (api.app(inside.host), api.framework(inside.host)):
        referee = new_table(characters=[{"name": "Ash", "con": "d12"}])
        named = {header: value.format(token=referee.token) for header, value in headers.items()}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=PATIENCE) as client:
            answer = await client.post(f"{referee.base}/commands{query}", content=body(), headers=named)
        said = answer.json()
        # The one thing that is drawn at random.
        assert said.pop("revision", "3-00000000").startswith("3-")
        answers.append((answer.status_code, dict(answer.headers), said))
    assert answers[0] == answers[1]


@pytest.mark.anyio
async def test_what_has_to_be_asked_for_is_asked_for_either_way(inside: Inside, new_table: NewTable) -> None:
    for app in (api.app(inside.host), api.framework(inside.host)):
        referee = new_table(characters=[{"name": "Ash", "con": "d12"}])
        player = referee.let_in("Pip", "Ash")
        referee.done("start_combat")
        permissions = referee.get().json()["permissions"] | {"reactions": "ask"}
        assert referee.company("set_permissions", permissions=permissions).status_code == 200
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=PATIENCE
        ) as client:
            answer = await client.post(
                f"{player.base}/commands", json={"do": "react", "character": "Ash"}, headers=player.headers
            )
        assert (answer.status_code, answer.json()["asked"]) == (202, True)
