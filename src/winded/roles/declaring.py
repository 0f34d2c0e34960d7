"""As a round begins, players may say that they will not act early in it, so that nobody waits for them.

It costs nothing and binds nobody: it is no rule of the game, and lasts until turns begin.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Forbidden, Refused
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company, Member, NotThisRound, Role
from winded.rules import ActEarly, AtMoment, Character, Event, Table, check_moment, dry_run
from winded.rules.fields import Who
from winded.sentence import Sentence, sentence


class SaidNotEarly(CompanyEvent, frozen=True, tag="said_not_early"):
    """Someone said that they will not act early in this round."""

    id: str
    character: str
    combats: int
    round: int

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def evolve(self, company: Company) -> Company:
        said = company.not_early
        if (said.combats, said.round) != (self.combats, self.round):
            said = NotThisRound(self.combats, self.round)
        return replace(company, not_early=replace(said, characters=said.characters | {self.id}))

    def tell(self) -> Sentence:
        return sentence("{name} will not act early this round.", name=self.character)


class NotEarly(CompanyCommand, frozen=True, tag="not_early"):
    """Say that someone will not act early in this round. They may still do so. Saying it again changes nothing.

    Refused as acting early is, except for lack of Stamina; raises Forbidden for another player's character.
    """

    character: Who
    at: AtMoment | None = None

    def is_for_players(self, member: Member) -> bool:
        return True

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        character = table.character(self.character)
        member = company.members.get(who)
        if member is not None and member.role is Role.PLAYER and not company.plays(who, character):
            raise Forbidden("You cannot act for {character}, {name}.", character=character.name, name=member.name)
        try:
            ActEarly(character.name).decide(table)
        except Refused as no:
            if no.needs is None:
                raise
        combat = table.combat
        assert combat is not None
        if self.at is not None:
            check_moment(self.at, table)
        if character.id in _said(company, table):
            return ()
        return (SaidNotEarly(character.id, character.name, table.combats, combat.round),)


class Deciding(Struct, frozen=True):
    """The party's characters who can still pay to act early in this round and have not said that they will not.

    `party` is how many of the party take part.
    """

    undecided: tuple[Character, ...]
    party: int

    @property
    def decided(self) -> int:
        """How many of the party have decided, or have nothing to decide."""
        return self.party - len(self.undecided)


def deciding(company: Company, table: Table) -> Deciding:
    """Who must still decide whether to act early. Nobody, outside the declare phase of a round."""
    party = tuple(table.taking_part())
    said = _said(company, table)
    undecided = (
        one for one in party if one.id not in said and dry_run(table, ActEarly(one.name), 0, 0).refused is None
    )
    return Deciding(tuple(undecided), len(party))


def _said(company: Company, table: Table) -> frozenset[str]:
    """The ids of those who have said that they will not act early in this round."""
    said, combat = company.not_early, table.combat
    if combat is None or (said.combats, said.round) != (table.combats, combat.round):
        return frozenset()
    return said.characters
