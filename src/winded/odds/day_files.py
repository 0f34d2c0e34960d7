"""Day files: a day in TOML or in JSON, read field by field; what is wrong is named with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

from winded.errors import Malformed
from winded.odds.check import fraction_from
from winded.odds.day import (
    ALWAYS,
    ATTENTION,
    MOST_CALLS,
    MOST_CHARACTERS,
    MOST_ROUNDS,
    MOST_STEPS,
    MOST_TIMES,
    MOST_WOUNDS,
    NEVER,
    Ahead,
    CheckAhead,
    Day,
    Fight,
    Mishap,
    RecoveryAhead,
    RestAhead,
    Sitter,
    Sketch,
    SpendAhead,
    Spread,
    Values,
    WoundAhead,
)
from winded.odds.dice import roll
from winded.odds.habits import HABITS, Habit
from winded.odds.plans import length
from winded.rules import Hardship, RestKind
from winded.sentence import Sentence, sentence

_DICE = frozenset(f"d{faces}" for faces in range(1, 100))
_Entry = TypeVar("_Entry")
STEPS = ("fight", "check", "wound", "recover", "rest", "resist", "channel", "ability")
"""The kinds of step, each the field by which a step of that kind is known."""


def day_from_toml(text: str) -> Day:
    """A day from the text of a TOML file; raises Malformed that names the place and what is allowed there."""
    try:
        data = tomllib.loads(text, parse_float=_exactly)
    except tomllib.TOMLDecodeError as wrong:
        raise Malformed("", "The day file is not TOML: {reason}.", reason=str(wrong)) from wrong
    return day_from(data)


def day_from(data: object) -> Day:
    """A day from plain data, as `day_from_toml` reads it from a file."""
    place = _Place(data, "")
    people = place.listed("characters", _sitter, 1, MOST_CHARACTERS)
    names = [one.name.casefold() for one in people]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise place.wrong(f"characters[{at}].name", sentence("a name that nobody else has"), people[at].name)
    return Day(tuple(people), _sketch(place, {one.name for one in people}))


def sketch_from(data: object) -> Sketch:
    """What is ahead, from plain data: `steps`, and perhaps `check`, `values` and `title`. Raises Malformed."""
    return _sketch(_Place(data, ""), None)


def _exactly(written: str) -> Fraction:
    found = fraction_from(written.replace("_", "").removeprefix("+"))
    return Fraction(-1) if found is None else found  # inf, nan and the like are outside every range


class _Place:
    """A table of the file, read field by field; what nobody asked for is an error."""

    def __init__(self, data: object, path: str) -> None:
        self.path = path
        self.asked: list[str] = []
        if not isinstance(data, Mapping):
            raise self.wrong(path, sentence("a table of its own"), data)
        self.data = data

    def wrong(self, path: str, allowed: Sentence, value: object) -> Malformed:
        return Malformed(
            path,
            "“{field}” must be {allowed}; it is {value}.",
            field=path or "day",
            allowed=allowed,
            value=_shown(value),
        )

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        self.asked.append(name)
        return name in self.data

    def needed(self, name: str) -> object:
        if not self.has(name):
            raise Malformed(self.at(name), "The field “{field}” is missing.", field=self.at(name))
        return self.data[name]

    def done(self) -> None:
        for name in self.data:
            if name not in self.asked:
                raise Malformed(
                    self.at(str(name)),
                    "There is no field “{field}” here; there are {known}.",
                    field=self.at(str(name))[:60],
                    known=", ".join(f"“{one}”" for one in dict.fromkeys(self.asked)),
                )

    def text(self, name: str, default: str | None = None, most: int = 40) -> str:
        if default is not None and not self.has(name):
            return default
        return self.as_text(self.at(name), self.needed(name), most)

    def as_text(self, path: str, value: object, most: int = 40) -> str:
        allowed = sentence("a text of {least} to {most} characters, without control characters", least=1, most=most)
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= most or not value.strip().isprintable():
            raise self.wrong(path, allowed, value)
        return value.strip()

    def whole(self, name: str, least: int, most: int, default: int) -> int:
        if not self.has(name):
            return default
        value = self.data[name]
        if type(value) is not int or not least <= value <= most:
            allowed = sentence("a whole number from {least} to {most}", least=least, most=most)
            raise self.wrong(self.at(name), allowed, value)
        return value

    def whole_or_none(self, name: str, least: int, most: int) -> int | None:
        return self.whole(name, least, most, least) if self.has(name) else None

    def yes_no(self, name: str, default: bool) -> bool:
        if not self.has(name):
            return default
        value = self.data[name]
        if type(value) is not bool:
            raise self.wrong(self.at(name), sentence("true or false"), value)
        return value

    def chance(self, name: str, default: Fraction) -> Fraction:
        return self.as_chance(self.at(name), self.data[name]) if self.has(name) else default

    def as_chance(self, path: str, value: object) -> Fraction:
        found = _fraction(value)
        if found is None or not 0 <= found <= 1:
            raise self.wrong(path, sentence('a chance from 0 to 1, such as 0.25 or "1/3"'), value)
        return found

    def value(self, name: str, default: Fraction) -> Fraction:
        found = self.value_or_none(name)
        return default if found is None else found

    def value_or_none(self, name: str) -> Fraction | None:
        if not self.has(name):
            return None
        found = _fraction(self.data[name])
        if found is None or not 0 <= found <= 1000:
            raise self.wrong(self.at(name), sentence("a number from 0 to 1000"), self.data[name])
        return found

    def spread(self, name: str, least: int, most: int, default: Spread) -> Spread:
        """A whole number, a chance of one, or chances by number; what is left over goes to `least`, if that is 0."""
        if not self.has(name):
            return default
        value, path = self.data[name], self.at(name)
        if type(value) is int:
            return _surely(self.whole(name, least, most, least))
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

    def _by_number(self, path: str, value: Mapping[object, object], least: int, most: int) -> Spread:
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
        value = self.needed(name) if least else (self.data[name] if self.has(name) else [])
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            allowed = sentence("a list of {least} to {most} entries", least=least, most=most)
            raise self.wrong(self.at(name), allowed, value)
        return [one(entry, f"{self.at(name)}[{at}]") for at, entry in enumerate(value)]

    def die(self, name: str) -> str:
        value = self.needed(name)
        text = value.strip().lower() if isinstance(value, str) else ""
        if text not in _DICE:
            raise self.wrong(self.at(name), sentence("a CON Ability Die such as “d10”"), value)
        return text

    def word(self, name: str, words: tuple[str, ...], default: str) -> str:
        if not self.has(name):
            return default
        return self.as_word(name, self.data[name], words)

    def as_word(self, name: str, value: object, words: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in words:
            allowed = sentence("one of {words}", words=", ".join(f"“{word}”" for word in words))
            raise self.wrong(self.at(name), allowed, value)
        return value

    def dice(self, name: str) -> str | None:
        if not self.has(name):
            return None
        text = self.text(name, most=200)
        roll(text, "d8")
        return text

    def who(self, names: set[str] | None) -> tuple[str, ...] | None:
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


def _surely(number: int) -> Spread:
    return (Fraction(0),) * number + (Fraction(1),)


def _sketch(place: _Place, names: set[str] | None) -> Sketch:
    check = place.dice("check")
    title = place.text("title", "", 80)
    values = _values(place.needed("values"), place.at("values")) if place.has("values") else Values()
    ahead = place.listed("steps", lambda entry, path: _step(_Place(entry, path), names), 1, MOST_STEPS)
    place.done()
    for at, step in enumerate(ahead):
        if isinstance(step, CheckAhead) and step.target is not None and check is None and step.dice is None:
            raise Malformed(
                place.at(f"steps[{at}].target"),
                "“{field}” needs dice: say how Checks are rolled, such as check = “1d20+con” at the top.",
                field=place.at(f"steps[{at}].target"),
            )
    many = sum(length(step) for step in ahead)
    if many > MOST_STEPS:
        raise place.wrong("steps", sentence("no more than {most} rounds and other steps in all", most=MOST_STEPS), many)
    wounds = {one.casefold() for step in ahead if (one := _brings(step)) is not None}
    if len(wounds) > MOST_WOUNDS:
        allowed = sentence("steps that bring no more than {most} Wounds of different names", most=MOST_WOUNDS)
        raise place.wrong("steps", allowed, len(wounds))
    return Sketch(tuple(ahead), check, values, title)


def _brings(step: Ahead) -> str | None:
    mishap = step.mishap if isinstance(step, Fight | WoundAhead) else None
    return None if mishap is None else mishap.wound


def _values(data: object, path: str) -> Values:
    place = _Place(data, path)
    usual = Values()
    values = Values(
        early=place.value("early", usual.early),
        reaction=place.value("reaction", usual.reaction),
        check=place.value("check", usual.check),
        spend=place.value("spend", usual.spend),
        left=place.value("left", usual.left),
        empty=place.value("empty", usual.empty),
    )
    place.done()
    return values


def _sitter(data: object, path: str) -> Sitter:
    place = _Place(data, path)
    sitter = Sitter(
        name=place.text("name"),
        con=place.die("con"),
        stamina=place.whole_or_none("stamina", 0, 99),
        wounds=tuple(place.listed("wounds", _wound, 0, MOST_WOUNDS)),
        abilities=_abilities(place),
        habit=_habit(place),
    )
    place.done()
    return sitter


def _wound(data: object, path: str) -> Mishap:
    if isinstance(data, str):
        return Mishap(_Place({}, path).as_text(path, data, 200))
    return _mishap(data, path)


def _mishap(data: object, path: str) -> Mishap:
    place = _Place(data, path)
    mishap = Mishap(place.text("wound", most=200), place.whole("steps", 1, 99, 1), place.chance("chance", ALWAYS))
    place.done()
    return mishap


def _abilities(place: _Place) -> tuple[tuple[str, int], ...]:
    if not place.has("abilities"):
        return ()
    costs = _Place(place.data["abilities"], place.at("abilities"))
    return tuple((costs.as_text(costs.at(str(name)), name), costs.whole(name, 0, 99, 0)) for name in costs.data)


def _habit(place: _Place) -> Habit:
    if not place.has("habit"):
        return HABITS["freely"]
    value = place.data["habit"]
    if not isinstance(value, Mapping):
        return HABITS[place.as_word("habit", value, tuple(HABITS))]
    inside = _Place(value, place.at("habit"))
    habit = Habit(
        keep=inside.whole("keep", 0, 99, 0),
        early=inside.yes_no("early", True),
        reactions=inside.whole_or_none("reactions", 0, 99),
        push=inside.whole("push", 0, 99, 3),
        aim=inside.chance("aim", ALWAYS) if "aim" in inside.data else None,
        other=inside.yes_no("other", True),
        last_fight_free=inside.yes_no("last_fight_free", False),
    )
    inside.asked.append("aim")
    inside.done()
    return habit


def _step(place: _Place, names: set[str] | None) -> Ahead:
    kinds = ["fight"] if "fight" in place.data else [kind for kind in STEPS if kind in place.data]
    if len(kinds) != 1:
        raise place.wrong(
            place.path,
            sentence("a step with one of {words}", words=", ".join(f"“{kind}”" for kind in STEPS)),
            ", ".join(kinds) or "none of them",
        )
    step = _READERS[kinds[0]](place, place.who(names))
    place.done()
    return step


def _fight(place: _Place, who: tuple[str, ...] | None) -> Fight:
    return Fight(
        place.text("fight", most=80),
        place.spread("rounds", 1, MOST_ROUNDS, _surely(3)),
        place.chance("early", NEVER),
        place.spread("reactions", 0, MOST_CALLS, (ALWAYS,)),
        _mishap(place.data["wound"], place.at("wound")) if place.has("wound") else None,
        place.word("attention", ATTENTION, "each"),
        place.value_or_none("early_value"),
        place.value_or_none("reaction_value"),
        who,
    )


def _check(place: _Place, who: tuple[str, ...] | None) -> CheckAhead:
    return CheckAhead(
        place.text("check", most=80),
        place.whole_or_none("target", -999, 999),
        place.dice("dice"),
        place.chance("chance", ALWAYS),
        place.whole("times", 1, MOST_TIMES, 1),
        place.value_or_none("value"),
        who,
    )


def _wound_ahead(place: _Place, who: tuple[str, ...] | None) -> WoundAhead:
    mishap = Mishap(place.text("wound", most=200), place.whole("steps", 1, 99, 1), place.chance("chance", ALWAYS))
    return WoundAhead(mishap, who)


def _recovery(place: _Place, who: tuple[str, ...] | None) -> RecoveryAhead:
    return RecoveryAhead(place.text("recover", most=200), place.chance("chance", ALWAYS), who)


def _rest(place: _Place, who: tuple[str, ...] | None) -> RestAhead:
    kind = place.as_word("rest", place.needed("rest"), tuple(kind.value for kind in RestKind))
    return RestAhead(RestKind(kind), place.chance("chance", ALWAYS), who)


def _spend(spend: str) -> Callable[[_Place, tuple[str, ...] | None], SpendAhead]:
    def read(place: _Place, who: tuple[str, ...] | None) -> SpendAhead:
        if spend == SpendAhead.RESIST:
            what = place.as_word(spend, place.needed(spend), tuple(one.value for one in Hardship))
        else:
            what = place.text(spend, most=40 if spend == SpendAhead.ABILITY else 200)
        return SpendAhead(
            spend,
            what,
            1 if spend == SpendAhead.ABILITY else place.whole("stamina", 1, 99, 1),
            place.chance("chance", ALWAYS),
            place.whole("times", 1, MOST_TIMES, 1),
            place.value_or_none("value"),
            who,
        )

    return read


_READERS: dict[str, Callable[[_Place, tuple[str, ...] | None], Ahead]] = {
    "fight": _fight,
    "check": _check,
    "wound": _wound_ahead,
    "recover": _recovery,
    "rest": _rest,
    "resist": _spend(SpendAhead.RESIST),
    "channel": _spend(SpendAhead.CHANNEL),
    "ability": _spend(SpendAhead.ABILITY),
}
