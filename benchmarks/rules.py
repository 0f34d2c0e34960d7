"""The rules: commands a second at small and large tables, lists of options, replay.

No network, no disk: all rates are by seconds of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.harness import Figure, Measured
from benchmarks.harness import in_turn as any_in_turn
from winded import (
    ActEarly,
    AddAbility,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EndCombat,
    NextTurn,
    React,
    RecoverWound,
    ResolveCheck,
    Rest,
    RestKind,
    Side,
    StartCombat,
    Table,
    TakeWound,
    command_from_json,
    options,
)
from winded.rules import AnyEvent
from winded.rules.command import Command, Event

in_turn = partial(any_in_turn, clock=time.process_time)

ROUNDS = 3
PLAYED = 1_000


def heroes(characters: int) -> list[str]:
    return [f"Hero {number}" for number in range(1, characters + 1)]


def seated(characters: int) -> Table:
    """A table of so many characters and the wolf they fight."""
    party = [AddCharacter(name, con="d12") for name in heroes(characters)]
    return Table().do(*party, AddCharacter("Wolf", con="d8", side=Side.ENEMY))


def fight(characters: int) -> Iterator[Command]:
    """A fight of three rounds in which everyone spends, a Wound, and the rest that makes all as it was."""
    names = heroes(characters)
    early, late = names[::2], names[1::2]
    order = [*early, "Wolf", *late]
    yield StartCombat()
    for _ in range(ROUNDS):
        yield from map(ActEarly, early)
        yield BeginTurns()
        for at, name in enumerate(order):
            yield NextTurn()
            yield React(order[at - 1])
            if name != "Wolf":
                yield DeclareCheck(name, push=1, strain="holding the gate", target=12)
                yield ResolveCheck(name, roll=11)
        yield NextTurn()
    yield EndCombat()
    yield TakeWound(names[0], "cracked ribs")
    yield RecoverWound(names[0], "cracked ribs")
    yield Rest(RestKind.RESPITE, tuple(order))


def played(characters: int) -> Table:
    """Such a table after at least 1,000 commands."""
    table = seated(characters)
    commands = [*fight(characters)]
    for _ in range(-(-PLAYED // len(commands))):
        table = table.do(*commands)
    return table


class BareCharacter(Struct, frozen=True):
    name: str
    stamina: int
    maximum: int
    reactions: int


class BareTable(Struct, frozen=True):
    characters: dict[str, BareCharacter]
    round: int


class BareSpent(Struct, frozen=True):
    character: str
    cost: int
    leaves: int


class BareOption(Struct, frozen=True):
    name: str
    cost: int
    leaves: int
    refused: str | None


class BareSpend(Struct, frozen=True):
    """The least that a spend can be: one comparison, one event."""

    character: str
    cost: int

    def decide(self, table: BareTable) -> BareSpent:
        stamina = table.characters[self.character].stamina
        leaves = stamina - self.cost
        return BareSpent(self.character, self.cost, leaves if leaves >= 0 else 12)


def bare_evolve(table: BareTable, event: BareSpent) -> BareTable:
    characters = table.characters.copy()
    characters[event.character] = replace(characters[event.character], stamina=event.leaves)
    return BareTable(characters, table.round)


def bare_table(characters: int) -> BareTable:
    return BareTable({name: BareCharacter(name, 12, 12, 0) for name in heroes(characters)}, 1)


def bare_spends(characters: int, many: int) -> list[BareSpend]:
    names = heroes(characters)
    return [BareSpend(names[at % characters], 1) for at in range(many)]


def do_each(table: Table, commands: list[Command]) -> Table:
    for command in commands:
        table = table.do(command)
    return table


def bare_do_each(table: BareTable, commands: list[BareSpend]) -> BareTable:
    for command in commands:
        table = bare_evolve(table, command.decide(table))
    return table


def do(characters: int, start: Callable[[int], Table]) -> Measured:
    table, commands = start(characters), [*fight(characters)]
    bare, spends = bare_table(characters), bare_spends(characters, len(commands))
    return in_turn(lambda: do_each(table, commands), lambda: bare_do_each(bare, spends), operations=len(commands))


def one_spend(characters: int) -> Measured:
    """The floor's own work: nothing but reactions, and combat anew when the Stamina is gone."""
    table = seated(characters).do(StartCombat())
    reactions: list[Command] = [React(name) for _ in range(4) for name in heroes(characters)]
    bare, spends = bare_table(characters), bare_spends(characters, len(reactions))
    return in_turn(lambda: do_each(table, reactions), lambda: bare_do_each(bare, spends), operations=len(reactions))


def events_of(table: Table, commands: Iterator[Command]) -> list[Event]:
    events: list[Event] = []
    for command in commands:
        happened = command.decide(table)
        table = table.after(*happened)
        events += happened
    return events


def bare_fold(table: BareTable, events: list[BareSpent]) -> BareTable:
    for event in events:
        table = bare_evolve(table, event)
    return table


def replay(characters: int) -> Measured:
    table = seated(characters)
    events = events_of(table, fight(characters))
    bare = bare_table(characters)
    spent = [one.decide(bare) for one in bare_spends(characters, len(events))]
    return in_turn(lambda: table.after(*events), lambda: bare_fold(bare, spent), operations=len(events))


def decoded_replay(characters: int) -> Measured:
    table = seated(characters)
    events = events_of(table, fight(characters))
    bare = bare_table(characters)
    spent = [one.decide(bare) for one in bare_spends(characters, len(events))]
    ours, theirs = msgspec.json.encode(events), msgspec.json.encode(spent)
    decode = msgspec.json.Decoder(list[AnyEvent]).decode
    bare_decode = msgspec.json.Decoder(list[BareSpent]).decode
    return in_turn(
        lambda: table.after(*decode(ours)), lambda: bare_fold(bare, bare_decode(theirs)), operations=len(events)
    )


def options_in(table: Table, who: str) -> Measured:
    """The floor: as many bare options, each with one comparison, in one tuple."""
    stamina = table.character(who).stamina
    costs = [(type(one.command).__name__, one.cost) for one in options(table, who)]

    def floor() -> tuple[BareOption, ...]:
        return tuple(
            [BareOption(name, cost, stamina - cost, None if cost <= stamina else name) for name, cost in costs]
        )

    def ours() -> None:
        for _ in range(20):
            options(table, who)

    return in_turn(ours, lambda: [floor() for _ in range(20)], operations=20)


def in_a_turn() -> Table:
    """In combat, on another's turn, with an ability: most things are possible."""
    return seated(4).do(
        AddAbility("Hero 1", "Second Wind", cost=2),
        StartCombat(),
        ActEarly("Hero 2"),
        BeginTurns(),
        NextTurn(),
    )


def with_nothing_left() -> Table:
    """The same with 0 Stamina: most things are refused."""
    return in_a_turn().do(DeclareCheck("Hero 1", push=12), ResolveCheck("Hero 1", roll=10))


def from_json() -> Measured:
    """The floor: the same bytes by msgspec alone, into structs of the same fields that check nothing."""
    lines = [msgspec.json.encode(command) for command in fight(4)]
    decode = msgspec.json.Decoder(dict[str, object]).decode
    return in_turn(
        lambda: [command_from_json(line) for line in lines],
        lambda: [decode(line) for line in lines],
        operations=len(lines),
    )


_FLOOR = "decide and evolve with bare structs and one dict copy"

FIGURES = (
    *(
        Figure(
            f"rules.do.{characters}.{kept}",
            f"Table.do, all kinds of commands, {characters} characters, {said}",
            "commands/s",
            partial(do, characters, start),
            goal_ratio=0.55,
            floor=_FLOOR,
        )
        for characters in (4, 20)
        for kept, said, start in (("fresh", "fresh", seated), ("played", f"after {PLAYED:,} commands", played))
    ),
    *(
        Figure(
            f"rules.do.{characters}.react",
            f"Table.do, reactions only, {characters} characters",
            "commands/s",
            partial(one_spend, characters),
            goal_ratio=0.55,
            floor=_FLOOR,
        )
        for characters in (4, 20)
    ),
    Figure(
        "rules.options.some",
        "options for one character in combat, most of them possible",
        "lists/s",
        lambda: options_in(in_a_turn(), "Hero 1"),
        goal=220_000,
        floor="as many bare structs with one comparison each",
    ),
    Figure(
        "rules.options.none",
        "options for one character with 0 Stamina, most of them refused",
        "lists/s",
        lambda: options_in(with_nothing_left(), "Hero 1"),
        goal=190_000,
        floor="as many bare structs with one comparison each",
    ),
    *(
        Figure(
            f"rules.replay.{characters}",
            f"replay of events, {characters} characters",
            "events/s",
            partial(replay, characters),
            goal_ratio=0.55,
            floor="fold of bare events, one dict copy each",
        )
        for characters in (4, 20)
    ),
    Figure(
        "rules.replay.decoded",
        "events from JSON, replayed, 4 characters",
        "events/s",
        partial(decoded_replay, 4),
        goal_ratio=0.55,
        floor="bare events from JSON, folded",
    ),
    Figure(
        "rules.command",
        "commands from JSON, every field checked",
        "commands/s",
        from_json,
        floor="JSON to a plain dict, nothing checked",
    ),
)
