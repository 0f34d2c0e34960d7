"""How a table rolls its Checks, as it comes in from outside: only dice that can be rolled are taken."""

from __future__ import annotations

from winded.errors import Malformed
from winded.odds import BadExpression, spelled
from winded.roles import SetCheckDice
from winded.rules import Table


def check_dice(table: Table, command: object) -> None:
    """Refuse dice that cannot be read, or are too many, with any CON Ability Die of the table. Raises Malformed."""
    if not isinstance(command, SetCheckDice) or command.dice is None:
        return
    try:
        for die in table.ruleset.ladder:
            spelled(command.dice, die, for_checks=True)
    except BadExpression as wrong:
        raise Malformed("dice", wrong.text, **wrong.facts) from wrong
