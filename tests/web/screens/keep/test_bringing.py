"""Bringing in a table file by the page's form, and what it asks where the table is here already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.rules import AddCharacter
from winded.service import table_file
from winded.service.opening import begin_table
from winded.web.uploads import WAITING, WAITS, Uploads

SPACE = b" " * (20 * 1024 * 1024)
"""What makes a file as large as that of a table which has been played for years."""


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as found:
        yield found


@pytest.fixture
def browser(inside: Inside) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=inside.address, follow_redirects=True, timeout=PATIENCE) as found:
        yield found


@pytest.fixture
def file(inside: Inside, browser: httpx.Client) -> bytes:
    """The file of a table whose Referee this browser is."""
    given = begin_table(inside.host.desk, "Thursday", [AddCharacter("Ash", con="d10")])
    assert browser.get(f"/l/{given.token}").status_code == 200
    return table_file.carry_out(inside.host.desk.tables, given.link.table) + SPACE


def send(browser: httpx.Client, file: bytes) -> httpx.Response:
    return browser.post("/tables/import", files={"file": ("thursday.json", file)})


def upload_in(page: httpx.Response) -> str:
    found = re.search(r'name="upload" value="([\w-]+)"', page.text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("how", "names"), [("copy", ["Copy of Thursday", "Thursday"]), ("replace", ["Thursday"])])
def test_a_large_file_is_sent_once_and_then_only_spoken_of(
    inside: Inside, browser: httpx.Client, file: bytes, how: str, names: list[str]
) -> None:
    asked = send(browser, file)
    assert "already exists here" in asked.text
    assert len(asked.content) < 20_000
    brought = browser.post("/tables/import", data={"upload": upload_in(asked), "how": how})
    assert brought.status_code == 200
    assert "/tables/" in str(brought.url)
    assert sorted(record.name for record in inside.host.desk.tables.records()) == names


def test_a_file_that_is_no_longer_here_is_asked_for_again(inside: Inside, browser: httpx.Client, file: bytes) -> None:
    upload = upload_in(send(browser, file))
    for wanted in (upload, upload, "no-such-upload"):
        answer = browser.post("/tables/import", data={"upload": wanted, "how": "copy"})
    assert answer.status_code == 400
    assert "Choose it again." in answer.text
    assert len(inside.host.desk.tables.records()) == 2


def test_only_few_files_wait_and_none_for_long() -> None:
    now = 0.0
    uploads = Uploads(lambda: now)
    kept = [uploads.keep(b"%d" % number) for number in range(WAITING + 1)]
    assert [uploads.take(secret) for secret in kept[:2]] == [None, b"1"]
    now = WAITS + 1
    assert uploads.take(kept[2]) is None
