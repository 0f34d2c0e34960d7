"""What may stand in a field: whole numbers in a range, texts of a length, one of a few words.

The annotations on commands and rulesets are the only account of this; the checks here and the JSON Schemas
are both made from them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from math import isfinite
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, inspect

from winded.errors import Malformed
from winded.sentence import Sentence, sentence

Check = Callable[[object, str], Any]
"""Gives back what may stand in the field of this name, cleaned; raises Malformed for what may not."""

Made = TypeVar("Made", bound=msgspec.Struct)


class Kind(NamedTuple):
    """What may stand in a field: the check, and in words what it allows."""

    check: Check
    allowed: Sentence


class Field(msgspec.Struct, frozen=True):
    """One field of a command: what a form must ask for.

    `kind` is "number", "text", "choice", "yes-no" or "names"; `least` and `most` are the range of a number or the
    length of a text; `choices` are the words that may stand in a choice. `nullable` says that null stands for "take it
    away", which leaving the field out does not.
    """

    name: str
    kind: str
    required: bool
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    nullable: bool = False


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
        path.partition("[")[0],
        "“{field}” must be {allowed}; it is {value}.",
        field=path[:60],
        allowed=allowed,
        value=shown(value),
    )


def _whole_number(least: int | None, most: int | None) -> Kind:
    if least is None or most is None:
        allowed = sentence("a whole number")
    else:
        allowed = sentence("a whole number from {least} to {most}", least=least, most=most)

    def check(value: object, path: str) -> int:
        if type(value) is not int or (least is not None and value < least) or (most is not None and value > most):
            raise malformed(path, allowed, value)
        return value

    return Kind(check, allowed)


_UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"))


def _text(least: int, most: int, allowed: Sentence) -> Kind:
    def check(value: object, path: str) -> str:
        if type(value) is not str:
            raise malformed(path, allowed, value)
        text = value.strip()
        if not text.isascii():
            # Two ways to write the same letters are one text, and it is as long as it is when composed: no letter is
            # made of more than three. What is far too long stays as it is, so that nobody makes us compose a book.
            text = unicodedata.normalize("NFC", text) if len(text) <= 3 * most else text
        if not least <= len(text) <= most:
            if not text:
                raise Malformed(
                    path.partition("[")[0],
                    "“{field}” is empty; it must be {allowed}.",
                    field=path[:60],
                    allowed=allowed,
                )
            raise Malformed(
                path.partition("[")[0],
                "“{field}” has {length} characters; it must be {allowed}.",
                field=path[:60],
                length=len(text),
                allowed=allowed,
            )
        if text.isascii() and text.isprintable():
            return text
        kinds = {unicodedata.category(character) for character in text}
        if kinds & _UNSEEN:
            raise Malformed(
                path.partition("[")[0],
                "“{field}” holds a control character; it must be {allowed}, without any.",
                field=path[:60],
                allowed=allowed,
            )
        if kinds <= _INVISIBLE:
            raise Malformed(
                path.partition("[")[0],
                "“{field}” holds nothing that can be seen; it must be {allowed}.",
                field=path[:60],
                allowed=allowed,
            )
        return text

    return Kind(check, allowed)


def _die_check(value: object, path: str) -> str:
    if type(value) is str and _DIE.fullmatch(value):
        return value
    raise malformed(path, _A_DIE, value)


_DIE = re.compile(r"d[1-9][0-9]?", re.ASCII)
_A_DIE = sentence("a CON Ability Die such as “d10”")
# What the JSON Schema can say of a text beyond its length: no control character, and not only blanks.
_CONTROL = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
_SEEN = {"pattern": rf"^[^{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"}

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        description="A name, 1 to 40 characters.",
        extra_json_schema=_SEEN,
        extra={"kind": _text(1, 40, sentence("a name of 1 to 40 characters"))},
    ),
]
Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        description="A text, 1 to 200 characters.",
        extra_json_schema=_SEEN,
        extra={"kind": _text(1, 200, sentence("a text of 1 to 200 characters"))},
    ),
]
Die = Annotated[
    str,
    Meta(
        pattern="^d[1-9][0-9]?$",
        description='A CON Ability Die, such as "d10".',
        extra={"kind": Kind(_die_check, _A_DIE)},
    ),
]
Amount = Annotated[int, Meta(ge=1, le=99, description="A whole number, 1 to 99.")]
Figure = Annotated[int, Meta(ge=0, le=99, description="A whole number, 0 to 99.")]
Total = Annotated[int, Meta(ge=-999, le=999, description="A whole number, -999 to 999.")]


def _choice(words: Mapping[str, object]) -> Kind:
    allowed = sentence("one of {words}", words=", ".join(f"“{word}”" for word in words))

    def check(value: object, path: str) -> object:
        if type(value) is str and value in words:
            return words[value]
        if isinstance(value, Enum) and words.get(value.value) is value:
            return value
        raise malformed(path, allowed, value)

    return Kind(check, allowed)


def _yes_no_check(value: object, path: str) -> bool:
    if type(value) is not bool:
        raise malformed(path, _TRUE_OR_FALSE, value)
    return value


_TRUE_OR_FALSE = sentence("true or false")


def _list(item: Kind, least: int, most: int) -> Kind:
    allowed = sentence("a list of {least} to {most} entries, each {item}", least=least, most=most, item=item.allowed)

    def check(value: object, path: str) -> tuple[object, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise malformed(path, allowed, value)
        return tuple(item.check(entry, f"{path}[{at}]") for at, entry in enumerate(value))

    return Kind(check, allowed)


def _mapping(key: Kind, item: Kind, least: int, most: int) -> Kind:
    allowed = sentence("a table of {least} to {most} entries", least=least, most=most)

    def check(value: object, path: str) -> dict[object, object]:
        if not isinstance(value, Mapping) or not least <= len(value) <= most:
            raise malformed(path, allowed, value)
        return {key.check(name, f"{path}.{name}"): item.check(entry, f"{path}.{name}") for name, entry in value.items()}

    return Kind(check, allowed)


def _struct(made: type[msgspec.Struct]) -> Kind:
    allowed = sentence("a table of its own")

    def check(value: object, path: str) -> msgspec.Struct:
        if isinstance(value, made):
            return value
        if not isinstance(value, Mapping):
            raise malformed(path, allowed, value)
        return read(made, value, path)

    return Kind(check, allowed)


def _kind_of(kind: inspect.Type) -> Kind:
    """What may stand in a field, read off its annotation, which may bring its own as `extra={"kind": Kind(…)}`."""
    if isinstance(kind, inspect.Metadata):
        if kind.extra and "kind" in kind.extra:
            own: Kind = kind.extra["kind"]
            return own
        kind = kind.type
    match kind:
        case inspect.IntType():
            return _whole_number(kind.ge, kind.le)
        case inspect.EnumType():
            return _choice({member.value: member for member in kind.cls})
        case inspect.LiteralType():
            return _choice({str(word): word for word in kind.values})
        case inspect.BoolType():
            return Kind(_yes_no_check, _TRUE_OR_FALSE)
        case inspect.VarTupleType():
            return _list(_kind_of(kind.item_type), kind.min_length or 0, kind.max_length or 1000)
        case inspect.DictType():
            return _mapping(
                _kind_of(kind.key_type), _kind_of(kind.value_type), kind.min_length or 0, kind.max_length or 100
            )
        case inspect.StructType():
            return _struct(kind.cls)
        case inspect.UnionType():
            (one,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
            return _kind_of(one)
        case _:
            raise TypeError(f"No field can hold {kind}.")


class _Checked(msgspec.Struct, frozen=True):
    attribute: str
    name: str
    required: bool
    default: object
    nullable: bool
    check: Check
    allowed: Sentence


def _may_be_null(field: inspect.Field) -> bool:
    """Only where leaving a field out says something else does null have a meaning of its own.

    The default of such a field is UNSET, which msgspec reports as no default of a field that may be left out.
    """
    return not field.required and field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT


@cache
def _checks(made: type[msgspec.Struct]) -> tuple[_Checked, ...]:
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    return tuple(
        _Checked(
            field.name,
            field.encode_name,
            field.required,
            field.default,
            _may_be_null(field),
            *_kind_of(field.type),
        )
        for field in info.fields
    )


@cache
def fields(made: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a command, in order, as a form would ask for them."""
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    return tuple(_field(field) for field in info.fields)


def _field(field: inspect.Field) -> Field:
    kind: inspect.Type = field.type
    if isinstance(kind, inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    if isinstance(kind, inspect.Metadata):
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
                "text",
                field.required,
                kind.min_length,
                kind.max_length,
                nullable=_may_be_null(field),
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
                "There is no field “{field}” here; there are {known}.",
                field=unknown,
                known=", ".join(f"“{one}”" for one in sorted(known)) or sentence("none at all"),
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
        return made(**values)
    except Malformed as wrong:
        if not path:
            raise
        raise Malformed(
            inside + wrong.field, wrong.text, **{**wrong.facts, "field": f"{inside}{wrong.facts['field']}"}
        ) from wrong
