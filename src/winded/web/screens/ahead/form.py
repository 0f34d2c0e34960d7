"""The form of what is ahead: which fields a row shows, and what its choices are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from winded.odds import HABITS
from winded.odds.day.form import usual_spelling, value_in, wound_in
from winded.odds.day.line import StepTexts, line_from_texts
from winded.rules import RestKind, rest_name
from winded.sentence import Sentence, sentence

HABIT_WORDS: dict[str, Sentence] = {
    "freely": sentence("freely: on everything that calls for it, pushing by up to {push}", push=HABITS["freely"].push),
    "carefully": sentence(
        "carefully: never the last {keep}, one reaction a turn, pushing by up to {push}",
        keep=HABITS["carefully"].keep,
        push=HABITS["carefully"].push,
    ),
    "sparingly": sentence(
        "sparingly: never the last {keep} before the last fight, never acting early, one reaction a turn, "
        "pushing by up to {push}",
        keep=HABITS["sparingly"].keep,
        push=HABITS["sparingly"].push,
    ),
    "never": sentence("never"),
}
"""What the habits are called where one is chosen."""


class Choice(Struct, frozen=True):
    """A word that may be chosen, and what it is called."""

    value: str
    label: Sentence


class Part(Struct, frozen=True):
    """One field of a row: a text, a number within a range, one of several choices, or what the row only keeps."""

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
    ("1", sentence("certain")),
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

KIND_WORDS = {
    "fight": sentence("Fight"),
    "check": sentence("Check"),
    "rest": sentence("Rest"),
    "wound": sentence("Wound"),
    "words": sentence("In words"),
}
ADDED: dict[str, dict[str, str]] = {
    "fight": {"rounds": "3", "early": "1/2", "reactions": "1"},
    "check": {},
    "rest": {"rest": RestKind.SHORT.value},
    "wound": {"chance": "1/2"},
}
"""What a new row begins with, besides its name."""


def shown_rows(steps: Sequence[StepTexts]) -> tuple[Row, ...]:
    """The rows of the form for these steps."""
    return tuple(_row(step) for step in steps)


def changed(steps: Sequence[StepTexts], sent: Mapping[str, str], named: Callable[[str, int], str]) -> list[StepTexts]:
    """The steps after what was asked besides: a row dropped, moved up, or added."""
    rows = list(steps)
    drop, up, add = (sent.get(name, "") for name in ("drop", "up", "add"))
    if _place(drop, rows) is not None:
        del rows[int(drop)]
    at = _place(up, rows)
    if at:
        rows[at - 1], rows[at] = rows[at], rows[at - 1]
    if add in ADDED:
        rows.append(new_row(add, named(add, len(rows))))
    return rows


def new_row(kind: str, name: str) -> StepTexts:
    """A new row of this kind."""
    return StepTexts(kind, {kind: name, **ADDED[kind]})


def _place(text: str, rows: Sequence[StepTexts]) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 3 and int(text) < len(rows) else None


def _row(step: StepTexts) -> Row:
    kind, texts = step.kind, step.texts
    if kind not in ADDED:
        words = texts["words"] if kind == "words" else line_from_texts([step])
        return Row("words", KIND_WORDS["words"], (Part("words", sentence("The step in words"), words),))

    def value(name: str) -> str:
        return value_in(kind, name, texts)

    def choice(name: str, label: Sentence, words: Sequence[tuple[str, Sentence]]) -> Part:
        return _choice(name, label, value(name), [(usual_spelling(kind, name, word), told) for word, told in words])

    parts: tuple[Part, ...]
    match kind:
        case "fight":
            wound, chance, steps = wound_in(texts)
            parts = (
                Part("fight", sentence("What it is"), value("fight")),
                choice("rounds", sentence("How long"), ROUNDS),
                choice("reactions", sentence("Reactions called for"), REACTIONS),
                choice("early", sentence("Acting early matters"), EARLY),
                _choice("wound.chance", sentence("A Wound, each round"), chance, CHANCES),
                Part("wound", sentence("What the Wound is"), wound),
                *([] if steps == "1" else [Part("wound.steps", sentence("What the Wound is"), steps, "hidden")]),
            )
        case "check":
            parts = (
                Part("check", sentence("What it is"), value("check")),
                Part("target", sentence("Target"), value("target"), "number", -999, 999),
                Part("times", sentence("How many times"), value("times"), "number", 1, 50),
            )
        case "rest":
            parts = (
                choice("rest", sentence("Kind of rest"), _RESTS),
                choice("chance", sentence("Chance that it happens"), CHANCES),
            )
        case _:
            parts = (
                Part("wound", sentence("What the Wound is"), value("wound")),
                choice("chance", sentence("Chance that it happens"), CHANCES),
            )
    seen = {part.name for part in parts}
    kept = (Part(name, sentence("What it is"), text, "hidden") for name, text in texts.items() if name not in seen)
    return Row(kind, KIND_WORDS[kind], (*parts, *kept))


def _choice(name: str, label: Sentence, value: str, words: Sequence[tuple[str, Sentence]]) -> Part:
    """A field with a choice; what stands in it and is none of the words becomes one more."""
    found = tuple(Choice(word, told) for word, told in words)
    if value not in {one.value for one in found}:
        found += (Choice(value, Sentence("{value}", {"value": value})),)
    return Part(name, label, value, "choice", choices=found)
