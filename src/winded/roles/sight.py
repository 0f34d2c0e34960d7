"""What players and spectators may see: the table without hidden enemies, and what happened without them.

Notes on characters are the Referee's own as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from winded.roles.asks import Asked
from winded.roles.command import CompanyEvent
from winded.roles.company import Role
from winded.rules import ENEMY, Character, Combat, Event, Table
from winded.rules.characters import CharacterAdded, NoteChanged, Renamed
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


def seen_by(role: Role, table: Table) -> Table:
    """A table as this role sees it: the Referee all of it, everyone else the `veiled` one."""
    return table if role is Role.REFEREE else veiled(table)


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
    if not secret and hidden.isdisjoint(about):
        shown = (_without_notes(event) for event in events)
    else:
        events = tuple(events)
        about = tuple(about)
        # Whom alone a secret was about is the one to be kept secret.
        ids = {} if secret and len(about) == 1 else _ids(events, about)
        shown = (_known_to_all(event, ids, table) for event in events)
    return tuple(event for event in shown if event is not None)


def _ids(events: Iterable[Event | CompanyEvent], about: Iterable[str]) -> dict[str, str]:
    """Who bore which name when this happened; `about` holds the ids in the order in which the events name them.

    A name may have gone to somebody else since, so that it alone does not tell who was meant.
    """
    left = iter(about)
    ids: dict[str, str] = {}
    for event in events:
        named = getattr(event, "character", None)
        for name in getattr(event, "order", ()) if named is None else (named,):
            if name != ENEMY and name not in ids:
                ids[name] = next(left, "")
        if isinstance(event, Renamed):
            ids[event.name] = ids[event.character]
    return ids


def _without_notes(event: Event | CompanyEvent) -> Event | CompanyEvent | None:
    if isinstance(event, NoteChanged | Asked):
        return None
    if isinstance(event, CharacterAdded) and event.note is not None:
        return replace(event, note=None)
    return event


def _known_to_all(event: Event | CompanyEvent, ids: Mapping[str, str], table: Table) -> Event | CompanyEvent | None:
    """The event, of an entry that concerned a hidden enemy, as far as all may know of it; None if nobody may."""

    def bearer(name: str) -> Character | None:
        """Who bore this name then, if still called so."""
        character = table.characters.get(name)
        return character if character is not None and character.id == ids.get(name) else None

    if isinstance(event, TurnsBegun | Reordered):
        bearers = ((name, bearer(name)) for name in event.order)
        return replace(
            event,
            order=tuple(name for name, one in bearers if name == ENEMY or (one is not None and not one.hidden)),
        )
    name = getattr(event, "character", None)
    if name is not None:
        one = bearer(name)
        if one is None or one.is_enemy:
            return None
        # An id goes to somebody else once it is taken back that its first bearer sat down.
        if isinstance(event, CharacterAdded) and event.side != one.side:
            return None
    return _without_notes(event)
