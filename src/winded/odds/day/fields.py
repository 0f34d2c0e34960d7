"""What may stand in a field of a day: chances, chances by number, dice, names; and how each is written as text.

A field's annotation is the only account of it. The check that reads it from a day file or from JSON, its spelling in a
line of words and in a form, and its JSON Schema all hang on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from winded.errors import Malformed
from winded.odds.check import fraction_from
from winded.odds.dice import LONGEST as LONGEST_DICE
from winded.odds.dice import BadExpression, spelled
from winded.rules.fields import Check, FieldKind, shown
from winded.rules.fields.checks import kind_of_field
from winded.sentence import Sentence, sentence

Distribution: TypeAlias = tuple[Fraction, ...]
"""How likely each whole number is: the chance of 0, of 1, and so on, summing to exactly 1."""

NEVER, ALWAYS = Fraction(0), Fraction(1)
MOST_VALUE = 1000


class Spelling(Struct, frozen=True):
    """How the values of a field are written: as text, as plain data, and what JSON Schema says of them.

    `from_text` gives the plain data that the field's check then reads; it never fails.
    """

    from_text: Callable[[str], object]
    to_text: Callable[[Any], str]
    to_data: Callable[[Any], object]
    schema: Mapping[str, Any]


def custom(check: Check, allowed: Sentence, spelling: Spelling) -> Meta:
    """The field of something that is neither a plain number nor one of a few words."""
    return Meta(extra={"kind": FieldKind(check, allowed), "spelling": spelling})


A_TABLE = sentence("a table of its own")


def listed(one: Check, least: int, most: int, schema: Mapping[str, Any], to_data: Callable[[Any], object]) -> Meta:
    """The field of a list, each entry read by `one` and written by `to_data`."""
    allowed = sentence("a list of {least} to {most} entries", least=least, most=most)

    def check(value: object, path: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise wrong(path, allowed, value)
        return tuple(one(entry, f"{path}[{at}]") for at, entry in enumerate(value))

    whole = {"type": "array", "items": schema, "maxItems": most} | ({"minItems": least} if least else {})
    return custom(check, allowed, Spelling(str, str, lambda value: [to_data(entry) for entry in value], whole))


def checked(annotation: Any, value: object, path: str) -> Any:
    """A value as the check of such an annotation reads it. Raises Malformed."""
    return annotation.__metadata__[0].extra["kind"].check(value, path)


def spelling_of(annotation: Any) -> Spelling:
    """How values of such an annotation are written."""
    found: Spelling = annotation.__metadata__[0].extra["spelling"]
    return found


def certainly(number: int) -> Distribution:
    """Exactly this number."""
    return (NEVER,) * number + (ALWAYS,)


def exactly(written: str) -> Fraction:
    """A number of a TOML file, exactly; what is no number that counts is outside every range."""
    found = fraction_from(written.replace("_", "").removeprefix("+"))
    return Fraction(-1) if found is None else found


def wrong(path: str, allowed: Sentence, value: object) -> Malformed:
    """The error for a value that may not stand at this path."""
    told = shown(str(value)) if isinstance(value, Fraction) else shown(value)
    return Malformed(
        path, "“{field}” must be {allowed}; it is {value}.", field=path or "day", allowed=allowed, value=told
    )


@contextmanager
def within(place: str) -> Iterator[None]:
    """What is malformed inside is told of its whole path, which goes on from this place."""
    try:
        yield
    except Malformed as no:
        field = f"{place}.{no.field}" if no.field else place
        facts = {**no.facts, "field": field} if "field" in no.facts else no.facts
        raise Malformed(field, no.text, **facts) from no


def number_from(value: object) -> Fraction | None:
    """A number as it was written, or None for what is none; a float from JSON counts as it is printed."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):
        return fraction_from(repr(value))
    return fraction_from(value.strip()) if isinstance(value, str) else None


def plain_number(value: Fraction) -> object:
    """A fraction as plain data: a whole number, a decimal where that is exact, else text such as "1/3"."""
    if value.denominator == 1:
        return value.numerator
    decimal = float(value)
    return decimal if number_from(decimal) == value else str(value)


def whole_from(text: str) -> object:
    """A whole number from text; the text itself where it is none."""
    plain = text.strip().replace("−", "-")
    return int(plain) if _WHOLE.fullmatch(plain) else text


_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def _number_between(least: int, most: int, allowed: Sentence) -> Callable[[object, str], Fraction]:
    def check(value: object, path: str) -> Fraction:
        found = number_from(value)
        if found is None or not least <= found <= most:
            raise wrong(path, allowed, value)
        return found

    return check


def _number_field(least: int, most: int, allowed: Sentence, description: str) -> Meta:
    schema = {
        "description": description,
        "anyOf": [
            {"type": "number", "minimum": least, "maximum": most},
            {"type": "string", "pattern": "^[0-9]{1,9}/[1-9][0-9]{0,8}$"},
        ],
    }
    return custom(_number_between(least, most, allowed), allowed, Spelling(str, str, plain_number, schema))


_CHANCE = sentence('a chance from 0 to 1, such as 0.25 or "1/3"')
_is_chance = _number_between(0, 1, _CHANCE)
Chance = Annotated[
    Fraction, _number_field(0, 1, _CHANCE, 'A chance: a number from 0 to 1, or a fraction as text, such as "1/3".')
]
Value = Annotated[
    Fraction,
    _number_field(
        0, MOST_VALUE, sentence("a number from 0 to 1000"),
        "What something is worth, on the table's own scale; for advice only.",
    ),
]  # fmt: skip


def chances_by_number(least: int, most: int, description: str) -> Meta:
    """The field of a whole number that one may not know: a number, a chance of one, or chances by number.

    What is left over of chances by number is that of 0, where 0 may be.
    """
    example = "{ 2 = 0.5, 3 = 0.5 }"
    either = (
        sentence("a whole number up to {most}, a chance, or chances such as {example}", most=most, example=example)
        if least == 0
        else sentence("a whole number up to {most}, or chances such as {example}", most=most, example=example)
    )
    whole = sentence("a whole number from {least} to {most}", least=least, most=most)

    def check(value: object, path: str) -> Distribution:
        if type(value) is int:
            if not least <= value <= most:
                raise wrong(path, whole, value)
            return certainly(value)
        if isinstance(value, Mapping):
            return by_number(value, path)
        if least == 0 and (found := number_from(value)) is not None and 0 <= found <= 1:
            return certainly(0) if found == 0 else (1 - found, found)
        raise wrong(path, either, value)

    def by_number(value: Mapping[object, object], path: str) -> Distribution:
        chances = [NEVER] * (most + 1)
        for number, chance in value.items():
            if str(number) not in map(str, range(least, most + 1)):
                raise wrong(f"{path}.{str(number)[:20]}", whole, number)
            chances[int(str(number))] += _is_chance(chance, f"{path}.{number}")
        total = sum(chances)
        if total > 1 or (least > 0 and total != 1):
            allowed = (
                sentence("chances that sum to no more than 1")
                if least == 0
                else sentence("chances that sum to exactly 1")
            )
            raise wrong(path, allowed, str(total))
        chances[0] += 1 - total
        while chances[-1] == 0:
            chances.pop()
        return tuple(chances)

    forms: list[dict[str, Any]] = [
        {"type": "integer", "minimum": least, "maximum": most},
        {
            "type": "object",
            "description": "The chance of each number, by number; what is left over is that of 0, where 0 may be.",
            "additionalProperties": {"$ref": "Chance"},
            "propertyNames": {"pattern": "^[0-9]{1,2}$"},
        },
    ]
    if least == 0:
        forms.append({"$ref": "Chance"})
    schema = {"description": description, "anyOf": forms}
    return custom(check, either, Spelling(_numbers_from, _numbers_to, _numbers_data, schema))


def _numbers_from(text: str) -> object:
    if ":" in text:
        return dict(part.strip().partition(":")[::2] for part in text.split(","))
    return whole_from(text)


def _numbers_to(chances: Distribution) -> str:
    if chances[-1] == 1:
        return str(len(chances) - 1)
    return ",".join(f"{number}:{chance}" for number, chance in enumerate(chances) if chance)


def _numbers_data(chances: Distribution) -> object:
    if chances[-1] == 1:
        return len(chances) - 1
    return {str(number): plain_number(chance) for number, chance in enumerate(chances) if chance}


def text_field(most: int, description: str = "") -> Meta:
    """The field of a text of 1 to `most` characters, trimmed, and runs of spaces made one."""
    allowed = sentence("a text of {least} to {most} characters, without control characters", least=1, most=most)

    def check(value: object, path: str) -> str:
        if not isinstance(value, str) or not value.strip().isprintable():
            raise wrong(path, allowed, value)
        text = " ".join(value.split())
        if not 1 <= len(text) <= most:
            raise wrong(path, allowed, value)
        return text

    return custom(check, allowed, Spelling(str, str, str, text_schema(most, description)))


def text_schema(most: int, description: str = "") -> dict[str, Any]:
    """The JSON Schema of a text of 1 to `most` characters."""
    return {"type": "string", "minLength": 1, "maxLength": most} | ({"description": description} if description else {})


Name = Annotated[str, text_field(40)]


def _dice_check(value: object, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong(path, _DICE, value)
    try:
        return spelled(value.strip(), "d8", for_checks=True)
    except BadExpression as no:
        raise Malformed(path, "“{field}”: {what}", field=path, what=no.sentence) from no


_DICE = sentence("dice such as 1d20+con")
Dice = Annotated[
    str,
    custom(
        _dice_check,
        _DICE,
        Spelling(str, str, str, text_schema(LONGEST_DICE, "How Checks are rolled, such as 1d20+con.")),
    ),
]
"""Dice as they are written, read and measured and not rolled."""


def _die_check(value: object, path: str) -> str:
    text = value.strip().lower() if isinstance(value, str) else ""
    if not _DIE.fullmatch(text):
        raise wrong(path, _A_DIE, value)
    return text


_DIE = re.compile(r"d[1-9][0-9]?", re.ASCII)
_A_DIE = sentence("a CON Ability Die such as “d10”")
Die = Annotated[
    str,
    custom(
        _die_check,
        _A_DIE,
        Spelling(
            str, str, str,
            {"type": "string", "pattern": "^d[1-9][0-9]?$", "description": "The CON Ability Die before Wounds."},
        ),
    ),
]  # fmt: skip


def _who_check(value: object, path: str) -> tuple[str, ...]:
    entries = [value] if isinstance(value, str) else value
    if not isinstance(entries, list | tuple) or not entries:
        raise wrong(path, _NAMES, value)
    return tuple(checked(Name, entry, f"{path}[{at}]") for at, entry in enumerate(entries))


_NAMES = sentence("a list of names")
Who = Annotated[
    tuple[str, ...],
    custom(
        _who_check,
        _NAMES,
        Spelling(
            lambda text: [unquoted(one) for one in parts(text, ",")],
            lambda names: ",".join(quoted(name) for name in names),
            list,
            {
                "description": "Whom it concerns; everyone, if it is left out.",
                "anyOf": [text_schema(40), {"type": "array", "items": text_schema(40), "minItems": 1}],
            },
        ),
    ),
]


class DayField(Struct, frozen=True):
    """One field of a struct of the model: how it is called outside, whether it must be there, how it is written."""

    attribute: str
    name: str
    required: bool
    default: object
    spelling: Spelling
    check: Check


_WHOLE_NUMBER = Spelling(whole_from, str, int, {})
_YES_NO = Spelling(lambda text: {"true": True, "false": False}.get(text, text), lambda yes: str(yes).lower(), bool, {})
_WORD = Spelling(str, str, str, {})


@cache
def day_fields(made: type[Struct]) -> tuple[DayField, ...]:
    """The fields of a struct of the model, in order."""
    info = inspect.type_info(made)
    assert isinstance(info, inspect.StructType)
    return tuple(
        DayField(
            field.name,
            field.encode_name,
            field.required,
            field.default,
            _spelling_of(field.type),
            kind_of_field(field.type).check,
        )
        for field in info.fields
    )


def _spelling_of(kind: inspect.Type) -> Spelling:
    if isinstance(kind, inspect.UnionType):
        (kind,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
    described: dict[str, Any] = {}
    if isinstance(kind, inspect.Metadata):
        if kind.extra and "spelling" in kind.extra:
            own: Spelling = kind.extra["spelling"]
            return own
        described, kind = dict(kind.extra_json_schema or {}), kind.type
    match kind:
        case inspect.IntType():
            return replace(
                _WHOLE_NUMBER, schema={"type": "integer", "minimum": kind.ge, "maximum": kind.le, **described}
            )
        case inspect.BoolType():
            return replace(_YES_NO, schema={"type": "boolean", **described})
        case inspect.LiteralType():
            return replace(_WORD, schema={"enum": [*kind.values], **described})
        case inspect.EnumType():
            words = [one.value for one in kind.cls]
            return Spelling(str, lambda one: str(one.value), lambda one: one.value, {"enum": words, **described})
        case _:
            raise TypeError(f"No day can hold {kind}.")


def data_of(made: Struct) -> dict[str, object]:
    """A struct of the model as plain data, from which it can be read again; what is as usual is left out."""
    return {
        field.name: field.spelling.to_data(value)
        for field in day_fields(type(made))
        if field.required or getattr(made, field.attribute) != field.default
        if (value := getattr(made, field.attribute)) is not None
    }


def texts_of(made: Struct) -> dict[str, str]:
    """The fields of a struct of the model as texts; what is as usual is left out."""
    return {
        field.name: field.spelling.to_text(value)
        for field in day_fields(type(made))
        if field.required or getattr(made, field.attribute) != field.default
        if (value := getattr(made, field.attribute)) is not None
    }


def data_from_texts(made: type[Struct], texts: Mapping[str, str]) -> dict[str, object]:
    """The plain data that these texts say, for the checks to read."""
    spellings = {field.name: field.spelling for field in day_fields(made)}
    return {name: spellings[name].from_text(text) if name in spellings else text for name, text in texts.items()}


_APART = frozenset(';=,:"')


def parts(text: str, mark: str) -> list[str]:
    """What stands between these marks, but for marks within double quotes."""
    found, begin, inside = [], 0, False
    for at, sign in enumerate(text):
        if sign == '"':
            inside = not inside
        elif sign == mark and not inside:
            found.append(text[begin:at])
            begin = at + 1
    return [*found, text[begin:]]


def words(text: str) -> list[str]:
    """What stands between spaces, but for spaces within double quotes."""
    return [word for word in parts(" ".join(text.split()) if '"' not in text else text, " ") if word.strip()]


def quoted(text: str, more: str = "") -> str:
    """A text as it stands in a line: in double quotes where a sign of it (or of `more`) would mean something else."""
    if _APART.isdisjoint(text) and not (more and set(more) & set(text)) and text == " ".join(text.split()):
        return text
    return '"' + text.replace('"', '""') + '"'


def unquoted(text: str) -> str:
    """The text that `quoted` wrote; what stands without quotes is as it is."""
    text = text.strip()
    if not text.startswith('"'):
        return text
    inside = text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:]
    return inside.replace('""', '"')
