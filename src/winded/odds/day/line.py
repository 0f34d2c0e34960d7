"""Sketches in a line of words, short enough for an address or a text field.

    fight The mill rounds=3 early=1/2 reactions=1:1/2,2:1/4; rest short; check A stuck door target=15

Steps are separated by semicolons. A step is its kind, its name, and its fields as in a day file; chances by number are
written `1:1/2,2:1/4`, a Wound that a round of a fight may bring `wound=bite:1/10`, several names `who=Ash,Brakka`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from winded.errors import Malformed
from winded.odds.day.files import STEPS, sketch_from
from winded.odds.day.model import (
    ALWAYS,
    NEVER,
    Ahead,
    CheckAhead,
    Distribution,
    Fight,
    PossibleWound,
    RecoveryAhead,
    RestAhead,
    Sketch,
    SpendAhead,
    WoundAhead,
)
from winded.odds.forecasts.decision_tree import certainly, kind
from winded.sentence import sentence

LONGEST = 4000


def sketch_from_text(text: str, check: str | None = None) -> Sketch:
    """A sketch from its line of words; `check` says how Checks are rolled. Raises Malformed that names the place."""
    if len(text) > LONGEST:
        raise Malformed("steps", "A sketch has at most {most} characters.", most=LONGEST)
    steps = [_step(words, at) for at, words in enumerate(part for part in text.split(";") if part.strip())]
    return sketch_from({"steps": steps} if check is None else {"steps": steps, "check": check})


def sketch_to_text(sketch: Sketch) -> str:
    """The line of words that `sketch_from_text` reads as this sketch (but for its title, dice and values)."""
    return "; ".join(" ".join((kind(one), _plain(one.name), *_fields(one))) for one in sketch.ahead)


def _plain(name: str) -> str:
    """A name without the two signs that mean something else here."""
    return name.replace(";", ",").replace("=", "-")


def _step(words: str, at: int) -> dict[str, object]:
    what, *rest = words.split()
    if what not in STEPS:
        raise Malformed(
            f"steps[{at}]",
            "“{field}” must be {allowed}; it is {value}.",
            field=f"steps[{at}]",
            allowed=sentence("a step that begins with one of {words}", words=", ".join(f"“{one}”" for one in STEPS)),
            value=f"“{what[:40]}”",
        )
    name: list[str] = []
    said: dict[str, str] = {}
    for word in rest:
        field, sign, value = word.partition("=")
        if sign:
            said[field] = value
        elif said:
            said[next(reversed(said))] += f" {word}"  # as in who=Ash the Bold
        else:
            name.append(word)
    return {what: " ".join(name) or what, **{field: _value(field, value) for field, value in said.items()}}


def _value(field: str, value: str) -> object:
    if field == "who":
        return [one.strip() for one in value.split(",")]
    if field in ("dice", "attention"):
        return value
    if field == "wound":
        wound, *more = value.split(":")
        return {"wound": wound.replace("_", " "), **({"chance": more[0]} if more else {})} | (
            {"steps": int(more[1])} if len(more) > 1 and more[1].isdecimal() else {}
        )
    if ":" in value:
        return dict(part.partition(":")[::2] for part in value.split(","))
    return int(value) if value.lstrip("-").isdecimal() and value.isascii() and len(value) < 10 else value


def _fields(ahead: Ahead) -> Iterator[str]:
    match ahead:
        case Fight():
            yield f"rounds={_numbers(ahead.rounds)}"
            yield from _unless("early", ahead.early, NEVER)
            if ahead.reactions != (ALWAYS,):
                yield f"reactions={_numbers(ahead.reactions)}"
            if ahead.mishap is not None:
                yield f"wound={_mishap(ahead.mishap)}"
            yield from _unless("attention", ahead.attention, "each")
            yield from _unless("early_value", ahead.early_value, None)
            yield from _unless("reaction_value", ahead.reaction_value, None)
        case CheckAhead():
            yield from _unless("target", ahead.target, None)
            yield from _unless("dice", ahead.dice, None)
            yield from _unless("chance", ahead.chance, ALWAYS)
            yield from _unless("times", ahead.times, 1)
            yield from _unless("value", ahead.value, None)
        case WoundAhead():
            yield from _unless("steps", ahead.mishap.steps, 1)
            yield from _unless("chance", ahead.mishap.chance, ALWAYS)
        case RecoveryAhead() | RestAhead():
            yield from _unless("chance", ahead.chance, ALWAYS)
        case SpendAhead():
            if ahead.spend != SpendAhead.ABILITY:
                yield from _unless("stamina", ahead.stamina, 1)
            yield from _unless("chance", ahead.chance, ALWAYS)
            yield from _unless("times", ahead.times, 1)
            yield from _unless("value", ahead.value, None)
    if ahead.who is not None:
        yield f"who={','.join(ahead.who)}"


def _unless(field: str, value: object, usual: object) -> Iterator[str]:
    if value != usual:
        yield f"{field}={value}"


def _numbers(spread: Distribution) -> str:
    if spread == certainly(len(spread) - 1):
        return str(len(spread) - 1)
    return ",".join(f"{number}:{chance}" for number, chance in enumerate(spread) if chance)


def _mishap(mishap: PossibleWound) -> str:
    steps = "" if mishap.steps == 1 else f":{mishap.steps}"
    return f"{mishap.wound.replace(' ', '_')}:{Fraction(mishap.chance)}{steps}"
