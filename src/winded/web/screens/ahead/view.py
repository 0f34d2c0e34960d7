"""What is ahead, as a form that people fill in and as forecasts in plain words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct

from winded.odds import HABITS, KINDS, sketch_from_text, sketch_to_text, what_is_ahead
from winded.rules import Character, RestKind, Table, rest_name
from winded.sentence import Sentence, sentence

if TYPE_CHECKING:
    from winded.odds import CharacterForecast, Sketch

USUAL = "freely"
"""How everyone spends unless it is said otherwise: whenever something calls for it."""

HABIT_WORDS: dict[str, Sentence] = {
    "freely": sentence("freely: whenever something calls for it"),
    "carefully": sentence("carefully: never the last 2, one reaction a turn"),
    "sparingly": sentence("sparingly: never the last 4 before the last fight"),
    "never": sentence("never"),
}
"""What the habits are called where one is chosen."""

MOST_ROWS = 60
"""Rows that a form may send."""


class Choice(Struct, frozen=True):
    """A word that may be chosen, and what it is called."""

    value: str
    label: Sentence


class Part(Struct, frozen=True):
    """One field of a row: a text, a number within a range, or one of several choices."""

    name: str
    label: Sentence
    value: str
    kind: str = "text"
    least: int = 0
    most: int = 0
    choices: tuple[Choice, ...] = ()


class Row(Struct, frozen=True):
    """One step of a sketch as a row of the form."""

    kind: str
    label: Sentence
    parts: tuple[Part, ...]


CHANCES = (
    ("0", sentence("never")),
    ("1/10", sentence("1 in 10")),
    ("1/4", sentence("1 in 4")),
    ("1/2", sentence("1 in 2")),
    ("3/4", sentence("3 in 4")),
    ("1", sentence("surely")),
)
ROUNDS = (
    ("1", sentence("1 round")),
    ("2", sentence("2 rounds")),
    ("1:1/3,2:1/3,3:1/3", sentence("1 to 3 rounds")),
    ("3", sentence("3 rounds")),
    ("2:1/3,3:1/3,4:1/3", sentence("2 to 4 rounds")),
    ("4", sentence("4 rounds")),
    ("3:1/3,4:1/3,5:1/3", sentence("3 to 5 rounds")),
    ("5", sentence("5 rounds")),
    ("6", sentence("6 rounds")),
)
REACTIONS = (
    ("0", sentence("none")),
    ("1/2", sentence("1 in 2 rounds")),
    ("1", sentence("1 a round")),
    ("1:1/2,2:1/2", sentence("1 or 2 a round")),
    ("2", sentence("2 a round")),
    ("2:1/2,3:1/2", sentence("2 or 3 a round")),
    ("3", sentence("3 a round")),
)
EARLY = (
    ("0", sentence("no need")),
    ("1/2", sentence("1 of 2 rounds")),
    ("1", sentence("every round")),
)
_RESTS = tuple((kind.value, rest_name(kind)) for kind in RestKind)
_KNOWN = {
    "fight": {"rounds", "reactions", "early", "wound"},
    "check": {"target", "times"},
    "rest": {"chance"},
    "wound": {"chance"},
}
"""What a row of each kind has fields for; a step with more stands as the line of words it is."""

KIND_WORDS = {
    "fight": sentence("Fight"),
    "check": sentence("Check"),
    "rest": sentence("Rest"),
    "wound": sentence("Wound"),
    "words": sentence("In words"),
}
ADDED = {
    "fight": "fight {name} rounds=3 early=1/2 reactions=1",
    "check": "check {name}",
    "rest": "rest short",
    "wound": "wound {name} chance=1/2",
    "words": "resist pain stamina=1",
}
"""What a new row begins with."""


def rows_of(text: str) -> tuple[Row, ...]:
    """The rows of the form for a sketch in words."""
    return tuple(_row(step.strip()) for step in text.split(";") if step.strip())


def _row(step: str) -> Row:
    kind, *words = step.split()
    name: list[str] = []
    fields: dict[str, str] = {}
    for word in words:
        field, sign, value = word.partition("=")
        if sign:
            fields[field] = value
        elif fields:
            kind = "words"
        else:
            name.append(word)
    wound = fields.get("wound", "").split(":")
    known = _KNOWN.get(kind)
    if known is None or not fields.keys() <= known or len(wound) > 2 or (kind == "check" and not _plain(fields)):
        return Row("words", KIND_WORDS["words"], (Part("x", sentence("The step in words"), step),))
    called = " ".join(name)
    parts: tuple[Part, ...]
    match kind:
        case "fight":
            parts = (
                Part("n", sentence("What it is"), called),
                _choice("r", sentence("How long"), fields.get("rounds", "3"), ROUNDS),
                _choice("c", sentence("Reactions called for"), fields.get("reactions", "1"), REACTIONS),
                _choice("e", sentence("Acting early matters"), fields.get("early", "0"), EARLY),
                _choice("w", sentence("A Wound, each round"), (*wound, "0")[1] or "1", CHANCES),
            )
        case "check":
            parts = (
                Part("n", sentence("What it is"), called),
                Part("t", sentence("Target"), fields.get("target", ""), "number", -999, 999),
                Part("m", sentence("How many times"), fields.get("times", "1"), "number", 1, 50),
            )
        case "rest":
            parts = (
                _choice("k", sentence("Kind of rest"), called, _RESTS),
                _choice("h", sentence("Chance that it comes"), fields.get("chance", "1"), CHANCES),
            )
        case _:
            parts = (
                Part("n", sentence("What the Wound is"), called),
                _choice("h", sentence("Chance that it comes"), fields.get("chance", "1"), CHANCES),
            )
    return Row(kind, KIND_WORDS[kind], parts)


def _plain(fields: Mapping[str, str]) -> bool:
    return all(value.removeprefix("-").isdecimal() for value in fields.values())


def _choice(name: str, label: Sentence, value: str, words: Sequence[tuple[str, Sentence]]) -> Part:
    """A field with a choice; what stands in it and is none of the words becomes one more."""
    found = tuple(Choice(word, told) for word, told in words)
    if value not in {one.value for one in found}:
        found += (Choice(value, Sentence("{value}", {"value": value})),)
    return Part(name, label, value, "choice", choices=found)


def text_of(query: Mapping[str, str], names: Callable[[str], str]) -> str:
    """The sketch in words that the rows of a form say; `names` says what one that was left without a name is called.

    Row 3 sends `s3` for its kind, and `n3`, `r3` and so on for its fields. `drop`, `up` and `add` change the rows.
    """
    steps = [_step(query, str(at), names) for at in range(MOST_ROWS) if f"s{at}" in query]
    drop, up, add = query.get("drop", ""), query.get("up", ""), query.get("add", "")
    if _at(drop, steps) is not None:
        del steps[int(drop)]
    at = _at(up, steps)
    if at:
        steps[at - 1], steps[at] = steps[at], steps[at - 1]
    if add in ADDED:
        steps.append(ADDED[add].format(name=names(add)))
    return "; ".join(steps)


def _at(text: str, steps: Sequence[str]) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 3 and int(text) < len(steps) else None


def _step(query: Mapping[str, str], at: str, names: Callable[[str], str]) -> str:
    kind = query[f"s{at}"]

    def sent(part: str, otherwise: str = "") -> str:
        """A value of this row without what parts one word or step from the next."""
        return "".join(query.get(part + at, "").replace(";", ",").split()) or otherwise

    name = " ".join(query.get(f"n{at}", "").replace(";", ",").replace("=", "-").split()) or names(kind)
    match kind:
        case "fight":
            wound = sent("w", "0")
            bitten = "" if wound == "0" else f" wound={_wound_name(names, at)}:{wound}"
            return f"fight {name} rounds={sent('r', '3')} early={sent('e', '0')} reactions={sent('c', '1')}{bitten}"
        case "check":
            target = f" target={sent('t')}" if sent("t") else ""
            return f"check {name}{target} times={sent('m', '1')}"
        case "rest":
            return f"rest {sent('k', 'short')} chance={sent('h', '1')}"
        case "wound":
            return f"wound {name} chance={sent('h', '1')}"
        case _:
            return " ".join(query.get(f"x{at}", "").replace(";", ",").split()) or ADDED["words"]


def _wound_name(names: Callable[[str], str], at: str) -> str:
    """Wounds of fights take turns among a few names: a day holds no more of them."""
    return f"{names('wound').replace(':', ' ').replace(' ', '_')}_{int(at) % 3 + 1}"


def sketched(text: str, dice: str | None) -> tuple[Sketch, str]:
    """A sketch and its own words for it. Raises Malformed that names the place."""
    sketch = sketch_from_text(text, dice)
    return sketch, sketch_to_text(sketch)


class Likely(Struct, frozen=True):
    """How it may stand with one character at one moment: in words, and how likely it is to have none."""

    when: Sentence
    left: Sentence
    none: Sentence | None


class Refusals(Struct, frozen=True):
    """What is wanted and cannot be paid for, of one kind of spend, as expected numbers."""

    kind: Sentence
    refused: float
    wanted: float


class Prospect(Struct, frozen=True):
    """One character's forecast in words, with its picture and its figures."""

    key: str
    name: str
    stamina: int
    maximum: int
    likely: tuple[Likely, ...]
    refusals: tuple[Refusals, ...]
    refused_share: float
    steps: tuple[Sentence, ...]
    picture: Markup
    figures: Markup


_KEPT = 500
_drawn: OrderedDict[Hashable, Prospect] = OrderedDict()
"""Prospects by all that they come from: when one character's Stamina changes, nobody else's is drawn again."""


def prospects(
    table: Table, sketch: Sketch, habit: str, language: str, say: Callable[[Sentence], str]
) -> tuple[Prospect, ...]:
    """Everyone's forecast from the present state of a table. Called by one thread at a time."""
    party = [one for one in table.party() if one.base_con is not None]
    keys = [(one, at, len(party), table.ruleset, sketch, habit, language) for at, one in enumerate(party)]
    if not all(key in _drawn for key in keys):
        found = what_is_ahead(table, sketch, usual=HABITS[habit])
        for at, (key, one, now) in enumerate(zip(keys, found.characters, party, strict=True)):
            if key not in _drawn:
                _drawn[key] = prospect(one, say, f"ahead-{at}", now)
    shown = tuple(_drawn[key] for key in keys)
    for key in keys:
        _drawn.move_to_end(key)
    while len(_drawn) > _KEPT:
        _drawn.popitem(last=False)
    return shown


def forget() -> None:
    """Draw everyone anew the next time."""
    _drawn.clear()


def prospect(
    one: CharacterForecast, say: Callable[[Sentence], str], key: str, now: Character | None = None
) -> Prospect:
    """One character's forecast in words. NumPy is loaded by whoever made the forecast."""
    from winded.charts import ahead_picture, ahead_words, forecast_table
    from winded.charts.forecast import KIND_NAMES
    from winded.odds.forecasts.forward import REFUSED, WANTED

    stamina = [[float(chance) for chance in row] for row in one.stamina.tolist()]
    whole = one.counted.sum(axis=1)
    start = max(range(len(stamina[0])), key=lambda amount: stamina[0][amount])
    return Prospect(
        key,
        one.name,
        start if now is None else now.stamina,
        len(stamina[0]) - 1 if now is None else now.maximum,
        tuple(likely(when, stamina[at]) for at, when in _moments(one)),
        tuple(
            Refusals(KIND_NAMES[kind], float(whole[REFUSED, at]), float(whole[WANTED, at]))
            for at, kind in enumerate(KINDS)
            if float(whole[REFUSED, at]) >= 0.05
        ),
        one.refused_share,
        ahead_words(one),
        Markup(ahead_picture(one, name=key, say=say)),
        Markup(forecast_table(one).html(say)),
    )


def _moments(one: CharacterForecast) -> tuple[tuple[int, Sentence], ...]:
    """The rows of a forecast that are told in words: before the last fight, unless that comes first, and the end."""
    last = next((at for at, plan in enumerate(one.stages) if plan.last_fight), 0)
    moments = [(len(one.stages), sentence("at the end"))]
    if last:
        moments.insert(0, (last, sentence("before the last fight")))
    return tuple(moments)


def likely(when: Sentence, chances: Sequence[float]) -> Likely:
    """How it may stand at a moment, given the chance of each amount."""
    none = None if max(chances) > 1 - 1e-9 else none_words(chances[0])
    return Likely(when, left_words(chances), none)


def left_words(chances: Sequence[float]) -> Sentence:
    """Where Stamina will likely be: the narrowest run of amounts that holds in 8 of 10 such evenings."""
    from winded.charts.ahead import most_likely

    low, high = most_likely(list(chances))
    if low == high:
        if chances[low] > 1 - 1e-9:
            return sentence("surely {low} left", low=low)
        return sentence("likely {low} left", low=low)
    if high == low + 1:
        return sentence("likely {low} or {high} left", low=low, high=high)
    return sentence("likely {low} to {high} left", low=low, high=high)


def none_words(share: float) -> Sentence:
    """The chance of having none, as people say it."""
    if share < 1e-9:
        return sentence("never at 0")
    if share > 1 - 1e-9:
        return sentence("surely at 0")
    if share < 0.01:
        return sentence("hardly any chance of none")
    if share > 0.99:
        return sentence("almost surely none")
    if share <= 0.27:
        return sentence("1 in {many} chance of none", many=round(1 / share))
    return sentence("{many} in 10 chance of none", many=min(max(round(share * 10), 3), 9))
