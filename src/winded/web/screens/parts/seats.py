"""What everyone at a table sees: who sits there, the order of the round, whose turn it is."""

from __future__ import annotations

from msgspec import Struct

from winded.roles import Company
from winded.rules import (
    ENEMY,
    Character,
    Table,
    is_still_early,
    lost_to_wounds,
)
from winded.sentence import Sentence, sentence
from winded.web.live import seat_id


class Seat(Struct, frozen=True):
    """Someone else at the table, as players see them. `early` says that acting early is still to come, or under way."""

    id: str
    character: Character
    lost: int
    players: tuple[str, ...]
    is_turn: bool
    early: bool


def seat_of(table: Table, company: Company, character: Character) -> Seat:
    """What everyone sees of one character."""
    return Seat(
        seat_id(character),
        character,
        lost_to_wounds(table.ruleset, character),
        tuple(one.name for one in company.players_of(character)),
        table.is_turn_of(character),
        is_still_early(table, character),
    )


def moment(table: Table) -> Sentence:
    """Where the combat is: whose turn, or what everyone decides now."""
    combat = table.combat
    if combat is None:
        return sentence("No combat")
    if combat.phase == "declare":
        return sentence("Round {round}: who acts early?", round=combat.round)
    if combat.turn is None:
        return sentence("Round {round}: the order is fixed", round=combat.round)
    if combat.turn == ENEMY:
        return sentence("Round {round}: the enemy's turn", round=combat.round)
    return sentence("Round {round}: {name}'s turn", round=combat.round, name=combat.turn)


def next_turn(table: Table) -> str | None:
    """Whose turn comes after the one that is being taken; None where nobody's does."""
    combat = table.combat
    return None if combat is None or combat.turn is None else next(iter(combat.to_come), None)


def order(table: Table, own: set[str]) -> list[tuple[str, str, bool, bool]]:
    """The order of this round: name, side, whether it has acted, whether it is the player's own."""
    combat = table.combat
    if combat is None:
        return []
    if combat.phase == "declare":
        early = [one.name for one in table.taking_part() if one.acts_early]
        return [(name, "early", False, name in own) for name in early]
    found = []
    for at, name in enumerate(combat.order):
        character = table.characters.get(name)
        if character is None or character.is_enemy:
            side = "enemy"
        else:
            side = "early" if character.acts_early else "late"
        found.append((name, side, at < combat.acting, name in own))
    return found
