"""The phone as an app: the newest view is there without a connection, and comes back to life with one."""

import socket
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.evening import PARTY, Evening
from tests.serving import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def server_of_its_own(serve: Callable[..., Server]) -> Server:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return serve(port=port)


def copy(page: Page) -> str:
    """The copy of the page that is kept for a reload without a connection, "" for none."""
    return page.evaluate(
        """async () => {
            const found = await (await caches.open("winded")).match(location.pathname);
            return found ? found.text() : "";
        }"""
    )


def wait_for_copy(page: Page, number: int) -> None:
    """Wait until the view of this number is kept."""
    page.evaluate(
        """async seq => {
            const kept = async () => (await (await caches.open("winded")).match(location.pathname))?.text();
            while (!(await kept())?.includes(`data-seq="${seq}"`)) await new Promise(requestAnimationFrame);
        }""",
        number,
    )


def test_a_reload_without_the_server_shows_the_newest_view_and_comes_back_live(
    server_of_its_own: Server, phone: NewContext
) -> None:
    server = server_of_its_own
    evening = Evening(server.address, server.database, PARTY)
    page = evening.open(phone(secure=True, base_url=server.address), evening.player("Mia", "Ash"))
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    # The worker sees a page only from its second load on.
    page.reload()
    expect(page.locator("#status")).to_have_text("live")
    wait_for_copy(page, evening.do("adjust", character="Ash", by=-5, reason="a long march"))
    server.kill()
    page.reload()
    expect(page.locator("#have-1 .fig b")).to_have_text("7")
    expect(page.locator("#status")).to_contain_text("Behind since")
    server.start()
    evening.do("adjust", character="Ash", by=1, reason="a song")
    expect(page.locator("#have-1 .fig b")).to_have_text("8")
    expect(page.locator("#status")).to_have_text("live")
    evening.close()


def test_a_revoked_link_leaves_no_copy_behind(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, PARTY)
    given = evening.player("Mia", "Ash")
    device = phone(secure=True)
    device.clock.install()
    page = evening.open(device, given)
    wait_for_copy(page, evening.now.number)
    evening.revoke(given)
    expect(page.locator("#status")).to_contain_text("no longer valid")
    # Nor is one made after a while.
    page.clock.run_for(5000)
    assert copy(page) == ""
    evening.close()


def test_it_can_be_installed_from_a_secure_address(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, PARTY)
    context = phone(secure=True)
    page = evening.open(context, evening.player("Mia", "Ash"))
    address = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = context.request.get(address or "").json()
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    for icon in manifest["icons"]:
        assert context.request.get(icon["src"]).ok
    evening.close()


def test_where_the_address_is_not_secure_everything_else_works(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, PARTY)
    page = evening.open(phone(), evening.player("Mia", "Ash"))
    assert page.evaluate("() => isSecureContext") is False
    page.locator("#open-1-channel-stamina summary").tap()
    page.get_by_role("button", name="2 leaves 10").first.tap()
    expect(page.locator("#have-1 .fig b")).to_have_text("10")
    evening.close()


def test_the_screen_stays_awake_where_the_browser_allows_it(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, PARTY)
    context = phone(secure=True)
    context.add_init_script(
        """window.asked = [];
        Object.defineProperty(navigator, "wakeLock", { value: { request: async what => {
            window.asked.push(what);
            return new EventTarget();
        } } });"""
    )
    page = evening.open(context, evening.player("Mia", "Ash"))
    page.wait_for_function("() => window.asked.length === 1")
    assert page.evaluate("() => window.asked") == ["screen"]
    evening.close()
