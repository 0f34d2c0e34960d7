"""What may stand in a field: whole numbers in a range, texts of a length, one of a few words.

The annotations on commands and rulesets are the only account of this; the checks here and the JSON Schemas
are both made from them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, inspect

from winded.errors import Malformed
from winded.sentence import Sentence, sentence

Name = Annotated[str, Meta(min_length=1, max_length=40, description="A name, 1 to 40 characters.")]
Text = Annotated[str, Meta(min_length=1, max_length=200, description="A text, 1 to 200 characters.")]
Die = Annotated[str, Meta(pattern="^d[1-9][0-9]?$", description='A CON Ability Die, such as "d10".')]
Amount = Annotated[int, Meta(ge=1, le=99, description="A whole number, 1 to 99.")]
Figure = Annotated[int, Meta(ge=0, le=99, description="A whole number, 0 to 99.")]
Total = Annotated[int, Meta(ge=-999, le=999, description="A whole number, -999 to 999.")]

Check = Callable[[object, str], Any]
Made = TypeVar("Made", bound=msgspec.Struct)
_UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"))


class Field(msgspec.Struct, frozen=True):
    """One field of a command: what a form must ask for.

    `kind` is "number", "text", "choice", "yes-no" or "names"; `least` and `most` are the range of a number or the
    length of a text; `choices` are the words that may stand in a choice.
    """

    name: str
    kind: str
    required: bool
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


def shown(value: object) -> str:
    """A value as its writer would know it again, cut to 60 characters."""
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _malformed(path: str, allowed: Sentence, value: object) -> Malformed:
    return Malformed(
        path, "“{field}” must be {allowed}; it is {value}.", field=path, allowed=allowed, value=shown(value)
    )


def _whole_number(least: int | None, most: int | None) -> Check:
    if least is None or most is None:
        allowed = sentence("a whole number")
    else:
        allowed = sentence("a whole number from {least} to {most}", least=least, most=most)

    def check(value: object, path: str) -> int:
        if type(value) is not int or (least is not None and value < least) or (most is not None and value > most):
            raise _malformed(path, allowed, value)
        return value

    return check


def _text(least: int, most: int) -> Check:
    allowed = sentence("a text of {least} to {most} characters, without control characters", least=least, most=most)

    def check(value: object, path: str) -> str:
        if type(value) is not str:
            raise _malformed(path, allowed, value)
        text = value.strip()
        if not least <= len(text) <= most:
            raise _malformed(path, allowed, value)
        if text.isascii():
            if not text.isprintable():
                raise _malformed(path, allowed, value)
            return text
        kinds = {unicodedata.category(character) for character in text}
        if kinds & _UNSEEN or kinds <= _INVISIBLE:
            raise _malformed(path, allowed, value)
        return unicodedata.normalize("NFC", text)

    return check


def _die(value: object, path: str) -> str:
    if type(value) is str and len(value) <= 3 and value[:1] == "d" and value[1:].isdecimal() and value.isascii():
        if value[1] != "0":
            return value
    raise _malformed(path, sentence("a CON Ability Die such as “d10”"), value)


def _choice(words: Mapping[str, object]) -> Check:
    allowed = sentence("one of {words}", words=", ".join(f"“{word}”" for word in words))

    def check(value: object, path: str) -> object:
        if type(value) is str and value in words:
            return words[value]
        if isinstance(value, Enum) and value.value in words:
            return value
        raise _malformed(path, allowed, value)

    return check


def _yes_no(value: object, path: str) -> bool:
    if type(value) is not bool:
        raise _malformed(path, sentence("true or false"), value)
    return value


def _list(item: Check, least: int, most: int) -> Check:
    allowed = sentence("a list of {least} to {most} entries", least=least, most=most)

    def check(value: object, path: str) -> tuple[object, ...]:
        if type(value) not in (list, tuple) or not least <= len(value) <= most:  # type: ignore[arg-type]
            raise _malformed(path, allowed, value)
        return tuple(item(entry, f"{path}[{at}]") for at, entry in enumerate(value))  # type: ignore[arg-type, var-annotated]

    return check


def _mapping(key: Check, item: Check, least: int, most: int) -> Check:
    allowed = sentence("a table of {least} to {most} entries", least=least, most=most)

    def check(value: object, path: str) -> dict[object, object]:
        if not isinstance(value, Mapping) or not least <= len(value) <= most:
            raise _malformed(path, allowed, value)
        return {key(name, f"{path}.{name}"): item(entry, f"{path}.{name}") for name, entry in value.items()}

    return check


def _struct(made: type[msgspec.Struct]) -> Check:
    def check(value: object, path: str) -> msgspec.Struct:
        if isinstance(value, made):
            return value
        if not isinstance(value, Mapping):
            raise _malformed(path, sentence("a table of its own"), value)
        return read(made, value, path)

    return check


def _either(checks: tuple[Check, ...], allowed: Sentence) -> Check:
    def check(value: object, path: str) -> object:
        for one in checks:
            try:
                return one(value, path)
            except Malformed:
                continue
        raise _malformed(path, allowed, value)

    return check


def _check_of(kind: inspect.Type) -> Check:
    """The check for a type, read off its annotation."""
    described = ""
    if isinstance(kind, inspect.Metadata):
        described = (kind.extra_json_schema or {}).get("description", "")
        kind = kind.type
    match kind:
        case inspect.IntType():
            return _whole_number(kind.ge, kind.le)
        case inspect.StrType() if kind.pattern == "^d[1-9][0-9]?$":
            return _die
        case inspect.StrType():
            return _text(kind.min_length or 0, kind.max_length or 200)
        case inspect.EnumType():
            return _choice({member.value: member for member in kind.cls})
        case inspect.LiteralType():
            return _choice({str(word): word for word in kind.values})
        case inspect.BoolType():
            return _yes_no
        case inspect.VarTupleType():
            return _list(_check_of(kind.item_type), kind.min_length or 0, kind.max_length or 1000)
        case inspect.DictType():
            return _mapping(
                _check_of(kind.key_type), _check_of(kind.value_type), kind.min_length or 0, kind.max_length or 100
            )
        case inspect.StructType():
            return _struct(kind.cls)
        case inspect.UnionType():
            some = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            checks = tuple(_check_of(one) for one in some)
            return checks[0] if len(checks) == 1 else _either(checks, Sentence(described or "what the schema allows"))
        case _:
            raise TypeError(f"No field can hold {kind}.")


class _Checked(msgspec.Struct, frozen=True):
    attribute: str
    name: str
    required: bool
    default: object
    nullable: bool
    check: Check


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
            # Only where leaving a field out says something else does null have a meaning of its own.
            field.default is msgspec.UNSET,
            _check_of(field.type),
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
            return Field(field.encode_name, "text", field.required, kind.min_length, kind.max_length)
        case _:
            raise TypeError(f"No form asks for {kind}.")


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
            raise Malformed(
                f"{inside}{name}",
                "There is no field “{field}” here; there are {known}.",
                field=f"{inside}{name}"[:60],
                known=", ".join(f"“{one}”" for one in sorted(known)) or sentence("none at all"),
            )
    values: dict[str, object] = {}
    for one in checks:
        if one.name in data:
            value = data[one.name]
            values[one.attribute] = None if value is None and one.nullable else one.check(value, f"{inside}{one.name}")
        elif one.required:
            raise Malformed(f"{inside}{one.name}", "The field “{field}” is missing.", field=f"{inside}{one.name}")
    try:
        return made(**values)
    except Malformed as wrong:
        if not path:
            raise
        raise Malformed(inside + wrong.field, wrong.text, **{**wrong.facts, "field": inside + wrong.field}) from wrong
