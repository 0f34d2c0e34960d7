"""The rules once more, as small as they can be and without a line of Winded, to hold counted lines of play against.

A game is plain data. `play(game, command)` gives the game after a command, or the rule it is refused under.
"""

from __future__ import annotations

import copy
from typing import Any

Game = dict[str, Any]
LADDER = ["d6", "d8", "d10", "d12"]
MAXIMUM = {None: 0, "d6": 6, "d8": 8, "d10": 10, "d12": 12}
NEW: Game = {"people": [], "fight": None, "call": None}


class No(Exception):
    """The rule, or the kind of refusal, that says no."""


def play(game: Game, command: dict[str, Any]) -> Game | str:
    after = copy.deepcopy(game)
    try:
        MOVES[command["do"]](after, command)
    except No as no:
        return str(no)
    return after


def who(game: Game, name: str) -> Game:
    for one in game["people"]:
        if one["name"].lower() == name.lower():
            found: Game = one
            return found
    raise No("not-found")


def here(game: Game) -> list[Game]:
    return [one for one in game["people"] if not one["aside"]]


def active(game: Game, name: str) -> Game:
    one = who(game, name)
    if one["aside"]:
        raise No("ruling.aside")
    return one


def die(one: Game) -> str | None:
    if one["base"] is None:
        return None
    steps = sum(steps for _, steps in one["wounds"])
    return LADDER[max(0, LADDER.index(one["base"]) - steps)]


def most(one: Game) -> int:
    return MAXIMUM[die(one)]


def cut(one: Game) -> None:
    one["stamina"] = min(one["stamina"], most(one))


def pay(one: Game, command: dict[str, Any], cost: int, rule: str, none: str = "zero.no-spending") -> None:
    if command.get("cost", cost) != cost:
        raise No("cost-changed")
    if one["stamina"] < cost:
        raise No(rule if one["stamina"] else none)
    one["stamina"] -= cost


def add_character(game: Game, command: dict[str, Any]) -> None:
    if command["name"].lower() in ["enemy", *(one["name"].lower() for one in game["people"])]:
        raise No("duplicate")
    one = {
        "name": command["name"], "side": command.get("side", "party"), "base": command.get("con"), "stamina": 0,
        "wounds": [], "reactions": 0, "early": False, "check": None, "abilities": {}, "aside": False,
    }  # fmt: skip
    one["stamina"] = command.get("stamina", most(one))
    if one["stamina"] > most(one):
        raise No("max.die")
    game["people"].append(one)
    if game["fight"] and game["fight"]["phase"] == "turns":
        game["fight"]["order"].append(one["name"])


def edit_character(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if "name" in command:
        new = command["name"]
        if new.lower() in ["enemy", *(other["name"].lower() for other in game["people"] if other is not one)]:
            raise No("duplicate")
        if game["fight"]:
            fight = game["fight"]
            fight["order"] = [new if name == one["name"] else name for name in fight["order"]]
            fight["turn"] = new if fight["turn"] == one["name"] else fight["turn"]
            fight["away"] = [new if name == one["name"] else name for name in fight["away"]]
        if game["call"]:
            game["call"]["waiting"] = [new if name == one["name"] else name for name in game["call"]["waiting"]]
        one["name"] = new
    if "con" in command:
        one["base"] = command["con"]
        cut(one)


def remove_character(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    game["people"].remove(one)
    leave(game, one)


def set_aside(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if one["check"] is not None:
        raise No("push.before-roll")
    if one["aside"]:
        raise No("not-now")
    one["aside"] = True
    leave(game, one)


def bring_back(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if not one["aside"]:
        raise No("not-now")
    one["aside"] = False
    fight = game["fight"]
    if fight and fight["phase"] == "turns" and one["name"] not in fight["away"]:
        fight["order"].append(one["name"])


def leave(game: Game, one: Game) -> None:
    """Out of a call, and of the order, on the own turn to the next; `away` keeps who acted first and may come back."""
    drop(game, one)
    fight = game["fight"]
    if fight and one["name"] in fight["order"]:
        mine = fight["turn"] == one["name"]
        at = fight["order"].index(one["name"])
        fight["order"].pop(at)
        if (at < fight["acted"] or mine) and one["aside"]:
            fight["away"].append(one["name"])
        if at < fight["acted"]:
            fight["acted"] -= 1
        if mine:
            step(game)


def add_ability(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if command["ability"] in one["abilities"]:
        raise No("duplicate")
    one["abilities"][command["ability"]] = command["cost"]


def use_ability(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if command["ability"] not in one["abilities"]:
        raise No("not-found")
    active(game, one["name"])
    pay(one, command, one["abilities"][command["ability"]], "ability.spend")


def take_wound(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if command["wound"] in dict(one["wounds"]):
        raise No("duplicate")
    if one["base"] is None:
        raise No("not-allowed")
    one["wounds"].append((command["wound"], command.get("steps", 1)))
    cut(one)


def recover_wound(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if command["wound"] not in dict(one["wounds"]):
        raise No("not-found")
    one["wounds"] = [wound for wound in one["wounds"] if wound[0] != command["wound"]]


def calm(game: Game) -> None:
    for one in game["people"]:
        one["reactions"], one["early"] = 0, False


def start_combat(game: Game, _: dict[str, Any]) -> None:
    if game["fight"]:
        raise No("not-now")
    calm(game)
    game["fight"] = {"round": 1, "phase": "declare", "order": [], "acted": 0, "turn": None, "away": []}


def end_combat(game: Game, _: dict[str, Any]) -> None:
    if not game["fight"]:
        raise No("not-now")
    calm(game)
    game["fight"] = None


def act_early(game: Game, command: dict[str, Any]) -> None:
    one = active(game, command["character"])
    if not game["fight"] or game["fight"]["phase"] != "declare" or one["early"]:
        raise No("early.cost")
    if one["side"] == "enemy":
        raise No("ruling.enemies")
    pay(one, command, 1, "early.cost")
    one["early"] = True


def begin_turns(game: Game, _: dict[str, Any]) -> None:
    fight = game["fight"]
    if not fight or fight["phase"] != "declare":
        raise No("not-now")
    enemies = [one["name"] for one in here(game) if one["side"] == "enemy"] or ["Enemy"]
    party = [one for one in here(game) if one["side"] == "party"]
    fight["order"] = [
        *(one["name"] for one in party if one["early"]), *enemies, *(one["name"] for one in party if not one["early"])
    ]  # fmt: skip
    fight["phase"] = "turns"


def next_turn(game: Game, _: dict[str, Any]) -> None:
    if not game["fight"] or game["fight"]["phase"] != "turns":
        raise No("not-now")
    step(game)


def step(game: Game) -> None:
    """`acted` counts those whose turn is over; the one whose turn it is, is not among them."""
    fight = game["fight"]
    if fight["turn"] is not None and fight["turn"] in fight["order"]:
        fight["acted"] += 1
    if fight["acted"] == len(fight["order"]):
        fight.update(round=fight["round"] + 1, phase="declare", order=[], acted=0, turn=None, away=[])
        for one in game["people"]:
            one["early"] = False
        return
    fight["turn"] = fight["order"][fight["acted"]]
    for one in game["people"]:
        if one["name"] == fight["turn"]:
            one["reactions"] = 0


def reorder(game: Game, command: dict[str, Any]) -> None:
    enemies = any(one["side"] == "enemy" for one in here(game))
    fight = game["fight"]
    named = [
        "Enemy" if name == "Enemy" and (not enemies or (fight and name in fight["order"])) else who(game, name)["name"]
        for name in command["order"]
    ]
    if not fight or fight["phase"] != "turns":
        raise No("not-now")
    begun = fight["acted"] + (fight["turn"] is not None)
    if sorted(named) != sorted(fight["order"][begun:]):
        raise No("not-now")
    fight["order"][begun:] = named


def react(game: Game, command: dict[str, Any]) -> None:
    one = active(game, command["character"])
    if not game["fight"]:
        raise No("reaction.combat")
    if game["fight"]["turn"] == one["name"]:
        raise No("reaction.outside-turn")
    pay(one, command, one["reactions"] + 1, "reaction.cost", "reaction.needs-stamina")
    one["reactions"] += 1


def declare_check(game: Game, command: dict[str, Any]) -> None:
    one = active(game, command["character"])
    if one["check"] is not None:
        raise No("push.before-roll")
    target, call = command.get("target"), game["call"]
    if call and one["name"] in call["waiting"]:
        if command.get("push") and not call["pushable"]:
            raise No("push.strain")
        if target is not None and (call["secret"] or target != call["target"]):
            raise No("not-now")
        target = None if call["secret"] else call["target"]
    pay(one, command, command.get("push", 0), "push.bonus")
    one["check"] = (command.get("push", 0), target)


def resolve_check(game: Game, command: dict[str, Any]) -> None:
    one = active(game, command["character"])
    if one["check"] is None:
        raise No("not-now")
    one["check"] = None
    drop(game, one)


def withdraw_check(game: Game, command: dict[str, Any]) -> None:
    one = active(game, command["character"])
    if one["check"] is None:
        raise No("not-now")
    one["stamina"] += one["check"][0]
    one["check"] = None
    cut(one)
    if game["call"] and game["call"]["closed"]:
        drop(game, one)


def call_check(game: Game, command: dict[str, Any]) -> None:
    called = [who(game, name) for name in command["characters"]] if "characters" in command else [
        one for one in here(game) if one["side"] == "party"
    ]  # fmt: skip
    if any(one["aside"] for one in called):
        raise No("ruling.aside")
    if any(one["check"] is not None for one in called):
        raise No("push.before-roll")
    if game["call"] or not called:
        raise No("not-now")
    game["call"] = {
        "waiting": list(dict.fromkeys(one["name"] for one in called)), "target": command.get("target"),
        "secret": command.get("secret", False), "pushable": command.get("pushable", True), "closed": False,
    }  # fmt: skip


def close_call(game: Game, _: dict[str, Any]) -> None:
    undeclared = [name for name in game["call"]["waiting"] if who(game, name)["check"] is None] if game["call"] else []
    if not undeclared:
        raise No("not-now")
    game["call"]["closed"] = True
    for name in undeclared:
        drop(game, who(game, name))


def drop(game: Game, one: Game) -> None:
    """Nothing more to do with a call; it ends with the last."""
    if game["call"] and one["name"] in game["call"]["waiting"]:
        game["call"]["waiting"].remove(one["name"])
        if not game["call"]["waiting"]:
            game["call"] = None


def resist(game: Game, command: dict[str, Any]) -> None:
    pay(active(game, command["character"]), command, command["stamina"], "hardship.spend")


def channel(game: Game, command: dict[str, Any]) -> None:
    pay(active(game, command["character"]), command, command["stamina"], "channel.needs-stamina")


def rest(game: Game, command: dict[str, Any]) -> None:
    if "characters" in command:
        resting = {one["name"]: one for one in (who(game, name) for name in command["characters"])}
    else:
        resting = {one["name"]: one for one in here(game) if one["side"] == "party"}
    if any(one["aside"] for one in resting.values()):
        raise No("ruling.aside")
    if game["fight"]:
        raise No("ruling.rest-in-combat")
    if not resting:
        raise No("not-now")
    for one in resting.values():
        full = most(one)
        back = {"short": 1, "unsafe_long": full // 3, "safe_long": 2 * full // 3, "respite": full}[command["kind"]]
        one["stamina"] = min(full, one["stamina"] + max(1, back))


def adjust(game: Game, command: dict[str, Any]) -> None:
    one = who(game, command["character"])
    if not 0 <= one["stamina"] + command["by"] <= most(one):
        raise No("ruling.by-hand")
    one["stamina"] += command["by"]


MOVES = {
    move.__name__: move
    for move in (
        add_character, edit_character, remove_character, add_ability, use_ability, take_wound, recover_wound,
        start_combat, end_combat, act_early, begin_turns, next_turn, reorder, react, declare_check, resolve_check,
        withdraw_check, resist, channel, rest, adjust, set_aside, bring_back,
        call_check, close_call,
    )
}  # fmt: skip
