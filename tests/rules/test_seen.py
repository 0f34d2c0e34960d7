"""Names and texts of every script: what nobody can see makes no other name, and what a script needs stays."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.builders import refused
from winded import AddCharacter, React, Reorder, Table, TakeWound
from winded.rules.combat import TurnsBegun
from winded.rules.fields.seen import bare, seen
from winded.rules.table import same

NOT_ANOTHER_PERSON = [
    "Ash\u200b", "\u200bAsh", "A\u00adsh", "\u202eAsh", "\u202aAsh\u202c", "\u2066Ash\u2069", "Ash\u200e", "Ash\u200f",
    "A\u2060sh", "\ufeffAsh", "Ash\ufe0f", "A\u200dsh", "A\u200csh", "A\u034fsh", "Ash\u3164", "Ash\U000e0041",
    "Ash\u061c", "Ash\u2800", " Ash\u00a0",
]  # fmt: skip
NEEDED = [
    "👩‍👩‍👧", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑🏽‍🚀", "🏳️‍🌈", "👍🏽", "می‌خواهم", "क्‍ष", "葛󠄀城", "ᠨ᠋ᠠ", "Zoë",
    "אש", "رماد", "灰", "Ἀχιλλεύς", "О'Ши",
    "J.-P. d'Arc", "½ Ash", "\u06dd",
]  # fmt: skip


@pytest.mark.parametrize("name", NOT_ANOTHER_PERSON, ids=ascii)
def test_what_cannot_be_seen_is_dropped_and_makes_nobody_else(name: str) -> None:
    assert AddCharacter(name, con="d8").name == "Ash"
    table = Table().do(AddCharacter("Ash", con="d8"))
    no = refused(table, AddCharacter(name, con="d8"))
    assert (no.rule, str(no)) == ("duplicate", "The name Ash is taken at this table.")
    assert table.character(name) is table.character("Ash")
    # Names that older versions accepted are compared by what is seen of them too.
    assert same(name) == same("Ash")


@pytest.mark.parametrize("name", NEEDED, ids=ascii)
def test_what_a_script_or_an_emoji_needs_stays(name: str) -> None:
    assert AddCharacter(name, con="d8").name == name


@pytest.mark.parametrize("spaces", ["  ", "\u00a0", "\u2003 ", "\u3000\u3000", "\u202f", " \u200b "], ids=ascii)
def test_inner_spaces_are_single(spaces: str) -> None:
    assert AddCharacter(f"Red{spaces}Ash", con="d8").name == "Red Ash"
    assert TakeWound("Ash", f"a{spaces}cut").wound == "a cut"
    assert React("Ash", what=f"duck{spaces}").what == "duck"
    assert same(f"Red{spaces}Ash") == same("red ash")


def test_emoji_that_look_different_are_different_names() -> None:
    names = ["👩‍👩‍👧", "👩👩👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👍", "👍🏽"]
    assert len(Table().do(*(AddCharacter(name, con="d8") for name in names)).characters) == len(names)


SIGNS = "A a\u0301\u200b\u200c\u200d\ufe0f\u2800\u3000\u202e👩❤🏴\U000e0067م"
texts = st.text(max_size=30) | st.text(SIGNS, max_size=12)


@given(texts)
def test_what_is_seen_is_seen_again(text: str) -> None:
    once = unicodedata.normalize("NFC", seen(text))
    assert seen(once) == once
    assert bare(bare(text)) == bare(text) == bare(seen(text))
    assert "  " not in once
    assert once == once.strip()


def test_names_in_a_list_are_shown_one_by_one() -> None:
    """A name that runs from right to left must not turn the order around: whoever shows it keeps each apart."""
    told = TurnsBegun(("אש", "رماد", "Ash")).tell()
    assert str(told) == "The order is fixed: אש, رماد, Ash."
    apart = told.said(str, lambda one, many, n: one, lambda fact: f"<{fact}>")
    assert apart == "The order is fixed: <אש>, <رماد>, <Ash>."
    table = Table().do(AddCharacter("אש", con="d8"))
    assert Reorder(("אש",), "fog").names() == ("אש",)
    assert str(refused(table, Reorder(("אש",), "fog"))) == "There is no combat now."
