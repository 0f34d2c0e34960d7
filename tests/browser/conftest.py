"""A real Chromium for the browser tests: the referee's laptop and the players' phones."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.serving import Server
from tests.waiting import PATIENCE

# A name that means this machine to the browser, and no secure context, unlike 127.0.0.1: what a phone sees that joins
# over the house's network. All pages are opened there, but in tests of what only a secure context gives.
INSECURE_HOST = "table.test"
OURS = {"127.0.0.1", "localhost", INSECURE_HOST}

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}

expect.set_options(timeout=PATIENCE * 1000)

NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's own Chromium, which reports to nobody and asks no other site."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "the browser tests need Chromium, as chromium on PATH; make test installs it"
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1",
        ],
    }


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """So that `page.goto("/")` means the shared server."""
    return server.address


@pytest.fixture(autouse=True)
def contexts_closed(browser: Browser) -> Iterator[None]:
    """A context left open keeps its live streams, which then starve the tests that follow."""
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What went wrong unseen in the pages of this test; there must be nothing. A test that means it clears the list."""
    found: list[str] = []
    yield found
    assert not found, "\n".join(found)


@pytest.fixture
def open_context(browser: Browser, base_url: str, faults: list[str]) -> NewContext:
    """A fresh browser context (a person's own device) whose pages are watched for faults; `secure` if it must be."""

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"{page.url}: a script failed: {error}"))
        page.on("console", heard)

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            faults.append(f"the page's own policy was broken: {message.text}")

    def asked(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname not in OURS:
            faults.append(f"the page asked another site: {request.url}")

    def open_context(*, secure: bool = False, **options: Any) -> BrowserContext:
        wanted = {"base_url": base_url, "locale": "en-GB", **options}
        if not secure:
            wanted["base_url"] = wanted["base_url"].replace("127.0.0.1", INSECURE_HOST)
        context = browser.new_context(**wanted)
        context.set_default_timeout(PATIENCE * 1000)
        context.on("page", watch)
        context.on("request", asked)
        return context

    return open_context


@pytest.fixture
def phone(open_context: NewContext) -> NewContext:
    """A phone in one hand: `phone(color_scheme="dark").new_page()`. Options are Playwright's for a context."""
    return lambda **options: open_context(**{**PHONE, **options})


@pytest.fixture
def laptop(open_context: NewContext) -> NewContext:
    """The Referee's laptop: `laptop().new_page()`."""
    return lambda **options: open_context(**{**LAPTOP, **options})


@pytest.fixture(params=["light", "dark"])
def color_scheme(request: pytest.FixtureRequest) -> str:
    """Runs the test in both schemes: `phone(color_scheme=color_scheme)`."""
    return str(request.param)


@pytest.fixture
def assert_accessible() -> Callable[[Page], None]:
    """Fails with all that axe finds on a page, each with its place and how to mend it."""

    def check(page: Page) -> None:
        found = Axe().run(page)
        assert not found.violations_count, f"{page.url}\n{found.generate_report()}"

    return check
