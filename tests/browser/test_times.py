"""Moments are read in the zone of whoever reads them, not in the server's."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.evening import Evening
from tests.serving import Server

NewContext = Callable[..., BrowserContext]

AWAY = ("Asia/Kathmandu", "America/St_Johns")
"""Zones a quarter and a half of an hour off every whole one: no server stands in them by chance."""


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database)
    yield found
    found.close()


def history(page: Page) -> Locator:
    page.locator("[data-sheet=history]").click()
    return page.locator("#sheet time")


def told(time: Locator, zone: str, pattern: str) -> str:
    exact = datetime.fromisoformat(time.get_attribute("datetime") or "")
    assert exact.tzinfo == UTC
    return f"{exact.astimezone(ZoneInfo(zone)):{pattern}}"


@pytest.mark.parametrize("zone", AWAY)
def test_the_history_is_read_in_the_readers_own_zone(evening: Evening, laptop: NewContext, zone: str) -> None:
    page = evening.open(laptop(timezone_id=zone), evening.referee)
    times = history(page)
    expect(times.first).to_have_text(told(times.first, zone, "%Y-%m-%d %H:%M"))
    # As it goes on, too.
    count = times.count()
    evening.do("adjust", character="Ash", by=-1, reason="a long march")
    expect(times).to_have_count(count + 1)
    expect(times.first).to_have_text(told(times.first, zone, "%Y-%m-%d %H:%M"))
    expect(times.filter(has_text=re.compile("UTC"))).to_have_count(0)


def test_it_is_written_as_the_language_writes_it(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(timezone_id=AWAY[0], locale="de-DE"), evening.referee)
    time = history(page).first
    expect(time).to_have_text(told(time, AWAY[0], "%d.%m.%Y %H:%M"))


def test_without_a_script_it_names_its_zone(evening: Evening, laptop: NewContext) -> None:
    page = evening.open(laptop(secure=True, timezone_id=AWAY[0]), evening.referee)
    text = page.context.request.get(f"{page.url}/sheet/history").text()
    assert re.search(r"<time [^>]*>\d{4}-\d\d-\d\d \d\d:\d\d UTC</time>", text)
