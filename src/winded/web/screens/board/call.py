"""The sheet by which the Referee calls for a Check."""

from __future__ import annotations

from winded.rules import STRAINS, CallCheck, fields
from winded.rules.table import ENEMY_SIDE
from winded.web.screens.parts.called import called_check
from winded.web.screens.parts.offers import to_fill_in
from winded.web.screens.parts.sheet import Asking, Facts


def call(asking: Asking) -> Facts:
    """Who can be called, what for and against what; and the call that is under way, if there is one."""
    table = asking.seen.table
    under_way = called_check(asking.seen)
    asked = {one.name: to_fill_in(one) for one in fields(CallCheck)}
    return {
        "under_way": under_way if under_way is not None and under_way.left else None,
        "party": [*table.taking_part()],
        "enemies": [*table.taking_part(ENEMY_SIDE)],
        "what": asked["what"],
        "target": asked["target"],
        "strain": asked["strain"],
        "strains": STRAINS,
    }
