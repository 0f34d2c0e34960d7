"""`winded rules`: the rules in force, in our words, each with its id, and which of them are rulings or house rules."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from winded.cli.house_rules import HouseRules, ruleset_at
from winded.cli.printing import console, print_columns, print_json
from winded.errors import Malformed
from winded.rules import PAGE, RULES, Rule, Ruleset, ruleset_schema, ruleset_to_data


def rules(
    *,
    rules: HouseRules = None,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    schema: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Show the rules in force, each with its id.

    What the page is silent about is a ruling of ours and marked "ruling"; what a house rules file changes is marked
    "house rule", with the page's own words below it.

    Parameters
    ----------
    as_json
        Print them as JSON, with the settings they depend on.
    schema
        Print the JSON Schema of a house rules file instead.
    """
    if schema:
        if as_json or rules is not None:
            raise Malformed("schema", "Use --schema alone: it prints the schema of every house rules file.")
        print_json(ruleset_schema())
        return 0
    ruleset = ruleset_at(rules)
    if as_json:
        print_json(
            {
                "name": ruleset.name,
                "rules": [_as_data(rule, ruleset) for rule in RULES],
                "ruleset": ruleset_to_data(ruleset),
            }
        )
    else:
        _print_rules(ruleset)
    return 0


def _as_data(rule: Rule, ruleset: Ruleset) -> dict[str, object]:
    data: dict[str, object] = {
        "id": rule.id,
        "in_force": rule.is_in_force(ruleset),
        "ruling": rule.is_ruling,
        "house_rule": rule.is_house_rule(ruleset),
        "rule": str(rule.says(ruleset)),
        "settings": {setting: ruleset.setting(setting) for setting in rule.settings},
    }
    if data["house_rule"]:
        data["page"] = str(rule.told(PAGE))
    return data


def _print_rules(ruleset: Ruleset) -> None:
    from rich.table import Table as Columns
    from rich.text import Text

    out = console()
    shelves = (
        (f"The rules in force: {ruleset.name}", [rule for rule in RULES if not rule.is_ruling]),
        ("Rulings of ours, where the page is silent", [rule for rule in RULES if rule.is_ruling]),
    )
    left = max(len(rule.id) for rule in RULES)
    beside = "\n" if out.is_terminal else " "
    for title, shelf in shelves:
        out.print(Text(title, style="bold"))
        columns = Columns.grid(padding=(0, 2))
        columns.add_column(min_width=left, no_wrap=True)
        columns.add_column(no_wrap=True)
        columns.add_column()
        for rule in shelf:
            is_house_rule = rule.is_house_rule(ruleset)
            marks = ["ruling"] * rule.is_ruling + ["house rule"] * is_house_rule
            told = Text(str(rule.says(ruleset)))
            if is_house_rule:
                told.append(f"{beside}(The page: {rule.told(PAGE)})", style="dim")
            columns.add_row(
                Text(rule.id, style="bold" if is_house_rule else ""),
                Text(", ".join(marks), style="yellow" if is_house_rule else "cyan"),
                told,
            )
        print_columns(out, columns)
        if shelf is not shelves[-1][1]:
            print()
