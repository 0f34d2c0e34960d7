"""Days as JSON, described: the schema of what `winded.odds.day_from` reads, component by component."""

from __future__ import annotations

from typing import Any

from winded.odds import HABITS
from winded.odds.check import FURTHEST_TARGET
from winded.odds.day.model import MOST_CALLS, MOST_CHARACTERS, MOST_ROUNDS, MOST_STEPS, MOST_TIMES, MOST_WOUNDS
from winded.rules import Hardship, RestKind

Schema = dict[str, Any]

ATTENTION = ("each", "spread")
"""Whom calls may fall on where nothing is simulated."""

_CHANCE = {"$ref": "#/components/schemas/DayChance"}
_VALUE = {"$ref": "#/components/schemas/DayValue"}
_WHO = {
    "description": "Whom it concerns; everyone, if it is left out.",
    "anyOf": [
        {"type": "string", "minLength": 1, "maxLength": 40},
        {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 40}, "minItems": 1},
    ],
}


def _text(most: int, told: str = "") -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": most} | ({"description": told} if told else {})


def _whole(least: int, most: int, told: str = "") -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most} | ({"description": told} if told else {})


def _object(told: str, needed: tuple[str, ...], **fields: Schema) -> Schema:
    return {
        "type": "object",
        "description": told,
        "properties": fields,
        "required": list(needed),
        "additionalProperties": False,
    }


def _spread(least: int, most: int, told: str) -> Schema:
    forms: list[Schema] = [
        _whole(least, most),
        {
            "type": "object",
            "description": "The chance of each number, by number; what is left over is that of 0, where 0 may be.",
            "additionalProperties": _CHANCE,
            "propertyNames": {"pattern": "^[0-9]{1,2}$"},
        },
    ]
    if least == 0:
        forms.append(_CHANCE)
    return {"description": told, "anyOf": forms}


def _many(told: str, name: str, field: Schema, **more: Schema) -> Schema:
    """A step that may come several times, with a chance, and that may be worth something of its own."""
    return _object(
        told, (name,), **{name: field}, **more, chance=_CHANCE, times=_whole(1, MOST_TIMES), value=_VALUE, who=_WHO
    )


COMPONENTS: dict[str, Schema] = {
    "DayChance": {
        "description": 'A chance: a number from 0 to 1, or a fraction as text, such as "1/3".',
        "anyOf": [
            {"type": "number", "minimum": 0, "maximum": 1},
            {"type": "string", "pattern": "^[0-9]{1,9}/[1-9][0-9]{0,8}$"},
        ],
    },
    "DayValue": {
        "description": "What something is worth, on the table's own scale; for advice only.",
        "anyOf": [
            {"type": "number", "minimum": 0, "maximum": 1000},
            {"type": "string", "pattern": "^[0-9]{1,9}/[1-9][0-9]{0,8}$"},
        ],
    },
    "DayWound": _object(
        "A CON Wound that may come: its steps down the ladder of dice, and its chance.",
        ("wound",),
        wound=_text(200),
        steps=_whole(1, 99),
        chance=_CHANCE,
    ),
    "DayHabit": {
        "description": "How a character spends: by name, or in figures.",
        "anyOf": [
            {"enum": list(HABITS)},
            _object(
                "A habit in figures.",
                (),
                keep=_whole(0, 99, "Never spends below so much Stamina."),
                early={"type": "boolean", "description": "Acts early when that matters."},
                reactions=_whole(0, 99, "At most so many before the cost goes back."),
                push=_whole(0, 99, "Pushes a Check by up to so much."),
                aim=_CHANCE,
                other={"type": "boolean", "description": "Resists, channels and uses abilities."},
                last_fight_free={"type": "boolean", "description": "Keeps nothing back in the day's last fight."},
            ),
        ],
    },
    "DayCharacter": _object(
        "Someone who goes through the day.",
        ("name", "con"),
        name=_text(40),
        con={"type": "string", "pattern": "^d[1-9][0-9]?$", "description": "The CON Ability Die before Wounds."},
        stamina=_whole(0, 99, "Stamina at the start; the maximum, if it is left out."),
        wounds={
            "type": "array",
            "maxItems": MOST_WOUNDS,
            "items": {"anyOf": [_text(200), {"$ref": "#/components/schemas/DayWound"}]},
        },
        abilities={
            "type": "object",
            "description": "The cost in Stamina of each ability, by name.",
            "additionalProperties": _whole(0, 99),
        },
        habit={"$ref": "#/components/schemas/DayHabit"},
    ),
    "DayValues": _object(
        "What a table holds things worth: for advice only.",
        (),
        **dict.fromkeys(("early", "reaction", "check", "spend", "left", "empty"), _VALUE),
    ),
    "DayFight": _object(
        "A fight: how many rounds, and what a round calls for.",
        ("fight",),
        fight=_text(80, "What it is called."),
        rounds=_spread(1, MOST_ROUNDS, "How many rounds; 3, if it is left out."),
        early=_CHANCE,
        reactions=_spread(0, MOST_CALLS, "How many reactions a round calls for; none, if it is left out."),
        wound={"$ref": "#/components/schemas/DayWound"},
        attention={"enum": list(ATTENTION)},
        early_value=_VALUE,
        reaction_value=_VALUE,
        who=_WHO,
    ),
    "DayCheck": _many(
        "A Check that may be pushed.",
        "check",
        _text(80, "What it is called."),
        target=_whole(-FURTHEST_TARGET, FURTHEST_TARGET, "Needs dice: its own, or the day's."),
        dice=_text(200),
    ),
    "DayWoundStep": _object(
        "A CON Wound outside a fight.", ("wound",), wound=_text(200), steps=_whole(1, 99), chance=_CHANCE, who=_WHO
    ),
    "DayRecovery": _object("A Wound is recovered.", ("recover",), recover=_text(200), chance=_CHANCE, who=_WHO),
    "DayRest": _object(
        "A rest.", ("rest",), rest={"enum": [kind.value for kind in RestKind]}, chance=_CHANCE, who=_WHO
    ),
    "DayHardship": _many(
        "A hardship to resist.",
        "resist",
        {"enum": [one.value for one in Hardship]},
        stamina=_whole(1, 99),
    ),
    "DayChannel": _many("Channel Casting.", "channel", _text(200), stamina=_whole(1, 99)),
    "DayAbility": _many("The use of an ability, at its own cost.", "ability", _text(40)),
    "DayStep": {
        "description": "One step, known by the field that names it.",
        "anyOf": [
            {"$ref": f"#/components/schemas/{name}"}
            for name in (
                "DayFight", "DayCheck", "DayWoundStep", "DayRecovery", "DayRest", "DayHardship", "DayChannel",
                "DayAbility",
            )
        ],
    },
    "Day": _object(
        "A day or an evening: who is there, and what comes. As in a day file, with chances where one cannot know.",
        ("characters", "steps"),
        title=_text(80),
        check=_text(200, "How Checks are rolled, such as 1d20+con."),
        values={"$ref": "#/components/schemas/DayValues"},
        characters={
            "type": "array",
            "items": {"$ref": "#/components/schemas/DayCharacter"},
            "minItems": 1,
            "maxItems": MOST_CHARACTERS,
        },
        steps={
            "type": "array",
            "items": {"$ref": "#/components/schemas/DayStep"},
            "minItems": 1,
            "maxItems": MOST_STEPS,
        },
    ),
    "DayUnder": _object(
        "A day, and the ruleset it is gone through under: the page's, if none is given.",
        ("day",),
        day={"$ref": "#/components/schemas/Day"},
        ruleset={"$ref": "#/components/schemas/Ruleset"},
    ),
    "DayCompared": _object(
        "A day, and the rulesets to compare it under.",
        ("day", "rulesets"),
        day={"$ref": "#/components/schemas/Day"},
        rulesets={
            "type": "array",
            "items": {"$ref": "#/components/schemas/Ruleset"},
            "minItems": 1,
            "maxItems": 6,
            "description": "An empty object stands for the page.",
        },
    ),
}  # fmt: skip
