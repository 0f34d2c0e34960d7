"""The same days played plainly: real commands at a real table, every branch followed, nothing merged but equal tables.

It shares the day's structs and the rules with Winded's odds, and none of their code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from winded.errors import Refused
from winded.odds.day.model import (
    CheckAhead,
    Day,
    DayCharacter,
    Fight,
    RecoveryAhead,
    RestAhead,
    SpendAhead,
    WoundAhead,
)
from winded.odds.forecasts.habits import HabitLike, SpendingMoment
from winded.rules import (
    PAGE,
    ActEarly,
    AddAbility,
    AddCharacter,
    BeginTurns,
    Channel,
    Command,
    DeclareCheck,
    EndCombat,
    Hardship,
    NextTurn,
    React,
    RecoverWound,
    Resist,
    ResolveCheck,
    Rest,
    Ruleset,
    StartCombat,
    Table,
    TakeWound,
    UseAbility,
)

Tables = dict[Table, Fraction]


def sat(day: Day, sitter: DayCharacter, ruleset: Ruleset) -> Table:
    table = Table(ruleset)
    stamina = sitter.stamina
    if stamina is None or sitter.wounds:
        table = table.do(AddCharacter(sitter.name, sitter.con))
    else:
        table = table.do(AddCharacter(sitter.name, sitter.con, stamina=stamina))
    for name, cost in sitter.abilities:
        table = table.do(AddAbility(sitter.name, name, cost))
    for wound in sitter.wounds:
        table = table.do(TakeWound(sitter.name, wound.wound, wound.steps))
    return table


class Player:
    """One character played through a day; `asks` says what is wanted at a moment."""

    def __init__(self, day: Day, sitter: DayCharacter, asks: HabitLike) -> None:
        self.day = day
        self.sitter = sitter
        self.asks = asks
        self.name = sitter.name
        self.step = -1
        self.refused: dict[int, Fraction] = defaultdict(Fraction)
        self.wanted: dict[int, Fraction] = defaultdict(Fraction)

    def through(self, ruleset: Ruleset = PAGE) -> list[Tables]:
        tables: Tables = {sat(self.day, self.sitter, ruleset): Fraction(1)}
        after = [tables]
        fights = [at for at, one in enumerate(self.day.sketch.ahead) if isinstance(one, Fight)]
        for at, ahead in enumerate(self.day.sketch.ahead):
            self.last = bool(fights) and at == fights[-1]
            there = ahead.who is None or self.name in ahead.who
            if isinstance(ahead, Fight):
                self.number = 0
                for number in range(1, len(ahead.rounds)):
                    self.step += 1
                    if there:
                        tables = self.fight_round(ahead, number, tables)
                    after.append(tables)
                continue
            for _ in range(getattr(ahead, "times", 1)):
                self.step += 1
                self.number = 0
                if there:
                    tables = self.mapped(tables, lambda table, ahead=ahead: self.once(ahead, table))
                after.append(tables)
        return after

    def mapped(self, tables: Tables, follow: Callable[[Table], Iterator[tuple[Table, Fraction]]]) -> Tables:
        after: Tables = defaultdict(Fraction)
        for table, chance in tables.items():
            self.here = chance
            for result, share in follow(table):
                after[result] += chance * share
        assert sum(after.values()) == sum(tables.values())
        return dict(after)

    def given(self, table: Table, *commands: Command) -> Table:
        try:
            return table.do(*commands)
        except Refused:
            return table

    def once(self, ahead: object, table: Table) -> Iterator[tuple[Table, Fraction]]:
        chance = ahead.chance  # type: ignore[attr-defined]
        yield table, 1 - chance
        match ahead:
            case WoundAhead():
                yield self.given(table, TakeWound(self.name, ahead.name, ahead.steps)), chance
            case RecoveryAhead():
                yield self.given(table, RecoverWound(self.name, ahead.name)), chance
            case RestAhead():
                yield self.given(table, Rest(ahead.rest)), chance
            case CheckAhead():
                yield self.pushed(table, chance, ahead.name), chance
            case SpendAhead(kind="resist"):
                asked = Resist(self.name, ahead.stamina, Hardship(ahead.what))
                yield self.spent(table, "resist", asked, ahead.stamina, chance, ahead.name), chance
            case SpendAhead(kind="channel"):
                asked_c = Channel(self.name, ahead.stamina)
                yield self.spent(table, "channel", asked_c, ahead.stamina, chance, ahead.name), chance
            case SpendAhead():
                cost = dict(self.sitter.abilities).get(ahead.what, 0)
                yield self.spent(table, "ability", UseAbility(self.name, ahead.what), cost, chance, ahead.name), chance

    def wants(self, table: Table, kind: str, cost: int, name: str) -> int:
        character = table.character(self.name)
        return int(self.asks(SpendingMoment(
            kind, self.name, self.step, name, self.number, self.last, character.stamina, character.maximum,
            character.con, character.reactions, cost,
        )))  # fmt: skip

    def spent(self, table: Table, kind: str, command: Command, cost: int, chance: Fraction, name: str) -> Table:
        if not self.wants(table, kind, cost, name):
            return table
        try:
            after = table.do(command)
        except Refused as no:
            if no.needs is not None:  # else it cannot be had at all, and nobody asks for it
                self.wanted[self.step] += self.here * chance
                self.refused[self.step] += self.here * chance
            return table
        self.wanted[self.step] += self.here * chance
        return after

    def pushed(self, table: Table, chance: Fraction, name: str) -> Table:
        wanted = self.wants(table, "push", 1, name)
        has = table.character(self.name).stamina
        if wanted:
            self.wanted[self.step] += self.here * chance
        if wanted > has:
            self.refused[self.step] += self.here * chance * Fraction(wanted - has, wanted)
        return table.do(DeclareCheck(self.name, min(wanted, has)), ResolveCheck(self.name, 0))

    def fight_round(self, fight: Fight, number: int, tables: Tables) -> Tables:
        self.number = number
        if number == 1:
            tables = self.mapped(tables, lambda table: iter([(table.do(StartCombat()), Fraction(1))]))
        still = sum(fight.rounds[number:])
        ends = fight.rounds[number] / still
        wound = fight.wound

        def round_of(table: Table) -> Iterator[tuple[Table, Fraction]]:
            if table.combat is None:
                yield table, Fraction(1)
                return
            for early, calls, hit, last in product((0, 1), range(len(fight.reactions)), (0, 1), (0, 1)):
                share = fight.early if early else 1 - fight.early
                share *= fight.reactions[calls]
                share *= (0 if wound is None else wound.chance) if hit else (1 if wound is None else 1 - wound.chance)
                share *= ends if last else 1 - ends
                if share:
                    yield self.one_round(table, fight, early, calls, hit, last, share), share

        return self.mapped(tables, round_of)

    def one_round(
        self, table: Table, fight: Fight, early: int, calls: int, hit: int, last: int, share: Fraction
    ) -> Table:
        ruleset = table.ruleset
        if early:
            table = self.spent(table, "early", ActEarly(self.name), ruleset.early.cost, share, fight.name)
        table = table.do(BeginTurns(), NextTurn())
        if table.combat.turn == self.name:  # type: ignore[union-attr]
            table = table.do(NextTurn())
        for _ in range(calls):
            cost = ruleset.reactions.cost(table.character(self.name).reactions)
            table = self.spent(table, "reaction", React(self.name), cost, share, fight.name)
        if hit:
            table = self.given(table, TakeWound(self.name, fight.wound.wound, fight.wound.steps))  # type: ignore[union-attr]
        while table.combat is not None and table.combat.phase == "turns":
            table = table.do(NextTurn())
        return table.do(EndCombat()) if last else table


def stamina_of(tables: Tables, name: str, most: int) -> list[Fraction]:
    chances = [Fraction(0)] * (most + 1)
    for table, chance in tables.items():
        chances[table.character(name).stamina] += chance
    return chances
