"""QR codes for joining: scanners read them in light and dark, and screen readers are told what they are."""

import re

from winded.web.screens.people.qr import qr_svg

ADDRESS = "http://192.168.178.20:8000/join/m92IhtxUC4cyI0EX_er-QgPaFF5tjMaK"


def test_a_qr_code_is_black_on_white_in_every_scheme() -> None:
    drawn = qr_svg(ADDRESS, "Join")
    assert "currentColor" not in drawn
    assert re.search(r'fill="#fff"', drawn)
    assert re.search(r'stroke="#000"', drawn)


def test_a_qr_code_fits_its_box_and_says_what_it_is() -> None:
    drawn = qr_svg(ADDRESS, "Join <The Gate>")
    assert drawn.startswith('<svg role="img"')
    assert "<title>Join &lt;The Gate&gt;</title>" in drawn
    assert "viewBox" in drawn
    assert " width=" not in drawn[: drawn.index(">")]
    assert "style=" not in drawn
    assert len(drawn) < 6_000


def test_another_address_is_another_code() -> None:
    assert qr_svg(ADDRESS, "Join") != qr_svg(ADDRESS[:-1] + "L", "Join")
