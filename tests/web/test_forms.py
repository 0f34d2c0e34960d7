"""A figure as people type it: in any script's digits, with any sign; what is no whole number is none."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded.web.forms import whole_number


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2", 2),
        ("+2", 2),
        ("-2", -2),
        ("−2", -2),
        ("–2", -2),
        ("－２", -2),
        ("٢١", 21),
        ("−٣", -3),
        ("\u200e-7", -7),
        ("\u061c−\u0667", -7),
        (" 12\u00a0", 12),
        ("- 4", -4),
        ("007", 7),
    ],
)
def test_a_figure_is_read_as_it_was_meant(typed: str, meant: int) -> None:
    assert whole_number(typed) == meant


@pytest.mark.parametrize(
    "typed", ["", " ", "-", "=2", "1,5", "1.5", "2e3", "--2", "2-", "0x10", "²", "½", "1 2", "9" * 10]
)
def test_what_is_no_whole_number_is_none(typed: str) -> None:
    assert whole_number(typed) is None


digits = st.characters(categories=["Nd"])


@given(st.text(digits, min_size=1, max_size=9), st.sampled_from(["", "+", "-", "−"]))
def test_every_script_counts_alike(typed: str, sign: str) -> None:
    meant = int("".join(str(unicodedata.decimal(one)) for one in typed))
    assert whole_number(sign + typed) == (-meant if sign in ("-", "−") and sign else meant)
