"""The sheet of the rules in force."""

from __future__ import annotations

from msgspec import Struct

from winded.rules import (
    PAGE,
    RULES,
)
from winded.sentence import Sentence
from winded.web.screens.parts.sheet import Asking, Facts


class RuleLine(Struct, frozen=True):
    """A rule in force."""

    id: str
    told: Sentence
    ruling: bool
    house: bool


def rules(asking: Asking) -> Facts:
    """The rules in force at this table, in our words; one that was asked for by its id is marked."""
    ruleset = asking.seen.table.ruleset
    lines = [
        RuleLine(
            rule.id,
            rule.says(ruleset),
            rule.is_ruling,
            rule.is_house_rule(ruleset),
        )
        for rule in RULES
    ]
    return {"rules": lines, "name": None if ruleset.name == PAGE.name else ruleset.name, "of": asking.query.get("of")}
