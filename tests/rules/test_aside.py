"""ruling.aside: whoever is set aside takes part in nothing and keeps everything, and gains nothing by coming back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.builders import (
    brakka,
    company,
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
from tests.rules.strategies import commands
from winded import (
    ActEarly,
    AddAbility,
    AddCharacter,
    BeginTurns,
    BringBack,
    DeclareCheck,
    EndCombat,
    Malformed,
    NextTurn,
    React,
    Refused,
    RemoveCharacter,
    Reorder,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    Table,
    TakeWound,
    UseAbility,
    options,
    rest_options,
)
from winded.rules.ruleset import Reactions


def test_ruling_aside_everything_stays_as_it_is() -> None:
    before = taking_turns(company().do(TakeWound("Bryn", "ribs"), AddAbility("Bryn", "Leap", cost=2)), 1)
    before = before.do(React("Bryn"))
    after = before.do(SetAside("Bryn", "late tonight"))
    was, now = before.character("Bryn"), after.character("Bryn")
    assert now.aside
    for kept in ("stamina", "maximum", "con", "wounds", "abilities", "reactions", "acts_early", "id"):
        assert getattr(was, kept) == getattr(now, kept)
    assert order(after) == ("Enemy", "Ash", "Cole")
    assert after.do(BringBack("bryn")).character("Bryn") == was


def test_ruling_aside_is_in_the_state_only_of_those_it_is_true_of() -> None:
    state = company().do(SetAside("Ash")).state()["characters"]
    assert state["Ash"]["aside"] is True
    assert "aside" not in state["Bryn"]
    assert "aside" not in company().do(SetAside("Ash"), BringBack("Ash")).state()["characters"]["Ash"]


def test_ruling_aside_every_option_is_refused_free_ones_too() -> None:
    table = fighting(brakka().do(AddAbility("Brakka", "Battle Cry", cost=0), SetAside("Brakka")))
    offered = options(table, "Brakka")
    assert len(offered) > 5
    assert {one.refused and one.refused.rule for one in offered} == {"ruling.aside"}
    assert rule_of(table, UseAbility("Brakka", "Battle Cry")) == "ruling.aside"


def test_ruling_aside_combat_starts_and_ends_with_the_count_of_reactions_at_0() -> None:
    away = fighting(company()).do(React("Ash"), React("Ash"), SetAside("Ash"))
    assert away.do(EndCombat()).character("Ash").reactions == 0
    assert away.do(EndCombat(), StartCombat(), BringBack("Ash"), React("Ash", cost=1)).character("Ash").stamina == 8


@pytest.mark.parametrize("resets", ["own-turn", "round", "never"])
def test_ruling_aside_a_new_round_makes_no_reaction_cheaper_for_one_who_is_away(resets: str) -> None:
    rules = Ruleset(reactions=Reactions(resets=resets))  # type: ignore[arg-type]
    table = fighting(company(rules)).do(React("Ash"), React("Ash"), SetAside("Ash"), BeginTurns())
    table = table.do(NextTurn(), NextTurn(), NextTurn(), NextTurn(), BringBack("Ash"))
    assert table.state()["combat"]["round"] == 2
    assert refused(table, React("Ash", cost=1)).rule == "cost-changed"
    assert stamina(table.do(React("Ash", cost=3)), "Ash") == 6


def test_ruling_aside_on_ones_own_turn_the_next_begins() -> None:
    table = taking_turns(company(), 2).do(React("Bryn"))
    assert turn(table) == "Ash"
    events = SetAside("Ash").decide(table)
    assert [str(one.tell()) for one in events] == [
        "Ash is set aside.",
        "Bryn's turn begins.",
        "Bryn's next reaction costs 1 again.",
    ]
    assert turn(table.after(*events)) == "Bryn"


def test_ruling_aside_as_the_last_on_ones_own_turn_the_next_round_begins() -> None:
    assert said(taking_turns(company(), 4), SetAside("Cole")) == [
        "Cole is set aside.",
        "Round 2 begins. Who acts early?",
    ]


def test_ruling_aside_back_in_mid_round_one_acts_last_and_only_once() -> None:
    waiting = taking_turns(company(), 2).do(SetAside("Bryn"), BringBack("Bryn"))
    assert order(waiting) == ("Enemy", "Ash", "Cole", "Bryn")
    assert said(taking_turns(company(), 2).do(SetAside("Bryn")), BringBack("Bryn")) == [
        "Bryn is back, and acts last in this round."
    ]
    acted = waiting.do(NextTurn(), SetAside("Ash"))
    assert said(acted, BringBack("Ash")) == ["Ash is back."]
    again = acted.do(BringBack("Ash"), SetAside("Ash"), BringBack("Ash"))
    assert order(again) == ("Enemy", "Cole", "Bryn")
    assert order(again.do(NextTurn(), NextTurn(), BeginTurns())) == ("Enemy", "Ash", "Bryn", "Cole")


def test_ruling_aside_one_set_aside_on_their_own_turn_has_had_it() -> None:
    table = taking_turns(company(), 2).do(SetAside("Ash"), BringBack("Ash"))
    assert (turn(table), order(table)) == ("Bryn", ("Enemy", "Bryn", "Cole"))


def test_ruling_aside_who_paid_to_act_early_and_left_stands_last() -> None:
    table = fighting(company()).do(ActEarly("Ash"), SetAside("Ash"), BeginTurns(), BringBack("Ash"))
    assert order(table) == ("Enemy", "Bryn", "Cole", "Ash")
    assert (stamina(table, "Ash"), table.character("Ash").acts_early) == (11, True)
    for _ in range(5):
        table = table.do(NextTurn())
    assert not table.character("Ash").acts_early, "what was paid counts for that round alone"


def test_ruling_aside_enemy_stands_where_no_enemy_takes_part() -> None:
    table = with_wolf(company()).do(SetAside("Wolf"))
    assert order(taking_turns(table)) == ("Enemy", "Ash", "Bryn", "Cole")
    assert order(taking_turns(table).do(BringBack("Wolf"))) == ("Enemy", "Ash", "Bryn", "Cole", "Wolf")
    assert order(taking_turns(table).do(Reorder(("Ash", "Enemy", "Bryn", "Cole"), "fog")))[:2] == ("Ash", "Enemy")
    assert rule_of(taking_turns(table), Reorder(("Ash", "Wolf", "Bryn", "Cole"), "fog")) == "not-now"
    assert order(taking_turns(with_wolf(company())).do(SetAside("Wolf"))) == ("Ash", "Bryn", "Cole")


def test_ruling_aside_who_takes_part_rests() -> None:
    table = company().do(SetAside("Ash"))
    assert [one.names() for one in Rest(RestKind.SHORT).decide(table)] == [("Bryn",), ("Cole",)]
    assert refused(table, Rest(RestKind.SHORT, ("Bryn", "Ash"))).rule == "ruling.aside"
    alone = brakka().do(SetAside("Brakka"))
    assert {one.refused and one.refused.rule for one in rest_options(alone)} == {"not-now"}
    asked = Rest(RestKind.SHORT).aimed(company())
    assert refused(company().do(Rest(RestKind.SHORT), SetAside("Ash")), asked).rule == "not-now"


def test_ruling_aside_an_id_of_one_who_acted_and_is_removed_is_nobodys() -> None:
    table = taking_turns(company(), 2).do(SetAside("Ash"), RemoveCharacter("Ash"), AddCharacter("Ash", con="d8"))
    assert order(table) == ("Enemy", "Bryn", "Cole", "Ash")


def test_ruling_aside_enemies_too_and_by_what_they_are_called_now() -> None:
    table = taking_turns(with_wolf(company()), 1).do(AddCharacter("Rat", side=Side.ENEMY), SetAside("Rat"))
    assert order(table) == ("Wolf", "Ash", "Bryn", "Cole")
    assert turn(table.do(SetAside("Wolf"))) == "Ash"


def had_their_turn(table: Table) -> set[str]:
    combat = table.combat
    acted = (
        set()
        if combat is None
        else {table.characters[name].id for name in combat.order[: combat.acting + 1] if name in table.characters}
    )
    return acted | (set() if combat is None else set(combat.acted))


@given(st.lists(commands, max_size=60))
def test_ruling_aside_nobody_gains_by_leaving_and_coming_back(line: list[object]) -> None:
    table = with_wolf(company()).do(AddCharacter("Ogre", con="d10", side=Side.ENEMY))
    for command in line:
        try:
            table = table.do(command)  # type: ignore[arg-type]
        except (Refused, Malformed):
            continue
    for one in table.characters.values():
        if one.open_check is not None or one.aside:
            continue
        away = table.do(SetAside(one.name))
        back = away.do(BringBack(one.name))
        now = back.character(one.name)
        assert (now.stamina, now.reactions, now.early_rounds) == (one.stamina, one.reactions, one.early_rounds)
        # Where the turns go on as they were, whoever had a turn has none again, and all others still have theirs.
        if table.combat is not None and back.combat is not None and back.combat.round == table.combat.round:
            assert one.id not in {*had_their_turn(table)} or one.name not in back.combat.to_come
            if table.combat.phase == "turns" and one.id not in had_their_turn(table):
                assert back.combat.to_come[-1] == one.name


def test_declare_check_needs_somebody_who_is_there() -> None:
    assert rule_of(brakka().do(SetAside("Brakka")), DeclareCheck("Brakka")) == "ruling.aside"
