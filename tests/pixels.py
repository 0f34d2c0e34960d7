"""Reads a PNG as Chromium takes it, with nothing but the standard library."""

import struct
import zlib
from typing import NamedTuple


class Pixels(NamedTuple):
    """A picture: `at(x, y)` is red, green, blue and alpha, 0 to 255 each."""

    width: int
    height: int
    channels: int
    rows: list[bytearray]

    def at(self, x: int, y: int) -> tuple[int, int, int, int]:
        found = self.rows[y][x * self.channels : (x + 1) * self.channels]
        return found[0], found[1], found[2], found[3] if self.channels == 4 else 255

    def grey(self, left: float, top: float, width: float, height: float) -> list[float]:
        """The lightness, 0 to 255, of every pixel in a box, as a screen without colours shows it."""
        return [
            0.2126 * red + 0.7152 * green + 0.0722 * blue
            for y in range(int(top), int(top + height))
            for x in range(int(left), int(left + width))
            for red, green, blue, _ in [self.at(x, y)]
        ]


def read_png(data: bytes) -> Pixels:
    """A PNG of 8 bits a channel, not interlaced: what a browser's screenshot is."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            head = body
        elif kind == b"IDAT":
            packed += body
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", head)
    channels = {2: 3, 6: 4}[colour]
    assert depth == 8
    raw = zlib.decompress(packed)
    stride = width * channels
    rows: list[bytearray] = []
    above = bytearray(stride)
    for y in range(height):
        kind_of_filter = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        _unfilter(kind_of_filter, row, above, channels)
        rows.append(row)
        above = row
    return Pixels(width, height, channels, rows)


def _unfilter(kind: int, row: bytearray, above: bytearray, channels: int) -> None:
    for x in range(len(row)):
        left = row[x - channels] if x >= channels else 0
        up = above[x]
        corner = above[x - channels] if x >= channels else 0
        match kind:
            case 1:
                row[x] = (row[x] + left) & 255
            case 2:
                row[x] = (row[x] + up) & 255
            case 3:
                row[x] = (row[x] + (left + up) // 2) & 255
            case 4:
                row[x] = (row[x] + _nearest(left, up, corner)) & 255
            case _:
                return


def _nearest(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))
