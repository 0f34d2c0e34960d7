"""How `winded serve` says where it is reached."""

from pathlib import Path

import pytest
import segno

from tests.cli.conftest import Winded
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
