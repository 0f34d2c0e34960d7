"""Forecasts against hand-worked cases and against plain play at a real table, and what a house rule does to them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.odds.forecasts.plain import Player, stamina_of
from winded.errors import Malformed
from winded.odds.day.model import (
    SPENDS,
    CheckAhead,
    Day,
    DayCharacter,
    Fight,
    PossibleWound,
    RecoveryAhead,
    RestAhead,
    Sketch,
    WoundAhead,
)
from winded.odds.forecasts.forecast import forecast
from winded.odds.forecasts.habits import HABITS, KINDS, Habit, SpendingMoment
from winded.odds.forecasts.states import StateSpace, anonymous
from winded.rules import PAGE, AddCharacter, Rest, RestKind, Ruleset, Table, ruleset_from

HALF = Fraction(1, 2)


def day(*ahead: object, con: str = "d8", stamina: int | None = None, habit: object = Habit(), **more: object) -> Day:
    sitter = DayCharacter("Brakka", con, stamina, habit=habit, **more)  # type: ignore[arg-type]
    return Day((sitter,), Sketch(tuple(ahead), "1d20+con"))  # type: ignore[arg-type]


def fight(rounds: int = 1, early: Fraction | int = 0, calls: int = 0, **more: object) -> Fight:
    return Fight(
        "Wolves", (Fraction(0),) * rounds + (Fraction(1),), Fraction(early), (Fraction(0),) * calls + (Fraction(1),),
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


def after(one: Day, **more: object) -> list[list[Fraction]]:
    return forecast(one, exact=True, **more).characters[0].stamina.tolist()  # type: ignore[arg-type]


def test_a_round_by_hand_acting_early_then_reactions_for_one_two_and_three() -> None:
    # d8: 8 Stamina. Acting early 1, reactions 1 + 2 + 3: 1 is left after the round, and the fourth, for 4, is refused.
    one = forecast(day(fight(1, early=1, calls=4)), exact=True).characters[0]
    assert one.stamina[-1].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0]
    counted = {kind: one.counted[:, 0, at].tolist() for at, kind in enumerate(KINDS)}
    assert counted["early"] == [1, 1, 0, 1, 1, 0]
    assert counted["reaction"] == [4, 4, 1, 3, 6, 0]


def test_a_check_pushed_half_of_the_time_by_hand() -> None:
    # With one chance in two a Check comes, and two Stamina go: 8 or 6, each with 1/2, then twice so.
    one = day(CheckAhead("door", 15, chance=HALF, times=2), habit=Habit(push=2))
    assert after(one)[1:] == [[0] * 6 + [HALF, 0, HALF], [0, 0, 0, 0, Fraction(1, 4), 0, HALF, 0, Fraction(1, 4)]]


def test_rests_give_what_the_rules_give() -> None:
    found = after(
        day(RestAhead(RestKind.SHORT), RestAhead(RestKind.UNSAFE_LONG), RestAhead(RestKind.RESPITE), stamina=0)
    )
    assert [row.index(1) for row in found] == [0, 1, 3, 8]


def test_max_cut_a_wound_lowers_the_maximum_and_recovery_gives_nothing_back() -> None:
    wound = WoundAhead("ribs", 1, Fraction(1, 3))
    found = after(day(wound, RecoveryAhead("ribs"), RestAhead(RestKind.SHORT)))
    third = Fraction(1, 3)
    assert found[1] == found[2] == [0, 0, 0, 0, 0, 0, third, 0, 2 * third]
    assert found[3] == [0, 0, 0, 0, 0, 0, 0, third, 2 * third]


def test_other_spends_cost_what_the_rules_say() -> None:
    spends = (
        SPENDS["resist"]("fear", stamina=2),
        SPENDS["channel"]("ward", stamina=3),
        SPENDS["ability"]("Second Wind"),
    )
    found = after(day(*spends, abilities=(("Second Wind", 1),)))
    assert [row.index(1) for row in found] == [8, 6, 3, 2]


def test_a_fight_of_unknown_length_ends_with_its_own_chances() -> None:
    lasting = Fight("Wolves", (Fraction(0), HALF, HALF), reactions=(Fraction(0), Fraction(1)))
    found = after(day(lasting))
    assert found[1][7] == 1
    assert found[2] == [0, 0, 0, 0, 0, 0, HALF, HALF, 0]


def test_those_not_named_in_who_sit_a_step_out() -> None:
    sketch = Sketch((fight(1, calls=1, who=("Ash",)),))
    both = Day((DayCharacter("Ash", "d6"), DayCharacter("Brakka", "d6")), sketch)
    assert [one.stamina[-1].tolist().index(1) for one in forecast(both, exact=True).characters] == [5, 6]


def test_attention_spread_over_two_halves_the_calls() -> None:
    both = Day(
        (DayCharacter("Ash", "d6"), DayCharacter("Brakka", "d6")), Sketch((fight(1, calls=2, attention="spread"),))
    )
    # Of two calls, 0, 1 or 2 fall on Ash with 1/4, 1/2, 1/4, which cost 0, 1 or 3.
    assert forecast(both, exact=True).characters[0].stamina[-1].tolist() == [
        0, 0, 0, Fraction(1, 4), 0, HALF, Fraction(1, 4),
    ]  # fmt: skip


def test_attention_on_the_weakest_cannot_be_forecast_and_says_what_can() -> None:
    with pytest.raises(Malformed) as no:
        forecast(day(fight(1, calls=1, attention="weakest")))
    assert no.value.field == "steps[0].attention"
    assert "simulated" in str(no.value)


chances = st.integers(0, 4).map(lambda quarters: Fraction(quarters, 4))


@st.composite
def spreads(draw: st.DrawFn, least: int, most: int) -> tuple[Fraction, ...]:
    weights = draw(st.lists(st.integers(0, 3), min_size=most + 1 - least, max_size=most + 1 - least))
    weights[draw(st.integers(0, len(weights) - 1))] += 1
    while not weights[-1]:
        weights.pop()
    return (Fraction(0),) * least + tuple(Fraction(weight, sum(weights)) for weight in weights)


wounds = st.builds(PossibleWound, st.sampled_from(["ribs", "bite"]), st.integers(1, 2), chances)
steps = st.one_of(
    st.builds(Fight, st.just("Wolves"), spreads(1, 3), chances, spreads(0, 2), st.none() | wounds),
    st.builds(CheckAhead, st.just("door"), st.none() | st.integers(8, 25), st.none(), chances, st.integers(1, 2)),
    st.builds(WoundAhead, st.sampled_from(["ribs", "bite"]), st.integers(1, 2), chances),
    st.builds(RecoveryAhead, st.sampled_from(["ribs", "bite"]), chances),
    st.builds(RestAhead, st.sampled_from(RestKind), chances),
    st.builds(SPENDS["resist"], st.just("fear"), chances, stamina=st.integers(1, 3)),
    st.builds(SPENDS["ability"], st.just("Second Wind"), chances),
)


@st.composite
def days(draw: st.DrawFn) -> Day:
    ahead = tuple(draw(st.lists(steps, min_size=1, max_size=4)))
    con = draw(st.sampled_from(["d6", "d8", "d10"]))
    sitter = DayCharacter("Brakka", con, draw(st.none() | st.integers(0, 6)), (), (("Second Wind", 2),))
    return Day((sitter,), Sketch(ahead, "1d20+con"))


habits = st.builds(
    Habit, st.integers(0, 3), st.booleans(), st.none() | st.integers(0, 2), st.integers(0, 3), st.none(),
    st.booleans(), st.booleans(),
)  # fmt: skip

HOUSES = [
    PAGE,
    ruleset_from({"name": "Flat", "reactions": {"costs": [1], "further": 0, "resets": "round"}}),
    ruleset_from({"name": "Hard", "early": {"cost": 2, "limit": 1}, "below_lowest": "zero", "rest": {"short": 2}}),
    ruleset_from(
        {"name": "Never", "reactions": {"resets": "never"}, "below_lowest": "refuse", "spends": ["react", "push"]}
    ),
]


@given(one=days(), habit=habits, ruleset=st.sampled_from(HOUSES))
@settings(max_examples=60)
def test_every_forecast_is_what_plain_play_at_a_real_table_gives(one: Day, habit: Habit, ruleset: Ruleset) -> None:
    def no_odds(moment: SpendingMoment) -> int:
        return habit(SpendingMoment(*(getattr(moment, name) for name in SpendingMoment.__struct_fields__[:-1])))

    (mine,) = forecast(one, ruleset, habits={"Brakka": no_odds}, exact=True).characters
    player = Player(one, one.characters[0], no_odds)
    theirs = player.through(ruleset)
    most = mine.stamina.shape[1] - 1
    assert mine.stamina.tolist() == [stamina_of(tables, "Brakka", most) for tables in theirs]
    assert all(sum(row) == 1 for row in mine.stamina.tolist())
    for step in range(len(theirs) - 1):
        assert sum(mine.counted[1, step]) == player.wanted[step]
        assert sum(mine.counted[2, step]) == player.refused[step]


@given(one=days(), habit=habits)
@settings(max_examples=40)
def test_floats_and_fractions_tell_the_same(one: Day, habit: Habit) -> None:
    (quick,) = forecast(one, habits={"Brakka": habit}).characters
    (exact,) = forecast(one, habits={"Brakka": habit}, exact=True).characters
    np.testing.assert_allclose(quick.stamina, exact.stamina.astype(float), atol=1e-12)
    np.testing.assert_allclose(quick.counted, exact.counted.astype(float), atol=1e-11)


def test_a_house_rule_changes_the_forecast_with_no_edit_here() -> None:
    one = day(fight(1, early=1, calls=3), RestAhead(RestKind.SHORT))
    house = ruleset_from({
        "name": "House", "dice": {"d8": 9}, "early": {"cost": 2}, "reactions": {"costs": [1, 1], "further": 2},
        "rest": {"short": 2},
    })  # fmt: skip
    assert [row.index(1) for row in after(one)] == [8, 1, 2]
    # 9 at d8, 2 for acting early, 1 + 1 + 3 for three reactions, 2 back.
    assert [row.index(1) for row in after(one, ruleset=house)] == [9, 2, 4]


def test_ten_checks_in_a_row_at_one_in_twelve_do_not_underflow() -> None:
    one = day(CheckAhead("door", chance=Fraction(1, 12), times=10), con="d12", habit=Habit(push=1))
    found = forecast(one).characters[0].stamina[-1]
    assert found[2] == pytest.approx(12.0**-10, rel=1e-12)
    assert after(one)[-1][2] == Fraction(1, 12**10)


def test_a_hundred_steps_still_sum_to_one() -> None:
    one = day(*[fight(3, early=HALF, calls=2), RestAhead(RestKind.UNSAFE_LONG)] * 25)
    found = forecast(one).characters[0].stamina
    assert found.shape == (101, 9)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


def test_a_python_function_is_a_habit() -> None:
    def reacts_in_the_second_round(moment: SpendingMoment) -> int:
        return int(moment.kind == "reaction" and moment.round == 2)

    found = after(day(fight(3, calls=1)), habits={"Brakka": reacts_in_the_second_round})
    assert [row.index(1) for row in found] == [8, 8, 7, 7]


def test_habits_by_name_keep_what_they_promise() -> None:
    hard = (fight(9, early=1, calls=3), CheckAhead("door", 15), fight(3, early=1, calls=3))
    left = {name: [row.index(1) for row in after(day(*hard, con="d12", habit=habit))] for name, habit in HABITS.items()}
    assert left["never"] == [12] * 14
    assert left["freely"][-1] == 0
    assert left["carefully"][-1] == 2
    assert min(left["sparingly"][:11]) == 4
    assert left["sparingly"][-1] == 1


def test_what_was_refused_is_counted_as_a_share() -> None:
    (one,) = forecast(day(fight(1, calls=4), stamina=1)).characters
    assert one.refused_share == pytest.approx(3 / 4)
    assert one.data().spends["reaction"].refused == pytest.approx(3)


def test_a_starting_stamina_above_the_maximum_names_the_character() -> None:
    with pytest.raises(Malformed, match=r"“characters\[0\].stamina” must be a whole number from 0 to 8; it is 9\."):
        forecast(day(fight(), stamina=9))


def test_wounds_at_the_start_lower_the_maximum_but_not_the_width_of_the_arrays() -> None:
    (one,) = forecast(day(RestAhead(RestKind.RESPITE), wounds=(PossibleWound("ribs"),)), exact=True).characters
    assert one.stamina.tolist()[0] == [0, 0, 0, 0, 0, 0, 1, 0, 0]


def test_more_states_than_kernels_are_kept_whole_for_are_carried_alike() -> None:
    many = ruleset_from({"name": "Many", "dice": {"d12": 70}})
    one = day(
        fight(3, early=HALF, calls=4, wound=PossibleWound("bite", 1, HALF)),
        fight(2, calls=5),
        RestAhead(RestKind.UNSAFE_LONG),
        con="d12",
    )
    (quick,) = forecast(one, many).characters
    (exact,) = forecast(one, many, exact=True).characters
    np.testing.assert_allclose(quick.stamina, exact.stamina.astype(float), atol=1e-12)
    np.testing.assert_allclose(quick.counted, exact.counted.astype(float), atol=1e-11)


def test_a_day_with_too_many_turns_is_refused() -> None:
    endless = ruleset_from({"name": "Endless", "dice": {"d12": 99}, "reactions": {"resets": "never"}})
    ahead = [fight(30, early=HALF, calls=10, wound=PossibleWound(f"bite {at}", 1, HALF)) for at in range(4)]
    with pytest.raises(Malformed, match="too complicated"):
        forecast(day(*ahead, con="d12"), endless)
    # ... and is not in the way of the next one.
    assert forecast(day(fight(), con="d12"), endless).characters[0].expected.tolist() == [99, 99]


def test_a_push_of_which_two_of_three_can_be_paid_is_refused_by_a_third() -> None:
    (one,) = forecast(day(CheckAhead("door", 15, "1d20"), stamina=2), exact=True).characters
    called, wanted, refused, taken, spent, _ = one.counted[:, 0, KINDS.index("push")].tolist()
    assert (called, wanted, refused, taken, spent) == (1, 1, Fraction(1, 3), 1, 2)
    assert one.refused_share == pytest.approx(1 / 3)


def test_how_often_someone_rested_makes_no_other_state() -> None:
    one = anonymous(Table().do(AddCharacter("Ash", con="d8")).character("Ash"))
    space = StateSpace(PAGE, one)
    full = space.tables[space.starts[-1]]
    assert space.number(full.do(Rest(RestKind.SHORT), Rest(RestKind.RESPITE))) == space.starts[-1]
