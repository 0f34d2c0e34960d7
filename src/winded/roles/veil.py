"""The table as players and spectators see it: without hidden enemies, and without the Referee's notes and secrets."""

from __future__ import annotations

from msgspec.structs import replace

from winded.roles.company import Role
from winded.rules import ENEMY, Combat, Table


def hidden_names(table: Table) -> frozenset[str]:
    """The names of the enemies whom only the Referee sees."""
    return frozenset(one.name for one in table.characters.values() if one.hidden)


def veiled(table: Table) -> Table:
    """The table as players see it: no hidden enemy, no notes, no secret target.

    If all enemies in the order are hidden, or a hidden one is acting, the order shows "Enemy" instead.
    """
    hidden = hidden_names(table)
    seen = table.with_characters(
        (one if one.note is None else replace(one, note=None) for one in table.characters.values() if not one.hidden),
        table.combat if table.combat is None or not hidden else _veiled_combat(table, table.combat, hidden),
    )
    return seen if seen.call is None or not seen.call.secret else seen.with_call(replace(seen.call, target=None))


def seen_by(role: Role, table: Table) -> Table:
    """The table as this role sees it: all of it for the Referee, `veiled` for everyone else."""
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
