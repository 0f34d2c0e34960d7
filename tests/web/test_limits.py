"""Limits: floods and sheer size are met with a clear sentence, and whoever waits as long as it says goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.errors import TooMuch
from winded.service.codes import WRONG_CODES
from winded.service.limits import ACTS, Limits, Rate
from winded.service.opening import begin_table
from winded.web.guard import FORECASTS, HOUSE_RULES, JOINING, NEW_TABLES, ODDS


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(limits: Limits, who: str, rate: Rate) -> int:
    """How often in a row this one may do something before it is too much."""
    count = 0
    while True:
        try:
            limits.take(rate, who)
        except TooMuch:
            return count
        count += 1


def test_so_many_at_once_and_so_many_a_second_after_that() -> None:
    clock = Clock()
    limits = Limits(clock)
    rate = Rate("act", 5, 2.0)
    assert taken(limits, "pip", rate) == 5
    clock.now += 1
    assert taken(limits, "pip", rate) == 2
    clock.now += 100
    assert taken(limits, "pip", rate) == 5


def test_one_who_floods_costs_nobody_else_anything() -> None:
    limits = Limits(Clock())
    assert taken(limits, "pip", ACTS) == ACTS.burst
    assert taken(limits, "quin", ACTS) == ACTS.burst
    limits.take(JOINING, "pip")


@given(st.integers(1, 50), st.floats(0.01, 50))
def test_whoever_waits_as_long_as_the_refusal_says_goes_on(burst: int, per_second: float) -> None:
    clock = Clock()
    limits = Limits(clock)
    rate = Rate("act", burst, per_second)
    taken(limits, "pip", rate)
    with pytest.raises(TooMuch) as no:
        limits.take(rate, "pip")
    seconds = no.value.facts["seconds"]
    assert str(no.value) == f"Too many requests. Try again in {seconds} s."
    assert isinstance(seconds, int)
    clock.now += seconds
    limits.take(rate, "pip")


def test_only_so_many_buckets_are_kept() -> None:
    limits = Limits(Clock(), kept=10)
    for number in range(1000):
        limits.take(ACTS, str(number))
    assert len(limits._buckets) == 10


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a server with its real limits."""
    with (
        Inside(tmp_path / "winded.sqlite", Limits()) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        yield client


def test_new_tables_are_limited_by_address(strict: httpx.Client) -> None:
    for number in range(NEW_TABLES.burst):
        assert strict.post("/api/tables", json={"name": f"Table {number}"}).status_code == 201
    answer = strict.post("/api/tables", json={"name": "One more"})
    assert (answer.status_code, answer.json()["error"]) == (429, "too-much")
    assert 1 <= int(answer.headers["retry-after"]) <= 1 / NEW_TABLES.per_second
    assert strict.post("/tables/sample").status_code == 429, "the pages count with the API"


@pytest.fixture
def invited(strict: httpx.Client) -> dict[str, str]:
    """An invitation to a table."""
    made = strict.post("/api/tables", json={"name": "The Gate"}).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    given = strict.post(f"/api/tables/{made['id']}/links", json={"role": "invitation"}, headers=headers)
    return dict(given.json())


def test_codes_cannot_be_guessed_in_numbers(strict: httpx.Client, invited: dict[str, str]) -> None:
    statuses = [
        strict.post("/api/join", json={"name": "Eve", "code": f"AAAA-{number:04}"}).status_code
        for number in range(WRONG_CODES.burst + 1)
    ]
    assert statuses == [404] * WRONG_CODES.burst + [429]
    assert strict.post("/api/join", json={"name": "Pip", "code": invited["code"]}).status_code == 429
    assert strict.post("/join", data={"code": invited["code"]}).status_code == 429, "the pages count with the API"
    # Who has the invitation itself needs no code.
    assert strict.post("/api/join", json={"name": "Pip", "invitation": invited["token"]}).status_code == 201


def test_a_right_code_is_never_too_much_however_many_come_from_one_address(
    strict: httpx.Client, invited: dict[str, str]
) -> None:
    for number in range(2 * WRONG_CODES.burst):
        if number % 2:
            answer = strict.post("/api/join", json={"name": f"Pip {number}", "code": invited["code"]})
            assert answer.status_code == 201
        else:
            page = strict.post("/join", data={"code": invited["code"]})
            form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
            answer = strict.post("/join/code", data=form | {"name": f"Pip {number}"})
            assert answer.status_code == 303


def test_who_typed_the_right_code_sits_down_whatever_others_at_that_address_do_meanwhile(
    strict: httpx.Client, invited: dict[str, str]
) -> None:
    page = strict.post("/join", data={"code": invited["code"]})
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    for number in range(WRONG_CODES.burst):
        strict.post("/join", data={"code": f"AAAA-{number:04}"})
    assert strict.post("/join/code", data=form | {"name": "Pip"}).status_code == 303
    assert strict.post("/join/code", data=form | {"name": "Eve", "pass": form["pass"][:-1]}).status_code == 429


def test_acts_are_limited_by_member_and_what_was_too_much_did_nothing(strict: httpx.Client) -> None:
    made = strict.post("/api/tables", json={"name": "The Gate", "characters": [{"name": "Ash", "con": "d8"}]}).json()
    base, headers = f"/api/tables/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    answers = []
    for number in range(300):
        command = {"do": "adjust", "character": "Ash", "by": -1 if number % 2 == 0 else 1, "reason": "the table agrees"}
        answers.append(strict.post(f"{base}/commands", json=command, headers=headers))
        if answers[-1].status_code == 429:
            break
    assert [answer.status_code for answer in answers[: ACTS.burst]] == [200] * ACTS.burst
    assert answers[-1].status_code == 429
    entries = strict.get(f"{base}/journal?after=2&limit=500", headers=headers).json()["entries"]
    assert len(entries) == len(answers) - 1


BY_ADDRESS = [
    (JOINING, "POST", "/join/{invitation}"),
    (JOINING, "POST", "/api/join"),
    (NEW_TABLES, "POST", "/tables"),
    (NEW_TABLES, "POST", "/tables/sample"),
    (NEW_TABLES, "POST", "/tables/import"),
    (NEW_TABLES, "POST", "/api/tables"),
    (NEW_TABLES, "POST", "/api/import"),
    (HOUSE_RULES, "POST", "/tables/dice"),
    (ODDS, "GET", "/odds?dice=1d20"),
    (ODDS, "GET", "/odds.csv?dice=1d20&target=9"),
    (ODDS, "GET", "/api/odds?dice=1d20&target=9"),
    (FORECASTS, "GET", "/forecast"),
    (FORECASTS, "POST", "/forecast"),
    (FORECASTS, "POST", "/api/forecast"),
    (FORECASTS, "POST", "/api/advise"),
    (FORECASTS, "POST", "/api/compare"),
]
"""Everything that is limited by the address it comes from."""


@pytest.mark.parametrize(("rate", "method", "path"), BY_ADDRESS, ids=[f"{way} {path}" for _, way, path in BY_ADDRESS])
def test_strangers_are_limited_by_address_by_every_door(tmp_path: Path, rate: Rate, method: str, path: str) -> None:
    with (
        Inside(tmp_path / "winded.sqlite", Limits(lambda: 0.0)) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        begun = begin_table(server.host.desk, "The Gate").link
        path = path.format(invitation=server.host.desk.links.invite(begun.table).token)
        body = {"json": {}} if path.startswith("/api/") and method == "POST" else {}
        for _ in range(rate.burst - 1):
            server.host.limits.take(rate, "127.0.0.1")
        assert client.request(method, path, **body).status_code != 429  # type: ignore[arg-type]
        assert client.request(method, path, **body).status_code == 429  # type: ignore[arg-type]
