"""The same few gestures in every browser engine: what a person does with a phone."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import Error, Locator, Page, Playwright, expect
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.waiting import PATIENCE

NAME = "table.test"
"""A name that means this machine in these browsers: no secure context, as an address in a network is none."""

SIZE = (390, 844)


class Device(Protocol):
    """A phone with a browser. What stands on a page is found by XPath, in every engine alike."""

    def go(self, address: str) -> None: ...

    def tap(self, path: str) -> None: ...

    def enter(self, path: str) -> None:
        """Press a button by the keyboard."""

    def type(self, path: str, text: str) -> None: ...

    def wait_for(self, path: str, text: str) -> None:
        """Wait until something at this place holds this text."""

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""


Hand = Callable[[], Device]
"""Hands out a fresh phone."""


class ByPlaywright:
    """A phone whose browser Playwright drives."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def go(self, address: str) -> None:
        self._page.goto(address)

    def tap(self, path: str) -> None:
        for _ in range(5):
            found = self._ready(path)
            self._page.evaluate(_LISTEN)
            found.click()
            if self._heard():
                return
        raise AssertionError(f"no press counted at {path}")

    def enter(self, path: str) -> None:
        self._page.bring_to_front()  # A key presses nothing in a window of Firefox that lies behind another.
        self._ready(path).press("Enter")

    def type(self, path: str, text: str) -> None:
        self._page.locator(f"xpath={path}").fill(text)

    def wait_for(self, path: str, text: str) -> None:
        expect(self._page.locator(f"xpath={path}").first).to_contain_text(text)

    def run(self, script: str) -> Any:
        return self._page.evaluate(script)

    def _heard(self) -> bool:
        """False where the page let a press go, as something new came there just then: a person presses again."""
        try:
            return self._page.evaluate("window.pressed") is not False
        except Error:  # It led to another page.
            return True

    def _ready(self, path: str) -> Locator:
        """What stands there, once it stands there long enough for a press to count, as it does for a person's hand."""
        found = self._page.locator(f"xpath={path}").first
        expect(found).to_be_visible()
        expect(self._page.locator(".still")).to_have_count(0)
        return found


_LISTEN = """
window.pressed = false;
window.addEventListener("click", () => { window.pressed = true; }, { once: true });
"""


class BySelenium:
    """A phone whose browser a WebDriver drives."""

    def __init__(self, driver: webdriver.WebKitGTK) -> None:
        self._driver = driver
        # A page that moves just then is asked again.
        passing = [ElementNotInteractableException, StaleElementReferenceException]
        self._patience = WebDriverWait(driver, PATIENCE, poll_frequency=0.05, ignored_exceptions=passing)

    def go(self, address: str) -> None:
        self._driver.get(address)

    def tap(self, path: str) -> None:
        def tapped(_: object) -> bool:
            found = self._shown(path)
            if found is None or self._driver.find_elements(By.CLASS_NAME, "still"):
                return False  # Not there yet, or there so newly that no press counts.
            self._driver.execute_script("arguments[0].scrollIntoView({ block: 'center', inline: 'center' })", found)
            self._driver.execute_script(_LISTEN)
            found.click()
            # The driver of a busy machine loses a click now and then; the page lets one go where something new came.
            return bool(self._driver.execute_script("return window.pressed !== false"))

        self._patience.until(tapped, f"nothing to tap at {path}")

    def enter(self, path: str) -> None:
        def found(_: object) -> WebElement | None:
            return None if self._driver.find_elements(By.CLASS_NAME, "still") else self._shown(path)

        self._patience.until(found, f"nothing to press at {path}").send_keys(Keys.ENTER)

    def type(self, path: str, text: str) -> None:
        field = self._patience.until(lambda _: self._shown(path), f"nothing to type into at {path}")
        field.clear()
        field.send_keys(text)

    def wait_for(self, path: str, text: str) -> None:
        def holds(_: object) -> bool:
            # What the page says, as in the other engines: this driver takes some of what is plainly seen for hidden.
            found = self._driver.find_elements(By.XPATH, path)
            return any(text in " ".join((one.get_property("textContent") or "").split()) for one in found)

        self._patience.until(holds, f"{text!r} never stood at {path}")

    def run(self, script: str) -> Any:
        return self._driver.execute_script(f"return ({script})")

    def _shown(self, path: str) -> WebElement | None:
        return next((one for one in self._driver.find_elements(By.XPATH, path) if one.is_displayed()), None)


@contextmanager
def chromium(playwright: Playwright, server: str) -> Iterator[Hand]:
    """Phones with the system's Chromium, as `chromium` on PATH."""
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"),
        args=[*arguments, "--disable-sync", "--no-first-run", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"],
    )
    width, height = SIZE

    def hand() -> Device:
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, locale="en-GB"
        )
        return ByPlaywright(context.new_page())

    try:
        yield hand
    finally:
        browser.close()


@contextmanager
def firefox(playwright: Playwright, server: str) -> Iterator[Hand]:
    """Phones with the system's own Firefox, spoken to by WebDriver BiDi."""
    browser = playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=shutil.which("firefox-esr") or shutil.which("firefox"),
        firefox_user_prefs={"network.dns.localDomains": NAME, "app.update.enabled": False},
    )
    width, height = SIZE

    def hand() -> Device:
        context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
        return ByPlaywright(context.new_page())

    try:
        yield hand
    finally:
        browser.close()


@contextmanager
def webkit(_: Playwright, server: str) -> Iterator[Hand]:
    """Phones with WebKitGTK's own small browser, each on a screen of its own that nobody sees.

    On one screen the windows would cover each other, and presses on what is covered get lost.

    It cannot be told what a name means, but to ask somebody else for it: the server itself is that somebody.
    """
    there = urlsplit(server).netloc
    with ExitStack() as after:

        def hand() -> Device:
            screen = after.enter_context(_screen())
            options = Options()
            options.binary_location = str(_minibrowser())
            options.add_argument("--automation")
            if NAME in server:
                options.set_capability("proxy", {"proxyType": "manual", "httpProxy": there.replace(NAME, "127.0.0.1")})
            service = Service(shutil.which("WebKitWebDriver"), env={**os.environ, "DISPLAY": screen, "LANG": "C.UTF-8"})
            driver = webdriver.WebKitGTK(options=options, service=service)
            after.callback(driver.quit)
            driver.set_window_size(*SIZE)
            return BySelenium(driver)

        yield hand


@contextmanager
def _screen() -> Iterator[str]:
    back, out = os.pipe()
    command = ["Xvfb", "-displayfd", str(out), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    running = subprocess.Popen(command, pass_fds=[out], stderr=subprocess.DEVNULL)
    os.close(out)
    try:
        with os.fdopen(back) as said:
            yield f":{said.readline().strip()}"
    finally:
        running.terminate()
        running.wait()


def _minibrowser() -> Path | None:
    """WebKitGTK's own small browser, None where there is none."""
    return next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)


ENGINES = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


def why_not(engine: str) -> str | None:
    """Why an engine cannot be driven here; None where it can."""
    match engine:
        case "chromium":
            missing = [] if shutil.which("chromium") else ["chromium"]
        case "firefox":
            missing = [] if shutil.which("firefox-esr") or shutil.which("firefox") else ["firefox-esr"]
        case _:
            missing = [name for name, found in _needed_by_webkit().items() if not found]
    return f"{engine} cannot be driven here; missing: {', '.join(missing)}" if missing else None


def _needed_by_webkit() -> dict[str, object]:
    return {
        "webkit2gtk-driver": shutil.which("WebKitWebDriver"),
        "WebKitGTK's MiniBrowser": _minibrowser(),
        "xvfb": shutil.which("Xvfb"),
    }
