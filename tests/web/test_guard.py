"""What comes from other sites, and addresses that no page has, are turned away in good order."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.web.inside import Inside


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Inside(tmp_path_factory.mktemp("guard") / "winded.sqlite") as running:
        yield urlsplit(running.address).netloc


def asked(there: str, method: str, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection(there, timeout=10)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in ({"content-length": "0"} | headers).items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize(
    "origin",
    [
        "null", "", "http://", "http://[", "http://[x", "//", "http://evil.example", "http://127.0.0.1:1",
        "http://127.0.0.1", "http://{there}.evil.example", "http://evil.example/{there}", "http://x@{there}",
    ],
)  # fmt: skip
def test_what_a_browser_sends_for_another_site_is_turned_away_whatever_it_calls_itself(there: str, origin: str) -> None:
    assert asked(there, "POST", "/language", origin=origin.format(there=there)) == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "anything"])
def test_what_a_browser_knows_to_be_from_another_site_is_turned_away(there: str, site: str) -> None:
    assert asked(there, "POST", "/language", sec_fetch_site=site, origin=f"http://{there}") == 403


def test_what_its_own_pages_send_is_taken(there: str) -> None:
    assert asked(there, "POST", "/language", origin=f"http://{there}") == 303
    assert asked(there, "POST", "/language", sec_fetch_site="same-origin") == 303


@pytest.mark.parametrize(
    "path",
    [
        "/static/winded.css%00", "/static/%00", "/static/" + "a" * 300, "/static/" + "a/" * 2000, "/" + "a" * 8000,
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/static/",
        "/static/%2fetc/passwd", "/static/vendor", "/static/..%5capp.py", "/static/.", "/static/%ff",
    ],
)  # fmt: skip
def test_there_is_nothing_at_an_address_that_no_file_or_page_has(there: str, path: str) -> None:
    assert asked(there, "GET", path) == 404
