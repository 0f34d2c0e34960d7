"""A way to spend Stamina, as the room that has it declares it: once, for everyone who shows, allows or counts it."""

from __future__ import annotations

from msgspec import Struct

from winded.sentence import Sentence


class Spending(Struct, frozen=True):
    """A way to spend Stamina.

    `word` stands for it in house rules. `told` is how people read it within a sentence ("reactions"), `title` on its
    own ("Reactions"): over a column, beside a permission. `rule` is the id of the rule it is spent under. `permission`
    is the word by which a table says whether players may do it, `habit` the one by which forecasts and day files call
    it.
    """

    word: str
    told: Sentence
    title: Sentence
    rule: str
    permission: str
    habit: str
