"""QR codes, so that a phone at the table joins without anyone typing an address."""

from __future__ import annotations

from io import BytesIO

import segno
from markupsafe import Markup


def qr_svg(address: str, title: str) -> Markup:
    """An address as a QR code, as inline SVG that grows to its box; `title` says to screen readers what it is.

    Black on white in dark mode too: scanners do not read it the other way round.
    """
    drawn = BytesIO()
    segno.make(address, micro=False, error="m").save(
        drawn,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        border=4,
        dark="#000",
        light="#fff",
        svgclass="qr",
        lineclass=None,
        title=title,
    )
    drawing = drawn.getvalue().decode().strip()
    return Markup(drawing.replace("<svg ", '<svg role="img" ', 1))
