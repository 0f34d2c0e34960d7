"""The words of the page explain themselves: what they mean, and what holds for them under the rules in force."""

import pytest

from winded.rules import PAGE, RULES, SPENDINGS, TERMS, RestKind, explained, ruleset_from

WORDS = [term.word for term in TERMS]


def told(word: str, **settings: object) -> list[str]:
    return [str(one) for one in explained(word, ruleset_from(settings))]


def test_every_word_is_there_once_with_its_title_and_meaning() -> None:
    assert len(set(WORDS)) == len(WORDS)
    assert len({str(term.title) for term in TERMS}) == len(TERMS)
    assert {kind.value for kind in RestKind} | {"stamina", "con", "wound", "check", "push", "referee"} <= {*WORDS}
    assert all(str(term.meaning).endswith(".") for term in TERMS)


def test_every_way_to_spend_has_its_word() -> None:
    assert {term.spending.word for term in TERMS if term.spending is not None} == {one.word for one in SPENDINGS}


@pytest.mark.parametrize("word", WORDS)
def test_what_a_word_cites_is_a_rule_and_in_force_on_the_page(word: str) -> None:
    [term] = [one for one in TERMS if one.word == word]
    known = {rule.id: rule for rule in RULES}
    assert explained(word, PAGE) == (term.meaning, *(known[one].told(PAGE) for one in term.rules))


def test_what_holds_follows_the_rules_in_force() -> None:
    assert "Short Rest: 1 Stamina comes back." in told("short")
    assert "Short Rest: 3 Stamina comes back." in told("short", rest={"short": 3})


@pytest.mark.parametrize("way", SPENDINGS, ids=lambda way: way.word)
def test_of_a_way_to_spend_that_is_left_out_only_that_is_said(way: object) -> None:
    [term] = [one for one in TERMS if one.spending is way]
    others = [one.word for one in SPENDINGS if one is not way]
    assert told(term.word, spends=others) == [str(term.meaning), "The house rules leave this out."]


def test_a_word_that_nobody_knows_is_none() -> None:
    with pytest.raises(KeyError):
        explained("mana", PAGE)
