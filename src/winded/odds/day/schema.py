"""Days as JSON, described: the JSON Schema of what `day_from` reads, component by component, made from the model."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from winded.odds.day.fields import Chance, Value, day_fields, spelling_of
from winded.odds.day.model import STEPS, DayCharacter, DayFile, PossibleWound, Values
from winded.odds.forecasts.habits import HABITS, Habit

Schema = dict[str, Any]

PREFIX = "#/components/schemas/Day"
"""Where the components of days stand in the description of the API."""


_SHARED: dict[int, Schema] = {id(spelling_of(Chance)): {"$ref": "Chance"}, id(spelling_of(Value)): {"$ref": "Value"}}


def _object(made: type[Struct], told: str | None = None) -> Schema:
    fields = day_fields(made)
    return {
        "type": "object",
        "description": told or (made.__doc__ or "").partition("\n")[0],
        "properties": {field.name: _SHARED.get(id(field.spelling), field.spelling.schema) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _components() -> dict[str, Schema]:
    steps = {f"{kind.title().replace('_', '')}Step": made for kind, made in STEPS.items()}
    found = {
        "Chance": spelling_of(Chance).schema,
        "Value": spelling_of(Value).schema,
        "Wound": _object(PossibleWound),
        "Values": _object(Values),
        "Habit": {
            "description": "How a character spends: by name, or in figures.",
            "anyOf": [{"enum": [*HABITS]}, _object(Habit)],
        },
        "Character": _object(DayCharacter),
        **{name: _object(made) for name, made in steps.items()},
        "Step": {
            "description": "One step, known by the field that names it.",
            "anyOf": [{"$ref": name} for name in steps],
        },
        "": _object(DayFile),
    }
    # What cannot be forecast exactly is no part of what the API takes.
    found["FightStep"]["properties"]["attention"] = {"enum": ["each", "spread"]}
    return {f"Day{name}": _placed(one) for name, one in found.items()}


def _placed(schema: Any) -> Any:
    """The schema with its references pointing into the description of the API."""
    if isinstance(schema, dict):
        return {key: PREFIX + one if key == "$ref" else _placed(one) for key, one in schema.items()}
    return [_placed(one) for one in schema] if isinstance(schema, list | tuple) else schema


_DAY, _RULESET = {"$ref": PREFIX}, {"$ref": "#/components/schemas/Ruleset"}

COMPONENTS: dict[str, Schema] = {
    **_components(),
    "DayUnder": {
        "type": "object",
        "description": "A day, and the ruleset it is gone through under: the page's, if none is given.",
        "properties": {"day": _DAY, "ruleset": _RULESET},
        "required": ["day"],
        "additionalProperties": False,
    },
    "DayCompared": {
        "type": "object",
        "description": "A day, and the rulesets to compare it under.",
        "properties": {
            "day": _DAY,
            "rulesets": {
                "type": "array",
                "items": _RULESET,
                "minItems": 1,
                "maxItems": 6,
                "description": "An empty object stands for the page.",
            },
        },
        "required": ["day", "rulesets"],
        "additionalProperties": False,
    },
}
