"""Host headers: what may be meant for this server, and what a page of another site sends by a name of its own."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.errors import Malformed, WindedError
from winded.web.network.names import Names, WrongName, name_in

OURS = [
    "127.0.0.1", "127.0.0.1:8000", "192.168.1.5:8000", "[::1]:8000", "[2001:db8::5]", "localhost:8000", "laptop",
    "LAPTOP:8000", "laptop.local", "Laptop.Local.:8000", "table.fritz.lan",
    "table.home.arpa:80", "0.0.0.0:8000", "table.test",
]  # fmt: skip
THEIRS = [
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "local.example",
    "1.2.3",
]
NO_HOST = [
    "[",
    "[::1",
    "[evil]:80",
    "a b",
    "a/b",
    "a@b",
    "a:port",
    "",
    ":8000",
    "a\\b",
    "[]",
    "a?b",
    "[::1]x",
    "a:123456",
    "é" * 300,
]


def heard(host: str, names: Names | None = None) -> None:
    (names or Names()).check([(b"host", host.encode("latin-1"))])


@pytest.mark.parametrize("host", OURS)
def test_addresses_and_names_within_a_network_are_ours(host: str) -> None:
    heard(host)


@pytest.mark.parametrize("host", THEIRS)
def test_a_name_that_anybody_could_buy_is_not(host: str) -> None:
    with pytest.raises(WrongName) as no:
        heard(host)
    assert "--host-name" in str(no.value)


@pytest.mark.parametrize("host", NO_HOST)
def test_what_is_no_host_is_malformed(host: str) -> None:
    with pytest.raises(Malformed):
        heard(host)


@given(st.text(alphabet=st.characters(max_codepoint=255), max_size=40))
def test_whatever_is_sent_is_ours_theirs_or_malformed_and_always_the_same(host: str) -> None:
    names = Names()

    def answer() -> type[WindedError] | None:
        try:
            heard(host, names)
        except WindedError as no:
            return type(no)
        return None

    assert answer() == answer()
    assert answer() in (None, WrongName, Malformed)


def test_a_name_that_was_given_is_ours_however_it_is_written() -> None:
    names = Names(["Table.Example", "bücher.example"])
    heard("table.example:8000", names)
    heard("TABLE.EXAMPLE.", names)
    heard("xn--bcher-kva.example", names)
    with pytest.raises(WrongName):
        heard("other.example", names)


def test_behind_a_certificate_every_name_is_the_certificates_matter() -> None:
    heard("evil.example", Names(any_name=True))
    with pytest.raises(Malformed):
        heard("[", Names(any_name=True))


def test_of_two_hosts_both_must_be_ours() -> None:
    with pytest.raises(WrongName):
        Names().check([(b"host", b"localhost"), (b"host", b"evil.example")])


def test_the_name_stands_without_its_port() -> None:
    assert [name_in(host) for host in ("A.b:80", "[::1]:80", "[::1]", "a.")] == ["a.b", "::1", "::1", "a"]


# -- at every door


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("names") / "winded.sqlite") as running:
        yield running


def asked(there: Inside, method: str, path: str, host: str, body: str = "") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(urlsplit(there.address).netloc, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host)
        connection.putheader("Content-Length", str(len(body)))
        connection.putheader(
            "Content-Type", "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
        )
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        return answer.status, answer.headers.get("content-type", ""), answer.read().decode()
    finally:
        connection.close()


DOORS = [
    ("GET", "/"),
    ("GET", "/static/winded.css"),
    ("POST", "/tables/sample"),
    ("POST", "/tables/abcdefgh/links"),
    ("GET", "/tables/abcdefgh/live"),
    ("GET", "/api/rules"),
    ("POST", "/api/tables"),
    ("GET", "/nowhere"),
]


@pytest.mark.parametrize(("method", "path"), DOORS)
@pytest.mark.parametrize(("host", "status"), [("evil.example", 421), ("[", 400)])
def test_it_is_turned_away_in_words_and_nothing_is_done(
    there: Inside, method: str, path: str, host: str, status: int
) -> None:
    before = len(there.journal.records())
    answered, kind, text = asked(there, method, path, host, '{"sample": true}' if path == "/api/tables" else "")
    assert answered == status
    if path.startswith("/api") or path.endswith("/live"):
        assert kind.startswith("application/json")
        assert '"message"' in text
    else:
        assert kind == "text/html; charset=utf-8"
        assert "<main" in text
    assert len(there.journal.records()) == before
