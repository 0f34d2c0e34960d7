"""Who may do what: the answer to one question, asked with the newest state and before anything is decided."""

from __future__ import annotations

from msgspec import UNSET

from winded.errors import Forbidden
from winded.roles.asks import TakeBackAsk
from winded.roles.command import CompanyCommand
from winded.roles.company import Company, Member, Role
from winded.roles.people import Claim, Leave, Release
from winded.roles.permissions import Freedom
from winded.rules import AddCharacter, Character, Command, EditCharacter, NextTurn, Rest, Side, Table, Undo
from winded.rules.table import nobody


def authorise(
    company: Company, table: Table, member: Member, command: Command | CompanyCommand, undoes: str | None = None
) -> Freedom:
    """Whether this member may do this: FREE, or ASK where the Referee's nod is needed; raises Forbidden where not.

    `undoes` is the id of the member whose act an undo would take back: a player may take back an own last act, as long
    as it is the table's last. A player acts for claimed characters only. A character that this member may not see is
    refused in the same words as one that is not there (`Refused` "not-found", from the rules).
    """
    if member.role is Role.REFEREE:
        return Freedom.FREE
    if member.role is Role.SPECTATOR:
        raise Forbidden("This link only watches; it cannot act.")
    if isinstance(command, CompanyCommand):
        return _authorise_company(table, member, command)
    if isinstance(command, Undo):
        if undoes != member.id or command.through is not None:
            raise Forbidden("A player can take back only their own last act, as long as nothing came after it.")
        return Freedom.FREE
    if isinstance(command, NextTurn):
        _require_own_turn(company, table, member)
    elif isinstance(command, AddCharacter):
        if command.side is Side.ENEMY:
            raise Forbidden("Enemies are the Referee's to add.")
    elif isinstance(command, Rest):
        if command.characters is None:
            raise Forbidden("A player can ask for a rest for their own characters; name them.")
        for name in command.characters:
            _require_own(company, table, member, name)
    else:
        of = getattr(command, "character", None)
        if of is None:
            raise Forbidden("Only the Referee can do this.")
        _require_own(company, table, member, of)
        if isinstance(command, EditCharacter) and (command.hidden is not None or command.note is not UNSET):
            raise Forbidden("Notes and hiding are the Referee's.")
    freedom = company.permissions.of(command)
    if freedom is Freedom.NO:
        raise Forbidden("At this table only the Referee does this: {label}.", label=command.label())
    return freedom


def _authorise_company(table: Table, member: Member, command: CompanyCommand) -> Freedom:
    if isinstance(command, Claim | Release | Leave) and command.member == member.id:
        if not isinstance(command, Leave):
            _seen(table, command.character)
        return Freedom.FREE
    if isinstance(command, TakeBackAsk):
        return Freedom.FREE
    raise Forbidden("Only the Referee can do this.")


def _seen(table: Table, name: str) -> Character:
    """A character that players may see."""
    character = table.character(name)
    if character.hidden:
        raise nobody(name)
    return character


def _require_own(company: Company, table: Table, member: Member, name: str) -> None:
    character = _seen(table, name)
    if not company.plays(member.id, character):
        raise Forbidden("{character} is not yours to act for, {name}.", character=character.name, name=member.name)


def _require_own_turn(company: Company, table: Table, member: Member) -> None:
    turn = None if table.combat is None else table.combat.turn
    if turn is None or turn not in table.characters or not company.plays(member.id, table.character(turn)):
        raise Forbidden("A player can end only their own turn; it is not {name}'s now.", name=member.name)
