"""The company at a table: who has joined, which characters are whose, what was asked of the Referee.

As in the rules, commands decide and events evolve; but a `Company` is no part of the game, and nothing here is undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from winded.errors import Forbidden, Malformed, Refused, Unknown
from winded.roles.permissions import Permissions
from winded.rules import AnyCommand, Character, Event, Table
from winded.rules.characters import CharacterAdded
from winded.rules.fields import Name, Text, check_fields, malformed, read, shown
from winded.sentence import Sentence, sentence

ANSWERS_KEPT = 20
"""How many answered asks a company remembers for those who asked."""


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
    """Something a player asked the Referee for. Nothing is spent. `number` is the entry's; `cost` is in Stamina."""

    number: int
    member: str
    command: AnyCommand
    cost: int
    reason: str | None = None


class Answer(Struct, frozen=True):
    """What became of an ask, with a word why; `refusal` is the rules' own no at the moment of accepting."""

    ask: Ask
    accepted: bool
    reason: str | None = None
    refusal: str | None = None


class Company(Struct, frozen=True):
    """Who is at a table, what is whose, and what is being asked.

    `claims` leads from a character's id to the ids of those who play it; `check_dice` is how a Check is rolled at this
    table, None where it has not been said.
    """

    members: Mapping[str, Member] = MappingProxyType({})
    claims: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    permissions: Permissions = Permissions()
    asks: tuple[Ask, ...] = ()
    answers: tuple[Answer, ...] = ()
    check_dice: str | None = None

    def member(self, who: str) -> Member:
        """The member with this id; raises Unknown."""
        found = self.members.get(who)
        if found is None:
            raise Unknown("Nobody with this link has joined the table.")
        return found

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
        # Once it is taken back that somebody sat down, an enemy may be given the id, and finds the claim still there.
        return () if character.is_enemy else self.claims.get(character.id, ())

    def characters_of(self, who: str, table: Table) -> tuple[Character, ...]:
        """The characters this member has claimed, in the order of their seats."""
        return tuple(one for one in table.characters.values() if self.plays(who, one))

    def ask(self, number: int) -> Ask:
        """The open ask with this number; refused as "not-found"."""
        for ask in self.asks:
            if ask.number == number:
                return ask
        raise Refused("not-found", "That has been answered or taken back already.")


class CompanyEvent(Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened among the people at a table, not in the game."""

    RULE: ClassVar[str] = "table"

    @property
    def rule(self) -> str:
        """What this is told under."""
        return self.RULE

    def evolve(self, company: Company) -> Company:
        """The company after this event."""
        raise NotImplementedError

    def tell(self) -> Sentence:
        """What happened, as a sentence for the history."""
        raise NotImplementedError


def claims_left_behind(company: Company, events: Iterable[Event | CompanyEvent]) -> tuple[CompanyEvent, ...]:
    """The releases that go with these events: a character who sits down is nobody's yet.

    When a joining is taken back, the next to join gets the same id, and must not be played by whoever played the first.
    """
    return tuple(
        Released(event.id, event.character, who, company.members[who].name)
        for event in events
        if isinstance(event, CharacterAdded)
        for who in company.claims.get(event.id, ())
        if who in company.members
    )


class CompanyCommand(Struct, frozen=True, tag_field="do", omit_defaults=True):
    """Something asked of the company. Decided for the member `who`; `number` is the entry it would make."""

    def __post_init__(self) -> None:
        check_fields(self)

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        """The events that follow; raises Refused, Forbidden or Unknown."""
        raise NotImplementedError


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
            return sentence("{name} sits down as Referee.", name=self.name)
        if self.role is Role.SPECTATOR:
            return sentence("A link for those who only watch is given out.")
        return sentence("{name} joins the table.", name=self.name)


class Left(CompanyEvent, frozen=True, tag="left"):
    """Someone left the table, or their link was revoked; what they had claimed or asked is free again."""

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

    def evolve(self, company: Company) -> Company:
        left = tuple(who for who in company.claims.get(self.id, ()) if who != self.member)
        return replace(company, claims=_with(company.claims, self.id, left))

    def tell(self) -> Sentence:
        return sentence("{name} no longer plays {character}.", name=self.name, character=self.character)


class Asked(CompanyEvent, frozen=True, tag="asked"):
    """A player asked the Referee for something; nothing is spent."""

    number: int
    member: str
    name: str
    command: AnyCommand
    cost: int
    reason: str | None = None

    def evolve(self, company: Company) -> Company:
        return replace(
            company, asks=(*company.asks, Ask(self.number, self.member, self.command, self.cost, self.reason))
        )

    def tell(self) -> Sentence:
        return sentence(
            "{name} asks: {label} ({cost} Stamina).", name=self.name, label=self.command.label(), cost=self.cost
        )


class Answered(CompanyEvent, frozen=True, tag="answered"):
    """The Referee answered an ask; `refusal` says why the rules refused what was accepted."""

    ask: int
    accepted: bool
    name: str
    reason: str | None = None
    refusal: str | None = None

    def evolve(self, company: Company) -> Company:
        answered = tuple(
            Answer(ask, self.accepted, self.reason, self.refusal) for ask in company.asks if ask.number == self.ask
        )
        return replace(
            company,
            asks=tuple(ask for ask in company.asks if ask.number != self.ask),
            answers=(*company.answers, *answered)[-ANSWERS_KEPT:],
        )

    def tell(self) -> Sentence:
        facts = {"name": self.name, "reason": self.reason, "refusal": self.refusal}
        if self.refusal is not None:
            return sentence("What {name} asked for was accepted, but the rules say no: {refusal}", **facts)
        if self.accepted:
            return sentence("What {name} asked for is accepted.", **facts)
        if self.reason is None:
            return sentence("What {name} asked for is declined.", **facts)
        return sentence("What {name} asked for is declined: {reason}", **facts)


class AskTakenBack(CompanyEvent, frozen=True, tag="ask_taken_back"):
    """A player took an ask back before it was answered."""

    ask: int
    name: str

    def evolve(self, company: Company) -> Company:
        return replace(company, asks=tuple(ask for ask in company.asks if ask.number != self.ask))

    def tell(self) -> Sentence:
        return sentence("{name} takes back what was asked.", name=self.name)


class PermissionsSet(CompanyEvent, frozen=True, tag="permissions_set"):
    """What players may do was set."""

    permissions: Permissions

    def evolve(self, company: Company) -> Company:
        return replace(company, permissions=self.permissions)

    def tell(self) -> Sentence:
        return sentence("The Referee sets what players may do.")


class CheckDiceSet(CompanyEvent, frozen=True, tag="check_dice_set"):
    """How a Check is rolled at this table was said, or taken back."""

    dice: str | None

    def evolve(self, company: Company) -> Company:
        return replace(company, check_dice=self.dice)

    def tell(self) -> Sentence:
        if self.dice is None:
            return sentence("How a Check is rolled is open again.")
        return sentence("A Check is rolled with {dice}.", dice=self.dice)


class Join(CompanyCommand, frozen=True, tag="join"):
    """Someone joins by a link."""

    member: Text
    name: Name
    role: Role

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (Joined(self.member, self.name, self.role),)


class Leave(CompanyCommand, frozen=True, tag="leave"):
    """A member leaves, or is sent away. Raises Unknown."""

    member: Text

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (Left(self.member, company.member(self.member).name),)


class Claim(CompanyCommand, frozen=True, tag="claim"):
    """A player claims a character of the party; again, nothing changes. Refused: "not-found", "not-allowed"."""

    character: Name
    member: Text

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        character = table.character(self.character)
        member = company.member(self.member)
        if character.is_enemy:
            raise Refused("not-allowed", "{name} is the Referee's to play.", name=character.name)
        if company.plays(member.id, character):
            return ()
        return (Claimed(character.id, character.name, member.id, member.name),)


class Release(CompanyCommand, frozen=True, tag="release"):
    """A claim is given up, or released by the Referee. Refused: "not-found"."""

    character: Name
    member: Text

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        character = table.character(self.character)
        member = company.member(self.member)
        if not company.plays(member.id, character):
            raise Refused("not-found", "{name} does not play {character}.", name=member.name, character=character.name)
        return (Released(character.id, character.name, member.id, member.name),)


class AskFor(CompanyCommand, frozen=True, tag="ask"):
    """A player asks for what needs the Referee's nod; nothing is spent. Refused where it is not possible now."""

    command: AnyCommand
    reason: Text | None = None

    def __post_init__(self) -> None:
        """The command has checked itself."""

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        events = self.command.decide(table)
        cost = sum(event.spent for event in events)
        member = company.member(who)
        return (Asked(number, member.id, member.name, self.command, cost, self.reason),)


class Accept(CompanyCommand, frozen=True, tag="accept"):
    """The Referee accepts an ask: it is decided afresh; both hear if the rules now refuse it. Refused: "not-found"."""

    ask: Annotated[int, Meta(ge=1, le=2**53 - 1)]

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        name = company.member(ask.member).name
        try:
            events = ask.command.decide(table)
        except Refused as no:
            return (Answered(self.ask, True, name, None, str(no)),)
        return Answered(self.ask, True, name), *events


class Decline(CompanyCommand, frozen=True, tag="decline"):
    """The Referee declines an ask, with a word why if there is one. Refused: "not-found"."""

    ask: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    reason: Text | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        return (Answered(self.ask, False, company.member(ask.member).name, self.reason),)


class TakeBackAsk(CompanyCommand, frozen=True, tag="take_back_ask"):
    """A player takes an own ask back. Refused: "not-found"; raises Forbidden for somebody else's."""

    ask: Annotated[int, Meta(ge=1, le=2**53 - 1)]

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        if ask.member != who:
            raise Forbidden("Only who asked can take it back.")
        return (AskTakenBack(self.ask, company.member(who).name),)


class SetPermissions(CompanyCommand, frozen=True, tag="set_permissions"):
    """What players may do without asking."""

    permissions: Permissions

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (PermissionsSet(self.permissions),)


class SetCheckDice(CompanyCommand, frozen=True, tag="set_check_dice"):
    """How a Check is rolled at this table, as a dice expression such as "1d20+con"; None leaves it open."""

    dice: Text | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (CheckDiceSet(self.dice),)


AnyCompanyCommand: TypeAlias = (
    Join | Leave | Claim | Release | AskFor | Accept | Decline | TakeBackAsk | SetPermissions | SetCheckDice
)
"""Every command to the company at a table."""

COMPANY_COMMANDS: dict[str, type[CompanyCommand]] = {
    str(one.__struct_config__.tag): one
    for one in (Claim, Release, Accept, Decline, TakeBackAsk, SetPermissions, SetCheckDice)
}
"""The commands to the company that members may send, by their word in `do`; joining and leaving go by links."""


def company_command_from(data: object, member: str) -> CompanyCommand:
    """A command to the company from plain data; a claim, or its release, without a `member` is the sender's own.

    Raises Malformed that names the field.
    """
    if not isinstance(data, Mapping):
        raise Malformed("", "A command is an object with “do” and its fields; this is {value}.", value=shown(data))
    do = data.get("do")
    made = COMPANY_COMMANDS.get(do) if isinstance(do, str) else None
    if made is None:
        raise malformed("do", sentence("one of {words}", words=", ".join(sorted(COMPANY_COMMANDS))), do)
    given = {"member": member} if made in (Claim, Release) else {}
    return read(made, {**given, **{name: value for name, value in data.items() if name != "do"}})


AnyCompanyEvent: TypeAlias = (
    Joined | Left | Claimed | Released | Asked | Answered | AskTakenBack | PermissionsSet | CheckDiceSet
)
"""Every event of the company at a table."""
