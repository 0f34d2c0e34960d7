"""The sheet of the rules in force."""

from __future__ import annotations

from msgspec import Struct

from winded.rules import (
    PAGE,
    RULES,
    Ruleset,
)
from winded.sentence import Sentence
from winded.web.screens.parts.sheet import Asking, Facts


class RuleLine(Struct, frozen=True):
    """A rule in force."""

    id: str
    told: Sentence
    ruling: bool
    house: bool


def rule_lines(ruleset: Ruleset) -> list[RuleLine]:
    """The rules as they are under this ruleset, in our words: the page's first, then our rulings."""
    return [RuleLine(one.id, one.says(ruleset), one.is_ruling, one.is_house_rule(ruleset)) for one in RULES]


def rules(asking: Asking) -> Facts:
    """The rules in force at this table; one that was asked for by its id is marked."""
    ruleset = asking.seen.table.ruleset
    return {
        "rules": rule_lines(ruleset),
        "name": None if ruleset.name == PAGE.name else ruleset.name,
        "of": asking.query.get("of"),
    }
