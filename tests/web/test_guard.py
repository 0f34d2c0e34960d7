"""What comes from other sites, and addresses that no page has, are turned away in good order."""

import codecs
import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Inside(tmp_path_factory.mktemp("guard") / "winded.sqlite") as running:
        yield urlsplit(running.address).netloc


def asked(there: str, method: str, path: str, body: bytes = b"", **headers: str) -> int:
    connection = http.client.HTTPConnection(there, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in ({"content-length": str(len(body))} | headers).items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
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


@pytest.mark.parametrize("path", ["/language", "/join", "/join/x", "/tables", "/tables/import", "/forecast"])
@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("punycode", b"a-" + b"9" * 60_000),
        ("PunyCode", b"a-" + b"9" * 60_000),
        ("idna", b"xn--" + b"a" * 60_000),
        ("no-such", b"x"),
        ("hex", b"zz"),
        ("utf-16", b"x"),
        ("utf-8", b"\xff\xfe"),
    ],
)
def test_a_form_does_not_choose_how_it_is_decoded(there: str, path: str, encoding: str, text: bytes) -> None:
    type_ = f"text/plain; charset={encoding}"
    body = f'--x\r\nContent-Disposition: form-data; name="to"\r\nContent-Type: {type_}\r\n\r\n'.encode()
    status = asked(there, "POST", path, body + text + b"\r\n--x--\r\n", content_type="multipart/form-data; boundary=x")
    assert status == 400


@pytest.mark.parametrize("path", ["/language", "/join", "/join/x", "/tables", "/tables/import", "/forecast"])
def test_a_form_calls_no_decoder_of_its_sender(there: str, path: str) -> None:
    called: list[str] = []

    def find(name: str) -> codecs.CodecInfo | None:
        called.append(name)
        return None

    codecs.register(find)
    try:
        head = 'Content-Disposition: form-data; name="to"\r\nContent-Type: text/plain; charset=slowest-of-all'
        body = f"--x\r\n{head}\r\n\r\nde\r\n--x--\r\n".encode()
        assert asked(there, "POST", path, body, content_type="multipart/form-data; boundary=x") == 400
    finally:
        codecs.unregister(find)
    assert not any("slowest" in name for name in called)


def test_a_form_in_several_parts_is_read(there: str) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="back"\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n/join'
    multipart = "multipart/form-data; boundary=x"
    assert asked(there, "POST", "/language", part + b"\r\n--x--\r\n", content_type=multipart) == 303
    for broken in (b"", b"x", part, b"--x--", part.replace(b'"back"', b'"back') + b"\r\n--x--\r\n"):
        assert asked(there, "POST", "/language", broken, content_type=multipart) in {303, 400}
