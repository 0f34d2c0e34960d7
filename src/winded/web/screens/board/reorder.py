"""The sheet for another order (`early.referee`)."""

from __future__ import annotations

from winded.rules import Reorder
from winded.sentence import sentence
from winded.web.screens.parts.offers import moment_of
from winded.web.screens.parts.sheet import Asking, Facts

REASONS = (
    sentence("surprise"),
    sentence("ambush"),
    sentence("position"),
    sentence("hesitation"),
    sentence("preparation"),
    sentence("an obvious advantage"),
)
"""Reasons for another order to pick from (`early.referee`)."""


def reorder(asking: Asking) -> Facts:
    """Another order for those who have not yet acted, as it was dragged or as it is."""
    combat = asking.seen.table.combat
    to_come = () if combat is None else combat.to_come
    order = asking.orders if sorted(asking.orders) == sorted(to_come) else to_come
    meant = moment_of(Reorder(tuple(order), "?"), asking.seen.table) if order else ""
    return {"order": order, "reasons": REASONS, "meant": meant}
