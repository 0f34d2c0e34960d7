"""What may be asked of a table as one act, and what is answered: the table as it is, became, or would become."""

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
"""What is decided as one act: a command, or several of the rules' in a row, each on what the one before it left."""


class Several(ABC):
    """Several commands that become one act, made up on the state that they meet."""

    @abstractmethod
    def commands(self, table: Table) -> tuple[Command, ...]:
        """The commands, at least one; may raise what keeps them from being played."""

    @abstractmethod
    def came_to(self, commands: tuple[Command, ...]) -> bool:
        """Whether these commands, done under the same request id, may have come of this."""


class Snapshot(Struct, frozen=True):
    """A table as it was after entry `number`, 0 for before the first.

    `undo` is the entry that an undo would take back, and `before_undo` the table as it was before it. A redo would put
    back the entries `redo_numbers`, oldest first; `redo` is the first of them. `mark` is that of the entry; see
    `revision`.
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
        """What names this state."""
        return Revision(self.number, self.mark)

    @property
    def last_act(self) -> LastAct | None:
        """What an undo would take back, for those who decide who may."""
        if self.undo is None or self.before_undo is None:
            return None
        command = self.undo.command
        commands = command if isinstance(command, tuple) else (command,)
        return LastAct(self.undo.who, commands, self.undo.events, self.before_undo)


class Done(Struct, frozen=True):
    """The answer to an accepted command: its entry, now safe, and the table after it.

    Where the command had been done before under the same request id, `snapshot` is the newest instead. Where it changes
    nothing, no entry is made: `entry` has no events then, and the number of the newest one.
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
        """What names the state at which it was tried."""
        return Revision(self.number, self.mark)


Authorise: TypeAlias = Callable[[Snapshot, SomeCommand], SomeCommand]
"""Given the table as a command is decided, the command to decide in its place, mostly the same; may raise Forbidden."""
