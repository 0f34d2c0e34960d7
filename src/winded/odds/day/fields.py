"""Reading plain data field by field: what is wrong is named with its place, what nobody asked for is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

from winded.errors import Malformed
from winded.odds.check import fraction_from
from winded.odds.day.model import Distribution
from winded.odds.dice import roll
from winded.odds.forecasts.decision_tree import certainly
from winded.sentence import Sentence, sentence

_Entry = TypeVar("_Entry")
_DICE = frozenset(f"d{faces}" for faces in range(1, 100))


def exactly(written: str) -> Fraction:
    """A number of a TOML file, exactly; what is no number that counts is outside every range."""
    found = fraction_from(written.replace("_", "").removeprefix("+"))
    return Fraction(-1) if found is None else found


class Place:
    """A table of the file, read field by field; what nobody asked for is an error."""

    def __init__(self, data: object, path: str) -> None:
        self.path = path
        self.asked: list[str] = []
        if not isinstance(data, Mapping):
            raise self.wrong(path, sentence("a table of its own"), data)
        self.data = data

    def wrong(self, path: str, allowed: Sentence, value: object) -> Malformed:
        """The error for a value that may not stand at this path."""
        return Malformed(
            path,
            "“{field}” must be {allowed}; it is {value}.",
            field=path or "day",
            allowed=allowed,
            value=_shown(value),
        )

    def at(self, name: str) -> str:
        """The path of a field of this table."""
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        """Whether a field is there; it has been asked for now."""
        self.asked.append(name)
        return name in self.data

    def needed(self, name: str) -> object:
        """What stands in a field that must be there."""
        if not self.has(name):
            raise Malformed(self.at(name), "The field “{field}” is missing.", field=self.at(name))
        return self.data[name]

    def done(self) -> None:
        """Nothing more is asked for: raises Malformed for a field that nobody asked for."""
        for name in self.data:
            if name not in self.asked:
                raise Malformed(
                    self.at(str(name)),
                    "There is no field “{field}” here; there are {known}.",
                    field=self.at(str(name))[:60],
                    known=", ".join(f"“{one}”" for one in dict.fromkeys(self.asked)),
                )

    def text(self, name: str, default: str | None = None, most: int = 40) -> str:
        """A text of 1 to `most` characters, trimmed."""
        if default is not None and not self.has(name):
            return default
        return self.as_text(self.at(name), self.needed(name), most)

    def as_text(self, path: str, value: object, most: int = 40) -> str:
        """The value as such a text."""
        allowed = sentence("a text of {least} to {most} characters, without control characters", least=1, most=most)
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= most or not value.strip().isprintable():
            raise self.wrong(path, allowed, value)
        return value.strip()

    def whole(self, name: str, least: int, most: int, default: int) -> int:
        """A whole number."""
        if not self.has(name):
            return default
        value = self.data[name]
        if type(value) is not int or not least <= value <= most:
            allowed = sentence("a whole number from {least} to {most}", least=least, most=most)
            raise self.wrong(self.at(name), allowed, value)
        return value

    def whole_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number, None where it is left out."""
        return self.whole(name, least, most, least) if self.has(name) else None

    def yes_no(self, name: str, default: bool) -> bool:
        """True or false."""
        if not self.has(name):
            return default
        value = self.data[name]
        if type(value) is not bool:
            raise self.wrong(self.at(name), sentence("true or false"), value)
        return value

    def chance(self, name: str, default: Fraction) -> Fraction:
        """A chance, exactly as it was written."""
        return self.as_chance(self.at(name), self.data[name]) if self.has(name) else default

    def as_chance(self, path: str, value: object) -> Fraction:
        """The value as a chance."""
        found = _fraction(value)
        if found is None or not 0 <= found <= 1:
            raise self.wrong(path, sentence('a chance from 0 to 1, such as 0.25 or "1/3"'), value)
        return found

    def value(self, name: str, default: Fraction) -> Fraction:
        """What something is worth, 0 to 1000."""
        found = self.value_or_none(name)
        return default if found is None else found

    def value_or_none(self, name: str) -> Fraction | None:
        """What something is worth, None where it is left out."""
        if not self.has(name):
            return None
        found = _fraction(self.data[name])
        if found is None or not 0 <= found <= 1000:
            raise self.wrong(self.at(name), sentence("a number from 0 to 1000"), self.data[name])
        return found

    def spread(self, name: str, least: int, most: int, default: Distribution) -> Distribution:
        """A whole number, a chance of one, or chances by number; what is left over goes to `least`, if that is 0."""
        if not self.has(name):
            return default
        value, path = self.data[name], self.at(name)
        if type(value) is int:
            return certainly(self.whole(name, least, most, least))
        if isinstance(value, Mapping):
            return self._by_number(path, value, least, most)
        if least == 0 and (found := _fraction(value)) is not None and 0 <= found <= 1:
            return 1 - found, found
        example = "{ 2 = 0.5, 3 = 0.5 }"
        allowed = (
            sentence("a whole number up to {most}, a chance, or chances such as {example}", most=most, example=example)
            if least == 0
            else sentence("a whole number up to {most}, or chances such as {example}", most=most, example=example)
        )
        raise self.wrong(path, allowed, value)

    def _by_number(self, path: str, value: Mapping[object, object], least: int, most: int) -> Distribution:
        chances = [Fraction(0)] * (most + 1)
        for number, chance in value.items():
            if str(number) not in map(str, range(least, most + 1)):
                allowed = sentence("a whole number from {least} to {most}", least=least, most=most)
                raise self.wrong(f"{path}.{_shown(number, 20)}", allowed, number)
            chances[int(str(number))] += self.as_chance(f"{path}.{number}", chance)
        total = sum(chances)
        if total > 1 or (least > 0 and total != 1):
            allowed = (
                sentence("chances that sum to no more than 1")
                if least == 0
                else sentence("chances that sum to exactly 1")
            )
            raise self.wrong(path, allowed, str(total))
        chances[0] += 1 - total
        while chances[-1] == 0:
            chances.pop()
        return tuple(chances)

    def listed(self, name: str, one: Callable[[object, str], _Entry], least: int, most: int) -> list[_Entry]:
        """A list, each entry as `one` reads it, given its value and its path."""
        value = self.needed(name) if least else (self.data[name] if self.has(name) else [])
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            allowed = sentence("a list of {least} to {most} entries", least=least, most=most)
            raise self.wrong(self.at(name), allowed, value)
        return [one(entry, f"{self.at(name)}[{at}]") for at, entry in enumerate(value)]

    def die(self, name: str) -> str:
        """A CON Ability Die by its name."""
        value = self.needed(name)
        text = value.strip().lower() if isinstance(value, str) else ""
        if text not in _DICE:
            raise self.wrong(self.at(name), sentence("a CON Ability Die such as “d10”"), value)
        return text

    def word(self, name: str, words: tuple[str, ...], default: str) -> str:
        """One of these words."""
        if not self.has(name):
            return default
        return self.as_word(name, self.data[name], words)

    def as_word(self, name: str, value: object, words: tuple[str, ...]) -> str:
        """The value as one of these words."""
        if not isinstance(value, str) or value not in words:
            allowed = sentence("one of {words}", words=", ".join(f"“{word}”" for word in words))
            raise self.wrong(self.at(name), allowed, value)
        return value

    def dice(self, name: str) -> str | None:
        """Dice that can be rolled, as text; None where they are left out."""
        if not self.has(name):
            return None
        text = self.text(name, most=200)
        roll(text, "d8")
        return text

    def who(self, names: set[str] | None) -> tuple[str, ...] | None:
        """Whom it concerns, one of `names` if those are known; None for everyone."""
        if not self.has("who"):
            return None
        value = self.data["who"]
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list | tuple) or not entries:
            raise self.wrong(self.at("who"), sentence("a list of names"), value)
        known = None if names is None else {name.casefold(): name for name in names}
        found = []
        for at, entry in enumerate(entries):
            text = self.as_text(f"{self.at('who')}[{at}]", entry)
            if known is not None and text.casefold() not in known:
                allowed = sentence("one of {words}", words=", ".join(f"“{name}”" for name in sorted(names or ())))
                raise self.wrong(f"{self.at('who')}[{at}]", allowed, entry)
            found.append(text if known is None else known[text.casefold()])
        return tuple(found)


def _shown(value: object, longest: int = 60) -> str:
    try:
        text = f'"{value}"' if isinstance(value, str) and longest == 60 else str(value)
    except ValueError:  # a whole number of thousands of digits
        text = "…"
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _fraction(value: object) -> Fraction | None:
    """A number as it was written, or None for what is none; a float from JSON counts as it is printed."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):
        return fraction_from(repr(value))
    return fraction_from(value.strip()) if isinstance(value, str) else None
