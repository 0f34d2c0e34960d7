"""Who has still to decide whether to act early: those who could, and have not said that they will not."""

import pytest

from tests.roles.test_company import PIP, QUIN, REFEREE, done, evening
from winded import ActEarly, AddCharacter, BeginTurns, NextTurn, SetAside, StartCombat, Table
from winded.errors import Forbidden, Refused
from winded.roles import Company, NotEarly, deciding
from winded.rules import AtMoment


def declaring() -> tuple[Company, Table]:
    """The declare phase of a first round, with one more who has no Stamina at all."""
    company, table = evening()
    return company, table.do(AddCharacter("Cato", con="d6", stamina=0), StartCombat())


def undecided(company: Company, table: Table) -> list[str]:
    return [one.name for one in deciding(company, table).undecided]


def test_whoever_cannot_act_early_has_nothing_to_decide() -> None:
    company, table = declaring()
    assert undecided(company, table) == ["Ash", "Bryn"]
    assert (deciding(company, table).decided, deciding(company, table).party) == (1, 3)


def test_acting_early_and_saying_not_this_round_are_both_decisions() -> None:
    company, table = declaring()
    company, table = done(company, table.do(ActEarly("Bryn")), NotEarly("#1"), PIP)
    assert undecided(company, table) == []


def test_not_this_round_costs_nothing_and_one_may_act_early_after_all() -> None:
    _company, table = done(*declaring(), NotEarly("Ash"), PIP)
    assert table.character("Ash").stamina == 10
    assert table.do(ActEarly("Ash")).character("Ash").acts_early


def test_it_lasts_until_turns_begin_and_a_new_round_asks_anew() -> None:
    company, table = done(*declaring(), NotEarly("Ash"), PIP)
    turns = table.do(BeginTurns())
    assert undecided(company, turns) == []
    next_round = turns.do(*[NextTurn()] * 5)
    assert undecided(company, next_round) == ["Ash", "Bryn"]


def test_said_again_nothing_changes() -> None:
    company, table = done(*declaring(), NotEarly("Ash"), PIP)
    assert NotEarly("Ash").decide(company, table, PIP, 9) == ()


def test_a_player_says_it_for_an_own_character_the_referee_for_anyone() -> None:
    company, table = declaring()
    with pytest.raises(Forbidden, match="You cannot act for Bryn, Quin"):
        NotEarly("Bryn").decide(company, table, QUIN, 9)
    company, table = done(company, table, NotEarly("Bryn"), REFEREE)
    assert undecided(company, table) == ["Ash"]


@pytest.mark.parametrize(
    ("played", "who", "rule"),
    [
        ((), "Nobody", "not-found"),
        ((), "Wolf", "ruling.enemies"),
        ((ActEarly("Ash"),), "Ash", "early.cost"),
        ((BeginTurns(),), "Ash", "early.cost"),
        ((SetAside("Ash"),), "Ash", "ruling.aside"),
    ],
)
def test_it_is_refused_as_acting_early_is(played: tuple[object, ...], who: str, rule: str) -> None:
    company, table = declaring()
    with pytest.raises(Refused) as no:
        NotEarly(who).decide(company, table.do(*played), REFEREE, 9)  # type: ignore[arg-type]
    assert no.value.rule == rule


def test_what_was_meant_for_another_round_is_refused() -> None:
    company, table = declaring()
    with pytest.raises(Refused, match="meant for round 2"):
        NotEarly("Ash", AtMoment(1, 2)).decide(company, table, PIP, 9)


def test_without_stamina_one_may_say_so_all_the_same() -> None:
    company, table = done(*declaring(), NotEarly("Cato"), REFEREE)
    assert deciding(company, table).decided == 1
