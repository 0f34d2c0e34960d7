"""A word of the page that people may ask the meaning of."""

from __future__ import annotations

from msgspec import Struct

from winded.rules.spending import Spending
from winded.sentence import Sentence


class Term(Struct, frozen=True):
    """A word of the page: `word` stands for it in addresses, `title` is how people read it.

    `meaning` says in our own words what it is; the rules with the ids in `rules` say what holds for it under a ruleset.
    `spending` is the way of spending that it names, if it names one.
    """

    word: str
    title: Sentence
    meaning: Sentence
    rules: tuple[str, ...] = ()
    spending: Spending | None = None
