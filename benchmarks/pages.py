"""What a person waits for in a real browser: a click seen on another screen, and the first load of a page."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Request, sync_playwright

from benchmarks.harness import Figure, Measured
from tests.serving import Server
from winded.rules import StartCombat
from winded.service import open_desk
from winded.service.opening import begin_table
from winded.service.sample import SAMPLE, SAMPLE_NAME

CLICKS = 60
FIVE = next(at for at, command in enumerate(SAMPLE) if getattr(command, "name", "") == "Ogre") + 1
LOADS = 7

# A middling phone on a middling network: the processor four times slower, 1.6 Mbit/s, 150 ms there and back.
SLOWER = 4
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}

_NOTE_CLICKS = "addEventListener('click', () => window.clicked = performance.timeOrigin + performance.now(), true)"
_NOTE_CHANGES = """new MutationObserver(() => window.changed = performance.timeOrigin + performance.now())
    .observe(document.body, {subtree: true, attributes: true, attributeFilter: ['data-seq']})"""


@contextmanager
def table() -> Iterator[tuple[Server, str, str]]:
    """A server with a table of five in its first round, a Referee's link to it and that of Ash's player."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "winded.sqlite"
        with open_desk(database) as desk:
            links = desk.links
            referee = begin_table(desk, SAMPLE_NAME, (*SAMPLE[:FIVE], StartCombat()))
            player = links.join(links.invite(referee.link.table).link, "Mira")
            links.claim(player, "Ash")
        with Server(database) as server:
            yield server, f"{server.address}/l/{referee.token}", f"{server.address}/l/{player.token}"


@contextmanager
def browser() -> Iterator[Browser]:
    """The same Chromium that the tests use."""
    with sync_playwright() as playwright:
        options = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
        started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options.split())
        try:
            yield started
        finally:
            started.close()


def clicking() -> Measured:
    """Milliseconds from a click on the board to the change on a player's phone, durable in between."""
    took = []
    with table() as (_, referee, player), browser() as chromium:
        board, phone = chromium.new_page(), chromium.new_page()
        board.goto(referee)
        phone.goto(player)
        board.evaluate(_NOTE_CLICKS)
        phone.evaluate(_NOTE_CHANGES)
        for _ in range(CLICKS):
            before = phone.evaluate("window.changed ?? 0")
            _next(board)
            phone.wait_for_function("before => window.changed > before", arg=before)
            took.append(phone.evaluate("window.changed") - board.evaluate("window.clicked"))
            # Two taps on one button within 400 ms are one, and what is new there waits for 600.
            board.wait_for_timeout(700)
    took.sort()
    return Measured.of([statistics.median(took)], **{"p99 ms": took[int(len(took) * 0.99)], "worst ms": took[-1]})


def _next(board: Page) -> None:
    board.locator(".drive .main").click()


def first_bytes(of: str) -> Measured:
    """KiB that the first load brings, compressed: the page and all that it loads; what heads each answer aside."""
    with table() as (_, referee, player), browser() as chromium:
        page = chromium.new_page()
        answered: list[Request] = []
        # Playwright marks each listener, and a method of a list takes no mark.
        page.on("requestfinished", lambda one: answered.append(one))  # noqa: PLW0108
        page.goto(referee if of == "board" else player)
        page.wait_for_timeout(500)
        brought = sum(one.sizes()["responseBodySize"] for one in answered)
    return Measured.of([brought / 1024])


def first_use(of: str) -> Measured:
    """Seconds until the first load can be used on a middling phone: everything drawn and every script run."""
    took = []
    with table() as (_, referee, player), browser() as chromium:
        for _ in range(LOADS):
            context = chromium.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.send("Network.enable")
            devtools.send("Network.emulateNetworkConditions", NETWORK)
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(referee if of == "board" else player)
            navigation = "performance.getEntriesByType('navigation')[0]"
            took.append(page.evaluate(f"({navigation}.domContentLoadedEventEnd - {navigation}.redirectEnd) / 1000"))
            context.close()
    return Measured.of(took)


FIGURES = (
    Figure(
        "pages.click",
        "A click on the board until a player's phone shows the change; SQLite FULL in between.",
        "ms",
        clicking,
        goal=10,
        better="less",
    ),
    *(
        Figure(
            f"pages.bytes.{of}",
            f"The first load of the {of}, compressed: the page, its scripts, its styles and all else.",
            "KiB",
            lambda of=of: first_bytes(of),
            goal=25,
            better="less",
        )
        for of in ("board", "phone")
    ),
    *(
        Figure(
            f"pages.usable.{of}",
            f"The first load of the {of} until it can be used, on a middling phone.",
            "s",
            lambda of=of: first_use(of),
            goal=0.7 if of == "board" else None,
            better="less",
        )
        for of in ("board", "phone")
    ),
)
