"""What a form asks for and the JSON Schema, both read off the same annotations as the checks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from winded.rules.fields.checks import Made, kind_of_field, may_be_null


class Field(msgspec.Struct, frozen=True):
    """One field of a command: what a form must ask for.

    `kind` is "number", "text", "choice", "yes-no", "character" for one who sits at the table, "names" for several,
    "list" for several of anything else, as JSON, or "moment" for what nobody fills in: what the command was aimed at,
    as JSON. `least` and `most` are the range of a
    number or the length of a text; `choices` are the words that may stand in a choice. `nullable` says that null stands
    for "take it away", which leaving the field out does not.
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


def naming(made: Made, names: Iterable[str]) -> Made:
    """The same command for others: these stand where those stand whom it names, in the order of `named`."""
    left = iter(names)
    changed: dict[str, object] = {}
    for attribute, several in _naming(type(made)):
        value = getattr(made, attribute)
        if value is not None:
            changed[attribute] = tuple(next(left) for _ in value) if several else next(left)
    return replace(made, **changed) if changed else made


def _field(field: inspect.Field) -> Field:
    kind: inspect.Type = field.type
    if isinstance(kind, inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    allowed = kind_of_field(kind)
    text = "text"
    if isinstance(kind, inspect.Metadata):
        text = (kind.extra or {}).get("names", text)
        kind = kind.type
    made = partial(Field, field.encode_name, required=field.required, nullable=may_be_null(field))
    match kind:
        case inspect.IntType():
            return made("number", least=allowed.least, most=allowed.most)
        case inspect.EnumType():
            return made("choice", choices=tuple(one.value for one in kind.cls))
        case inspect.BoolType():
            return made("yes-no")
        case inspect.VarTupleType():
            item = kind.item_type.type if isinstance(kind.item_type, inspect.Metadata) else kind.item_type
            several = "names" if isinstance(item, inspect.StrType) else "list"
            return made(several, least=allowed.least, most=allowed.most)
        case inspect.StructType():
            return made("moment")
        case inspect.StrType():
            return made(text, least=allowed.least, most=allowed.most)
        case _:
            raise TypeError(f"No form asks for {kind}.")


def schema(of: Any) -> dict[str, Any]:
    """The JSON Schema of what `read` accepts: a field that may be left out may not be null instead.

    It says what a field holds in plain properties, so that programs can be made from it.
    """
    whole = msgspec.json.schema(of)
    for one in whole["$defs"].values():
        if "properties" in one:
            # Decoders skip what they do not know, as they must with what was stored; `read` does not.
            one["additionalProperties"] = False
        for field in one.get("properties", {}).values():
            if "anyOf" in field:
                _make_plain(field)
            if isinstance(field.get("default"), dict):
                field["default"] = {name: value for name, value in field["default"].items() if value is not None}
    return whole


def _make_plain(field: dict[str, Any]) -> None:
    may_be_left_out = field.get("default", ...) is None
    if may_be_left_out:
        del field["default"]
    kinds = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    if len(kinds) > 1 or (not may_be_left_out and "type" not in kinds[0]):
        return
    (kind,) = kinds
    del field["anyOf"]
    field.update(kind)
    if not may_be_left_out:
        field["type"] = [kind["type"], "null"]
