"""ruling.own-order: where the house lets them, those of one group arrange themselves; ruling.group-order otherwise."""

from hypothesis import given
from hypothesis import strategies as st

from tests.rules.builders import company, events, order, rule_of, said, taking_turns, turn, with_wolf
from winded import (
    ActEarly,
    AddCharacter,
    BeginTurns,
    NextTurn,
    Refused,
    Reorder,
    Ruleset,
    SetAside,
    StartCombat,
    Table,
    Wait,
    options,
)
from winded.rules.own_order import Waited

OURS = Ruleset(own_order=True)


def labels(table: Table, who: str) -> list[str]:
    return [str(option.label) for option in options(table, who)]


def test_ruling_own_order_whoever_waits_changes_places_with_the_next() -> None:
    table = taking_turns(with_wolf(company(OURS)))
    assert events(table, Wait("bryn")) == (Waited("Bryn", "Cole"),)
    assert order(table.do(Wait("bryn"))) == ("Wolf", "Ash", "Cole", "Bryn")
    assert said(table, Wait("Bryn")) == ["Bryn waits: Cole goes first."]


def test_ruling_own_order_nobody_moves_across_the_enemy() -> None:
    table = company(OURS).do(StartCombat(), ActEarly("Ash"), BeginTurns())
    assert order(table) == ("Ash", "Enemy", "Bryn", "Cole")
    assert rule_of(table, Wait("Ash")) == "not-now"


def test_ruling_own_order_the_referee_overrules() -> None:
    table = taking_turns(company(OURS)).do(Wait("Ash"), Reorder(("Ash", "Bryn", "Cole", "Enemy"), "a good position"))
    assert order(table) == ("Ash", "Bryn", "Cole", "Enemy")
    assert order(table.do(Wait("Ash"))) == ("Bryn", "Ash", "Cole", "Enemy")


def test_ruling_own_order_whoever_acts_or_has_acted_waits_no_more() -> None:
    table = taking_turns(company(OURS), 2)
    assert turn(table) == "Ash"
    assert rule_of(table, Wait("Ash")) == "not-now"
    assert rule_of(table.do(NextTurn()), Wait("Ash")) == "not-now"
    assert order(table.do(Wait("Bryn"))) == ("Enemy", "Ash", "Cole", "Bryn")


def test_ruling_own_order_what_was_meant_for_another_round_is_not_done() -> None:
    table = taking_turns(company(OURS))
    late = Wait("Ash").aimed(table)
    next_round = table.do(*[NextTurn()] * 5, BeginTurns())
    assert order(table.do(late)) == ("Enemy", "Bryn", "Ash", "Cole")
    assert rule_of(next_round, late) == "not-now"


def test_ruling_own_order_is_offered_only_where_the_table_has_it_and_there_is_an_order() -> None:
    assert "I wait" not in labels(taking_turns(company()), "Ash")
    assert "I wait" not in labels(company(OURS), "Ash")
    table = taking_turns(company(OURS))
    assert "I wait" in labels(table, "Ash")
    assert "I wait" not in labels(table.do(SetAside("Ash")), "Ash")
    assert "I wait" not in labels(table.do(NextTurn(), NextTurn()), "Ash")


def test_ruling_group_order_without_the_setting_nobody_waits() -> None:
    assert rule_of(taking_turns(company()), Wait("Ash")) == "not-allowed"


@given(st.lists(st.sampled_from(("Ash", "Bryn", "Cole", "Dov", "next")), max_size=12))
def test_ruling_own_order_waiting_keeps_everyones_turn_and_group(taps: list[str]) -> None:
    table = company(OURS).do(AddCharacter("Dov", con="d8"), StartCombat(), ActEarly("Bryn"), ActEarly("Dov"))
    table = table.do(BeginTurns())
    for tap in taps:
        before = table
        try:
            table = table.do(NextTurn() if tap == "next" else Wait(tap))
        except Refused:
            continue
        if table.combat is None or table.combat.phase != "turns":
            break
        assert sorted(order(table)) == sorted(order(before))
        assert {*order(table)[:2]} == {"Bryn", "Dov"}
        if tap != "next":
            assert table.combat.turn == turn(before)
            assert all(table.character(one).stamina == before.character(one).stamina for one in ("Ash", "Dov"))
