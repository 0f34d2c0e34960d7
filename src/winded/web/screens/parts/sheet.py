"""A sheet: what the board opens where a button is not room enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from winded.journal import Link
from winded.rules import (
    Character,
)
from winded.tables import Snapshot, Tables


class Asking(Struct, frozen=True):
    """Someone opens a sheet: at which table, and what stands in the address."""

    snapshot: Snapshot
    tables: Tables
    query: Mapping[str, str]
    orders: Sequence[str] = ()
    links: Sequence[Link] = ()
    member: str = ""

    def character(self) -> Character:
        """The character it is about. Refused as "not-found"."""
        return self.snapshot.table.character("#" + self.query.get("of", "").removeprefix("#"))

    def number(self, name: str) -> int | None:
        """A number of an entry from the address, None where there is none."""
        text = self.query.get(name, "")
        return int(text) if text.isdecimal() and len(text) <= 15 else None


Facts = dict[str, object]
