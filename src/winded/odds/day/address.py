"""A day file packed into an address, so that a forecast can be kept and shared without a place to keep it."""

from __future__ import annotations

import base64
import binascii
import zlib

from winded.errors import Malformed

LONGEST = 16_000
"""Bytes that a day file may have on the web."""

LONGEST_PACKED = 6_000
"""Signs that it may have in an address: what browsers, proxies and chat programs pass on unharmed."""


def day_to_address(text: str) -> str:
    """A day file as it stands in an address. Raises Malformed where it is too long."""
    data = text.encode()
    if len(data) > LONGEST:
        raise Malformed(
            "day", "A day file here has at most {most} bytes; this one has {size}.", most=LONGEST, size=len(data)
        )
    packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    if len(packed) > LONGEST_PACKED:
        raise Malformed(
            "day",
            "This day file is too long for an address. Use “winded forecast” on the command line.",
        )
    return packed


def day_from_address(packed: str) -> str:
    """The day file that stands in an address. Raises Malformed; never unpacks more than a day file may have."""
    try:
        if len(packed) > LONGEST_PACKED or not packed.isascii():
            raise ValueError
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, LONGEST + 1)
        if len(text) > LONGEST or not unpacking.eof:
            raise ValueError
        return text.decode()
    except (ValueError, binascii.Error, zlib.error) as wrong:
        raise Malformed("day", "This address holds no day file, or only part of one.") from wrong
