"""Checks rolled by Winded, for those without dice. The history keeps what each die showed, for everyone to read.

The dice are rolled outside, once, as the command is decided.
"""

from __future__ import annotations

from typing import Annotated

from winded.errors import Forbidden, Refused
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company, Member, Role
from winded.roles.permissions import Freedom
from winded.rules import AtCheck, Event, ResolveCheck, Table
from winded.rules.fields import Checked, Text, Total, Who, whole_number
from winded.sentence import Sentence, sentence

_FACE = whole_number(1, 1000, "Of a die, 1 to 1000.")


class FallenDie(Checked, frozen=True, gc=False):
    """A die that was rolled: how many faces it has, and what it showed, from 1."""

    faces: Annotated[int, _FACE]
    shows: Annotated[int, _FACE]

    def __str__(self) -> str:
        return f"d{self.faces}: {self.shows}"


class CheckRolled(CompanyEvent, frozen=True, tag="check_rolled"):
    """Winded rolled the dice of someone's Check; their total is the roll, before the push.

    `dice` is the expression with the CON Ability Die filled in, `fell` every die that was rolled, in order.
    """

    id: str
    character: str
    dice: str
    fell: tuple[FallenDie, ...]
    roll: int

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        return company

    def tell(self) -> Sentence:
        return sentence(
            "Winded rolls {dice} for {name}: {roll} ({fell}).",
            dice=self.dice,
            name=self.character,
            roll=self.roll,
            fell=", ".join(map(str, self.fell)),
        )


class RollCheck(CompanyCommand, frozen=True, tag="roll_check"):
    """Have Winded roll an open Check with the table's Check dice.

    The service rolls first, and decides it as a `RolledCheck`. Decided without dice, it is refused ("not-now").
    """

    character: Who
    at: AtCheck | None = None

    def is_for_players(self, member: Member) -> bool:
        return True

    def aimed(self, table: Table) -> RollCheck:
        """This command, aimed at the Check that is open now."""
        return RollCheck(self.character, ResolveCheck(self.character, 0).aimed(table).at)

    def check(self, company: Company, table: Table, who: str) -> None:
        """Check that this member may have the dice rolled. Refused as entering the roll is.

        Raises Forbidden for another player's character, if only the Referee enters rolls, and for a player if the roll
        is known already: nobody gets a second one that way.
        """
        character = table.character(self.character)
        entered = ResolveCheck(character.name, 0, self.at)
        member = company.members.get(who)
        if member is not None and member.role is Role.PLAYER:
            if not company.plays(who, character):
                raise Forbidden("You cannot act for {character}, {name}.", character=character.name, name=member.name)
            # The Referee approves rolls that are taken on trust; these dice need no approval.
            if company.permissions.of(entered) is Freedom.NO:
                raise Forbidden("At this table only the Referee does this: {label}.", label=entered.label())
            if character.id in company.rolled:
                raise Forbidden(
                    "The roll of {character}'s Check is known: only the Referee can roll it again.",
                    character=character.name,
                )
        entered.decide(table)

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        self.check(company, table, who)
        raise Refused(
            "not-now", "No dice have been rolled for {name}'s Check.", name=table.character(self.character).name
        )


class RolledCheck(CompanyCommand, frozen=True, tag="rolled_check"):
    """A Check that Winded has rolled: the roll is the total of its dice.

    Refused as `ResolveCheck` is; raises Forbidden as `RollCheck.check` does.
    """

    command: RollCheck
    dice: Text
    fell: tuple[FallenDie, ...]
    roll: Total

    def is_for_players(self, member: Member) -> bool:
        return True

    def names(self) -> tuple[str, ...]:
        return self.command.names()

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        command = self.command
        command.check(company, table, who)
        character = table.character(command.character)
        events = ResolveCheck(character.name, self.roll, command.at).decide(table)
        return (CheckRolled(character.id, character.name, self.dice, self.fell, self.roll), *events)
