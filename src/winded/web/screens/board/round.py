"""The round as a line on the Referee's board, and what moves it on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from urllib.parse import quote, urlencode

from markupsafe import Markup
from msgspec import Struct

from winded.rules import (
    ENEMY,
    Character,
    Combat,
    NextTurn,
    Option,
    Table,
    combat_options,
    next_turn_told,
)
from winded.rules.table import ENEMY_SIDE
from winded.sentence import Sentence, sentence
from winded.web.live import seat_id
from winded.web.screens.parts.offers import moment_of

# Where an ampersand begins what HTML reads as the name of a sign; elsewhere it stands for itself.
_LIKE_A_SIGN = re.compile(r"&(?=#|[A-Za-z0-9]+;)")

KEYS = {"start_combat": "c", "begin_turns": "n", "next_turn": "n", "end_combat": "e"}
"""The keys that do what moves a combat on; `table/keys.js` listens for them."""


_GROUPS = {
    "early": sentence("early"),
    "enemy": sentence("enemy"),
    "rest": sentence("the rest"),
}


class Stop(Struct, frozen=True):
    """A place in the line of a round: "early", "enemy" or "rest", and "done", "now", "to-come", "waits" or "none".

    `label` names the group where a new one begins, `seat` the place of the card on the board, "" where it has none;
    `undecided` says that this one may still act early, and has not said otherwise.
    """

    name: str
    group: str
    state: str
    label: Sentence | None = None
    seat: str = ""
    undecided: bool = False


class Drive(Struct, frozen=True):
    """Something that one tap does for the table, such as the next turn. `main` is what comes next by itself.

    `act` is what the tap sends, with the moment it is meant for.
    """

    do: str
    act: Markup
    label: Sentence
    main: bool = False
    key: str = ""


def line_of(table: Table, undecided: Collection[Character] = ()) -> tuple[Stop, ...]:
    """The round as a line: who acts early, the enemy, the rest; as it begins, with those who have still to decide."""
    combat = table.combat
    if combat is None:
        return ()
    if combat.phase == "declare":
        return (*_declaring(table, {one.name for one in undecided}),)
    stops: list[Stop] = []
    for at, name in enumerate(combat.order):
        group = group_of(table, name)
        label = _GROUPS[group] if not stops or stops[-1].group != group else None
        stops.append(Stop(name, group, _state(combat, at), label, _seat_of(table, name)))
    return tuple(stops)


def _seat_of(table: Table, name: str) -> str:
    character = table.characters.get(name)
    return "" if character is None else seat_id(character)


def group_of(table: Table, name: str) -> str:
    """Whether the one of this name acts "early", is the "enemy", or is of the "rest"."""
    character = table.characters.get(name)
    if character is None or character.is_enemy:
        return "enemy"
    return "early" if character.acts_early else "rest"


def _declaring(table: Table, undecided: Collection[str]) -> Iterator[Stop]:
    party = [*table.taking_part()]
    enemies = [one.name for one in table.taking_part(ENEMY_SIDE)]
    groups = {
        "early": [one.name for one in party if one.acts_early],
        "enemy": enemies if enemies and table.ruleset.enemies == "each" else [ENEMY],
        "rest": [one.name for one in party if not one.acts_early],
    }
    for group, names in groups.items():
        if not names:
            yield Stop("", group, "none", _GROUPS[group])
        for at, name in enumerate(names):
            yield Stop(name, group, "waits", None if at else _GROUPS[group], _seat_of(table, name), name in undecided)


def _state(combat: Combat, at: int) -> str:
    if at == combat.acting:
        return "now"
    return "done" if at < combat.acting else "to-come"


def controls(table: Table) -> tuple[Drive, ...]:
    """What moves the combat on now."""
    possible = [one for one in combat_options(table) if one.refused is None]
    return tuple(_drive(table, one, at == 0) for at, one in enumerate(possible))


def _drive(table: Table, option: Option, main: bool) -> Drive:
    do = str(option.command.__struct_config__.tag)
    label = next_turn_told(table) if isinstance(option.command, NextTurn) else option.label
    return Drive(do, sent(do, at=moment_of(option.command, table)), label, main, KEYS.get(do, ""))


def sent(do: str, **fields: str) -> Markup:
    """What one tap sends: a command's word, and those of its fields that hold something."""
    filled = {"do": do} | {name: value for name, value in fields.items() if value}
    # Braces, quotes and colons stand in an address as they are: each update is that much smaller.
    return in_quotes(urlencode(filled, quote_via=lambda text, *_: quote(text, safe='{}":,[]# ').replace(" ", "+")))


def in_quotes(text: str) -> Markup:
    """A text as it stands in an attribute between single quotes."""
    return Markup(_LIKE_A_SIGN.sub("&amp;", text).replace("<", "&lt;").replace("'", "&#39;"))
