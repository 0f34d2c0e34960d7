"""Who is at a table and who plays whom: join, leave, claim a character and release it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from winded.errors import Refused
from winded.roles.asks import fall_away
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company, Member, Role
from winded.rules import Event, Table
from winded.rules.fields import Name, Text, Who
from winded.sentence import Sentence, sentence


def _with(mapping: Mapping[str, tuple[str, ...]], key: str, value: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({**mapping, key: value})


class Joined(CompanyEvent, frozen=True, tag="joined"):
    """Someone joined the table."""

    member: str
    name: str
    role: Role

    def evolve(self, company: Company) -> Company:
        joining = Member(self.member, self.name, self.role)
        return replace(company, members=MappingProxyType({**company.members, self.member: joining}))

    def tell(self) -> Sentence:
        if self.role is Role.REFEREE:
            return sentence("{name} becomes a Referee.", name=self.name)
        if self.role is Role.SPECTATOR:
            return sentence("The Referee makes a spectators' link.")
        return sentence("{name} joins the table.", name=self.name)


class Left(CompanyEvent, frozen=True, tag="left"):
    """Someone left the table, or their link was revoked; their claims and requests end."""

    member: str
    name: str

    def evolve(self, company: Company) -> Company:
        return replace(
            company,
            members=MappingProxyType({who: one for who, one in company.members.items() if who != self.member}),
            claims=MappingProxyType(
                {
                    character: tuple(who for who in holders if who != self.member)
                    for character, holders in company.claims.items()
                }
            ),
            asks=tuple(ask for ask in company.asks if ask.member != self.member),
            answers=tuple(answer for answer in company.answers if answer.ask.member != self.member),
        )

    def tell(self) -> Sentence:
        return sentence("{name} is no longer at the table.", name=self.name)


class Claimed(CompanyEvent, frozen=True, tag="claimed"):
    """A player now plays a character."""

    id: str
    character: str
    member: str
    name: str

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        return replace(company, claims=_with(company.claims, self.id, (*company.claims.get(self.id, ()), self.member)))

    def tell(self) -> Sentence:
        return sentence("{name} plays {character}.", name=self.name, character=self.character)


class Released(CompanyEvent, frozen=True, tag="released"):
    """A player no longer plays a character."""

    id: str
    character: str
    member: str
    name: str

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        left = tuple(who for who in company.claims.get(self.id, ()) if who != self.member)
        return replace(company, claims=_with(company.claims, self.id, left))

    def tell(self) -> Sentence:
        return sentence("{name} no longer plays {character}.", name=self.name, character=self.character)


class Join(CompanyCommand, frozen=True, tag="join"):
    """Someone joins by a link."""

    member: Text
    name: Name
    role: Role

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (Joined(self.member, self.name, self.role),)


class Leave(CompanyCommand, frozen=True, tag="leave"):
    """A member leaves or is sent away. Raises Unknown."""

    member: Text

    def is_for_players(self, member: Member) -> bool:
        return self.member == member.id

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (Left(self.member, company.member(self.member).name),)


class Claim(CompanyCommand, frozen=True, tag="claim"):
    """A player claims a player character; a second time changes nothing. Refused: "not-found", "not-allowed"."""

    character: Who
    member: Text

    def is_for_players(self, member: Member) -> bool:
        return self.member == member.id

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        character = table.character(self.character)
        member = company.member(self.member)
        if character.is_enemy:
            raise Refused("not-allowed", "Only the Referee plays {name}.", name=character.name)
        if company.plays(member.id, character):
            return ()
        return (Claimed(character.id, character.name, member.id, member.name),)


class Release(CompanyCommand, frozen=True, tag="release"):
    """A player gives up a character, or the Referee ends the claim. Refused: "not-found"."""

    character: Who
    member: Text

    def is_for_players(self, member: Member) -> bool:
        return self.member == member.id

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        character = table.character(self.character)
        member = company.member(self.member)
        if not company.plays(member.id, character):
            raise Refused("not-found", "{name} does not play {character}.", name=member.name, character=character.name)
        released = Released(character.id, character.name, member.id, member.name)
        return released, *fall_away(company, member, character.id, character.name)
