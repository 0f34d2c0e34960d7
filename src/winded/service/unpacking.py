"""Check a table file in a process of its own, so that a large one keeps nobody waiting.

The process reads and checks the file, then hands it back in pages, each quick to read.
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
"""The most seconds that checking a file may take."""

PAGE = 500
"""Entries on one page."""

_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], list[list[Any]]] = msgspec.json.Decoder(list[list[Any]]).decode


class Examined(Struct, frozen=True):
    """A table that passed: its record, and its entries in pages."""

    record: TableRecord
    pages: tuple[bytes, ...]


def examined(file: bytes) -> Examined:
    """Read and check a file, in the worker process. Raises what `carried_from` raises."""
    carried = carried_from(file)
    rows = [row_of(entry) for entry in carried.entries]
    return Examined(carried.record, tuple(_encode(rows[at : at + PAGE]) for at in range(0, len(rows), PAGE)))


def unpacked(found: Examined) -> Carried:
    """The table that was checked. Do not call this in the event loop."""
    entries = []
    for page in found.pages:
        for _, *columns, _, mark in _decode(page):
            entries.append(entry_of((*columns, mark)))
    return Carried(found.record, tuple(entries))
