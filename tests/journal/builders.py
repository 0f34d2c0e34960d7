"""Entries, tables and links as the tests of the journal write them."""

from __future__ import annotations

from winded.journal import Entry, Link, TableRecord
from winded.rules import PAGE, Adjust, Redo, Redone, Ruleset, Undo, Undone
from winded.rules.by_hand import StaminaAdjusted


def record(id: str = "gate", name: str = "The gate", created: float = 1.5, ruleset: Ruleset = PAGE) -> TableRecord:  # noqa: A002
    return TableRecord(id, name, created, ruleset)


def adjusted(number: int, request: str | None = None, reason: str = "a draught") -> Entry:
    """The Referee gave Brakka a Stamina; the figures say which entry it was."""
    return Entry(
        number,
        1764491940.123 + number,
        "m1",
        "Ann",
        Adjust("Brakka", by=1, reason=reason),
        (StaminaAdjusted("Brakka", 1, number % 100, reason),),
        request,
        ("#1",),
    )


def undone(number: int, *numbers: int) -> Entry:
    return Entry(number, 2.5, "m1", "Ann", Undo(), (Undone(numbers),))


def redone(number: int, *numbers: int) -> Entry:
    return Entry(number, 2.5, "m1", "Ann", Redo(), (Redone(numbers),))


def link(id: str = "l1", table: str = "gate", token: bytes = b"token 1", code: bytes | None = None) -> Link:  # noqa: A002
    return Link(id, table, "player", "Ann", token, 3.5, code)
