"""The sheet for resting."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from winded.rules import (
    Character,
    Recovery,
    RestKind,
    recovery,
    rest_name,
    rest_options,
)
from winded.sentence import Sentence
from winded.web.live import seat_id
from winded.web.screens.parts.sheet import Asking, Facts


class RestRow(Struct, frozen=True):
    """What each kind of rest would do for one character."""

    key: str
    character: Character
    recoveries: tuple[Recovery, ...]


class RestColumn(Struct, frozen=True):
    """A kind of rest."""

    value: str
    name: Sentence


def rest(asking: Asking) -> Facts:
    """What each rest would give each one; whoever is ticked rests."""
    table = asking.seen.table
    sitting = sorted(table.characters.values(), key=lambda one: one.is_enemy)
    rows = [
        RestRow(seat_id(one), one, tuple(recovery(table.ruleset, one, kind) for kind in RestKind))
        for one in sitting
        if one.base_con is not None
    ]
    refused = next((option.refused for option in rest_options(table) if option.refused is not None), None)
    return {
        "rows": rows,
        "kinds": [RestColumn(kind.value, rest_name(kind)) for kind in RestKind],
        "refused": refused,
        # Which of them will rest is chosen in the form: it repeats how often each one has rested so far.
        "rests": msgspec.json.encode({row.character.id: row.character.rests for row in rows}).decode(),
    }
