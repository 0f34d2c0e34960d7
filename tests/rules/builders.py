"""Tables and questions in few words, for the tests of the rules."""

import pytest

from winded import AddCharacter, BeginTurns, NextTurn, Refused, Ruleset, Side, StartCombat, Table
from winded.rules.command import Command, Event
from winded.rules.ruleset import PAGE


def brakka(con: str = "d12", stamina: int | None = None, rules: Ruleset = PAGE) -> Table:
    """A table with Brakka alone."""
    return Table(rules).do(AddCharacter("Brakka", con=con, stamina=stamina))


def company(rules: Ruleset = PAGE) -> Table:
    """Ash d12, Bryn d8 and Cole d6 at one table."""
    return Table(rules).do(
        AddCharacter("Ash", con="d12"), AddCharacter("Bryn", con="d8"), AddCharacter("Cole", con="d6")
    )


def with_wolf(table: Table, con: str | None = "d8") -> Table:
    """The table with an enemy, Wolf."""
    return table.do(AddCharacter("Wolf", con=con, side=Side.ENEMY))


def fighting(table: Table) -> Table:
    """The table in combat, in the declare phase of round 1."""
    return table.do(StartCombat())


def taking_turns(table: Table, turns: int = 0) -> Table:
    """The table in combat, with the order fixed and so many turns begun."""
    return table.do(StartCombat(), BeginTurns(), *[NextTurn() for _ in range(turns)])


def refused(table: Table, command: Command) -> Refused:
    """The refusal of a command; fails where it is accepted, or where anything changed."""
    before = hash(table), table.state()
    with pytest.raises(Refused) as no:
        table.do(command)
    assert (hash(table), table.state()) == before
    return no.value


def rule_of(table: Table, command: Command) -> str:
    """The id under which a command is refused."""
    return refused(table, command).rule


def events(table: Table, command: Command) -> tuple[Event, ...]:
    """What follows from a command."""
    return command.decide(table)


def said(table: Table, command: Command) -> list[str]:
    """What the history says of a command."""
    return [str(event.tell()) for event in command.decide(table)]


def stamina(table: Table, who: str = "Brakka") -> int:
    """What someone has."""
    return table.character(who).stamina


def order(table: Table) -> tuple[str, ...]:
    """The order of this round."""
    assert table.combat is not None
    return table.combat.order


def turn(table: Table) -> str | None:
    """Whose turn it is."""
    assert table.combat is not None
    return table.combat.turn
