"""Connections that ask for nothing end, those that ask are served, and nobody keeps the others out."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.web.network.connections import Doorkeeper

GET = b"GET /manifest.webmanifest HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /language HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
QUICK = 0.2
LONG = 3600.0

Called = Callable[..., socket.socket]


@pytest.fixture
def call(tmp_path: Path) -> Iterator[Called]:
    """Connects to a server whose doorkeeper is as given, the first time: `call(head_within=0.2)`."""
    with ExitStack() as after:
        running: list[Inside] = []

        def call(**patience: float) -> socket.socket:
            if not running:
                keeper = Doorkeeper(**{"head_within": LONG, "body_within": LONG, **patience})  # type: ignore[arg-type]
                running.append(after.enter_context(Inside(tmp_path / "winded.sqlite", doorkeeper=keeper)))
            where = urlsplit(running[0].address)
            return after.enter_context(socket.create_connection((where.hostname, where.port), PATIENCE))

        yield call


def to_the_end(connection: socket.socket) -> bytes:
    """All that the server says until it closes; where it never does, the test fails."""
    said = b""
    while more := connection.recv(65536):
        said += more
    return said


def answer(connection: socket.socket) -> bytes:
    """The head of the next answer."""
    said = b""
    while b"\r\n\r\n" not in said:
        more = connection.recv(65536)
        assert more, said
        said += more
    return said.partition(b"\r\n")[0]


def test_a_connection_that_says_nothing_ends_without_a_word(call: Called) -> None:
    assert to_the_end(call(head_within=QUICK)) == b""


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", POST])
def test_half_a_head_is_told_that_it_takes_too_long(call: Called, begun: bytes) -> None:
    connection = call(head_within=QUICK)
    connection.sendall(begun)
    assert to_the_end(connection).startswith(b"HTTP/1.1 408 ")


def test_half_a_body_too(call: Called) -> None:
    connection = call(head_within=QUICK, body_within=QUICK)
    connection.sendall(POST + b"Content-Length: 100\r\n\r\nto=")
    assert to_the_end(connection).startswith(b"HTTP/1.1 408 ")


def test_a_long_body_has_the_time_that_it_needs(call: Called) -> None:
    connection = call(body_within=0.0)
    # By now a second for each of these is due.
    connection.sendall(POST + b"Content-Length: 40000\r\n\r\nto=" + b"x" * 39_000)
    connection.sendall(b"x" * 997)
    assert answer(connection).startswith(b"HTTP/1.1 303 ")


def test_a_head_in_pieces_is_served(call: Called) -> None:
    connection = call()
    for start in range(0, len(GET), 7):
        connection.sendall(GET[start : start + 7])
    assert answer(connection) == b"HTTP/1.1 200 OK"


def test_what_is_no_beginning_does_not_keep_a_connection_that_was_used(call: Called) -> None:
    connection = call(head_within=QUICK)
    connection.sendall(GET)
    assert answer(connection) == b"HTTP/1.1 200 OK"
    connection.sendall(b"\r\n")
    to_the_end(connection)


def test_a_stream_is_not_idle_and_goes_on_however_long_it_is(call: Called) -> None:
    """Several looks at a connection that is being answered end nothing, nor do others that come."""
    made = call(head_within=0.05, idle_from_one=1)
    made.sendall(
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
        b'{"sample":true}'
    )
    said = b""
    while not said.endswith(b"}"):
        said += made.recv(65536)
    token, table = (said.partition(f'"{field}":"'.encode())[2].partition(b'"')[0].decode() for field in ("token", "id"))
    stream = call()
    stream.sendall(
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    assert answer(stream) == b"HTTP/1.1 200 OK"
    others = [call() for _ in range(3)]
    assert [to_the_end(one) for one in others[:2]] == [b"", b""]
    beats = b""
    while beats.count(b"beat") < 3:
        more = stream.recv(65536)
        assert more, beats
        beats += more


def test_of_too_many_idle_ones_from_one_address_the_oldest_ends(call: Called) -> None:
    connections = [call(idle_from_one=3) for _ in range(5)]
    assert [to_the_end(one) for one in connections[:2]] == [b"", b""]
    for one in connections[2:]:
        one.sendall(GET)
        assert answer(one) == b"HTTP/1.1 200 OK"


def test_of_too_many_in_all_the_oldest_ends_and_whoever_comes_is_served(call: Called) -> None:
    connections = [call(idle=50) for _ in range(300)]
    newcomer = call()
    newcomer.sendall(GET)
    assert answer(newcomer) == b"HTTP/1.1 200 OK"
    assert to_the_end(connections[0]) == b""


def test_https_asked_of_an_http_port_gets_a_plain_word(call: Called) -> None:
    connection = call()
    # The beginning of a greeting as browsers send it.
    connection.sendall(bytes.fromhex("16030100c4010000c00303") + b"\0" * 60)
    said = to_the_end(connection)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"Winded speaks http here, not https" in said
