"""An act that was aimed at one moment does not happen at another: it says so kindly, and nothing has changed."""

import msgspec
import pytest

from tests.rules.builders import brakka, company, events, fighting, refused, taking_turns, with_wolf
from winded import (
    ActEarly,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EndCombat,
    NextTurn,
    React,
    Refused,
    Reorder,
    ResolveCheck,
    Rest,
    RestKind,
    Side,
    StartCombat,
    Table,
    WithdrawCheck,
    command_from_json,
)
from winded.rules import AtAct, Command, check_act, fields
from winded.rules.hallway import COMMANDS

FIGHT = taking_turns(with_wolf(company()), 1)
"""Wolf's turn in round 1, then Ash, Bryn and Cole."""
OPEN = brakka().do(DeclareCheck("Brakka", push=2, strain="the gate", target=14))
TIRED = company().do(DeclareCheck("Ash", push=6), ResolveCheck("Ash", 9), DeclareCheck("Bryn", push=6))


def sent(command: Command) -> Command:
    """A command as it arrives from whoever sent it as JSON."""
    return command_from_json(msgspec.json.encode(command))


PASSED: list[tuple[str, Table, Command, list[Command], str]] = [
    (
        "the turn of somebody else", FIGHT, NextTurn(), [NextTurn()],
        "This was meant for Wolf's turn in round 1; it is now Ash's turn in round 1. Nothing has changed.",
    ),
    (
        "the turns were over", FIGHT.do(NextTurn(), NextTurn(), NextTurn()), NextTurn(), [NextTurn()],
        "This was meant for Cole's turn in round 1; it is now the declare phase of round 2. Nothing has changed.",
    ),
    (
        "the first turn", taking_turns(company()), NextTurn(), [NextTurn()],
        "This was meant for round 1 before the first turn; it is now Enemy's turn in round 1. Nothing has changed.",
    ),
    (
        "a round that is over", fighting(company()), BeginTurns(), [BeginTurns(), *[NextTurn()] * 5],
        "This was meant for round 1; it is now the declare phase of round 2. Nothing has changed.",
    ),
    (
        "acting early in a round that is over", fighting(company()), ActEarly("Ash"), [BeginTurns(), *[NextTurn()] * 5],
        "This was meant for round 1; it is now the declare phase of round 2. Nothing has changed.",
    ),
    (
        "a combat that is over", fighting(company()), EndCombat(), [EndCombat(), StartCombat()],
        "This was meant for another combat. Nothing has changed.",
    ),
    (
        "a reaction in a combat that is over", fighting(company()), React("Ash"), [EndCombat(), StartCombat()],
        "This was meant for another combat. Nothing has changed.",
    ),
    (
        "a combat that has been", company(), StartCombat(), [StartCombat(), EndCombat()],
        "This was meant for another combat. Nothing has changed.",
    ),
    (
        "the order of another round", FIGHT, Reorder(("Ash",), "fog"), [*[NextTurn()] * 4, BeginTurns()],
        "This was meant for round 1; it is now round 2 before the first turn. Nothing has changed.",
    ),
    (
        "a rest that was", TIRED, Rest(RestKind.SHORT), [Rest(RestKind.SHORT)],
        "There has been another rest since you chose this. Nothing has changed.",
    ),
    (
        "a rest of one that was", TIRED, Rest(RestKind.SHORT, ("Ash",)), [Rest(RestKind.SHORT)],
        "There has been another rest since you chose this. Nothing has changed.",
    ),
    (
        "another Check", OPEN, ResolveCheck("Brakka", 12), [WithdrawCheck("Brakka"), DeclareCheck("Brakka", push=1)],
        "This was meant for a different Check than Brakka's open one. Nothing has changed.",
    ),
    (
        "another Check", OPEN, WithdrawCheck("Brakka"), [ResolveCheck("Brakka", 3), DeclareCheck("Brakka", target=9)],
        "This was meant for a different Check than Brakka's open one. Nothing has changed.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "command", "meanwhile", "told"), [pytest.param(*one[1:], id=one[0]) for one in PASSED]
)
def test_not_now_what_it_was_aimed_at_has_passed(
    table: Table, command: Command, meanwhile: list[Command], told: str
) -> None:
    aimed = sent(command.aimed(table))
    assert aimed == command.aimed(table)
    later = table.do(*meanwhile)
    no = refused(later, aimed)
    assert (no.rule, str(no), no.needs) == ("not-now", told, None)


@pytest.mark.parametrize(("table", "command"), [pytest.param(one[1], one[2], id=one[0]) for one in PASSED])
def test_where_nothing_has_passed_it_happens_as_without(table: Table, command: Command) -> None:
    if isinstance(command, Reorder):
        command = Reorder(("Bryn", "Cole", "Ash"), "fog")
    assert events(table, command.aimed(table)) == events(table, command)


@pytest.mark.parametrize(
    ("table", "command", "meanwhile"),
    [
        (FIGHT, NextTurn(), [React("Ash"), DeclareCheck("Bryn", push=1)]),
        (FIGHT, EndCombat(), [NextTurn(), React("Wolf")]),
        (FIGHT, React("Cole"), [NextTurn(), React("Bryn")]),
        (fighting(company()), BeginTurns(), [ActEarly("Ash"), AddCharacter("Dov", con="d6")]),
        (TIRED, Rest(RestKind.SHORT), [ResolveCheck("Bryn", 3), StartCombat(), EndCombat()]),
        (TIRED, Rest(RestKind.SHORT, ("Ash",)), [Rest(RestKind.SHORT, ("Bryn",))]),
        (OPEN, ResolveCheck("Brakka", 12), [StartCombat(), React("Brakka")]),
    ],
)
def test_what_did_not_change_it_does_not_refuse_it(table: Table, command: Command, meanwhile: list[Command]) -> None:
    later = table.do(*meanwhile)
    assert events(later, command.aimed(table)) == events(later, command)


def test_only_what_is_said_is_compared() -> None:
    for at in ("{}", '{"round": 1}', '{"turn": "wolf"}', '{"turn": "#4", "phase": "turns"}', '{"combats": 1}'):
        assert events(FIGHT, command_from_json(f'{{"do": "next_turn", "at": {at}}}'))
    for at in ('{"round": 2}', '{"turn": "Ash"}', '{"turn": null}', '{"phase": "declare"}', '{"combats": 0}'):
        assert refused(FIGHT, command_from_json(f'{{"do": "next_turn", "at": {at}}}')).rule == "not-now"
    for check in ("{}", '{"push": 2}', '{"target": 14, "strain": "the gate"}'):
        assert events(OPEN, command_from_json(f'{{"do":"withdraw_check","character":"#1","at":{{"check":{check}}}}}'))
    for check in ('{"push": 1}', '{"target": null}', '{"strain": "the door"}'):
        withdraw = command_from_json(f'{{"do":"withdraw_check","character":"#1","at":{{"check":{check}}}}}')
        assert refused(OPEN, withdraw).rule == "not-now"


def test_a_hidden_enemys_turn_is_aimed_at_as_players_see_it_and_is_not_named() -> None:
    table = Table().do(AddCharacter("Ash", con="d8"), AddCharacter("Shade", con="d8", side=Side.ENEMY, hidden=True))
    table = taking_turns(table, 1)
    assert events(table, command_from_json('{"do": "next_turn", "at": {"turn": "Enemy"}}'))
    no = refused(table, command_from_json('{"do": "next_turn", "at": {"turn": "Ash"}}'))
    assert str(no) == "This was meant for Ash's turn; it is now Enemy's turn in round 1. Nothing has changed."


def test_the_moment_is_said_in_the_words_of_the_state() -> None:
    state = FIGHT.state()
    at = {"combats": state["combats"], **{key: state["combat"][key] for key in ("round", "phase", "turn")}}
    assert events(FIGHT, command_from_json(msgspec.json.encode({"do": "next_turn", "at": at})))
    check = OPEN.state()["characters"]["Brakka"]["open_check"]
    roll = {"do": "resolve_check", "character": "Brakka", "roll": 3, "at": {"check": check}}
    assert events(OPEN, command_from_json(msgspec.json.encode(roll)))
    rested = TIRED.do(Rest(RestKind.SHORT, ("Ash", "Bryn"))).state()["characters"]
    assert [one["rests"] for one in rested.values()] == [1, 1, 0]


def test_another_entry_than_was_meant_is_not_taken_back() -> None:
    check_act(None, 4)
    check_act(AtAct(4), 4)
    with pytest.raises(Refused) as no:
        check_act(AtAct(3), 4)
    assert no.value.rule == "not-now"
    assert str(no.value) == "This was meant for entry 3; it would now be entry 4. Nothing has changed."


def test_whatever_depends_on_the_moment_can_say_so() -> None:
    timed = {do for do, made in COMMANDS.items() if any(field.kind == "moment" for field in fields(made))}
    assert timed == {
        "start_combat", "begin_turns", "next_turn", "end_combat", "reorder", "act_early", "react", "resolve_check",
        "withdraw_check", "declare_check", "rest", "edit_character", "undo", "redo",
            "wait",
    }  # fmt: skip
