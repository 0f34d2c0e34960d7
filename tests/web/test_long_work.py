"""What takes seconds for one keeps nobody else waiting."""

import http.client
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded import D10, AddCharacter
from winded.service.opening import begin_table
from winded.service.table_file import carry_out

ENTRIES = 25_000


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as running:
        yield running


@pytest.fixture
def large(inside: Inside) -> bytes:
    """The file of a table that has been played at for years."""
    tables = inside.host.desk.tables
    given = begin_table(inside.host.desk, "The gate", [AddCharacter("Brakka", con=D10)])
    data: dict[str, Any] = json.loads(carry_out(tables, given.link.table))
    tables.delete(given.link.table)
    for number in range(len(data["entries"]) + 1, ENTRIES):
        by = -1 if number % 2 else 1
        event = {"event": "stamina_adjusted", "character": "Brakka", "by": by, "stamina": 9 + by, "reason": "?"}
        command = {"do": "adjust", "character": "Brakka", "by": by, "reason": "?"}
        data["entries"].append(
            {"number": number, "at": 1.0, "who": "", "name": "", "command": command, "events": [event], "about": ["#1"]}
        )
    return json.dumps(data).encode()


def by_api(address: str, file: bytes) -> int:
    return sent(address, "/api/import", file, "application/json")


def by_page(address: str, file: bytes) -> int:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
    return sent(address, "/tables/import", head + file + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")


def sent(address: str, path: str, body: bytes, content_type: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request("POST", path, body, {"Content-Type": content_type})
        return connection.getresponse().status
    finally:
        connection.close()


def served(address: str, over: Event) -> int:
    """How many pages somebody else gets, one after the other, until it is over."""
    count = 0
    while not over.is_set():
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        connection.request("GET", "/manifest.webmanifest")
        assert connection.getresponse().read()
        connection.close()
        count += 1
    return count


@pytest.mark.parametrize(("bring", "status"), [(by_api, 201), (by_page, 303)])
def test_a_large_table_is_brought_in_while_everyone_else_is_served(
    inside: Inside, large: bytes, bring: Callable[[str, bytes], int], status: int
) -> None:
    over = Event()
    with ThreadPoolExecutor(1) as pool:
        others = pool.submit(served, inside.address, over)
        answered = bring(inside.address, large)
        over.set()
    assert answered == status
    # Where it was done on the loop that serves, the others would get one page before it and one after.
    assert others.result() > 10
