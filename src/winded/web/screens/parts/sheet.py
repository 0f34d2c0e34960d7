"""A sheet: what the board opens where a button is not room enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from winded.rules import Character
from winded.service import Desk, Seen, Visitor
from winded.web.devices import Devices


class Asking(Struct, frozen=True):
    """The Referee opens a sheet: what there is to see, and what stands in the address."""

    desk: Desk
    visitor: Visitor
    seen: Seen
    query: Mapping[str, str]
    orders: Sequence[str] = ()
    devices: Devices = field(default_factory=Devices)

    def character(self) -> Character:
        """The character it is about. Refused as "not-found"."""
        return self.seen.table.character("#" + self.query.get("of", "").removeprefix("#"))

    def number(self, name: str) -> int | None:
        """A number of an entry from the address, None where there is none."""
        text = self.query.get(name, "")
        return int(text) if text.isdecimal() and len(text) <= 15 else None


Facts = dict[str, object]
