"""Who is still to come to a table that has not fought yet: its seats, and those who have joined and not chosen."""

from __future__ import annotations

from msgspec import Struct

from winded.roles import Company, Role
from winded.rules import Table


class Place(Struct, frozen=True):
    """A character of the party, and by name who plays it: "" while nobody does."""

    name: str
    players: tuple[str, ...]


class Inviting(Struct, frozen=True):
    """The seats of the party, and the players who have not chosen a character yet."""

    seats: tuple[Place, ...]
    choosing: tuple[str, ...]


def inviting(table: Table, company: Company) -> Inviting | None:
    """Who is still to come; None once everyone is here, or the first combat has begun."""
    seats = tuple(
        Place(one.name, tuple(company.called(player) for player in company.players_of(one))) for one in table.party()
    )
    choosing = tuple(
        company.called(one)
        for one in company.members.values()
        if one.role is Role.PLAYER and not company.characters_of(one.id, table)
    )
    is_complete = seats and not choosing and all(one.players for one in seats)
    return None if table.combats or is_complete else Inviting(seats, choosing)
