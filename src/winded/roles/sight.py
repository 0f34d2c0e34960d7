"""What players and spectators may see: the table without hidden enemies, and what happened without them.

Notes on characters are the Referee's own as well.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from winded.roles.company import Asked, CompanyEvent
from winded.rules import ENEMY, Combat, Event, Table
from winded.rules.characters import CharacterAdded, NoteChanged
from winded.rules.combat import Reordered, TurnsBegun


def hidden_names(table: Table) -> frozenset[str]:
    """The names of the enemies that only the Referee sees."""
    return frozenset(one.name for one in table.characters.values() if one.hidden)


def veiled(table: Table) -> Table:
    """The table as players see it: no hidden enemy, no notes.

    Where all enemies in the order are hidden, or a hidden one is acting, "Enemy" stands in the order instead.
    """
    hidden = hidden_names(table)
    return table.with_characters(
        (one if one.note is None else replace(one, note=None) for one in table.characters.values() if not one.hidden),
        table.combat if table.combat is None or not hidden else _veiled_combat(table, table.combat, hidden),
    )


def _veiled_combat(table: Table, combat: Combat, hidden: frozenset[str]) -> Combat:
    party = {one.name for one in table.party()}
    needs_an_enemy = not any(name not in party and name not in hidden for name in combat.order)
    order: list[str] = []
    acting = -1
    for at, name in enumerate(combat.order):
        if name in hidden:
            if not needs_an_enemy and at != combat.acting:
                continue
            needs_an_enemy = False
        order.append(ENEMY if name in hidden else name)
        if at <= combat.acting:
            acting = len(order) - 1
    return replace(combat, order=tuple(order), acting=acting)


def seen_events(events: Sequence[Event | CompanyEvent], table: Table) -> tuple[Event | CompanyEvent, ...]:
    """These events of a table, which is as it was before them, without what only the Referee sees."""
    seen: list[Event | CompanyEvent] = []
    for event in events:
        hidden = hidden_names(table)
        if isinstance(event, Event):
            table = event.evolve(table)
            hidden |= hidden_names(table)
        shown = without(event, hidden)
        if shown is not None:
            seen.append(shown)
    return tuple(seen)


def without(event: Event | CompanyEvent, hidden: Collection[str]) -> Event | CompanyEvent | None:
    """An event as players see it, None where it is none of their business."""
    if isinstance(event, NoteChanged | Asked) or getattr(event, "character", None) in hidden:
        return None
    if isinstance(event, CharacterAdded) and event.note is not None:
        return replace(event, note=None)
    if isinstance(event, TurnsBegun | Reordered) and not set(event.order).isdisjoint(hidden):
        return replace(event, order=tuple(one for one in event.order if one not in hidden))
    return event
