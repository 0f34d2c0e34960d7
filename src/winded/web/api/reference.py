"""The rules: the page's, and those in force at a table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from litestar import Controller, get

from winded.rules import PAGE, RULES, Rule, Ruleset, ruleset_to_data
from winded.service import Visitor
from winded.web.api.operations import Answers, takes
from winded.web.api.seeing import newest
from winded.web.api.shapes import RulesTold, RuleTold
from winded.web.host import Host


class ReferenceController(Controller):
    """The rules."""

    tags: list[str] = ["reference"]  # noqa: RUF012 - as the framework wants it

    @get("/rules", **takes(Answers("The rules of the page, and our rulings."), token=False))
    async def see_rules(self) -> RulesTold:
        """List the page's rules, and our rulings where it is silent, in our words, each with its id."""
        return rules_told(PAGE)

    @get("/tables/{table:str}/rules", **takes(Answers("The rules in force at this table.")))
    async def see_table_rules(self, host: Host, who: Visitor) -> RulesTold:
        """List the rules in force at this table. House rules are marked as such."""
        return rules_told(newest(host, who).table.ruleset)


@lru_cache(64)
def rules_told(ruleset: Ruleset) -> RulesTold:
    """The rules under a ruleset, in our words."""
    # In the form in which it can be sent to begin a table.
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
