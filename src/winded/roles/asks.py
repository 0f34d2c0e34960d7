"""Requests to the Referee: nothing is spent until one is accepted. It may be declined or taken back instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from winded.errors import Forbidden, Refused
from winded.roles.authority import require_for
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Ask, AskAnswer, Company, Member
from winded.roles.veil import veiled
from winded.rules import AnyCommand, Command, Event, NextTurn, Table
from winded.rules.fields import FieldKind, Text, naming, whole_number
from winded.rules.stamina import check_shown
from winded.rules.table import nobody
from winded.sentence import Sentence, sentence

ANSWERS_KEPT = 20
"""How many answered requests a company remembers for those who asked."""

ASKS_AT_ONCE = 20
"""How many requests one player may have waiting at once, so that the board can show them all."""

_CHECKED_ALREADY = FieldKind(lambda command, _: command, sentence("a command"))


def _about(command: Command, table: Table) -> tuple[str, ...]:
    """The ids of the characters that a command is for."""
    turn = table.combat.turn if isinstance(command, NextTurn) and table.combat is not None else None
    return tuple(table.character(name).id for name in (command.names() if turn is None else (turn,)))


def asked_now(ask: Ask, table: Table) -> Command:
    """The command asked for, for the same characters by their names now.

    Refused: "not-found" if one of them is gone, "not-now" if it was meant for a turn that is over.
    """
    command = ask.command
    # Requests from before ids were stored are for whoever has the name now.
    ids = ask.about or _about(command, table)
    if isinstance(command, NextTurn):
        if ids != _about(command, table):
            raise Refused("not-now", "That turn is over.")
        return command
    names = []
    for name, one in zip(command.names(), ids, strict=True):
        called = table.names.get(one)
        if called is None:
            raise nobody(name)
        names.append(called)
    return naming(command, names)


def decide_asked(company: Company, table: Table, ask: Ask) -> tuple[Event, ...]:
    """What would happen if the Referee accepted this request now.

    Refused as the command is, and as "cost-changed" if its cost is no longer what it was when asked for. Raises
    Forbidden if the player may no longer act for those characters.
    """
    command = asked_now(ask, table)
    require_for(company, table, company.member(ask.member), command)
    events = command.decide(table)
    check_shown(sum(event.spent for event in events), ask.cost)
    return events


def fall_away(company: Company, member: Member, one: str, character: str) -> Iterator[Answered]:
    """The requests that end when this member no longer plays this character."""
    for ask in company.asks:
        if ask.member == member.id and one in ask.about:
            no = Forbidden("You cannot act for {character}, {name}.", character=character, name=member.name)
            yield Answered(ask.number, False, member.name, None, str(no))


class Asked(CompanyEvent, frozen=True, tag="asked"):
    """A player made a request to the Referee; nothing is spent."""

    number: int
    member: str
    name: str
    command: AnyCommand
    cost: int
    reason: str | None = None
    about: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        return self.command.names()

    def without_secrets(self) -> None:
        return None

    def evolve(self, company: Company) -> Company:
        ask = Ask(self.number, self.member, self.command, self.cost, self.reason, self.about)
        return replace(company, asks=(*company.asks, ask))

    def tell(self) -> Sentence:
        return sentence(
            "{name} asks: {label} ({cost} Stamina).", name=self.name, label=self.command.label(), cost=self.cost
        )


class Answered(CompanyEvent, frozen=True, tag="answered"):
    """The Referee answered a request, or it no longer applies; `refusal` says why it could not be done."""

    ask: int
    accepted: bool
    name: str
    reason: str | None = None
    refusal: str | None = None

    def evolve(self, company: Company) -> Company:
        answered = tuple(
            AskAnswer(ask, self.accepted, self.reason, self.refusal) for ask in company.asks if ask.number == self.ask
        )
        return replace(
            company,
            asks=tuple(ask for ask in company.asks if ask.number != self.ask),
            answers=(*company.answers, *answered)[-ANSWERS_KEPT:],
        )

    def tell(self) -> Sentence:
        facts = {"name": self.name, "reason": self.reason, "refusal": self.refusal}
        if self.refusal is not None and self.accepted:
            return sentence("The Referee accepts {name}'s request, but it cannot be done: {refusal}", **facts)
        if self.refusal is not None:
            return sentence("{name}'s request no longer applies: {refusal}", **facts)
        if self.accepted:
            return sentence("The Referee accepts {name}'s request.", **facts)
        if self.reason is None:
            return sentence("The Referee declines {name}'s request.", **facts)
        return sentence("The Referee declines {name}'s request: {reason}", **facts)


class AskTakenBack(CompanyEvent, frozen=True, tag="ask_taken_back"):
    """A player took a request back before it was answered."""

    ask: int
    name: str

    def evolve(self, company: Company) -> Company:
        return replace(company, asks=tuple(ask for ask in company.asks if ask.number != self.ask))

    def tell(self) -> Sentence:
        return sentence("{name} takes back a request.", name=self.name)


class AskFor(CompanyCommand, frozen=True, tag="ask"):
    """A player requests what the Referee must agree to first; nothing is spent. Refused if it is not possible now.

    The request is for these characters, even if they are renamed, at this cost and, if the moment matters, for this
    moment. A player can have at most `ASKS_AT_ONCE` requests waiting ("not-now").
    """

    command: Annotated[AnyCommand, Meta(extra={"kind": _CHECKED_ALREADY})]
    reason: Text | None = None

    def names(self) -> tuple[str, ...]:
        return self.command.names()

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        cost = sum(event.spent for event in self.command.decide(table))
        member = company.member(who)
        if sum(ask.member == who for ask in company.asks) >= ASKS_AT_ONCE:
            raise Refused(
                "not-now",
                "You have {most} requests waiting, {name}: take one back, or wait for an answer.",
                most=ASKS_AT_ONCE,
                name=member.name,
            )
        # The player reads it again, so it must not say whose turn it is while a hidden enemy acts.
        command = self.command if getattr(self.command, "at", None) is not None else self.command.aimed(veiled(table))
        about = _about(self.command, table)
        return (Asked(number, member.id, member.name, command, cost, self.reason, about),)


_ENTRY = whole_number(1, 2**53 - 1, "The number of the entry with which it was asked for.")


class Accept(CompanyCommand, frozen=True, tag="accept"):
    """The Referee accepts a request. It is decided again; if it is no longer possible, both are told why.

    That is so if the rules refuse it now, if its cost has changed, or if the player may no longer act for those
    characters. Refused: "not-found".
    """

    ask: Annotated[int, _ENTRY]

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        name = company.member(ask.member).name
        try:
            events = decide_asked(company, table, ask)
        except (Refused, Forbidden) as no:
            return (Answered(self.ask, True, name, None, str(no)),)
        return Answered(self.ask, True, name), *events


class Decline(CompanyCommand, frozen=True, tag="decline"):
    """The Referee declines a request, with or without a reason. Refused: "not-found"."""

    ask: Annotated[int, _ENTRY]
    reason: Text | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        return (Answered(self.ask, False, company.member(ask.member).name, self.reason),)


class TakeBackAsk(CompanyCommand, frozen=True, tag="take_back_ask"):
    """A player takes back their own request. Refused: "not-found"; raises Forbidden for somebody else's."""

    ask: Annotated[int, _ENTRY]

    def is_for_players(self, member: Member) -> bool:
        return True

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        if ask.member != who:
            raise Forbidden("Only the player who asked can take this back.")
        return (AskTakenBack(self.ask, company.member(who).name),)
