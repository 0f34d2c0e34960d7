"""What a table can be asked to do as one act, and its answers: the table as it is, after it, or as it would be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from winded.journal import Entry
from winded.journal.codec import AnyEvent
from winded.roles import Company, CompanyCommand, LastAct
from winded.rules import Command, Table
from winded.tables.revision import Revision

SomeCommand: TypeAlias = Command | CompanyCommand | tuple[Command, ...]
"""One act: a command, or several commands of the rules in a row, each decided on what the one before it left."""


class Several(ABC):
    """Several commands that become one act, chosen for the state of the table."""

    @abstractmethod
    def commands(self, table: Table) -> tuple[Command, ...]:
        """The commands for this table, at least one. May raise the reason why there are none."""

    @abstractmethod
    def came_to(self, commands: tuple[Command, ...]) -> bool:
        """Whether these commands, done under the same request id, may have come from this."""


class Snapshot(Struct, frozen=True):
    """A table as it was after entry `number`, whose mark is `mark`; 0 is before the first.

    `undo` is the entry that an undo would take back, and `before_undo` the table before it. A redo would put back the
    entries `redo_numbers`, oldest first; `redo` is the first of them.
    """

    id: str
    name: str
    number: int
    table: Table
    company: Company
    undo: Entry | None = None
    redo: Entry | None = None
    redo_numbers: tuple[int, ...] = ()
    mark: str = ""
    before_undo: Table | None = None

    @property
    def revision(self) -> Revision:
        """The revision of this state."""
        return Revision(self.number, self.mark)

    @property
    def last_act(self) -> LastAct | None:
        """What an undo would take back, to decide who may."""
        if self.undo is None or self.before_undo is None:
            return None
        command = self.undo.command
        commands = command if isinstance(command, tuple) else (command,)
        return LastAct(self.undo.who, commands, self.undo.events, self.before_undo)


class Done(Struct, frozen=True):
    """The answer to an accepted command: its entry, now safe, and the table after it.

    If the command was done before under the same request id, `snapshot` is the newest instead. If it changes nothing,
    no entry is stored: `entry` then has no events, and the number of the newest one.
    """

    entry: Entry
    snapshot: Snapshot


class Rehearsed(Struct, frozen=True):
    """What a command would do at a table whose newest entry is `number`, with this `mark`.

    `about` and `secret` are as in an `Entry`.
    """

    number: int
    command: SomeCommand
    events: tuple[AnyEvent, ...]
    table: Table
    company: Company
    about: tuple[str, ...]
    secret: bool
    mark: str = ""

    @property
    def revision(self) -> Revision:
        """The revision of the state at which it was tried."""
        return Revision(self.number, self.mark)


Authorise: TypeAlias = Callable[[Snapshot, SomeCommand], SomeCommand]
"""Given the table and a command, returns the command to decide, mostly the same one. May raise Forbidden."""
