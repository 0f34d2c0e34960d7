"""Where several reasons would do, the first of them is told: for every command, in every combination that can be.

1 who or what is not there, is taken, or cannot have that; 2 the wrong moment; 3 another cost than was shown; 4 too
little Stamina; 5 figures.
"""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import pytest

from tests.rules.builders import refused
from winded import (
    PAGE,
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    BringBack,
    CallCheck,
    Channel,
    CloseCall,
    Correct,
    DeclareCheck,
    EditCharacter,
    EndCombat,
    Hardship,
    NextTurn,
    React,
    RecoverWound,
    Redo,
    RemoveAbility,
    RemoveCharacter,
    Reorder,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    Table,
    TakeWound,
    Undo,
    UseAbility,
    Wait,
    WithdrawCheck,
)
from winded.rules import COMMANDS, AtCall, AtCheck, AtMoment, AtRests, Command, TheCheck
from winded.rules.ruleset import Early

ELSEWHERE = AtMoment(combats=9)

Build = Callable[[frozenset[str]], tuple[Table, Command]]


class Case(NamedTuple):
    """A command, every reason there is to refuse it with the rule that is told, first things first, and how to build
    a table and the command so that just the chosen reasons hold. Reasons in one of `apart` cannot hold together."""

    do: str
    reasons: dict[str, str]
    build: Build
    apart: tuple[frozenset[str], ...] = ()


def seated(why: frozenset[str], stamina: int = 6) -> Table:
    """Ash, hurt and able, and Wolf; Ash is without Stamina where that is a reason, and the house leaves all out."""
    rules = Ruleset(spends=()) if "left out" in why else PAGE
    table = Table(rules).do(
        AddCharacter("Ash", con="d10", stamina=0 if "no Stamina" in why else 1 if "too little" in why else stamina),
        AddCharacter("Wolf", con="d8", side=Side.ENEMY),
        AddCharacter("Rat", side=Side.ENEMY),
        AddAbility("Ash", "Leap", cost=2),
    )
    return table.do(TakeWound("Ash", "a cut"))


def who(why: frozenset[str]) -> str:
    return "Nobody" if "nobody" in why else "Ash"


def shown(why: frozenset[str], cost: int) -> int | None:
    return 50 if "cost" in why else cost


def at(why: frozenset[str]) -> AtMoment | None:
    return ELSEWHERE if "elsewhere" in why else None


def aside(why: frozenset[str], table: Table) -> Table:
    return table.do(SetAside("Ash")) if "aside" in why else table


SPENDING = {"nobody": "not-found", "left out": "not-allowed", "aside": "ruling.aside"}
LACKING = (frozenset({"no Stamina", "too little"}),)


def act_early(why: frozenset[str]) -> tuple[Table, Command]:
    rules = Ruleset(early=Early(cost=2), spends=() if "left out" in why else None)
    name = "Wolf" if "enemy" in why else "Ash"
    stamina = 0 if "no Stamina" in why else 1 if "too little" in why else 8
    table = Table(rules).do(
        AddCharacter("Ash", con="d8", stamina=stamina), AddCharacter("Wolf", con="d8", side=Side.ENEMY, stamina=stamina)
    )
    if "not declaring" not in why:
        table = table.do(StartCombat())
    table = table if "enemy" in why else aside(why, table)
    return table, ActEarly("Nobody" if "nobody" in why else name, shown(why, 2), at(why))


def react(why: frozenset[str]) -> tuple[Table, Command]:
    rules = Ruleset(spends=() if "left out" in why else None)
    table = Table(rules).do(AddCharacter("Ash", con="d8"), AddCharacter("Wolf", con="d8", side=Side.ENEMY))
    table = table.do(Adjust("Ash", -8 if "no Stamina" in why else -7, "a blow"))
    if "no combat" not in why:
        table = table.do(StartCombat(), BeginTurns(), NextTurn())
    if "own turn" in why:
        table = table.do(NextTurn())
    table = aside(why, table)
    return table, React(who(why), None, shown(why, 1), at(why))


def declare(why: frozenset[str]) -> tuple[Table, Command]:
    table = seated(why)
    if "open" in why and "aside" not in why:
        table = table.do(DeclareCheck("Ash"))
    elif {"called", "no strain", "no such call"} & why:
        table = table.do(CallCheck(target=9, pushable="no strain" not in why))
    target = 8 if "called" in why else None
    return aside(why, table), DeclareCheck(
        who(why), 2, None, target, shown(why, 2), AtCall(5) if "no such call" in why else None
    )


def resist(why: frozenset[str]) -> tuple[Table, Command]:
    return aside(why, seated(why)), Resist(who(why), 2, Hardship.PAIN, shown(why, 2))


def channel(why: frozenset[str]) -> tuple[Table, Command]:
    return aside(why, seated(why)), Channel(who(why), 2, None, shown(why, 2))


def use(why: frozenset[str]) -> tuple[Table, Command]:
    return aside(why, seated(why)), UseAbility(who(why), "Fly" if "no such" in why else "Leap", None, shown(why, 2))


def resolve(why: frozenset[str]) -> tuple[Table, Command]:
    table = aside(why, seated(why))
    table = table if {"none open", "aside"} & why else table.do(DeclareCheck("Ash"))
    return table, ResolveCheck(who(why), 9, AtCheck(TheCheck(7)) if "another" in why else None)


def withdraw(why: frozenset[str]) -> tuple[Table, Command]:
    table = aside(why, seated(why))
    table = table if {"none open", "aside"} & why else table.do(DeclareCheck("Ash"))
    return table, WithdrawCheck(who(why), None, AtCheck(TheCheck(7)) if "another" in why else None)


def in_combat(why: frozenset[str], phase: str) -> Table:
    table = seated(why)
    if "no combat" in why:
        return table
    table = table.do(StartCombat())
    turns = (phase == "turns") != ("other phase" in why)
    return table.do(BeginTurns()) if turns else table


def call(why: frozenset[str]) -> tuple[Table, Command]:
    table = seated(why)
    if "open" in why:
        table = table.do(DeclareCheck("Wolf"))
    if "called" in why:
        table = table.do(CallCheck(("Rat",)))
    return aside(why, table), CallCheck(("Wolf", who(why)))


def wait(why: frozenset[str]) -> tuple[Table, Command]:
    table = Table(Ruleset(own_order="left out" not in why)).do(AddCharacter("Ash", con="d8"))
    if "nobody behind" not in why:
        table = table.do(AddCharacter("Bryn", con="d8"))
    table = aside(why, table.do(StartCombat(), BeginTurns()))
    return table, Wait(who(why), AtMoment(7) if "meant" in why else None)


def reorder(why: frozenset[str]) -> tuple[Table, Command]:
    left = () if "not all" in why else ("Wolf",)
    unknown = ("Nobody",) if "nobody" in why else ()
    return in_combat(why, "turns"), Reorder(("Ash", "Rat", *left, *unknown), "fog", at(why))


def rest(why: frozenset[str]) -> tuple[Table, Command]:
    table = seated(why)
    if "combat" in why:
        table = table.do(StartCombat())
    aimed = AtRests(5) if "rested" in why else None
    if "nobody to rest" in why:
        return table.do(RemoveCharacter("Ash")), Rest(RestKind.SHORT, at=aimed)
    return aside(why, table), Rest(RestKind.SHORT, ("Ash", "Nobody") if "nobody" in why else ("Ash",), aimed)


def add(why: frozenset[str]) -> tuple[Table, Command]:
    name = "#3" if "an id" in why else "Wolf" if "taken" in why else "Dov"
    return seated(why), AddCharacter(name, "d8", stamina=9 if "too much" in why else 3, hidden="party" in why)


def edit(why: frozenset[str]) -> tuple[Table, Command]:
    return seated(why), EditCharacter(who(why), "enemy" if "taken" in why else "Ashe", hidden="party" in why)


def wound(why: frozenset[str]) -> tuple[Table, Command]:
    firm = Table(Ruleset(below_lowest="refuse"))
    table = firm.do(AddCharacter("Ash", con="d12"), AddCharacter("Rat", side=Side.ENEMY))
    table = table.do(TakeWound("Ash", "a cut"))
    name = "Nobody" if "nobody" in why else "Rat" if "no die" in why else "Ash"
    return table, TakeWound(name, "A CUT" if "taken" in why else "a bite", 9 if "too far" in why else 1)


def adjust(why: frozenset[str]) -> tuple[Table, Command]:
    return seated(why), Adjust(who(why), -50 if "past" in why else -1, "a curse")


STAMINA = {"cost": "cost-changed", "no Stamina": "zero.no-spending"}
CASES = [
    Case(
        "act_early",
        SPENDING | {"not declaring": "early.cost", "enemy": "ruling.enemies", "elsewhere": "not-now"} | STAMINA
        | {"too little": "early.cost"}, act_early, (*LACKING, frozenset({"aside", "enemy"})),
    ),
    Case(
        "react",
        SPENDING | {"no combat": "reaction.combat", "own turn": "reaction.outside-turn", "elsewhere": "not-now",
                    "cost": "cost-changed", "no Stamina": "reaction.needs-stamina"},
        react, (frozenset({"no combat", "own turn"}),),
    ),
    Case(
        "declare_check", SPENDING | {"open": "push.before-roll", "no strain": "push.strain", "called": "not-now",
                                     "no such call": "not-now"} | STAMINA
        | {"too little": "push.bonus"}, declare, LACKING
    ),
    Case("resist", SPENDING | STAMINA | {"too little": "hardship.spend"}, resist, LACKING),
    Case("channel", SPENDING | STAMINA | {"too little": "channel.needs-stamina"}, channel, LACKING),
    Case(
        "use_ability",
        {"nobody": "not-found", "no such": "not-found", "left out": "not-allowed", "aside": "ruling.aside"} | STAMINA
        | {"too little": "ability.spend"},
        use, (*LACKING, frozenset({"no such", "left out"})),
    ),
    Case("resolve_check",
         {"nobody": "not-found", "aside": "ruling.aside", "none open": "not-now", "another": "not-now"}, resolve),
    Case("withdraw_check",
         {"nobody": "not-found", "aside": "ruling.aside", "none open": "not-now", "another": "not-now"}, withdraw),
    Case("start_combat", {"on": "not-now", "elsewhere": "not-now"},
         lambda why: (seated(why).do(StartCombat()) if "on" in why else seated(why), StartCombat(at(why)))),
    Case("begin_turns", {"no combat": "not-now", "other phase": "not-now", "elsewhere": "not-now"},
         lambda why: (in_combat(why, "declare"), BeginTurns(at(why)))),
    Case("next_turn", {"no combat": "not-now", "other phase": "not-now", "elsewhere": "not-now"},
         lambda why: (in_combat(why, "turns"), NextTurn(at(why)))),
    Case("end_combat", {"no combat": "not-now", "elsewhere": "not-now"},
         lambda why: (in_combat(why, "declare"), EndCombat(at(why)))),
    Case(
        "reorder",
        {"nobody": "not-found"} | dict.fromkeys(("no combat", "other phase", "not all", "elsewhere"), "not-now"),
        reorder,
    ),
    Case(
        "rest",
        {"nobody": "not-found", "aside": "ruling.aside", "combat": "ruling.rest-in-combat", "nobody to rest": "not-now",
         "rested": "not-now"},
        rest, (frozenset({"nobody", "nobody to rest"}), frozenset({"aside", "nobody to rest"})),
    ),
    Case("add_character",
         {"an id": "duplicate", "taken": "duplicate", "party": "not-allowed", "too much": "max.die"}, add),
    Case("edit_character", {"nobody": "not-found", "taken": "duplicate", "party": "not-allowed"}, edit),
    Case("remove_character", {"nobody": "not-found"}, lambda why: (seated(why), RemoveCharacter(who(why)))),
    Case("call_check",
         {"nobody": "not-found", "aside": "ruling.aside", "open": "push.before-roll", "called": "not-now"}, call),
    Case("close_call", {"no call": "not-now"},
         lambda why: (seated(why) if "no call" in why else seated(why).do(CallCheck()), CloseCall())),
    Case("set_aside", {"nobody": "not-found", "open": "push.before-roll", "aside": "not-now"},
         lambda why: (aside(why, seated(why).do(DeclareCheck("Ash")) if "open" in why else seated(why)),
                      SetAside(who(why))), (frozenset({"open", "aside"}),)),
    Case("bring_back", {"nobody": "not-found", "here": "not-now"},
         lambda why: (seated(why) if "here" in why else seated(why).do(SetAside("Ash")), BringBack(who(why)))),
    Case("wait",
         {"nobody": "not-found", "left out": "not-allowed", "aside": "ruling.aside", "meant": "not-now",
          "nobody behind": "not-now"}, wait),
    Case("add_ability", {"nobody": "not-found", "taken": "duplicate"},
         lambda why: (seated(why), AddAbility(who(why), "LEAP" if "taken" in why else "Fly", 1))),
    Case("remove_ability", {"nobody": "not-found", "no such": "not-found"},
         lambda why: (seated(why), RemoveAbility(who(why), "Fly" if "no such" in why else "Leap"))),
    Case("take_wound",
         {"nobody": "not-found", "taken": "duplicate", "no die": "not-allowed", "too far": "ruling.below-lowest"},
         wound, (frozenset({"taken", "no die"}),)),
    Case("recover_wound", {"nobody": "not-found", "no such": "not-found"},
         lambda why: (seated(why), RecoverWound(who(why), "a bite" if "no such" in why else "a cut"))),
    Case("adjust", {"nobody": "not-found", "past": "ruling.by-hand"}, adjust),
    Case("undo", {"nothing": "not-now"}, lambda why: (seated(why), Undo())),
    Case("correct", {"no history": "not-now"}, lambda why: (seated(why), Correct(1))),
    Case("redo", {"nothing": "not-now"}, lambda why: (seated(why), Redo())),
]  # fmt: skip


def test_every_command_is_here() -> None:
    assert sorted(case.do for case in CASES) == sorted(COMMANDS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.do)
def test_the_first_reason_is_told(case: Case) -> None:
    reasons = [*case.reasons]
    for many in range(1, len(reasons) + 1):
        for chosen in map(frozenset, combinations(reasons, many)):
            if any(apart <= chosen for apart in case.apart):
                continue
            table, command = case.build(chosen)
            first = next(reason for reason in reasons if reason in chosen)
            assert refused(table, command).rule == case.reasons[first], (case.do, sorted(chosen))
    # Without any of them it is accepted, so that each of them alone is what it was refused for.
    if case.do not in {"undo", "redo", "correct"}:
        table, command = case.build(frozenset())
        table.do(command)


def test_ranks_of_reasons_never_go_down() -> None:
    rank = {"not-found": 1, "duplicate": 1, "not-allowed": 1, "cost-changed": 3, "max.die": 5, "ruling.by-hand": 5}
    rank |= {"ruling.below-lowest": 5, "zero.no-spending": 4, "reaction.needs-stamina": 4}
    for case in CASES:
        *told, last = [*case.reasons.values()]
        ranks = [rank.get(rule, 2) for rule in told] + [4 if "too little" in case.reasons else rank.get(last, 2)]
        assert ranks == sorted(ranks), case.do
