"""max.die, ruling.start-full, zero.*: maximum Stamina, what spending shares, and what it means to have none."""

import pytest

from tests.rules.builders import brakka, events, fighting, refused, rule_of, stamina, taking_turns
from winded import (
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    Channel,
    DeclareCheck,
    EditCharacter,
    Hardship,
    NextTurn,
    React,
    Refused,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Side,
    StartCombat,
    Table,
    TakeWound,
    UseAbility,
)
from winded.rules import ActEarly as ActEarlyCommand
from winded.rules import command_from
from winded.rules.characters import CharacterAdded
from winded.rules.command import Command


@pytest.mark.parametrize(("con", "maximum"), [("d12", 12), ("d10", 10), ("d8", 8), ("d6", 6)])
def test_max_die_the_maximum_comes_from_the_con_ability_die(con: str, maximum: int) -> None:
    assert brakka(con).character("Brakka").maximum == maximum


def test_max_die_nobody_begins_above_the_maximum() -> None:
    no = refused(Table(), AddCharacter("Brakka", con="d8", stamina=9))
    assert (no.rule, no.needs, no.has) == ("max.die", None, None)
    assert stamina(brakka("d8", stamina=8)) == 8


def test_max_die_an_enemy_without_a_die_has_no_stamina() -> None:
    wolf = Table().do(AddCharacter("Wolf", side=Side.ENEMY)).character("Wolf")
    assert (wolf.base_con, wolf.con, wolf.maximum, wolf.stamina) == (None, None, 0, 0)
    assert rule_of(Table(), AddCharacter("Wolf", side=Side.ENEMY, stamina=1)) == "max.die"
    assert Table().do(AddCharacter("Wolf", side=Side.ENEMY, stamina=0)).character("Wolf").stamina == 0


def test_ruling_start_full_a_new_character_begins_at_maximum_unless_a_figure_is_given() -> None:
    assert stamina(brakka("d10")) == 10
    assert stamina(brakka("d10", stamina=3)) == 3
    assert stamina(brakka("d10", stamina=0)) == 0
    assert events(Table(), AddCharacter("Brakka", con="d10", stamina=3)) == (
        CharacterAdded("#1", "Brakka", "party", "d10", 10, 3),
    )


def test_zero_no_condition_nothing_but_the_figure_differs() -> None:
    full, empty = brakka().character("Brakka"), brakka(stamina=0).character("Brakka")
    differing = {name for name in full.__struct_fields__ if getattr(full, name) != getattr(empty, name)}
    assert differing == {"stamina"}


SPENDS: list[tuple[Command, str, str]] = [
    (ActEarly("Brakka"), "zero.no-spending", "early.cost"),
    (React("Brakka"), "reaction.needs-stamina", "reaction.cost"),
    (DeclareCheck("Brakka", push=1), "zero.no-spending", "push.bonus"),
    (Resist("Brakka", 1, Hardship.PAIN), "zero.no-spending", "hardship.spend"),
    (UseAbility("Brakka", "Shield Wall"), "zero.no-spending", "ability.spend"),
    (Channel("Brakka", 1), "zero.no-spending", "channel.needs-stamina"),
]


@pytest.mark.parametrize(("command", "none_left", "_"), SPENDS)
def test_zero_no_spending_nothing_that_costs_can_be_chosen(command: Command, none_left: str, _: str) -> None:
    table = fighting(brakka(stamina=0).do(AddAbility("Brakka", "Shield Wall", cost=1)))
    no = refused(table, command)
    assert (no.rule, no.needs, no.has) == (none_left, 1, 0)


@pytest.mark.parametrize(
    ("command", "needs"),
    [
        (DeclareCheck("Brakka", push=3), 3),
        (Resist("Brakka", 99, Hardship.FEAR), 99),
        (UseAbility("Brakka", "Shield Wall"), 4),
        (Channel("Brakka", 5), 5),
    ],
)
def test_some_stamina_but_too_little_is_told_with_both_figures(command: Command, needs: int) -> None:
    table = brakka(stamina=2).do(AddAbility("Brakka", "Shield Wall", cost=4))
    rule = {type(command): short for command, _, short in SPENDS}[type(command)]
    no = refused(table, command)
    assert (no.rule, no.needs, no.has) == (rule, needs, 2)
    assert str(no) == f"Brakka has 2 Stamina; this costs {needs}."


def test_zero_acts_normally_what_is_free_can_still_be_done() -> None:
    table = brakka(stamina=0).do(
        AddAbility("Brakka", "Battle Cry", cost=0),
        UseAbility("Brakka", "Battle Cry"),
        DeclareCheck("Brakka", target=10),
        ResolveCheck("Brakka", roll=12),
        TakeWound("Brakka", "ribs"),
        Adjust("Brakka", 1, "a gift"),
        Adjust("Brakka", -1, "taken back"),
        EditCharacter("Brakka", note="tired"),
    )
    assert taking_turns(table).do(NextTurn(), NextTurn()).character("Brakka").stamina == 0
    assert table.do(Rest(RestKind.SHORT)).character("Brakka").stamina == 1


def test_zero_acts_normally_a_check_without_a_push_is_told_under_it() -> None:
    (declared,) = events(brakka(stamina=0), DeclareCheck("Brakka"))
    assert declared.rule == "zero.acts-normally"


COSTLY: list[tuple[dict[str, object], int]] = [
    ({"do": "act_early", "character": "Brakka"}, 1),
    ({"do": "react", "character": "Brakka"}, 1),
    ({"do": "declare_check", "character": "Brakka", "push": 3}, 3),
    ({"do": "declare_check", "character": "Brakka"}, 0),
    ({"do": "resist", "character": "Brakka", "stamina": 2, "hardship": "pain"}, 2),
    ({"do": "use_ability", "character": "Brakka", "ability": "Shield Wall"}, 4),
    ({"do": "use_ability", "character": "Brakka", "ability": "Battle Cry"}, 0),
    ({"do": "channel", "character": "Brakka", "stamina": 5}, 5),
]


@pytest.mark.parametrize(("data", "cost"), COSTLY, ids=str)
def test_cost_changed_nobody_pays_more_than_the_button_said(data: dict[str, object], cost: int) -> None:
    table = fighting(
        brakka().do(AddAbility("Brakka", "Shield Wall", cost=4), AddAbility("Brakka", "Battle Cry", cost=0))
    )
    assert stamina(table.do(command_from({**data, "cost": cost}))) == 12 - cost
    for other in {0, 1, 2, 3, 4, 5, 6, 99} - {cost}:
        no = refused(table, command_from({**data, "cost": other}))
        assert (no.rule, no.needs, no.has) == ("cost-changed", None, None)
        assert str(no) == f"This now costs {cost} Stamina, not {other}. Nothing was spent."


def test_cost_changed_comes_before_too_little_stamina() -> None:
    table = fighting(brakka(stamina=0))
    assert rule_of(table, React("Brakka", cost=2)) == "cost-changed"
    assert rule_of(table, React("Brakka", cost=1)) == "reaction.needs-stamina"
    assert rule_of(table, ActEarlyCommand("Brakka", cost=2)) == "cost-changed"
    assert rule_of(table, Channel("Brakka", 2, cost=1)) == "cost-changed"


@pytest.mark.parametrize(("command", "_", "__"), SPENDS)
def test_the_wrong_moment_comes_before_a_changed_cost(command: Command, _: str, __: str) -> None:
    """No combat is worse than a wrong cost; a way of spending that knows no moment complains of the cost."""
    data = {name: getattr(command, name) for name in command.__struct_fields__} | {"cost": 50}
    no = refused(brakka().do(AddAbility("Brakka", "Shield Wall", cost=4)), type(command)(**data))
    wrong_moment = {ActEarly: "early.cost", React: "reaction.combat"}
    assert no.rule == wrong_moment.get(type(command), "cost-changed")


def test_a_list_of_commands_happens_as_a_whole_or_not_at_all() -> None:
    table = brakka("d6")
    with pytest.raises(Refused):
        table.do(Channel("Brakka", 3), Channel("Brakka", 3), Channel("Brakka", 1))
    assert stamina(table) == 6


def test_spending_works_in_and_out_of_combat_where_no_moment_is_named() -> None:
    for table in (brakka(), brakka().do(StartCombat()), taking_turns(brakka(), 1)):
        after = table.do(Channel("Brakka", 1), Resist("Brakka", 1, Hardship.SHOCK), DeclareCheck("Brakka", push=1))
        assert stamina(after) == 9
