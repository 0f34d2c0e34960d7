"""A table with a Referee and two players, each of whom acts as their link lets them."""

from __future__ import annotations

from winded import D8, D10, AddCharacter
from winded.roles import (
    AskFor,
    Claim,
    Freedom,
    Join,
    Permissions,
    Role,
    SetPermissions,
    Undoing,
    authorise,
    may_undo,
)
from winded.rules import Command
from winded.tables import Snapshot, SomeCommand, Tables

REFEREE, PIP, QUIN = "referee", "pip", "quin"


class Evening:
    """Pip plays Ash (d10) and Quin plays Bryn (d8)."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.id = tables.create("The gate")
        for who, name, role in (
            (REFEREE, "Rika", Role.REFEREE),
            (PIP, "Pip", Role.PLAYER),
            (QUIN, "Quin", Role.PLAYER),
        ):
            tables.do(self.id, Join(who, name, role), who=who, name=name)
        self.by(REFEREE, AddCharacter("Ash", con=D10), AddCharacter("Bryn", con=D8))
        self.by(PIP, Claim("Ash", PIP))
        self.by(QUIN, Claim("Bryn", QUIN))

    def by(self, who: str, *commands: SomeCommand) -> None:
        """Have a member act, or ask where the table wants it so."""

        def authorised(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
            member = snapshot.company.member(who)
            freedom = authorise(snapshot.company, snapshot.table, member, command, snapshot.last_act)
            return AskFor(command) if freedom is Freedom.ASK and isinstance(command, Command) else command

        for command in commands:
            self.tables.do(self.id, command, who=who, name=who, authorise=authorised)

    def may_undo(self, who: str) -> bool:
        """Whether this member's phone offers to take back the last act."""
        now = self.now
        return may_undo(now.company, now.table, now.company.member(who), now.last_act)

    def set(self, **permissions: Freedom | Undoing) -> None:
        """What players may do from now on."""
        self.by(REFEREE, SetPermissions.to(Permissions(**permissions)))

    def stamina(self, name: str = "Ash") -> int:
        """The Stamina someone has."""
        return self.now.table.character(name).stamina

    @property
    def now(self) -> Snapshot:
        """The table as it is."""
        return self.tables.snapshot(self.id)

    @property
    def asked(self) -> int:
        """The number of the newest thing that was asked for."""
        return self.now.company.asks[-1].number
