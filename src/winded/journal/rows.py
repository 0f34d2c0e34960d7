"""An entry as a row of a database, whichever it is: the same columns, commands and events as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from winded.journal import codec
from winded.journal.contract import Entry

ENTRY = "number, at, who, name, command, events, request, about, secret, mark"
"""The columns that make up an entry when it is read, in this order."""

_encode = msgspec.json.Encoder().encode
_decode_about: Callable[[str], tuple[str, ...]] = msgspec.json.Decoder(tuple[str, ...]).decode


def row_of(entry: Entry) -> list[Any]:
    """An entry as a row: a place for its table, the columns of `ENTRY`, its kind before the last of them."""
    about = entry.about
    return [
        None,
        entry.number,
        entry.at,
        entry.who,
        entry.name,
        codec.encode_command(entry.command),
        codec.encode_events(entry.events),
        entry.request,
        _encode(about).decode() if about else "[]",
        entry.secret,
        int(codec.kind_of(entry.command, entry.events)),
        entry.mark,
    ]


def entry_of(row: tuple[Any, ...]) -> Entry:
    """The entry that was read as the columns of `ENTRY`."""
    number, at, who, name, command, events, request, about, secret, mark = row
    return Entry(
        number,
        at,
        who,
        name,
        codec.decode_command(command),
        codec.decode_events(events),
        request,
        () if about == "[]" else _decode_about(about),
        bool(secret),
        mark,
    )
