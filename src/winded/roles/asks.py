"""Asking the Referee: nothing is spent until what a player asks for is accepted. It may be declined or taken back."""

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
"""How many answered asks a company remembers for those who asked."""

ASKS_AT_ONCE = 20
"""How many requests of one player may wait at once: no board need show more."""

_CHECKED_ALREADY = FieldKind(lambda command, _: command, sentence("a command"))


def _about(command: Command, table: Table) -> tuple[str, ...]:
    """The ids of those for whom a command is."""
    turn = table.combat.turn if isinstance(command, NextTurn) and table.combat is not None else None
    return tuple(table.character(name).id for name in (command.names() if turn is None else (turn,)))


def asked_now(ask: Ask, table: Table) -> Command:
    """What was asked for, for those for whom it was, by the names they bear now; refused as "not-found"."""
    command = ask.command
    # Requests of before ids were kept with them are for whoever bears the name now.
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
    """What would follow if the Referee accepted this now.

    Refused as the command is, and as "cost-changed" if it costs another amount than when it was asked for; raises
    Forbidden if whoever asked may no longer act for those whom it is for.
    """
    command = asked_now(ask, table)
    require_for(company, table, company.member(ask.member), command)
    events = command.decide(table)
    check_shown(sum(event.spent for event in events), ask.cost)
    return events


def fall_away(company: Company, member: Member, one: str, character: str) -> Iterator[Answered]:
    """The asks that end as this member no longer plays this character."""
    for ask in company.asks:
        if ask.member == member.id and one in ask.about:
            no = Forbidden("You cannot act for {character}, {name}.", character=character, name=member.name)
            yield Answered(ask.number, False, member.name, None, str(no))


class Asked(CompanyEvent, frozen=True, tag="asked"):
    """A player asked the Referee for something; nothing is spent."""

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
    """The Referee answered an ask, or it fell away; `refusal` says why it could not be done."""

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
    """A player took an ask back before it was answered."""

    ask: int
    name: str

    def evolve(self, company: Company) -> Company:
        return replace(company, asks=tuple(ask for ask in company.asks if ask.number != self.ask))

    def tell(self) -> Sentence:
        return sentence("{name} takes back a request.", name=self.name)


class AskFor(CompanyCommand, frozen=True, tag="ask"):
    """A player asks for what the Referee must agree to first; nothing is spent. Refused where it is not possible now.

    What is asked for is for these characters, whatever they are called when it is answered, at this price, and for this
    moment where the moment matters. At most `ASKS_AT_ONCE` of a player's requests wait at once ("not-now").
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
        # Whoever asked reads it again, and must not read in it whose turn it is while a hidden enemy acts.
        command = self.command if getattr(self.command, "at", None) is not None else self.command.aimed(veiled(table))
        about = _about(self.command, table)
        return (Asked(number, member.id, member.name, command, cost, self.reason, about),)


_ENTRY = whole_number(1, 2**53 - 1, "The number of the entry with which it was asked for.")


class Accept(CompanyCommand, frozen=True, tag="accept"):
    """The Referee accepts an ask: it is decided afresh, and both hear if it is not possible any more.

    That is so if the rules refuse it now, if it costs another amount, or if whoever asked may no longer act for those
    whom it is for. Refused: "not-found".
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
    """The Referee declines an ask, with a word why if there is one. Refused: "not-found"."""

    ask: Annotated[int, _ENTRY]
    reason: Text | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        return (Answered(self.ask, False, company.member(ask.member).name, self.reason),)


class TakeBackAsk(CompanyCommand, frozen=True, tag="take_back_ask"):
    """A player takes an own ask back. Refused: "not-found"; raises Forbidden for somebody else's."""

    ask: Annotated[int, _ENTRY]

    def is_for_players(self, member: Member) -> bool:
        return True

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        ask = company.ask(self.ask)
        if ask.member != who:
            raise Forbidden("Only the player who asked can take this back.")
        return (AskTakenBack(self.ask, company.member(who).name),)
