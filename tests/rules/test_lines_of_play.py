"""All lines of play to a depth, counted, and held against a tiny model that shares no line with Winded.

At each table reached, each command is either accepted by both and leads to the same state, or refused by both under the
same rule. The counts are pinned: how many lines of so many accepted commands there are.
"""

from typing import Any

import pytest

from tests.rules import model
from winded import Refused, Table, command_from
from winded.rules import Character, Command

ASH: dict[str, Any] = {"do": "add_character", "name": "Ash", "con": "d8"}
BRYN: dict[str, Any] = {"do": "add_character", "name": "Bryn", "con": "d6", "stamina": 1}
WOLF: dict[str, Any] = {"do": "add_character", "name": "Wolf", "con": "d6", "side": "enemy", "stamina": 2}
ROUND: list[dict[str, Any]] = [
    {"do": "start_combat"},
    {"do": "begin_turns"},
    {"do": "next_turn"},
    {"do": "end_combat"},
    {"do": "act_early", "character": "Ash"},
    {"do": "act_early", "character": "Bryn"},
    {"do": "react", "character": "Ash"},
    {"do": "react", "character": "Bryn"},
]

ASIDE: list[dict[str, Any]] = [
    {"do": do, "character": name} for name in ("Ash", "Bryn", "Wolf") for do in ("set_aside", "bring_back")
]

GAMES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], list[int]]] = {
    "a fight": (
        [ASH, BRYN],
        [
            *ROUND,
            {"do": "react", "character": "Ash", "cost": 2},
            {"do": "reorder", "order": ["Bryn", "Ash"], "reason": "hesitation"},
            {"do": "reorder", "order": ["Ash", "Enemy", "Bryn"], "reason": "surprise"},
            {"do": "rest", "kind": "short"},
        ],
        [2, 8, 35, 150, 619, 2379, 8708, 30991],
    ),
    "a day": (
        [ASH, BRYN, {"do": "add_ability", "character": "Ash", "ability": "Shield Wall", "cost": 3}],
        [
            {"do": "declare_check", "character": "Ash", "push": 4},
            {"do": "declare_check", "character": "Bryn", "target": 9},
            {"do": "resolve_check", "character": "Ash", "roll": 10},
            {"do": "withdraw_check", "character": "Ash"},
            {"do": "take_wound", "character": "Ash", "wound": "ribs"},
            {"do": "take_wound", "character": "Ash", "wound": "fever", "steps": 3},
            {"do": "recover_wound", "character": "Ash", "wound": "ribs"},
            {"do": "use_ability", "character": "Ash", "ability": "Shield Wall"},
            {"do": "use_ability", "character": "Bryn", "ability": "Shield Wall"},
            {"do": "resist", "character": "Bryn", "stamina": 1, "hardship": "fear"},
            {"do": "channel", "character": "Ash", "stamina": 2},
            {"do": "rest", "kind": "short"},
            {"do": "rest", "kind": "unsafe_long", "characters": ["Bryn"]},
            {"do": "rest", "kind": "safe_long", "characters": ["ash", "Ash"]},
            {"do": "rest", "kind": "respite"},
            {"do": "adjust", "character": "Ash", "by": -3, "reason": "a curse"},
            {"do": "adjust", "character": "Bryn", "by": 5, "reason": "a draught"},
            {"do": "edit_character", "character": "Ash", "con": "d12"},
        ],
        [14, 190, 2486, 31390, 385303],
    ),
    "coming and going": (
        [ASH, BRYN, WOLF],
        [
            *ROUND,
            {"do": "act_early", "character": "Wolf"},
            {"do": "react", "character": "Wolf"},
            {"do": "add_character", "name": "Cole", "con": "d6"},
            {"do": "add_character", "name": "Bear", "side": "enemy"},
            {"do": "edit_character", "character": "Ash", "name": "Asha"},
            {"do": "remove_character", "character": "Ash"},
            {"do": "remove_character", "character": "Wolf"},
            {"do": "remove_character", "character": "Cole"},
            {"do": "reorder", "order": ["Bryn", "Wolf"], "reason": "ambush"},
            {"do": "take_wound", "character": "Bear", "wound": "arrow"},
            {"do": "rest", "kind": "short", "characters": ["Wolf"]},
        ],
        [7, 47, 324, 2295, 15839, 102812],
    ),
    "called": (
        [ASH, BRYN, WOLF],
        [
            {"do": "call_check"},
            {"do": "call_check", "characters": ["bryn", "Bryn"], "target": 7, "pushable": False},
            {"do": "call_check", "characters": ["Ash", "Wolf"], "target": 5, "secret": True},
            {"do": "close_call"},
            {"do": "declare_check", "character": "Ash", "push": 1},
            {"do": "declare_check", "character": "Ash", "target": 5},
            {"do": "declare_check", "character": "Bryn", "push": 2},
            {"do": "declare_check", "character": "Bryn", "target": 7},
            {"do": "declare_check", "character": "Wolf"},
            {"do": "resolve_check", "character": "Ash", "roll": 4},
            {"do": "resolve_check", "character": "Wolf", "roll": 3},
            {"do": "withdraw_check", "character": "Ash"},
            {"do": "withdraw_check", "character": "Bryn"},
            {"do": "set_aside", "character": "Bryn"},
            {"do": "bring_back", "character": "Bryn"},
            {"do": "remove_character", "character": "Wolf"},
            {"do": "edit_character", "character": "Ash", "name": "Asha"},
        ],
        [10, 74, 479, 2861, 16323],
    ),
    "away and back": (
        [ASH, BRYN, WOLF],
        [
            *ROUND[:3],
            *ASIDE,
            {"do": "act_early", "character": "Ash"},
            {"do": "react", "character": "Ash"},
            {"do": "declare_check", "character": "Bryn", "push": 1},
            {"do": "withdraw_check", "character": "Bryn"},
            {"do": "rest", "kind": "short"},
            {"do": "rest", "kind": "short", "characters": ["Ash"]},
            {"do": "reorder", "order": ["Enemy", "Bryn"], "reason": "fog"},
            {"do": "edit_character", "character": "Ash", "name": "Asha"},
            {"do": "remove_character", "character": "Bryn"},
        ],
        [9, 72, 517, 3423, 21426],
    ),
}


def as_the_model_has_it(table: Table) -> model.Game:
    """A table in the model's words."""

    def person(one: Character) -> model.Game:
        check = one.open_check
        return {
            "name": one.name,
            "side": one.side,
            "base": one.base_con,
            "stamina": one.stamina,
            "wounds": [(wound.wound, wound.steps) for wound in one.wounds],
            "reactions": one.reactions,
            "early": one.acts_early,
            "check": None if check is None else (check.push, check.target),
            "abilities": {ability.name: ability.cost for ability in one.abilities},
            "aside": one.aside,
        }

    combat = table.combat
    fight = combat and {
        "round": combat.round,
        "phase": combat.phase,
        "order": [*combat.order],
        "acted": max(0, combat.acting),
        "turn": combat.turn,
        "away": [table.names[one] for one in combat.acted if one in table.names],
    }
    call = table.call
    called = (
        call
        and call.waiting
        and {
            "waiting": [table.names[one] for one in call.waiting],
            "target": call.target,
            "secret": call.secret,
            "pushable": call.pushable,
            "closed": call.closed,
        }
    )
    return {"people": [person(one) for one in table.characters.values()], "fight": fight, "call": called or None}


def outcome(table: Table, command: Command) -> Table | str:
    """The table after a command, or the rule it is refused under."""
    try:
        return table.do(command)
    except Refused as no:
        return no.rule


@pytest.mark.parametrize("name", GAMES)
def test_lines_of_play(name: str) -> None:
    seats, moves, counts = GAMES[name]
    commands = [(move, command_from(move)) for move in moves]
    table, game = Table(), model.NEW
    for seat in seats:
        table = table.do(command_from(seat))
        after = model.play(game, seat)
        assert isinstance(after, dict)
        game = after
    seen: dict[Table, list[Table]] = {}

    def follow(table: Table, game: model.Game) -> list[Table]:
        """The tables one command further, each held against the model."""
        found = seen.get(table)
        if found is None:
            assert as_the_model_has_it(table) == game
            found = seen[table] = []
            for move, command in commands:
                after = outcome(table, command)
                assert (after if isinstance(after, str) else as_the_model_has_it(after)) == model.play(game, move), move
                if isinstance(after, Table):
                    found.append(after)
        return found

    lines = {table: 1}
    counted = []
    for _ in counts:
        further: dict[Table, int] = {}
        for one, many in lines.items():
            for after in follow(one, as_the_model_has_it(one)):
                further[after] = further.get(after, 0) + many
        lines = further
        counted.append(sum(lines.values()))
    assert counted == counts
