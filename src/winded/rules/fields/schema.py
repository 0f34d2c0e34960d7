"""What a form asks for and the JSON Schema, both read off the same annotations as the checks."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from winded.rules.fields.checks import may_be_null


class Field(msgspec.Struct, frozen=True):
    """One field of a command: what a form must ask for.

    `kind` is "number", "text", "choice", "yes-no", "character" for one who sits at the table or "names" for several;
    `least` and `most` are the range of a number or the length of a text; `choices` are the words that may stand in a
    choice. `nullable` says that null stands for "take it away", which leaving the field out does not.
    """

    name: str
    kind: str
    required: bool
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    nullable: bool = False


@cache
def fields(made: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a command, in order, as a form would ask for them."""
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    return tuple(_field(field) for field in info.fields)


@cache
def _naming(made: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    kinds = zip((field.name for field in info.fields), fields(made), strict=True)
    return tuple((name, field.kind == "names") for name, field in kinds if field.kind in {"character", "names"})


def named(made: msgspec.Struct) -> tuple[str, ...]:
    """The characters that a command names, in the order of its fields."""
    found: list[str] = []
    for attribute, several in _naming(type(made)):
        value = getattr(made, attribute)
        if value is not None:
            found += value if several else (value,)
    return tuple(found)


def _field(field: inspect.Field) -> Field:
    kind: inspect.Type = field.type
    if isinstance(kind, inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    text = "text"
    if isinstance(kind, inspect.Metadata):
        text = "character" if (kind.extra or {}).get("names") == "character" else "text"
        kind = kind.type
    match kind:
        case inspect.IntType():
            return Field(field.encode_name, "number", field.required, kind.ge, kind.le)
        case inspect.EnumType():
            return Field(field.encode_name, "choice", field.required, choices=tuple(one.value for one in kind.cls))
        case inspect.BoolType():
            return Field(field.encode_name, "yes-no", field.required)
        case inspect.VarTupleType():
            return Field(field.encode_name, "names", field.required, kind.min_length, kind.max_length)
        case inspect.StrType():
            return Field(
                field.encode_name,
                text,
                field.required,
                kind.min_length,
                kind.max_length,
                nullable=may_be_null(field),
            )
        case _:
            raise TypeError(f"No form asks for {kind}.")


def schema(of: Any) -> dict[str, Any]:
    """The JSON Schema of what `read` accepts: a field that may be left out may not be null instead."""
    whole = msgspec.json.schema(of)
    for one in whole["$defs"].values():
        for field in one.get("properties", {}).values():
            if field.get("default", ...) is None:
                del field["default"]
                (kind,) = (kind for kind in field.pop("anyOf") if kind != {"type": "null"})
                field.update(kind)
            if isinstance(field.get("default"), dict):
                field["default"] = {name: value for name, value in field["default"].items() if value is not None}
    return whole
