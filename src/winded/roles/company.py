"""The company at a table: who has joined, who plays which characters, and their requests to the Referee.

A `Company` is no part of the game: undo never takes back what happens in it.
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
    """What a link makes its holder at the table."""

    REFEREE = "referee"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Member(Struct, frozen=True):
    """Someone who has joined a table by a link. `id` is the link's id, never its token."""

    id: str
    name: str
    role: Role


class Ask(Struct, frozen=True):
    """A player's request to the Referee. Nothing is spent yet.

    `number` is that of its entry, `cost` its cost in Stamina when it was asked for. `about` holds the ids of the
    characters that the command names, in that order; for the end of a turn, the id of the one whose turn it was.
    """

    number: int
    member: str
    command: AnyCommand
    cost: int
    reason: str | None = None
    about: tuple[str, ...] = ()


class AskAnswer(Struct, frozen=True):
    """The answer to a request, with the Referee's reason; `refusal` says why it could not be done, accepted or not."""

    ask: Ask
    accepted: bool
    reason: str | None = None
    refusal: str | None = None


class NotThisRound(Struct, frozen=True):
    """The ids of those who will not act early in one round of the table's `combats`-th combat."""

    combats: int = 0
    round: int = 0
    characters: frozenset[str] = frozenset()


class Company(Struct, frozen=True):
    """Who is at a table, who plays whom, and which requests are waiting.

    `claims` maps a character's id to the ids of its players. `check_dice` is what a Check is rolled with at this table,
    None if the Referee has not said. `rolled` holds the ids of the characters whose open Check has a roll that is
    known; `not_early` those who have said that they will not act early in a round. `sketch` is what is ahead
    in one line of words, if the Referee lets everyone see it.
    """

    members: Mapping[str, Member] = MappingProxyType({})
    claims: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    permissions: Permissions = Permissions()
    asks: tuple[Ask, ...] = ()
    answers: tuple[AskAnswer, ...] = ()
    check_dice: str | None = None
    rolled: frozenset[str] = frozenset()
    not_early: NotThisRound = NotThisRound()
    sketch: str | None = None

    def member(self, who: str) -> Member:
        """The member with this id. Raises Unknown."""
        found = self.members.get(who)
        if found is None:
            raise Unknown("Nobody with this link has joined the table.")
        return found

    def which(self, member: Member) -> int:
        """This member's place among those with the same role and name, from 1, in the order they joined.

        0 if nobody else has the name.
        """
        name = same(member.name)
        alike = [one.id for one in self.members.values() if one.role is member.role and same(one.name) == name]
        return alike.index(member.id) + 1 if len(alike) > 1 else 0

    def called(self, member: Member) -> str:
        """A name that tells the Referee who is meant, such as “Ash (2)” if two members are called Ash."""
        which = self.which(member)
        return f"{member.name} ({which})" if which else member.name

    def players(self) -> tuple[Member, ...]:
        """The players, in the order they joined."""
        return tuple(one for one in self.members.values() if one.role is Role.PLAYER)

    def players_of(self, character: Character) -> tuple[Member, ...]:
        """The players who play a character."""
        return tuple(self.members[who] for who in self._claimed(character) if who in self.members)

    def plays(self, who: str, character: Character) -> bool:
        """Whether this member has claimed this character."""
        return who in self._claimed(character)

    def _claimed(self, character: Character) -> tuple[str, ...]:
        # Ids were once given out again, so an enemy at an old table may have the id of a claimed character.
        return () if character.is_enemy else self.claims.get(character.id, ())

    def characters_of(self, who: str, table: Table) -> tuple[Character, ...]:
        """The characters this member has claimed, in the table's order."""
        return tuple(one for one in table.characters.values() if self.plays(who, one))

    def ask(self, number: int) -> Ask:
        """The waiting request with this number. Refused: "not-found"."""
        for ask in self.asks:
            if ask.number == number:
                return ask
        raise Refused("not-found", "This request was already answered or taken back.")
