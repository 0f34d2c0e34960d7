"""A Check that the Referee called for, as every screen shows it: who is still to roll, and the results together."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from winded.rules import Call, OpenCheck, Table
from winded.service import Seen
from winded.web.live import seat_id
from winded.web.screens.parts.lines import newest_result


class CalledOne(Struct, frozen=True):
    """One who was called: with a `total` once they have rolled, before that with the `check` they have declared."""

    key: str
    id: str
    name: str
    check: OpenCheck | None = None
    total: int | None = None
    success: bool | None = None


class CalledCheck(Struct, frozen=True):
    """A call that is under way, or whose last roll is the newest act at the table.

    `can_close` says that somebody has not declared yet, so that there is something to close.
    """

    call: Call
    ones: tuple[CalledOne, ...]
    left: int
    can_close: bool


def called_check(seen: Seen) -> CalledCheck | None:
    """The call that is worth showing now, if there is one."""
    table = seen.table
    call = table.call
    if call is None or not (call.waiting or _has_just_ended(call, seen)):
        return None
    ones = tuple(_everyone(call, table))
    waiting = [one for one in ones if one.total is None]
    return CalledCheck(call, ones, len(waiting), any(one.check is None for one in waiting))


def _has_just_ended(call: Call, seen: Seen) -> bool:
    result = newest_result(seen)
    one = None if result is None else seen.table.characters.get(result.character)
    return one is not None and any(rolled.id == one.id for rolled in call.rolled)


def _everyone(call: Call, table: Table) -> Iterator[CalledOne]:
    for rolled in call.rolled:
        if (name := table.names.get(rolled.id)) is not None:
            yield CalledOne(seat_id(table.characters[name]), rolled.id, name, None, rolled.total, rolled.success)
    for waits in call.waiting:
        if (name := table.names.get(waits)) is not None:
            yield CalledOne(seat_id(table.characters[name]), waits, name, table.characters[name].open_check)
