"""The company at a table: joining, claiming, asking and being answered. What is refused changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded import (
    D8,
    D10,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    NextTurn,
    React,
    RemoveCharacter,
    Side,
    StartCombat,
    Table,
    TakeWound,
)
from winded.errors import Forbidden, Malformed, Refused, Unknown, WindedError
from winded.roles import (
    PRESETS,
    Accept,
    Asked,
    AskFor,
    Claim,
    Company,
    CompanyCommand,
    Decline,
    FallenDie,
    Freedom,
    Join,
    Leave,
    Member,
    NotEarly,
    PermissionChanges,
    Permissions,
    Release,
    Role,
    RollCheck,
    RolledCheck,
    SetCheckDice,
    SetPermissions,
    TakeBackAsk,
    preset_of,
)
from winded.rules import Command, Event

REFEREE, PIP, QUIN = "referee", "pip", "quin"


def evening() -> tuple[Company, Table]:
    """A Referee, two players, of whom Pip plays Ash, and an enemy."""
    table = Table().do(
        AddCharacter("Ash", con=D10), AddCharacter("Bryn", con=D8), AddCharacter("Wolf", con=D8, side=Side.ENEMY)
    )
    company = Company()
    for who, name, role in (
        (REFEREE, "Rika", Role.REFEREE),
        (PIP, "Pip", Role.PLAYER),
        (QUIN, "Quin", Role.PLAYER),
    ):
        company, table = done(company, table, Join(who, name, role), who)
    return done(company, table, Claim("Ash", PIP), PIP)


def done(company: Company, table: Table, command: CompanyCommand, who: str, number: int = 1) -> tuple[Company, Table]:
    """The company and the table after a command."""
    for event in command.decide(company, table, who, number):
        if isinstance(event, Event):
            table = event.evolve(table)
        else:
            company = event.evolve(company)
    return company, table


def test_a_player_plays_what_was_claimed_until_it_is_released() -> None:
    company, table = evening()
    ash = table.character("ash")
    assert company.plays(PIP, ash)
    assert [one.name for one in company.players_of(ash)] == ["Pip"]
    company, table = done(company, table, Release("#1", PIP), REFEREE)
    assert not company.plays(PIP, ash)
    assert company.characters_of(PIP, table) == ()


def test_two_phones_may_share_a_character() -> None:
    company, table = done(*evening(), Claim("ASH", QUIN), QUIN)
    assert [one.name for one in company.players_of(table.character("Ash"))] == ["Pip", "Quin"]


def test_claiming_ones_own_again_changes_nothing() -> None:
    company, table = evening()
    assert Claim("Ash", PIP).decide(company, table, PIP, 9) == ()


def test_who_leaves_gives_up_claims_asks_and_answers() -> None:
    company, table = done(*evening(), AskFor(Adjust("Ash", -1, "why not")), PIP, 7)
    company, table = done(company, table, AskFor(Adjust("Ash", -2, "why not")), PIP, 8)
    company, table = done(company, table, Decline(7), REFEREE)
    company, table = done(company, table, Leave(PIP), REFEREE)
    assert PIP not in company.members
    assert company.asks == company.answers == ()
    assert not company.plays(PIP, table.character("Ash"))


def test_asking_spends_nothing_and_says_what_it_would_cost() -> None:
    company, table = evening()
    table = table.do(StartCombat())
    after, same = done(company, table, AskFor(React("Ash")), PIP, 5)
    assert same == table
    (ask,) = after.asks
    assert (ask.number, ask.member, ask.command, ask.cost) == (5, PIP, React("Ash").aimed(table), 1)
    assert ask.about == ("#1",)


@pytest.mark.parametrize("command", [AddAbility("Ash", "Leap", 2), NextTurn()])
def test_only_what_would_be_spent_is_a_cost(command: Command) -> None:
    company, table = evening()
    table = table.do(StartCombat(), React("Ash"), BeginTurns(), NextTurn())
    (asked,) = AskFor(command).decide(company, table, PIP, 5)
    assert isinstance(asked, Asked)
    assert asked.cost == 0


def test_what_the_rules_refuse_cannot_be_asked_for() -> None:
    company, table = evening()
    with pytest.raises(Refused) as no:
        AskFor(React("Ash")).decide(company, table, PIP, 5)
    assert no.value.rule == "reaction.combat"


def test_an_accepted_ask_is_decided_afresh() -> None:
    company, table = done(*evening(), AskFor(TakeWound("Ash", "cracked ribs")), PIP, 5)
    company, table = done(company, table, Accept(5), REFEREE)
    assert table.character("Ash").con == D8
    assert company.asks == ()
    assert company.answers[0].accepted
    assert company.answers[0].refusal is None


def test_an_accepted_ask_that_is_refused_by_then_tells_both_why() -> None:
    company, table = done(*evening(), AskFor(TakeWound("Ash", "cracked ribs")), PIP, 5)
    gone = table.do(RemoveCharacter("Ash"))
    company, after = done(company, gone, Accept(5), REFEREE)
    assert after == gone
    assert company.answers[0].refusal == "There is nobody called Ash at this table."


def test_an_ask_is_answered_once() -> None:
    company, table = done(*evening(), AskFor(Adjust("Ash", -1, "why not")), PIP, 5)
    company, table = done(company, table, Decline(5, "not here"), REFEREE)
    assert company.answers[0].reason == "not here"
    for again in (Accept(5), Decline(5), TakeBackAsk(5)):
        with pytest.raises(Refused) as no:
            again.decide(company, table, PIP, 6)
        assert no.value.rule == "not-found"


def test_only_who_asked_takes_an_ask_back() -> None:
    company, table = done(*evening(), AskFor(Adjust("Ash", -1, "why not")), PIP, 5)
    with pytest.raises(Forbidden):
        TakeBackAsk(5).decide(company, table, QUIN, 6)
    company, table = done(company, table, TakeBackAsk(5), PIP)
    assert company.asks == company.answers == ()


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (Claim("Wolf", PIP), "not-allowed"),
        (Claim("Nobody", PIP), "not-found"),
        (Release("Bryn", PIP), "not-found"),
        (Accept(1), "not-found"),
        (Decline(1), "not-found"),
        (TakeBackAsk(1), "not-found"),
    ],
)
def test_refusals_name_their_reason(command: CompanyCommand, error: str) -> None:
    with pytest.raises(Refused) as no:
        command.decide(*evening(), PIP, 9)
    assert no.value.rule == error


@pytest.mark.parametrize("command", [Claim("Ash", "nobody"), Release("Ash", "nobody"), Leave("nobody")])
def test_a_member_who_is_not_there_is_unknown(command: CompanyCommand) -> None:
    with pytest.raises(Unknown):
        command.decide(*evening(), REFEREE, 9)


@pytest.mark.parametrize(
    ("made", "field"),
    [
        (lambda: Join("x", "", Role.PLAYER), "name"),
        (lambda: Join("x", "y" * 41, Role.PLAYER), "name"),
        (lambda: Claim("Ash", ""), "member"),
        (lambda: Accept(0), "ask"),
        (lambda: Accept(True), "ask"),
        (lambda: Decline(1, ""), "reason"),
        (lambda: SetCheckDice(""), "dice"),
    ],
)
def test_a_wrong_field_is_malformed_and_named(made: Any, field: str) -> None:
    with pytest.raises(Malformed) as wrong:
        made()
    assert wrong.value.field == field


def test_presets_are_told_apart_and_a_mixture_has_no_name() -> None:
    assert {name: preset_of(permissions) for name, (_, permissions) in PRESETS.items()} == {n: n for n in PRESETS}
    assert preset_of(Permissions(wounds=Freedom.FREE)) is None


def test_a_mixture_of_permissions_holds_as_it_was_set() -> None:
    wanted = Permissions(wounds=Freedom.FREE, pushes=Freedom.NO)
    company, _ = done(*evening(), SetPermissions.to(wanted), REFEREE)
    assert company.permissions == wanted


names = st.sampled_from(["Ash", "Bryn", "Wolf", "Nobody", "#1", "#3"])
members = st.sampled_from([REFEREE, PIP, QUIN, "nobody"])
asks = st.integers(1, 6)
company_commands = st.one_of(
    st.builds(Claim, names, members),
    st.builds(Release, names, members),
    st.builds(Accept, asks),
    st.builds(Decline, asks, st.none() | st.just("not here")),
    st.builds(TakeBackAsk, asks),
    st.builds(NotEarly, names),
    st.builds(RolledCheck, st.builds(RollCheck, names), st.just("d20"), st.just((FallenDie(20, 9),)), st.just(9)),
    st.builds(Leave, members),
    st.builds(Join, members, st.sampled_from(["Pip", "Quin"]), st.sampled_from(Role)),
    st.builds(SetPermissions, st.just(PermissionChanges(wounds=Freedom.NO))),
    st.builds(SetCheckDice, st.none() | st.just("1d20")),
    st.builds(
        AskFor,
        st.builds(Adjust, names, st.integers(-3, 3).filter(bool), st.just("the table agrees"))
        | st.builds(React, names),
    ),
)


@given(st.lists(st.tuples(company_commands, members), max_size=25))
def test_a_refusal_changes_nothing_and_what_holds_of_a_company_holds_after_everything(
    played: list[tuple[CompanyCommand, str]],
) -> None:
    company, table = evening()
    for number, (command, who) in enumerate(played, 1):
        before, seated = company, table
        try:
            company, table = done(company, table, command, who, number)
        except WindedError:
            assert (company, table) == (before, seated)
        assert all(ask.member in company.members for ask in company.asks)
        assert all(answer.ask.member in company.members for answer in company.answers)
        assert all(who in company.members for holders in company.claims.values() for who in holders)
        assert all(len(set(holders)) == len(holders) for holders in company.claims.values())
        assert len({ask.number for ask in company.asks}) == len(company.asks)
        wolf = table.character("Wolf")
        assert company.players_of(wolf) == ()


@given(st.lists(st.tuples(company_commands, members), max_size=25))
def test_every_event_is_told_in_a_sentence_with_all_its_facts(played: list[tuple[CompanyCommand, str]]) -> None:
    company, table = evening()
    for number, (command, who) in enumerate(played, 1):
        try:
            events = command.decide(company, table, who, number)
        except WindedError:
            continue
        for event in events:
            told = str(event.tell())
            assert told
            assert "{" not in told
            if isinstance(event, Event):
                table = event.evolve(table)
            else:
                company = event.evolve(company)


def test_a_member_is_compared_by_the_id_of_the_link() -> None:
    company, _ = evening()
    assert company.member(PIP) == Member(PIP, "Pip", Role.PLAYER)
    with pytest.raises(Unknown):
        company.member("nobody")
