"""What holds at every table, or at one: the rules in force, and the description of this API."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from winded.rules import PAGE, RULES, Rule, Ruleset, ruleset_to_data
from winded.web.api.operations import Answer, Answers, Call, operation
from winded.web.api.seeing import newest
from winded.web.api.shapes import RulesTold, RuleTold


@operation("GET", "/rules", {200: Answers("The rules of the page, and our rulings.", RulesTold)}, token=False)
async def see_rules(call: Call) -> Answer:
    """The rules of the page and our rulings where it is silent, in our words, each with its id."""
    return Answer(rules_told(PAGE))


@operation("GET", "/tables/{table}/rules", {200: Answers("The rules in force at this table.", RulesTold)})
async def see_table_rules(call: Call) -> Answer:
    """The rules in force at this table, its house rules marked as such."""
    snapshot, _ = newest(call)
    return Answer(rules_told(snapshot.table.ruleset))


@lru_cache(64)
def rules_told(ruleset: Ruleset) -> RulesTold:
    """The rules under a ruleset, in our words."""
    # As it may be sent back to begin a table with.
    plain: Any = ruleset_to_data(ruleset)
    return RulesTold(ruleset.name, tuple(_told(rule, ruleset) for rule in RULES), plain)


def _told(rule: Rule, ruleset: Ruleset) -> RuleTold:
    is_house_rule = rule.is_house_rule(ruleset)
    return RuleTold(
        rule.id,
        rule.is_in_force(ruleset),
        rule.is_ruling,
        is_house_rule,
        str(rule.says(ruleset)),
        str(rule.told(PAGE)) if is_house_rule else None,
        {setting: ruleset.setting(setting) for setting in rule.settings},
    )


OPERATIONS = (see_rules, see_table_rules)
