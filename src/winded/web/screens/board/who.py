"""The sheet of one character, and the one for new ones."""

from __future__ import annotations

from winded.rules import (
    AddAbility,
    Command,
    EditCharacter,
    Side,
    Table,
    TakeWound,
    fields,
    lost_to_wounds,
    wound_foreseen,
)
from winded.web.screens.board.seat import seat
from winded.web.screens.parts.offers import ToFillIn, moment_of, to_fill_in
from winded.web.screens.parts.sheet import Asking, Facts


def _asked(made: type[Command]) -> list[ToFillIn]:
    return [to_fill_in(field) for field in fields(made) if field.name != "character"]


def who(asking: Asking) -> Facts:
    """One character in full, and everything the Referee may change about it."""
    table = asking.seen.table
    one = asking.character()
    return {
        "one": one,
        "seat": seat(table, asking.seen.company, one),
        "lost": lost_to_wounds(table.ruleset, one),
        "players": [asking.seen.company.called(player) for player in asking.seen.company.players_of(one)],
        "ladder": table.ruleset.ladder,
        "seen": moment_of(EditCharacter(one.id), table),
        "wound_fields": [asked for asked in _asked(TakeWound) if asked.field.name != "steps"],
        "wounds": [(steps, wound_foreseen(table, one, steps)) for steps in range(1, len(table.ruleset.ladder))],
        "room": (one.stamina, one.maximum - one.stamina),
        "ability_fields": _asked(AddAbility),
    }


def add(asking: Asking) -> Facts:
    """New characters, or enemies; `added` names who has just been."""
    return adding(asking.seen.table, asking.query.get("side") == Side.ENEMY)


def adding(table: Table, enemies: bool, added: tuple[str, ...] = ()) -> Facts:
    """What the sheet for new ones is made of."""
    return {"ladder": table.ruleset.ladder, "enemies": enemies, "added": added}
