"""What players and spectators may see: the table without hidden enemies, and what happened without them.

Notes on characters are the Referee's own as well.
"""

from __future__ import annotations

from collections.abc import Iterable

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


def seen_events(
    events: Iterable[Event | CompanyEvent], about: Iterable[str], secret: bool, table: Table
) -> tuple[Event | CompanyEvent, ...]:
    """What players may see of the events of one entry of the history, with the table as it is now.

    `about` are the ids of the characters the entry concerned, and `secret` says that one of them was hidden then. An
    enemy that was seen then but is hidden now is left out like one that was hidden all the time.
    """
    hidden = {one.id for one in table.characters.values() if one.hidden}
    open_to_all = not secret and hidden.isdisjoint(about)
    shown = (_shown(event, open_to_all, table) for event in events)
    return tuple(event for event in shown if event is not None)


def _shown(event: Event | CompanyEvent, open_to_all: bool, table: Table) -> Event | CompanyEvent | None:
    if isinstance(event, NoteChanged | Asked):
        return None
    if isinstance(event, CharacterAdded) and event.note is not None:
        event = replace(event, note=None)
    if open_to_all:
        return event
    # Names may have changed since, so only what is certainly known to all is left.
    if isinstance(event, TurnsBegun | Reordered):
        return replace(event, order=tuple(name for name in event.order if name == ENEMY or _is_known(name, table)))
    name = getattr(event, "character", None)
    if name is None:
        return event
    character = table.characters.get(name)
    return event if character is not None and not character.is_enemy else None


def _is_known(name: str, table: Table) -> bool:
    character = table.characters.get(name)
    return character is not None and not character.hidden
