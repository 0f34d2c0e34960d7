"""One rule for how a chance is written, wherever it is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded.odds.figures import Number, Percent
from winded.sentence import Sentence
from winded.web.language import language


@pytest.mark.parametrize(
    ("ways", "of", "told"),
    [(0, 7, "0%"), (7, 7, "100%"), (10, 160, "6.3%"), (1, 2000, "0.1%"), (1, 2001, "<0.1%"), (1999, 2000, ">99.9%"),
     (1, 10**30, "<0.1%"), (10**30 - 1, 10**30, ">99.9%"), (1, 10**400, "<0.1%"), (1, 2, "50.0%")],
)  # fmt: skip
def test_a_chance_is_rounded_half_up_and_never_to_what_it_is_not(ways: int, of: int, told: str) -> None:
    assert str(Percent.of(ways, of)) == told


@given(ways=st.integers(0, 10**40), more=st.integers(0, 10**40))
def test_only_0_reads_0_and_only_1_reads_100(ways: int, more: int) -> None:
    of = max(ways + more, 1)
    told = str(Percent.of(ways, of))
    assert (told == "0%") == (ways == 0)
    assert (told == "100%") == (ways == of)
    if told[0] not in "<>":
        assert abs(Fraction(told.removesuffix("%")) - Fraction(100 * ways, of)) <= Fraction(1, 20) + Fraction(1, 10**9)


@given(share=st.floats(0, 1))
def test_pages_and_terminals_say_the_same(share: float) -> None:
    english = language("en")
    percent = Percent(share)
    assert english.say_plain(sentence_of(percent)) == str(percent)
    assert english.say_plain(sentence_of(Number(share * 100, 1))) == str(Number(share * 100, 1))


def sentence_of(fact: object) -> Sentence:
    return Sentence("{figure}", {"figure": fact})


def test_sums_of_floats_that_are_1_but_for_the_last_place_are_1() -> None:
    assert str(Percent.summed(1 - 1e-15)) == "100%"
    assert str(Percent.summed(1e-15)) == "0%"
    assert str(Percent.summed(1e-9)) == "<0.1%"


def test_days_that_never_came_up_do_not_show_that_they_cannot() -> None:
    assert str(Percent.seen(0.0, 100, may=True, must=False)) == "<0.1%"
    assert str(Percent.seen(0.0, 100, may=False, must=False)) == "0%"
    assert str(Percent.seen(1.0, 100, may=True, must=False)) == ">99.9%"
    assert str(Percent.seen(1.0, 100, may=True, must=True)) == "100%"
