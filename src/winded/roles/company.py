"""The company at a table: who has joined, which characters are whose, what was asked of the Referee.

A `Company` is no part of the game, and nothing that happens in it is ever undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from winded.errors import Refused, Unknown
from winded.roles.permissions import Permissions
from winded.rules import AnyCommand, Character, Table
from winded.rules.table import same


class Role(StrEnum):
    """What a link lets its holder be."""

    REFEREE = "referee"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Member(Struct, frozen=True):
    """Someone who has joined a table by a link; `id` is the link's id, never its secret."""

    id: str
    name: str
    role: Role


class Ask(Struct, frozen=True):
    """Something a player asked the Referee for. Nothing is spent.

    `number` is the entry's. `cost` is what it would have cost then, in Stamina. `about` are the ids of the characters
    that the command names, in that order; for the end of a turn, the id of the one whose turn it was.
    """

    number: int
    member: str
    command: AnyCommand
    cost: int
    reason: str | None = None
    about: tuple[str, ...] = ()


class AskAnswer(Struct, frozen=True):
    """What became of an ask, with the Referee's word why; `refusal` says why it could not be done, accepted or not."""

    ask: Ask
    accepted: bool
    reason: str | None = None
    refusal: str | None = None


class NotThisRound(Struct, frozen=True):
    """The ids of those who will not act early in one round of one combat, the table's `combats`-th."""

    combats: int = 0
    round: int = 0
    characters: frozenset[str] = frozenset()


class Company(Struct, frozen=True):
    """Who is at a table, what is whose, and what is being asked.

    `claims` leads from a character's id to the ids of those who play it; `check_dice` is how a Check is rolled at this
    table, None where it has not been said. `rolled` are the ids of those whose open Check has a roll that is known;
    `not_early` holds who has said that they will not act early in a round.
    """

    members: Mapping[str, Member] = MappingProxyType({})
    claims: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    permissions: Permissions = Permissions()
    asks: tuple[Ask, ...] = ()
    answers: tuple[AskAnswer, ...] = ()
    check_dice: str | None = None
    rolled: frozenset[str] = frozenset()
    not_early: NotThisRound = NotThisRound()

    def member(self, who: str) -> Member:
        """The member with this id; raises Unknown."""
        found = self.members.get(who)
        if found is None:
            raise Unknown("Nobody with this link has joined the table.")
        return found

    def which(self, member: Member) -> int:
        """Which of those in one role who have one name this is, from 1, in the order in which they joined.

        0 for whoever has a name alone.
        """
        name = same(member.name)
        alike = [one.id for one in self.members.values() if one.role is member.role and same(one.name) == name]
        return alike.index(member.id) + 1 if len(alike) > 1 else 0

    def called(self, member: Member) -> str:
        """What a player is called where a Referee must know who is meant: the name, as “Ash (2)” where two have it."""
        which = self.which(member)
        return f"{member.name} ({which})" if which else member.name

    def players(self) -> tuple[Member, ...]:
        """The players, in the order in which they joined."""
        return tuple(one for one in self.members.values() if one.role is Role.PLAYER)

    def players_of(self, character: Character) -> tuple[Member, ...]:
        """Those who play a character."""
        return tuple(self.members[who] for who in self._claimed(character) if who in self.members)

    def plays(self, who: str, character: Character) -> bool:
        """Whether this member has claimed this character."""
        return who in self._claimed(character)

    def _claimed(self, character: Character) -> tuple[str, ...]:
        # At tables played before ids were given only once, an enemy may have the id of one who had been claimed.
        return () if character.is_enemy else self.claims.get(character.id, ())

    def characters_of(self, who: str, table: Table) -> tuple[Character, ...]:
        """The characters this member has claimed, in the order in which they sit."""
        return tuple(one for one in table.characters.values() if self.plays(who, one))

    def ask(self, number: int) -> Ask:
        """The open ask with this number; refused as "not-found"."""
        for ask in self.asks:
            if ask.number == number:
                return ask
        raise Refused("not-found", "This request was already answered or taken back.")
