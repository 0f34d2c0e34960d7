"""reaction.* and ruling.reaction-window: sudden acts, each dearer than the last."""

import pytest

from tests.rules.builders import brakka, company, events, fighting, refused, rule_of, said, stamina, taking_turns
from winded import BeginTurns, DeclareCheck, EndCombat, NextTurn, React, Ruleset, StartCombat, Table
from winded.rules.reactions import Reacted, ReactionsReset
from winded.rules.ruleset import Reactions


def costs(table: Table, many: int) -> list[int]:
    """What so many reactions of Brakka cost, one after the other."""
    paid = []
    for _ in range(many):
        (reacted,) = events(table, React("Brakka"))
        assert isinstance(reacted, Reacted)
        paid.append(reacted.cost)
        table = table.do(React("Brakka"))
    return paid


def test_reaction_cost_is_1_then_2_then_3_and_1_more_each_time() -> None:
    assert costs(fighting(brakka()), 4) == [1, 2, 3, 4]
    assert costs(fighting(brakka("d99", rules=Ruleset(dice={"d99": 99}))), 13) == [*range(1, 14)]


def test_reaction_cost_is_taken_and_told() -> None:
    table = fighting(brakka())
    assert events(table, React("Brakka", what="dodge")) == (Reacted("Brakka", 1, 11, 1, "dodge"),)
    assert said(table, React("Brakka")) == ["Brakka reacts: 1 Stamina, 11 left."]
    assert said(table, React("Brakka", what="dodge")) == ["Brakka reacts (dodge): 1 Stamina, 11 left."]
    assert table.do(React("Brakka")).state()["characters"]["Brakka"]["reaction_cost"] == 2


def test_reaction_cost_some_but_too_little() -> None:
    no = refused(fighting(brakka(stamina=2)).do(React("Brakka")), React("Brakka"))
    assert (no.rule, no.needs, no.has) == ("reaction.cost", 2, 1)


def test_reaction_combat_no_reactions_outside_of_combat() -> None:
    assert rule_of(brakka(), React("Brakka")) == "reaction.combat"
    assert rule_of(fighting(brakka()).do(EndCombat()), React("Brakka")) == "reaction.combat"
    assert rule_of(brakka(stamina=0), React("Brakka", cost=7)) == "reaction.combat"


def test_reaction_outside_turn_not_on_ones_own() -> None:
    on_my_turn = taking_turns(brakka(), turns=2)
    assert rule_of(on_my_turn, React("Brakka", cost=9)) == "reaction.outside-turn"
    assert rule_of(taking_turns(brakka(stamina=0), turns=2), React("Brakka")) == "reaction.outside-turn"
    assert stamina(on_my_turn.do(NextTurn(), React("Brakka"))) == 11


@pytest.mark.parametrize("turns", [0, 1])
def test_reaction_outside_turn_before_the_first_turn_and_on_anothers(turns: int) -> None:
    assert stamina(taking_turns(brakka(), turns).do(React("Brakka"))) == 11
    assert stamina(fighting(brakka()).do(React("Brakka"))) == 11


def test_reaction_reset_at_the_start_of_ones_own_turn() -> None:
    table = taking_turns(brakka(), turns=1).do(React("Brakka"), React("Brakka"))
    assert events(table, NextTurn())[1:] == (ReactionsReset("Brakka", 1),)
    assert said(table, NextTurn()) == ["Brakka's turn begins.", "Brakka's next reaction costs 1 again."]
    table = table.do(NextTurn(), NextTurn())
    assert costs(table, 2) == [1, 2]


def test_reaction_reset_at_nobody_elses_turn() -> None:
    table = taking_turns(company()).do(React("Cole"), NextTurn(), NextTurn(), NextTurn())
    assert table.character("Cole").reactions == 1


def test_ruling_reaction_window_a_new_round_alone_resets_nothing() -> None:
    table = taking_turns(brakka(), turns=2).do(NextTurn(), React("Brakka"), BeginTurns(), React("Brakka"))
    assert costs(table, 1) == [3]
    assert costs(table.do(NextTurn()), 1) == [3]


def test_ruling_reaction_window_combat_starts_and_ends_with_the_count_at_0() -> None:
    table = fighting(brakka()).do(React("Brakka"), EndCombat())
    assert table.character("Brakka").reactions == 0
    assert costs(table.do(StartCombat()), 1) == [1]


def test_reaction_needs_stamina() -> None:
    no = refused(fighting(brakka(stamina=0)), React("Brakka"))
    assert (no.rule, no.needs, no.has) == ("reaction.needs-stamina", 1, 0)
    assert str(no) == "Brakka has 0 Stamina; this costs 1."


def test_reactions_do_not_touch_checks() -> None:
    table = fighting(brakka()).do(DeclareCheck("Brakka", push=1))
    assert table.do(React("Brakka")).character("Brakka").open_check == table.character("Brakka").open_check


def test_house_ladder_of_costs() -> None:
    rules = Ruleset(reactions=Reactions(costs=(0, 2, 2), further=3))
    assert costs(fighting(brakka("d99", rules=Ruleset(dice={"d99": 99}, reactions=rules.reactions))), 6) == [
        0, 2, 2, 5, 8, 11,
    ]  # fmt: skip
    assert stamina(fighting(brakka(stamina=0, rules=rules)).do(React("Brakka"))) == 0


def test_house_reset_at_each_round() -> None:
    table = taking_turns(brakka(rules=Ruleset(reactions=Reactions(resets="round"))), turns=1).do(React("Brakka"))
    table = table.do(NextTurn(), NextTurn())
    assert table.character("Brakka").reactions == 0
    mid = table.do(BeginTurns(), React("Brakka"), NextTurn(), NextTurn())
    assert mid.character("Brakka").reactions == 1


def test_house_reset_never_but_with_combat() -> None:
    table = taking_turns(brakka(rules=Ruleset(reactions=Reactions(resets="never"))), turns=1).do(React("Brakka"))
    table = table.do(NextTurn(), NextTurn(), BeginTurns(), NextTurn(), NextTurn())
    assert table.character("Brakka").reactions == 1
    assert table.do(EndCombat()).character("Brakka").reactions == 0
