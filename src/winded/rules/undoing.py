"""Undo and redo: the last accepted command of a table is taken back, or put back. History keeps both.

A `Table` is a value and remembers nothing, so the figures come from the history that is kept beside it; here are only
the words in which one asks and is told.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from winded.errors import Refused
from winded.rules.aim import AtAct
from winded.rules.command import Command, Event
from winded.rules.fields import whole_number
from winded.rules.room import Room
from winded.rules.table import Table
from winded.sentence import Sentence, sentence, sentences

EntryNumber = Annotated[int, whole_number(1, 2**53 - 1, "The number of an entry in a table's history, 1 or more.")]


class Undone(Event, frozen=True, tag="undone"):
    """These entries of the history, newest first, no longer count."""

    numbers: tuple[int, ...]

    RULE: ClassVar[str] = "undo"

    def names(self) -> tuple[str, ...]:
        return ()

    def evolve(self, table: Table) -> Table:
        return table

    def tell(self) -> Sentence:
        return sentences("{n} act is taken back.", "{n} acts are taken back.", len(self.numbers))


class Redone(Event, frozen=True, tag="redone"):
    """These entries of the history, oldest first, count again."""

    numbers: tuple[int, ...]

    RULE: ClassVar[str] = "redo"

    def names(self) -> tuple[str, ...]:
        return ()

    def evolve(self, table: Table) -> Table:
        return table

    def tell(self) -> Sentence:
        return sentences("{n} act is put back.", "{n} acts are put back.", len(self.numbers))


class Undo(Command, frozen=True, tag="undo"):
    """Take back the last accepted command; with `through`, every one back to and including that entry.

    Refused: "not-now".
    """

    through: EntryNumber | None = None
    at: AtAct | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        raise Refused("not-now", "There is nothing to take back.")

    def label(self) -> Sentence:
        return sentence("Undo")


class Redo(Command, frozen=True, tag="redo"):
    """Put back what the last undo took, as long as nothing new has been done since. Refused: "not-now"."""

    at: AtAct | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        raise Refused("not-now", "There is nothing to redo.")

    def label(self) -> Sentence:
        return sentence("Redo")


ROOM = Room(
    commands=(Undo, Redo),
    events=(Undone, Redone),
)
