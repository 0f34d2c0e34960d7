"""Combat, its rounds and turns, early.referee and ruling.no-refund."""

import pytest

from tests.rules.builders import (
    brakka,
    company,
    events,
    fighting,
    order,
    refused,
    rule_of,
    said,
    stamina,
    taking_turns,
    turn,
    with_wolf,
)
from winded import (
    ActEarly,
    AddCharacter,
    BeginTurns,
    BringBack,
    DeclareCheck,
    EndCombat,
    NextTurn,
    React,
    RemoveCharacter,
    Reorder,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    Table,
    combat_options,
)
from winded.rules.combat import (
    CombatEnded,
    CombatStarted,
    Reordered,
    RoundStarted,
    TurnsBegun,
    TurnStarted,
    is_still_early,
    next_turn_told,
)
from winded.rules.command import Command
from winded.rules.ruleset import Reactions


def test_combat_begins_with_round_1_in_its_declare_phase() -> None:
    table = fighting(company())
    assert table.state()["combat"] == {"round": 1, "phase": "declare", "order": [], "turn": None}
    assert events(company(), StartCombat()) == (CombatStarted(),)


def test_turns_go_through_the_order_and_then_the_next_round_begins() -> None:
    table = taking_turns(company())
    assert (order(table), turn(table)) == (("Enemy", "Ash", "Bryn", "Cole"), None)
    for who in ("Enemy", "Ash", "Bryn", "Cole"):
        assert events(table, NextTurn()) == (TurnStarted(who),)
        table = table.do(NextTurn())
        assert turn(table) == who
    assert events(table, NextTurn()) == (RoundStarted(2),)
    assert table.do(NextTurn()).state()["combat"] == {"round": 2, "phase": "declare", "order": [], "turn": None}


NOT_NOW: list[tuple[Table, Command]] = [
    (fighting(company()), StartCombat()),
    (taking_turns(company()), StartCombat()),
    (company(), BeginTurns()),
    (taking_turns(company()), BeginTurns()),
    (company(), NextTurn()),
    (fighting(company()), NextTurn()),
    (company(), EndCombat()),
    (company(), Reorder(("Ash",), "ambush")),
    (company(), Reorder(("Enemy",), "ambush")),
    (fighting(company()), Reorder(("Ash",), "ambush")),
    (fighting(company()), Reorder(("Enemy", "Ash", "Bryn", "Cole"), "ambush")),
]


@pytest.mark.parametrize(("table", "command"), NOT_NOW)
def test_not_now_the_wrong_moment_for_combat(table: Table, command: Command) -> None:
    assert rule_of(table, command) == "not-now"


def test_combat_may_end_at_any_moment_of_it() -> None:
    for table in (fighting(company()), *(taking_turns(company(), turns) for turns in range(6))):
        assert events(table, EndCombat()) == (CombatEnded(),)
        assert table.do(EndCombat()).combat is None


def test_combat_leaves_stamina_and_open_checks_alone() -> None:
    table = brakka().do(DeclareCheck("Brakka", push=2), StartCombat())
    before = table.character("Brakka")
    table = table.do(EndCombat())
    assert table.character("Brakka") == before


@pytest.mark.parametrize(
    "new", [("Cole", "Bryn", "Ash", "Enemy"), ("cole", "#2", "ASH", "enemy"), (" Cole ", "#2", "#1", "ENEMY")]
)
def test_early_referee_the_order_of_those_who_have_not_acted_changes(new: tuple[str, ...]) -> None:
    table = taking_turns(company())
    assert events(table, Reorder(new, "ambush")) == (Reordered(("Cole", "Bryn", "Ash", "Enemy"), "ambush"),)
    assert said(table, Reorder(new, "ambush")) == ["The Referee changes the order to Cole, Bryn, Ash, Enemy (ambush)."]
    assert turn(table.do(Reorder(new, "ambush"), NextTurn())) == "Cole"


def test_early_referee_those_who_have_acted_keep_their_place() -> None:
    table = taking_turns(company(), turns=2)
    table = table.do(Reorder(("Cole", "Bryn"), "hesitation"))
    assert order(table) == ("Enemy", "Ash", "Cole", "Bryn")
    assert turn(table) == "Ash"


@pytest.mark.parametrize(
    "new", [("Bryn",), ("Bryn", "Bryn"), ("Bryn", "Cole", "Ash"), ("Bryn", "Cole", "Cole"), ("Enemy", "Bryn", "Cole")]
)
def test_early_referee_an_order_that_is_not_exactly_those_who_have_not_acted(new: tuple[str, ...]) -> None:
    no = refused(taking_turns(company(), turns=2), Reorder(new, "ambush"))
    assert no.rule == "not-now"
    assert str(no) == "The new order must hold exactly those who have not yet acted: Bryn, Cole."


def test_early_referee_nobody_is_left_to_reorder_on_the_last_turn() -> None:
    no = refused(taking_turns(brakka(), turns=2), Reorder(("Brakka",), "ambush"))
    assert str(no) == "The new order must hold exactly those who have not yet acted: nobody."


def test_enemy_is_not_found_where_others_stand_for_it() -> None:
    table = taking_turns(with_wolf(brakka()))
    assert rule_of(table, Reorder(("Brakka", "Enemy"), "ambush")) == "not-found"
    assert order(table.do(Reorder(("Brakka", "Wolf"), "ambush"))) == ("Brakka", "Wolf")
    joined = taking_turns(brakka()).do(AddCharacter("Wolf", side=Side.ENEMY))
    assert order(joined.do(Reorder(("Wolf", "Brakka", "Enemy"), "ambush"))) == ("Wolf", "Brakka", "Enemy")


def test_ruling_no_refund_who_paid_to_act_early_and_is_moved_gets_nothing_back() -> None:
    table = fighting(company()).do(ActEarly("Ash"), BeginTurns())
    assert stamina(table.do(Reorder(("Enemy", "Bryn", "Cole", "Ash"), "surprise")), "Ash") == 11


def test_a_reordered_round_says_nothing_about_the_next() -> None:
    table = taking_turns(brakka()).do(Reorder(("Brakka", "Enemy"), "ambush"), NextTurn(), NextTurn(), NextTurn())
    assert events(table, BeginTurns()) == (TurnsBegun(("Enemy", "Brakka")),)


def test_combat_is_told() -> None:
    assert said(company(), StartCombat()) == ["Combat begins: round 1. Who acts early?"]
    assert said(fighting(company()), BeginTurns()) == ["The order is fixed: Enemy, Ash, Bryn, Cole."]
    assert said(taking_turns(company()), NextTurn()) == ["Enemy's turn begins."]
    assert said(taking_turns(brakka(), 2), NextTurn()) == ["Round 2 begins. Who acts early?"]
    assert said(fighting(company()), EndCombat()) == ["Combat ends."]


@pytest.mark.parametrize(
    ("table", "possible"),
    [
        (company(), [StartCombat()]),
        (fighting(company()), [BeginTurns(), EndCombat()]),
        (taking_turns(company()), [NextTurn(), EndCombat()]),
        (taking_turns(company(), 4), [NextTurn(), EndCombat()]),
    ],
)
def test_what_moves_the_combat_on(table: Table, possible: list[Command]) -> None:
    offered = combat_options(table)
    assert [option.command for option in offered if option.refusal is None] == possible
    for option in offered:
        if option.refusal is None:
            table.do(option.command)
        else:
            assert option.refusal.rule == rule_of(table, option.command)


def test_the_next_turn_says_whose_turn_ends_and_who_comes_then() -> None:
    table = fighting(with_wolf(company())).do(ActEarly("Ash"), BeginTurns())
    told = [str(next_turn_told(table))]
    for _ in range(4):
        table = table.do(NextTurn())
        told.append(str(next_turn_told(table)))
    assert told == [
        "Start Ash's turn",
        "Ash is done: Wolf",
        "Wolf is done: Bryn",
        "Bryn is done: Cole",
        "Cole is done: round 2",
    ]


def test_where_nobody_stands_for_the_enemy_the_next_turn_says_the_enemy() -> None:
    table = fighting(company()).do(ActEarly("Ash"), BeginTurns(), NextTurn())
    assert str(next_turn_told(table)) == "Ash is done: the enemy"
    assert str(next_turn_told(table.do(NextTurn()))) == "The enemy is done: Bryn"
    assert str(next_turn_told(taking_turns(company()))) == "Start the enemy's turn"
    assert str(next_turn_told(taking_turns(Table(), 1))) == "The enemy is done: round 2"
    assert str(next_turn_told(taking_turns(with_wolf(Table())).do(RemoveCharacter("Wolf")))) == "Begin round 2"


def test_acting_early_ends_with_the_turn() -> None:
    table = fighting(company()).do(ActEarly("Ash"))

    def is_early(table: Table) -> bool:
        return is_still_early(table, table.character("Ash"))

    assert not is_early(company())
    assert is_early(table)
    table = table.do(BeginTurns())
    assert is_early(table)
    table = table.do(NextTurn())
    assert is_early(table)
    assert not is_early(table.do(NextTurn()))
    assert not is_still_early(table, table.character("Bryn"))


def test_rest_and_combat_exclude_each_other() -> None:
    assert rule_of(fighting(company()), Rest(RestKind.SHORT)) == "ruling.rest-in-combat"
    assert stamina(company().do(StartCombat(), React("Cole"), EndCombat(), Rest(RestKind.SHORT)), "Cole") == 6


def test_a_combat_without_party_goes_on() -> None:
    table = taking_turns(company(), turns=2)
    for name in ("Ash", "Bryn", "Cole"):
        table = table.do(RemoveCharacter(name))
    assert table.state()["combat"] == {"round": 2, "phase": "declare", "order": [], "turn": None}


TOGETHER = Ruleset(enemies="together")


def test_ruling_enemies_together_have_one_turn_which_takes_their_reaction_costs_back() -> None:
    table = with_wolf(company(TOGETHER)).do(AddCharacter("Ogre", con="d12", side=Side.ENEMY))
    table = fighting(table).do(React("Wolf"), React("Ogre"), React("Ogre"), React("Ash"), BeginTurns())
    assert order(table) == ("Enemy", "Ash", "Bryn", "Cole")
    table = table.do(NextTurn())
    assert [table.character(one).reactions for one in ("Wolf", "Ogre", "Ash")] == [0, 0, 1]
    assert rule_of(table, React("Ogre")) == "reaction.outside-turn"
    assert table.do(React("Ash")).character("Ash").reactions == 2
    assert table.do(NextTurn(), React("Ogre")).character("Ogre").reactions == 1


def test_ruling_enemies_together_who_joins_or_comes_back_shares_that_turn() -> None:
    table = taking_turns(with_wolf(company(TOGETHER)), 1).do(AddCharacter("Rat", con="d6", side=Side.ENEMY))
    assert order(table) == ("Enemy", "Ash", "Bryn", "Cole")
    assert rule_of(table, React("Rat")) == "reaction.outside-turn"
    away = table.do(React("Ash"), SetAside("Wolf"))
    assert (turn(away), order(away)) == ("Enemy", order(table))
    assert order(away.do(BringBack("Wolf"))) == order(table)


def test_ruling_enemies_together_the_house_rule_for_resets_holds_for_them_too() -> None:
    rules = Ruleset(enemies="together", reactions=Reactions(resets="never"))
    table = fighting(with_wolf(company(rules))).do(React("Wolf"), BeginTurns(), NextTurn())
    assert table.character("Wolf").reactions == 1


def test_ruling_enemies_together_the_referee_moves_them_as_one() -> None:
    table = taking_turns(with_wolf(company(TOGETHER)))
    assert rule_of(table, Reorder(("Ash", "Bryn", "Cole", "Wolf"), "surprise")) == "not-now"
    assert order(table.do(Reorder(("Ash", "Bryn", "Cole", "Enemy"), "surprise"))) == ("Ash", "Bryn", "Cole", "Enemy")
