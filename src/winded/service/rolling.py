"""Winded rolls the dice here, and nowhere else, with random numbers from the operating system."""

from __future__ import annotations

import secrets

from winded.errors import Malformed, Refused
from winded.roles import Company, FallenDie, RollCheck, RolledCheck
from winded.rules import Ruleset, Table


def rolled(command: RollCheck, company: Company, table: Table, who: str) -> RolledCheck:
    """Roll the table's Check dice for a character's open Check, with that character's CON Ability Die.

    Raises what `RollCheck.check` does for the member `who`; `Refused` "not-now" if the table has no Check dice;
    Malformed if this character cannot roll them.
    """
    command.check(company, table, who)
    character = table.character(command.character)
    if company.check_dice is None:
        raise Refused("not-now", "This table has not said how its Checks are rolled.")
    from winded.odds import dice_for, throw

    fell: list[FallenDie] = []

    def fall(faces: int) -> int:
        fell.append(FallenDie(faces, secrets.randbelow(faces) + 1))
        return fell[-1].shows

    roll = throw(company.check_dice, character.con, fall)
    return RolledCheck(command, dice_for(company.check_dice, character.con), tuple(fell), roll)


def check_dice_of(ruleset: Ruleset, dice: str, field: str) -> None:
    """Raises Malformed, naming `field`, for dice that some CON Ability Die of these rules cannot roll, or too many."""
    from winded.odds import BadExpression, spelled

    try:
        for die in ruleset.ladder:
            spelled(dice, die)
    except BadExpression as wrong:
        raise Malformed(field, wrong.text, **wrong.facts) from wrong
