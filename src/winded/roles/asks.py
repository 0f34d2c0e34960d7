"""Asking the Referee: nothing is spent until what a player asks for is accepted. It may be declined or taken back."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from winded.errors import Forbidden, Refused
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Answer, Ask, Company, Member
from winded.rules import AnyCommand, Event, Table
from winded.rules.fields import Text
from winded.sentence import Sentence, sentence

ANSWERS_KEPT = 20
"""How many answered asks a company remembers for those who asked."""


class Asked(CompanyEvent, frozen=True, tag="asked"):
    """A player asked the Referee for something; nothing is spent."""

    number: int
    member: str
    name: str
    command: AnyCommand
    cost: int
    reason: str | None = None

    def names(self) -> tuple[str, ...]:
        return self.command.names()

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


class AskFor(CompanyCommand, frozen=True, tag="ask"):
    """A player asks for what needs the Referee's nod; nothing is spent. Refused where it is not possible now."""

    command: AnyCommand
    reason: Text | None = None

    def __post_init__(self) -> None:
        """The command has checked itself."""

    def names(self) -> tuple[str, ...]:
        return self.command.names()

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

    def is_for_players(self, member: Member) -> bool:
        return True

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        if ask.member != who:
            raise Forbidden("Only who asked can take it back.")
        return (AskTakenBack(self.ask, company.member(who).name),)
