"""How `winded serve` says where it is reached."""

import re
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest
import segno

from tests.cli.conftest import ENDS_WITHIN, WINDED, Winded
from tests.serving import Server
from winded.cli.serve import announcement, qr_code

HERE, THERE = "http://127.0.0.1:8000/", "http://192.168.1.5:8000/"


def modules(drawn: str) -> list[list[bool]]:
    """The dark modules of a QR code drawn in half blocks."""
    rows: list[list[bool]] = []
    for line in drawn.splitlines():
        rows.append([half in " ▄" for half in line])
        rows.append([half in " ▀" for half in line])
    return rows


def test_the_qr_code_is_the_address() -> None:
    drawn = modules(qr_code(THERE, in_colour=False))
    true = [[bool(module) for module in row] for row in segno.make_qr(THERE).matrix_iter(border=4)]
    assert drawn[: len(true)] == true


def test_a_terminal_gets_the_qr_code_black_on_white_whatever_its_colours() -> None:
    for line in qr_code(THERE, in_colour=True).splitlines():
        assert line.startswith("\x1b[97;40m")
        assert line.endswith("\x1b[0m")


def test_addresses_stand_one_a_line_this_machines_first() -> None:
    said = announcement([HERE, THERE], Path("winded.sqlite"), with_qr=False)
    lines = [line.split() for line in said.splitlines() if "http" in line]
    assert [line[-1] for line in lines] == [HERE, THERE]
    assert "█" not in said


def test_without_a_network_the_qr_code_is_left_out() -> None:
    assert "█" not in announcement([HERE], Path("winded.sqlite"), with_qr=True)


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_said_to_be_one(winded: Winded, port: str) -> None:
    ran = winded("serve", "--port", port)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--port" in ran.stderr


def test_a_port_that_is_taken_is_refused_where_it_was_asked_for(winded: Winded, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = winded("serve", "--host", "127.0.0.1", "--port", str(port), "--database", tmp_path / "winded.sqlite")
    assert (ran.returncode, ran.stdout) == (7, "")
    assert ran.stderr == f"Port {port} of 127.0.0.1 cannot be used: Address already in use.\n"


def test_where_8000_is_taken_any_free_port_is_served(environment: dict[str, str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # somebody else has taken it, which is just as good
        with subprocess.Popen(
            [WINDED, "serve", "--host", "127.0.0.1", "--database", tmp_path / "winded.sqlite"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
                assert re.fullmatch(r"http://127\.0\.0\.1:(?!8000/)\d+/", address)
                with urlopen(address) as page:
                    assert page.status == 200
                process.send_signal(signal.SIGINT)
                assert process.wait(ENDS_WITHIN) == 0
            finally:
                process.kill()


def test_what_is_done_beside_a_server_is_seen_by_it(
    winded: Winded, serve: Callable[..., Server], tmp_path: Path
) -> None:
    database = tmp_path / "winded.sqlite"
    server = serve(database=database)
    ran = winded("tables", "new", "Thursday", "--database", database, "--address", server.address)
    assert (ran.returncode, ran.stderr) == (0, "")
    with build_opener(HTTPCookieProcessor()).open(ran.stdout.strip()) as board:
        assert "Thursday" in board.read().decode()


def test_a_database_that_is_none_is_said_to_be_one(winded: Winded, tmp_path: Path) -> None:
    ran = winded("serve", "--host", "127.0.0.1", "--port", "0", "--database", tmp_path)
    assert (ran.returncode, ran.stdout) == (7, "")
    assert ran.stderr == f"{tmp_path} is a folder, not a database.\n"
