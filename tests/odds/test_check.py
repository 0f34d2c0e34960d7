"""The odds of a Check, push by push."""

from __future__ import annotations

from fractions import Fraction

import dyce
import icepool
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded.errors import Malformed
from winded.odds import check


def test_push_bonus_each_stamina_adds_one_to_the_check() -> None:
    odds = check("1d20+con", 15, 3, con="d8")
    # By hand: of the 160 throws of d20 and d8, 84 come to 15 or more, and 8 more for each lower total from 14 to 12.
    assert [(one.stamina, one.ways, one.of, one.gained) for one in odds.pushes] == [
        (0, 84, 160, 0), (1, 92, 160, 8), (2, 100, 160, 8), (3, 108, 160, 8),
    ]  # fmt: skip
    assert odds.pushes[1].chance == Fraction(23, 40)
    assert odds.pushes[1].gain == Fraction(1, 20)


def test_a_house_rule_that_adds_two_for_each_stamina_doubles_the_step() -> None:
    assert check("1d20", 11, 2, push_bonus=2).pushes[2].chance == check("1d20", 11, 4).pushes[4].chance


def test_the_least_push_for_a_wanted_chance() -> None:
    odds = check("1d10", 6, 10)
    assert [odds.least_push(wanted) for wanted in (0.5, 0.6, 0.7, Fraction(7, 10), 1, 0)] == [0, 1, 2, 2, 5, 0]
    assert check("1d10", 20, 3).least_push(0.1) is None


def test_amounts_may_be_given_one_by_one() -> None:
    odds = check("1d20", 15, (0, 4, 5))
    assert [(one.stamina, one.gained) for one in odds.pushes] == [(0, 0), (4, 1), (5, 1)]


def test_every_chance_agrees_with_icepool_and_dyce_for_thirteen_pushes_and_forty_targets() -> None:
    pool, histogram = icepool.d20 + icepool.d8, dyce.H(20) + dyce.H(8)
    for target in range(1, 41):
        for push in check("1d20+1d8", target, 12).pushes:
            theirs = sum(ways for total, ways in pool.items() if total + push.stamina >= target)
            others = sum(ways for total, ways in histogram.items() if total + push.stamina >= target)
            assert (push.ways, push.of) == (theirs, pool.denominator()) == (others, sum(histogram.values()))


@given(target=st.integers(-10, 60), push=st.integers(0, 30), bonus=st.integers(1, 5))
def test_a_push_never_lowers_the_chance_and_gains_add_up(target: int, push: int, bonus: int) -> None:
    odds = check("2d8+1d6", target, push, push_bonus=bonus)
    assert odds.pushes[0].ways + sum(one.gained for one in odds.pushes[1:]) == odds.pushes[-1].ways
    assert all(one.gained >= 0 for one in odds.pushes)
    assert odds.chance(push) == odds.pushes[-1].chance


def test_ten_checks_in_a_row_at_one_in_twelve_do_not_vanish() -> None:
    chance = check("1d12", 12).pushes[0].chance
    assert chance**10 == Fraction(1, 61917364224)


@pytest.mark.parametrize("push", [-1, 100, (0, 120), ()])
def test_pushes_are_nought_to_ninety_nine(push: int | tuple[int, ...]) -> None:
    with pytest.raises(Malformed) as no:
        check("1d20", 10, push)
    assert no.value.field == "push"


def test_targets_out_of_range_are_refused() -> None:
    with pytest.raises(Malformed) as no:
        check("1d20", 1000)
    assert (no.value.field, str(no.value)) == ("target", "A target must be from -999 to 999, not 1000.")


def test_the_json_form_holds_exact_fractions_beside_the_figures() -> None:
    data = msgspec.json.decode(msgspec.json.encode(check("2d6", 7, 1).data()))
    assert data["pushes"] == [
        {"stamina": 0, "chance": 21 / 36, "exact": "7/12", "gain": 0.0, "exact_gain": "0"},
        {"stamina": 1, "chance": 26 / 36, "exact": "13/18", "gain": 5 / 36, "exact_gain": "5/36"},
    ]
