"""One sentence for each moment says what there is to decide, under the rules in force and with the figures held."""

from hypothesis import given

from tests.rules.builders import company, fighting, taking_turns, with_wolf
from tests.rules.strategies import lines, rulesets
from winded import (
    ActEarly,
    Adjust,
    BeginTurns,
    Malformed,
    NextTurn,
    React,
    Refused,
    RemoveCharacter,
    Ruleset,
    SetAside,
    Table,
)
from winded.rules import moment_told, options, ruleset_from
from winded.rules.combat import EndCombat, Reorder
from winded.rules.command import Command


def told(table: Table, who: str | None = None) -> str:
    return str(moment_told(table, None if who is None else table.character(who)))


def house(**settings: object) -> Table:
    return company(ruleset_from(settings))


def test_out_of_combat_it_says_what_can_be_done() -> None:
    assert told(Table()) == "Nobody is at this table yet."
    assert told(company()) == "Out of combat: Checks can be pushed, and a rest gives Stamina back."
    assert told(company(), "Ash") == told(company())
    assert told(house(spends=["react"])) == "Out of combat: a rest gives Stamina back."
    assert told(fighting(company()).do(EndCombat())) == told(company())


def test_as_a_round_begins_it_says_what_acting_early_costs() -> None:
    assert told(fighting(company())) == "Everyone may now pay 1 Stamina to act before the enemy."
    assert told(fighting(house(early={"cost": 2}))) == "Everyone may now pay 2 Stamina to act before the enemy."
    assert told(fighting(house(early={"cost": 0}))) == "Everyone may now choose to act before the enemy, at no cost."
    nobody = "House rules: nobody acts early, so everyone acts after the enemy."
    assert told(fighting(house(spends=["react"]))) == nobody
    assert told(fighting(house(spends=["react"])), "Ash") == nobody


def test_as_a_round_begins_it_says_to_a_player_what_that_one_may() -> None:
    table = fighting(company())
    assert told(table, "Ash") == "Pay 1 Stamina now to act before the enemy, or keep it and act after."
    assert told(table.do(ActEarly("Ash")), "Ash") == "You act before the enemy this round."
    assert (
        told(table.do(Adjust("Cole", -6, "worn out")), "Cole")
        == "Acting early costs 1 Stamina and you have 0, so you act after the enemy."
    )
    free = fighting(house(early={"cost": 0}))
    assert told(free, "Ash") == "Choose now to act before the enemy, or act after."


def test_who_may_not_act_early_again_is_told_so() -> None:
    once = house(early={"cost": 1, "limit": 1})
    table = fighting(once).do(ActEarly("Ash"), BeginTurns(), *[NextTurn()] * 5)
    assert told(table, "Ash") == "You cannot act early again in this combat, so you act after the enemy."
    assert told(table, "Bryn") == "Pay 1 Stamina now to act before the enemy, or keep it and act after."


def test_before_the_first_turn_it_says_who_goes_first() -> None:
    table = taking_turns(company())
    assert told(table) == told(table, "Ash") == "The enemy goes first, once the Referee starts its turn."
    assert told(taking_turns(with_wolf(company()))) == "Wolf goes first, once the Referee starts the turn."
    moved = table.do(Reorder(("Bryn", "Enemy", "Ash", "Cole"), "ambush"))
    assert told(moved, "Ash") == "Bryn goes first, once the Referee starts the turn."
    assert told(moved, "Bryn") == "You go first, once the Referee starts your turn."


def test_where_the_last_one_to_act_has_left_it_says_so() -> None:
    alone = taking_turns(with_wolf(Table())).do(RemoveCharacter("Wolf"))
    assert told(alone) == "Nobody is left to act this round."


def test_during_a_turn_it_says_who_may_react_and_what_it_costs() -> None:
    table = taking_turns(company(), 1)
    assert told(table) == "It's the enemy's turn. Anyone may react to danger."
    assert told(table, "Ash") == "It's the enemy's turn. You may react to danger for 1 Stamina."
    assert told(table.do(React("Ash")), "Ash") == "It's the enemy's turn. You may react to danger for 2 Stamina."
    worn_out = table.do(Adjust("Cole", -5, "worn out"), React("Cole"))
    assert told(worn_out, "Cole") == "It's the enemy's turn. Reacting would cost 2 Stamina; you have 0."
    of_ash = table.do(NextTurn())
    assert told(of_ash) == "It's Ash's turn. Everyone else may react to danger."
    assert told(of_ash, "Ash") == "It's your turn. You can react again when it ends."
    assert told(of_ash, "Bryn") == "It's Ash's turn. You may react to danger for 1 Stamina."
    assert told(of_ash.do(Adjust("Cole", -6, "worn out")), "Cole") == (
        "It's Ash's turn. Reacting would cost 1 Stamina; you have 0."
    )


def test_without_reactions_it_says_only_whose_turn_it_is() -> None:
    table = taking_turns(house(spends=["act_early"]), 1)
    assert told(table) == told(table, "Ash") == "It's the enemy's turn."
    assert told(table.do(NextTurn())) == "It's Ash's turn."
    assert told(table.do(NextTurn()), "Ash") == "It's your turn."


def test_who_is_set_aside_is_told_that() -> None:
    table = company().do(SetAside("Ash"))
    assert told(table, "Ash") == "Ash is set aside and takes part in nothing until brought back."
    assert told(table.do(SetAside("Bryn"), SetAside("Cole"))) == "Nobody is at this table yet."


@given(rulesets, lines)
def test_a_player_is_told_of_what_may_be_done_and_of_nothing_else(rules: Ruleset, line: tuple[Command, ...]) -> None:
    table = Table(rules)
    for command in line:
        try:
            table = table.do(command)
        except (Refused, Malformed):
            continue
        assert told(table)
        for one in table.party():
            said = told(table, one.name)
            possible = {type(option.command) for option in options(table, one.name) if option.refused is None}
            assert ("You may react" in said) == (React in possible)
            assert said.startswith(("Pay", "Choose")) == (ActEarly in possible)
