"""How `winded serve` says where it is reached."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest
import segno

from tests.cli.conftest import ENDS_WITHIN, WINDED, Winded
from tests.serving import Server
from winded.cli.serve import announcement, qr_code

HERE, THERE = "http://127.0.0.1:8000", "http://192.168.1.5:8000"


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


def announced(*ways: tuple[str, str], here: str = HERE, with_qr: bool = False) -> str:
    return announcement(here, ways, Path("winded.sqlite"), with_qr=with_qr)


def test_addresses_stand_one_a_line_this_machines_first_and_where_each_leads_beside_it() -> None:
    said = announced((THERE, "wlan0"), ("http://10.8.0.2:8000", "tun0: for those on this VPN"))
    assert [line[20:] for line in said.splitlines() if "http" in line] == [
        f"{HERE}/",
        f"{THERE}/   (wlan0)",
        "http://10.8.0.2:8000/   (tun0: for those on this VPN)",
    ]
    assert "█" not in said


def test_where_it_is_reached_by_one_address_only_that_stands_once() -> None:
    assert announced((THERE, "wlan0"), here=THERE).count("http") == 1


def test_the_qr_code_is_of_the_first_address_for_others() -> None:
    drawn = announced((THERE, ""), ("http://10.8.0.2:8000", ""), with_qr=True)
    assert qr_code(f"{THERE}/", in_colour=False) in drawn


def test_without_a_network_the_qr_code_is_left_out_and_it_is_said_that_nobody_can_come() -> None:
    said = announced(with_qr=True)
    assert "█" not in said
    assert "nowhere: phones cannot come yet" in said


@pytest.mark.parametrize("host", ["", " "])
def test_no_address_to_listen_on_is_refused_in_words(winded: Winded, host: str) -> None:
    ran = winded("serve", "--host", host)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("--host: An address to listen on is needed")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--address", "localhost"], "Phones cannot use localhost"),
        (["--address", "http://0.0.0.0:8000"], "Phones cannot use"),
        (["--address", "http://["], "“http://[” is not an address such as"),
        (["--trusted-proxies", "the-proxy"], "“the-proxy” is not the address or network of a proxy"),
        (["--certificate", "none.pem"], "There is no file none.pem"),
        (["--key", "none.pem"], "--key does nothing without --certificate"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_served(
    winded: Winded, tmp_path: Path, options: list[str], says: str
) -> None:
    ran = winded("serve", *options, "--database", tmp_path / "winded.sqlite")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "winded.sqlite").exists()


def test_the_address_that_was_given_is_the_one_that_is_announced(serve: Callable[..., Server]) -> None:
    said = serve("--address", "http://table.example:8123").output
    assert "In this network   http://table.example:8123/" in said


def test_python_runs_it_as_a_module_and_paths_may_hold_anything(environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "Zwölf Bücher ножи 剣 100%"
    folder.mkdir()
    database = folder / "die Runde #1?.sqlite"
    command = [sys.executable, "-m", "winded"]
    made = subprocess.run(
        [*command, "tables", "new", "Thursday", "--database", database],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (made.returncode, made.stderr) == (0, b"")
    assert [path.name for path in folder.glob("*.sqlite")] == [database.name]
    with Server(database, program=command) as server:
        link = urlsplit(made.stdout.decode().strip()).path
        assert "Thursday" in build_opener(HTTPCookieProcessor()).open(server.address + link).read().decode()


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
