"""Who may do what, asked of the newest state before a command is decided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Struct

from winded.errors import Forbidden, Refused
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company, Member, Role
from winded.roles.permissions import Freedom, Undoing
from winded.roles.rolling import RollCheck
from winded.roles.veil import veiled
from winded.rules import (
    AddCharacter,
    Character,
    Command,
    EditCharacter,
    Event,
    NextTurn,
    ResolveCheck,
    Rest,
    Side,
    Table,
    Undo,
)
from winded.rules.aim import AtMoment, check_moment
from winded.rules.characters import CharacterAdded
from winded.rules.checks import CheckDeclared, CheckResolved, WithdrawCheck
from winded.rules.table import nobody


class LastAct(Struct, frozen=True):
    """The act that an undo would take back, the newest that counts, and the table before it.

    `who` is the id of the member who did it.
    """

    who: str
    commands: Sequence[Command | CompanyCommand]
    events: Sequence[Event | CompanyEvent]
    before: Table


def authorise(
    company: Company, table: Table, member: Member, command: Command | CompanyCommand, last: LastAct | None = None
) -> Freedom:
    """Whether this member may do this: FREE, or ASK if the Referee must agree first. Raises Forbidden if not at all.

    `last` is what an undo would take back. Players act only for characters they have claimed, and take back only their
    own last act, but neither a roll that is known nor the push on it. A character that this member may not see is
    refused in the same words as one that does not exist (`Refused` "not-found").
    """
    if member.role is Role.REFEREE:
        return Freedom.FREE
    if member.role is Role.SPECTATOR:
        raise Forbidden("With this link you can only watch.")
    if isinstance(command, CompanyCommand):
        return _authorise_company(table, member, command)
    if isinstance(command, Undo):
        return _authorise_undo(company, member, command, last)
    require_for(company, table, member, command)
    freedom = company.permissions.of(command)
    if freedom is Freedom.NO:
        raise Forbidden("At this table only the Referee does this: {label}.", label=command.label())
    return freedom


def require_for(company: Company, table: Table, member: Member, command: Command) -> None:
    """Check that a player may do or request this under some permissions, whatever the table's own are.

    Raises Forbidden if not; `Refused` "not-found" for a character that does not exist, or that players may not see.
    """
    for name in command.names():
        _seen(table, name)
    if isinstance(at := getattr(command, "at", None), AtMoment):
        # Players see a hidden enemy's turn as the turn of "Enemy", so that is what they can aim at.
        check_moment(at, veiled(table))
    if isinstance(command, NextTurn):
        _require_own_turn(company, table, member)
    elif isinstance(command, AddCharacter):
        if command.side is Side.ENEMY:
            raise Forbidden("Only the Referee can add enemies.")
    elif isinstance(command, Rest):
        if command.characters is None:
            raise Forbidden("You can rest only your own characters: say which ones.")
        for name in command.characters:
            _require_own(company, table, member, name)
    else:
        of = getattr(command, "character", None)
        if of is None:
            raise Forbidden("Only the Referee can do this.")
        character = _require_own(company, table, member, of)
        if isinstance(command, EditCharacter) and (command.hidden is not None or command.note is not UNSET):
            raise Forbidden("Only the Referee can write notes, and hide or reveal enemies.")
        if isinstance(command, WithdrawCheck) and character.id in company.rolled:
            raise Forbidden(
                "The roll of {character}'s Check is known: only the Referee can withdraw it.", character=character.name
            )


def _authorise_undo(company: Company, member: Member, command: Undo, last: LastAct | None) -> Freedom:
    """Players take back only their own last act, and only if that returns nothing the rules have taken.

    Once a roll is known, they can take back neither it nor the push on it (`push.lost`, `ruling.withdraw`). Nor can
    they take back an act for a character whom somebody else plays by now.
    """
    if company.permissions.undoing is Undoing.NO:
        raise Forbidden("At this table only the Referee does this: {label}.", label=command.label())
    if last is None or last.who != member.id or command.through is not None:
        raise Forbidden("You can take back only your own last act, and only while nothing has come after it.")
    for event in last.events:
        if isinstance(event, CheckResolved):
            raise Forbidden(
                "{character}'s roll is known: only the Referee can take it back.", character=event.character
            )
        if isinstance(event, CheckDeclared):
            declared = last.before.character(event.character)
            if declared.id in company.rolled:
                raise Forbidden(
                    "The roll of {character}'s Check is known: only the Referee can take the Check back.",
                    character=event.character,
                )
        if isinstance(event, CharacterAdded) and any(who != member.id for who in company.claims.get(event.id, ())):
            raise Forbidden("Somebody else plays {character} now.", character=event.character)
    for done in last.commands:
        if authorise(company, last.before, member, done) is not Freedom.FREE:
            raise Forbidden("You need to ask the Referee for this now, so only the Referee can take it back.")
    return Freedom.FREE


def require_foreseeable(table: Table, member: Member, command: object) -> None:
    """Check that this member may know beforehand what this would do.

    Raises Forbidden for a roll against a secret target: trying roll after roll would reveal the target.
    """
    if member.role is not Role.REFEREE and isinstance(command, ResolveCheck | RollCheck):
        call = table.called(table.character(command.character))
        if call is not None and call.secret:
            raise Forbidden(
                "The Referee keeps the target of this Check secret: only the roll itself shows whether it succeeds."
            )


def may_undo(company: Company, table: Table, member: Member, last: LastAct | None) -> bool:
    """Whether this member may take back the table's last act."""
    if last is None:
        return False
    try:
        authorise(company, table, member, Undo(), last)
    except (Forbidden, Refused):
        return False
    return True


def _authorise_company(table: Table, member: Member, command: CompanyCommand) -> Freedom:
    if not command.is_for_players(member):
        raise Forbidden("Only the Referee can do this.")
    for name in command.names():
        _seen(table, name)
    return Freedom.FREE


def _seen(table: Table, name: str) -> Character:
    """A character that players may see."""
    character = table.character(name)
    if character.hidden:
        raise nobody(name)
    return character


def _require_own(company: Company, table: Table, member: Member, name: str) -> Character:
    character = table.character(name)
    if not company.plays(member.id, character):
        raise Forbidden("You cannot act for {character}, {name}.", character=character.name, name=member.name)
    return character


def _require_own_turn(company: Company, table: Table, member: Member) -> None:
    turn = None if table.combat is None else table.combat.turn
    if turn is None or turn not in table.characters or not company.plays(member.id, table.character(turn)):
        raise Forbidden("You can end only your own turn, {name}, and it isn't your turn now.", name=member.name)
