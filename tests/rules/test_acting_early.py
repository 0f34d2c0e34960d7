"""early.cost, early.before, early.after and ruling.group-order: who acts before the enemy, and what it costs."""

from tests.rules.builders import brakka, company, events, fighting, order, refused, rule_of, said, stamina, with_wolf
from winded import ActEarly, AddCharacter, BeginTurns, EndCombat, NextTurn, Ruleset, Side, StartCombat, Table
from winded.rules.acting_early import ActedEarly
from winded.rules.ruleset import Early


def test_early_cost_is_1_stamina_in_the_declare_phase() -> None:
    assert events(fighting(brakka()), ActEarly("Brakka")) == (ActedEarly("Brakka", 1, 11),)
    after = fighting(brakka()).do(ActEarly("Brakka")).character("Brakka")
    assert (after.stamina, after.acts_early) == (11, True)
    assert said(fighting(brakka()), ActEarly("Brakka")) == ["Brakka will act early: 1 Stamina, 11 left."]


def test_early_cost_only_as_a_round_begins() -> None:
    assert rule_of(brakka(), ActEarly("Brakka")) == "early.cost"
    turns = fighting(brakka()).do(BeginTurns())
    assert rule_of(turns, ActEarly("Brakka")) == "early.cost"
    assert rule_of(turns.do(NextTurn()), ActEarly("Brakka")) == "early.cost"
    assert str(refused(turns, ActEarly("Brakka"))) == "Brakka can choose to act early only as a round of combat begins."


def test_early_cost_once_a_round_and_again_in_the_next() -> None:
    table = fighting(brakka()).do(ActEarly("Brakka"))
    assert str(refused(table, ActEarly("Brakka"))) == "Brakka already acts early this round."
    table = table.do(BeginTurns(), NextTurn(), NextTurn(), NextTurn())
    assert not table.character("Brakka").acts_early
    assert stamina(table.do(ActEarly("Brakka"))) == 10


def test_early_cost_twice_in_a_round_comes_before_cost_and_stamina() -> None:
    table = fighting(brakka(stamina=1)).do(ActEarly("Brakka"))
    assert rule_of(table, ActEarly("Brakka", cost=9)) == "early.cost"
    assert refused(table, ActEarly("Brakka")).needs is None


def test_early_before_and_early_after_the_enemy_stands_between_the_two_groups() -> None:
    table = fighting(company()).do(ActEarly("Cole"), ActEarly("Ash"), BeginTurns())
    assert order(table) == ("Ash", "Cole", "Enemy", "Bryn")


def test_early_after_whoever_has_nothing_to_pay_with_acts_last() -> None:
    table = fighting(brakka(stamina=0))
    assert rule_of(table, ActEarly("Brakka")) == "zero.no-spending"
    assert order(table.do(BeginTurns())) == ("Enemy", "Brakka")


def test_ruling_group_order_within_each_group_as_they_sit() -> None:
    table = with_wolf(company()).do(AddCharacter("Dara", con="d6"), AddCharacter("Bear", side=Side.ENEMY))
    early = [ActEarly("Dara"), ActEarly("Bryn")]
    assert order(fighting(table).do(*early, BeginTurns())) == ("Bryn", "Dara", "Wolf", "Bear", "Ash", "Cole")


def test_nobody_but_the_enemy_stands_in_an_empty_combat() -> None:
    assert order(fighting(Table()).do(BeginTurns())) == ("Enemy",)


def test_house_early_cost() -> None:
    table = fighting(brakka("d6", 3, Ruleset(early=Early(cost=2))))
    table = table.do(ActEarly("Brakka"), BeginTurns(), NextTurn(), NextTurn(), NextTurn())
    no = refused(table, ActEarly("Brakka"))
    assert (no.rule, no.needs, no.has) == ("early.cost", 2, 1)


def test_house_early_cost_of_0_is_free_even_with_no_stamina() -> None:
    table = fighting(brakka("d6", 0, Ruleset(early=Early(cost=0))))
    assert order(table.do(ActEarly("Brakka"), BeginTurns())) == ("Brakka", "Enemy")


def test_house_early_limit_counts_the_rounds_of_one_combat() -> None:
    table = brakka(rules=Ruleset(early=Early(limit=2))).do(StartCombat())
    round_ = [ActEarly("Brakka"), BeginTurns(), NextTurn(), NextTurn(), NextTurn()]
    table = table.do(*round_, *round_)
    no = refused(table, ActEarly("Brakka", cost=9))
    assert no.rule == "early.cost"
    assert str(no) == "Brakka has acted early in 2 rounds of this combat; the house rules allow no more."
    assert stamina(table.do(EndCombat(), StartCombat(), ActEarly("Brakka"))) == 9
