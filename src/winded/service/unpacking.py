"""A table's file, examined by a process of its own: one large file would keep everyone waiting, read all at once.

The process takes it apart and checks it, and hands it back in pages, each of them read in a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from winded.journal import TableRecord
from winded.journal.rows import entry_of, row_of
from winded.service.table_file import Carried, carried_from

LONGEST = 120.0
"""Seconds that a file may take to be examined."""

PAGE = 500
"""Entries on one page."""

_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], list[list[Any]]] = msgspec.json.Decoder(list[list[Any]]).decode


class Examined(Struct, frozen=True):
    """A table that was found good: its record, and its entries page by page."""

    record: TableRecord
    pages: tuple[bytes, ...]


def examined(file: bytes) -> Examined:
    """What a file holds, for whoever takes it in elsewhere. Raises what `carried_from` raises."""
    carried = carried_from(file)
    rows = [row_of(entry) for entry in carried.entries]
    return Examined(carried.record, tuple(_encode(rows[at : at + PAGE]) for at in range(0, len(rows), PAGE)))


def unpacked(found: Examined) -> Carried:
    """The table that was examined. To be called where nobody waits for it."""
    entries = []
    for page in found.pages:
        for _, *columns, _, mark in _decode(page):
            entries.append(entry_of((*columns, mark)))
    return Carried(found.record, tuple(entries))
