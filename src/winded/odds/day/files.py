"""A day from TOML or from plain data, and back; what is wrong is named with its place."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from winded.errors import Malformed
from winded.odds.day.fields import A_TABLE, data_of, exactly, wrong
from winded.odds.day.model import (
    MOST_STEPS,
    MOST_WOUNDS,
    CheckAhead,
    Day,
    DayFile,
    Fight,
    Sketch,
    WoundAhead,
    length,
)
from winded.odds.dice import spelled
from winded.rules.fields import read
from winded.rules.toml_text import NotToml, toml_from
from winded.sentence import sentence


def day_from_toml(text: str) -> Day:
    """A day from the text of a TOML file; raises Malformed that names the place and what is allowed there."""
    try:
        data = toml_from(text, exactly)
    except NotToml as wrong_text:
        raise Malformed("", "The day file is not TOML: {reason}.", reason=str(wrong_text)) from wrong_text
    return day_from(data)


def day_from(data: object) -> Day:
    """A day from plain data, as `day_from_toml` reads it from a file: who goes through it, and what is ahead."""
    if not isinstance(data, Mapping):
        raise wrong("", A_TABLE, data)
    day = read(DayFile, data)
    names: dict[str, str] = {}
    for at, one in enumerate(day.characters):
        if one.name.casefold() in names:
            raise wrong(f"characters[{at}].name", sentence("a name that nobody else has"), one.name)
        names[one.name.casefold()] = one.name
    sketch = _possible(Sketch(day.ahead, day.check, day.values, day.title))
    for place, dice in _dice_of(sketch):
        for con in dict.fromkeys(one.con for one in day.characters):
            _fits(place, dice, con)
    return Day(day.characters, _with_names(sketch, names))


def sketch_from(data: object) -> Sketch:
    """What is ahead, from plain data: `steps`, and perhaps `check`, `values` and `title`. Raises Malformed."""
    if not isinstance(data, Mapping):
        raise wrong("", A_TABLE, data)
    return _possible(read(Sketch, data))


def _possible(sketch: Sketch) -> Sketch:
    """The sketch, once it is known to hold together. Raises Malformed."""
    for at, step in enumerate(sketch.ahead):
        if isinstance(step, CheckAhead) and step.target is not None and sketch.check is None and step.dice is None:
            raise Malformed(
                f"steps[{at}].target",
                "“{field}” needs dice: say how Checks are rolled, such as check = “1d20+con” at the top.",
                field=f"steps[{at}].target",
            )
    many = sum(length(step) for step in sketch.ahead)
    if many > MOST_STEPS:
        raise wrong("steps", sentence("at most {most} rounds and other steps in all", most=MOST_STEPS), many)
    wounds = {one.casefold() for step in sketch.ahead if (one := _brings(step)) is not None}
    if len(wounds) > MOST_WOUNDS:
        allowed = sentence("steps that bring at most {most} differently named Wounds", most=MOST_WOUNDS)
        raise wrong("steps", allowed, len(wounds))
    return sketch


def data_of_day(day: Day) -> dict[str, object]:
    """A day as plain data, from which `day_from` makes the same day."""
    sketch = day.sketch
    return data_of(DayFile(sketch.ahead, sketch.check, sketch.values, sketch.title, characters=day.characters))


def _brings(step: object) -> str | None:
    if isinstance(step, Fight):
        return None if step.wound is None else step.wound.wound
    return step.name if isinstance(step, WoundAhead) else None


def _dice_of(sketch: Sketch) -> list[tuple[str, str]]:
    found = [] if sketch.check is None else [("check", sketch.check)]
    for at, step in enumerate(sketch.ahead):
        if isinstance(step, CheckAhead) and step.dice is not None:
            found.append((f"steps[{at}].dice", step.dice))
    return found


def _fits(place: str, dice: str, con: str) -> None:
    """Dice that are small enough with a d8 may be too large with a d99."""
    try:
        spelled(dice, con)
    except Malformed as no:
        raise Malformed(place, "“{field}”: {what}", field=place, what=no.sentence) from no


def _with_names(sketch: Sketch, names: Mapping[str, str]) -> Sketch:
    """The sketch with names as the characters write them. Raises Malformed for nobody of that name."""
    ahead = list(sketch.ahead)
    for at, step in enumerate(ahead):
        if step.who is None:
            continue
        for place, name in enumerate(step.who):
            if name.casefold() not in names:
                known = ", ".join(f"“{one}”" for one in sorted(names.values()))
                raise wrong(f"steps[{at}].who[{place}]", sentence("one of {words}", words=known), name)
        ahead[at] = replace(step, who=tuple(names[name.casefold()] for name in step.who))
    return replace(sketch, ahead=tuple(ahead))
