"""The checks themselves: each is read off a field's annotation, and says what it allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from math import isfinite
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import inspect

from winded.errors import Malformed
from winded.sentence import Sentence, sentence

Check = Callable[[object, str], Any]
"""Gives back what may stand in the field of this name, cleaned; raises Malformed for what may not."""

Made = TypeVar("Made", bound=msgspec.Struct)


class FieldKind(NamedTuple):
    """What may stand in a field: the check, in words what it allows, and the range of a number or a length."""

    check: Check
    allowed: Sentence
    least: int | None = None
    most: int | None = None


class _CheckedType(msgspec.StructMeta):
    def __call__(self, *args: Any, **fields: Any) -> Any:
        made = super().__call__(*args, **fields)
        check_fields(made)
        made.check_together()
        return made


class Checked(msgspec.Struct, metaclass=_CheckedType, frozen=True):
    """A struct whose fields are checked, and trimmed, whenever one is made by name; raises Malformed.

    One that is decoded is taken as it was written: what was accepted once is never held against a later range. For
    that, an annotation keeps its range in `extra` and `extra_json_schema`, where msgspec's decoders do not look, and
    no struct forbids unknown fields, which only `read` does.
    """

    def check_together(self) -> None:
        """Check what no field can say alone; raises Malformed."""


def shown(value: object) -> str:
    """A value as its writer would know it again, cut to 60 characters."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        try:
            text = repr(value)
        except (ValueError, RecursionError):
            text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:59] + "…"


def malformed(path: str, allowed: Sentence, value: object) -> Malformed:
    """The error for a value that may not stand at `path`, which may name an entry of a list, "order[2]"."""
    return Malformed(
        path[:60],
        "“{field}” must be {allowed}; it is {value}.",
        field=path[:60],
        allowed=allowed,
        value=shown(value),
    )


def whole_number_kind(least: int | None, most: int | None) -> FieldKind:
    if least is None or most is None:
        allowed = sentence("a whole number")
    else:
        allowed = sentence("a whole number from {least} to {most}", least=least, most=most)

    def check(value: object, path: str) -> int:
        if type(value) is not int or (least is not None and value < least) or (most is not None and value > most):
            raise malformed(path, allowed, value)
        return value

    return FieldKind(check, allowed, least, most)


def _choice(words: Mapping[str, object]) -> FieldKind:
    allowed = sentence("one of {words}", words=", ".join(f"“{word}”" for word in words))

    def check(value: object, path: str) -> object:
        if type(value) is str and value in words:
            return words[value]
        if isinstance(value, Enum) and words.get(value.value) is value:
            return value
        raise malformed(path, allowed, value)

    return FieldKind(check, allowed)


def _yes_no_check(value: object, path: str) -> bool:
    if type(value) is not bool:
        raise malformed(path, _TRUE_OR_FALSE, value)
    return value


_TRUE_OR_FALSE = sentence("true or false")


def _list(item: FieldKind, least: int, most: int) -> FieldKind:
    allowed = sentence("a list of {least} to {most} entries, each {item}", least=least, most=most, item=item.allowed)

    def check(value: object, path: str) -> tuple[object, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise malformed(path, allowed, value)
        return tuple(item.check(entry, f"{path}[{at}]") for at, entry in enumerate(value))

    return FieldKind(check, allowed, least, most)


def _mapping(key: FieldKind, item: FieldKind, least: int, most: int) -> FieldKind:
    allowed = sentence("a table of {least} to {most} entries", least=least, most=most)

    def check(value: object, path: str) -> dict[object, object]:
        if not isinstance(value, Mapping) or not least <= len(value) <= most:
            raise malformed(path, allowed, value)
        return {key.check(name, f"{path}.{name}"): item.check(entry, f"{path}.{name}") for name, entry in value.items()}

    return FieldKind(check, allowed, least, most)


def _struct(made: type[msgspec.Struct]) -> FieldKind:
    allowed = sentence("a table of its own")

    def check(value: object, path: str) -> msgspec.Struct:
        if isinstance(value, made):
            return value
        if not isinstance(value, Mapping):
            raise malformed(path, allowed, value)
        return read(made, value, path)

    return FieldKind(check, allowed)


def kind_of_field(kind: inspect.Type) -> FieldKind:
    """What may stand in a field, read off its annotation, which may bring its own as `extra={"kind": FieldKind(…)}`."""
    several: tuple[int, int] | None = None
    if isinstance(kind, inspect.Metadata):
        extra = kind.extra or {}
        if "kind" in extra:
            own: FieldKind = extra["kind"]
            return own
        several = extra.get("several")
        kind = kind.type
    match kind:
        case inspect.IntType():
            return whole_number_kind(kind.ge, kind.le)
        case inspect.EnumType():
            return _choice({member.value: member for member in kind.cls})
        case inspect.LiteralType():
            return _choice({str(word): word for word in kind.values})
        case inspect.BoolType():
            return FieldKind(_yes_no_check, _TRUE_OR_FALSE)
        case inspect.VarTupleType():
            least, most = several or (kind.min_length or 0, kind.max_length or 1000)
            return _list(kind_of_field(kind.item_type), least, most)
        case inspect.DictType():
            least, most = several or (kind.min_length or 0, kind.max_length or 100)
            return _mapping(kind_of_field(kind.key_type), kind_of_field(kind.value_type), least, most)
        case inspect.StructType():
            return _struct(kind.cls)
        case inspect.UnionType():
            (one,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
            return kind_of_field(one)
        case _:
            raise TypeError(f"No field can hold {kind}.")


class _Field(msgspec.Struct, frozen=True):
    attribute: str
    name: str
    required: bool
    default: object
    nullable: bool
    check: Check
    allowed: Sentence


def may_be_null(field: inspect.Field) -> bool:
    """Only where leaving a field out says something else does null have a meaning of its own.

    The default of such a field is UNSET, which msgspec reports as no default of a field that may be left out.
    """
    return not field.required and field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT


@cache
def _checks(made: type[msgspec.Struct]) -> tuple[_Field, ...]:
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    return tuple(
        _Field(
            field.name,
            field.encode_name,
            field.required,
            field.default,
            may_be_null(field),
            *kind_of_field(field.type)[:2],
        )
        for field in info.fields
    )


def check_fields(made: msgspec.Struct) -> None:
    """Check, and trim, what stands in a struct that was made by hand; raises Malformed naming the field."""
    for one in _checks(type(made)):
        value = getattr(made, one.attribute)
        if value is one.default or value is msgspec.UNSET:
            continue
        if value is None and one.nullable:
            continue
        cleaned = one.check(value, one.name)
        if cleaned is not value:
            msgspec.structs.force_setattr(made, one.attribute, cleaned)


def read(made: type[Made], data: Mapping[Any, object], path: str = "") -> Made:
    """A struct from plain data; raises Malformed for unknown, missing and wrong fields, naming the field."""
    inside = f"{path}." if path else ""
    checks = _checks(made)
    known = {one.name for one in checks}
    for name in data:
        if name not in known:
            unknown = f"{inside}{name}"[:60]
            raise Malformed(
                unknown,
                "There is no field “{field}” here. Fields here: {known}.",
                field=unknown,
                known=", ".join(f"“{one}”" for one in sorted(known)) or sentence("none"),
            )
    values: dict[str, object] = {}
    for one in checks:
        if one.name in data:
            value = data[one.name]
            values[one.attribute] = None if value is None and one.nullable else one.check(value, f"{inside}{one.name}")
        elif one.required:
            raise Malformed(
                f"{inside}{one.name}",
                "“{field}” is missing; it must be {allowed}.",
                field=f"{inside}{one.name}",
                allowed=one.allowed,
            )
    try:
        if not issubclass(made, Checked):
            return made(**values)
        # Every field has just been checked.
        whole = msgspec.StructMeta.__call__(made, **values)
        whole.check_together()
        return cast("Made", whole)
    except Malformed as wrong:
        if not path:
            raise
        raise Malformed(
            inside + wrong.field, wrong.text, **{**wrong.facts, "field": f"{inside}{wrong.facts['field']}"}
        ) from wrong
