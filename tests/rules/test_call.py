"""ruling.call: whoever the Referee calls for a Check may push it where there is strain; the call's target decides."""

import pytest

from tests.rules.builders import brakka, company, events, fighting, refused, rule_of, said, stamina, with_wolf
from winded import (
    BeginTurns,
    BringBack,
    CallCheck,
    CloseCall,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    RemoveCharacter,
    ResolveCheck,
    SetAside,
    StartCombat,
    Table,
    WithdrawCheck,
    options,
)
from winded.rules import AtCall, Call
from winded.rules.checks import CheckDeclared, CheckResolved
from winded.rules.table import CalledRoll

CLIMB = "a climb under fire"


def called(table: Table) -> list[str]:
    """Those who have still to roll."""
    return [] if table.call is None else [table.names[one] for one in table.call.waiting]


def test_ruling_call_everyone_of_the_party_who_takes_part() -> None:
    table = with_wolf(company()).do(SetAside("Bryn"))
    assert called(table.do(CallCheck())) == ["Ash", "Cole"]
    assert called(table.do(CallCheck(("cole", "Wolf", "Cole")))) == ["Cole", "Wolf"]
    assert rule_of(table, CallCheck(("Bryn", "Ash"))) == "ruling.aside"


def test_ruling_call_as_the_state_shows_it() -> None:
    table = company().do(CallCheck(target=14, strain=CLIMB, what="up the wall"))
    table = table.do(DeclareCheck("Ash", push=2), ResolveCheck("Ash", 12))
    assert table.state()["call"] == {
        "number": 1, "characters": ["Bryn", "Cole"], "target": 14, "secret": False, "strain": CLIMB, "pushable": True,
        "what": "up the wall", "closed": False, "rolled": [{"character": "Ash", "total": 14, "success": True}],
    }  # fmt: skip
    over = table.do(RemoveCharacter("Bryn"), SetAside("Cole"))
    assert "call" not in over.state()
    assert "call" not in company().state()
    assert over.call == Call(1, (), 14, False, CLIMB, True, "up the wall", False, (CalledRoll("#1", 14, True),))


def test_ruling_call_its_target_and_its_strain_are_those_of_the_check() -> None:
    table = company().do(CallCheck(target=14, strain=CLIMB))
    assert events(table, DeclareCheck("Ash", push=2)) == (CheckDeclared("Ash", 2, 2, 10, 2, CLIMB, 14),)
    assert events(table, DeclareCheck("Ash", strain="the cold", target=14)) == (
        CheckDeclared("Ash", 0, 0, 12, 0, "the cold", 14),
    )
    assert rule_of(table, DeclareCheck("Ash", target=13)) == "not-now"
    assert rule_of(company().do(CallCheck()), DeclareCheck("Ash", target=13)) == "not-now"
    assert called(table.do(RemoveCharacter("Cole"))) == ["Ash", "Bryn"]


def test_push_strain_without_strain_or_danger_nothing_can_be_pushed() -> None:
    table = brakka(stamina=0).do(CallCheck(pushable=False))
    no = refused(table, DeclareCheck("Brakka", push=1, target=9, cost=5))
    assert (no.rule, str(no)) == (
        "push.strain",
        "Brakka cannot push this Check: the Referee sees no strain or danger in it.",
    )
    offered = {str(one.label): one.refused and one.refused.rule for one in options(table, "Brakka")}
    assert (offered["Check"], offered["Push a Check"]) == (None, "push.strain")
    open_already = table.do(DeclareCheck("Brakka"))
    assert rule_of(open_already, DeclareCheck("Brakka", push=1)) == "push.before-roll"


@pytest.mark.parametrize(("roll", "success"), [(11, False), (12, True), (13, True)])
def test_ruling_call_a_secret_target_decides_and_no_check_holds_it(roll: int, success: bool) -> None:
    table = company().do(CallCheck(target=13, secret=True), DeclareCheck("Ash", push=1))
    check = table.character("Ash").open_check
    assert check is not None
    assert check.target is None
    assert events(table, ResolveCheck("Ash", roll)) == (CheckResolved("Ash", roll, 1, roll + 1, None, success),)
    word = "a success" if success else "a failure"
    assert said(table, ResolveCheck("Ash", roll)) == [f"Ash's Check: {roll} + 1 = {roll + 1}, {word}."]


def test_ruling_call_a_secret_target_cannot_be_guessed_by_declaring() -> None:
    table = company().do(CallCheck(target=13, secret=True))
    told = {str(refused(table, DeclareCheck("Ash", target=target))) for target in (12, 13, 14)}
    assert told == {"The Referee has called Ash for a Check and sets its target."}


def test_ruling_call_ends_by_itself_when_all_have_rolled() -> None:
    table = company().do(CallCheck(("Ash", "Bryn"), target=9), DeclareCheck("Ash"), DeclareCheck("Bryn"))
    one = table.do(ResolveCheck("Bryn", 3))
    assert called(one) == ["Ash"]
    assert called(one.do(ResolveCheck("Ash", 20))) == []
    own = one.do(ResolveCheck("Ash", 20), DeclareCheck("Ash", target=4))
    assert events(own, ResolveCheck("Ash", 4)) == (CheckResolved("Ash", 4, 0, 4, 4, True),)


def test_ruling_call_whoever_withdrew_declares_again_while_it_is_open() -> None:
    table = company().do(CallCheck(("Ash", "Bryn"), target=9), DeclareCheck("Ash", push=2))
    again = table.do(WithdrawCheck("Ash"))
    assert (called(again), stamina(again, "Ash")) == (["Ash", "Bryn"], 12)
    closed = table.do(CloseCall())
    assert called(closed) == ["Ash"]
    assert closed.do(WithdrawCheck("Ash")).call is None
    assert rule_of(closed, CloseCall()) == "not-now"
    assert rule_of(closed, CallCheck(("Bryn",))) == "not-now"


def test_ruling_call_whoever_leaves_leaves_it_and_does_not_come_back_into_it() -> None:
    table = company().do(CallCheck(target=9))
    assert called(table.do(SetAside("Ash"), BringBack("Ash"))) == ["Bryn", "Cole"]
    assert called(table.do(RemoveCharacter("Ash"))) == ["Bryn", "Cole"]
    assert called(table.do(EditCharacter("Ash", name="Asha"))) == ["Asha", "Bryn", "Cole"]


def test_ruling_call_results_stand_until_the_combat_moves_on() -> None:
    table = fighting(brakka()).do(CallCheck(target=9), DeclareCheck("Brakka"), ResolveCheck("Brakka", 12))
    assert table.call is not None
    assert table.call.rolled == (CalledRoll("#1", 12, True),)
    assert table.do(BeginTurns()).call is None
    under_way = fighting(brakka()).do(CallCheck(), BeginTurns(), NextTurn(), NextTurn(), NextTurn())
    assert called(under_way) == ["Brakka"], "what is still to be rolled is not put away"
    assert called(brakka().do(CallCheck(), StartCombat())) == ["Brakka"]


def test_ruling_call_a_check_meant_for_a_call_is_not_made_once_it_is_over() -> None:
    table = company().do(CallCheck(target=9))
    aimed = DeclareCheck("Ash", push=3).aimed(table)
    assert aimed.at == AtCall(1)  # type: ignore[attr-defined]
    assert stamina(table.do(aimed), "Ash") == 9
    assert str(refused(table.do(CloseCall()), aimed)) == (
        "Ash is no longer called for the Check that this was meant for."
    )
    assert refused(table.do(CloseCall(), CallCheck()), aimed).rule == "not-now"
    own = DeclareCheck("Ash", push=3).aimed(company())
    assert own.at == AtCall(None)  # type: ignore[attr-defined]
    assert str(refused(table, own)) == "Ash has been called for another Check since. Nothing has changed."
    assert stamina(company().do(own), "Ash") == 9


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (CallCheck(), "The Referee calls for a Check: Ash, Bryn, Cole."),
        (CallCheck(what="up"), "The Referee calls for a Check (up): Ash, Bryn, Cole."),
        (CallCheck(target=9), "The Referee calls for a Check against 9: Ash, Bryn, Cole."),
        (
            CallCheck(target=9, strain="cold", what="up"),
            "The Referee calls for a Check against 9 (up: cold): Ash, Bryn, Cole.",
        ),
        (CallCheck(target=9, secret=True), "The Referee calls for a Check against 9, kept secret: Ash, Bryn, Cole."),
        (
            CallCheck(target=9, secret=True, strain="cold"),
            "The Referee calls for a Check against 9, kept secret (cold): Ash, Bryn, Cole.",
        ),
        (CallCheck(secret=True), "The Referee calls for a Check against a secret target: Ash, Bryn, Cole."),
        (
            CallCheck(secret=True, what="up", pushable=False),
            "The Referee calls for a Check against a secret target (up): Ash, Bryn, Cole. It cannot be pushed.",
        ),
    ],
)
def test_ruling_call_is_told_in_whole_sentences(call: CallCheck, told: str) -> None:
    assert said(company(), call) == [told]


def test_ruling_call_closing_names_those_who_had_not_declared() -> None:
    table = company().do(CallCheck(), DeclareCheck("Bryn"))
    assert said(table, CloseCall()) == ["The call for a Check is over for Ash, Cole."]
