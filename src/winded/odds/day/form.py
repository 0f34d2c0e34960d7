"""A sketch as the fields of a form: row after row one step, each field by its own name and in its own spelling.

What a form shows no field for comes and goes with it all the same, so that nothing is lost by an edit. A step may also
stand in one field, as the words of a line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from winded.errors import Malformed
from winded.odds.day.fields import data_from_texts, day_fields
from winded.odds.day.line import StepTexts, texts_from_line, texts_of_step
from winded.odds.day.model import STEPS, PossibleWound, Sketch
from winded.rules.fields import read

WORDS = "words"
"""The kind of a row that holds a step as words."""

MOST_ROWS = 60
"""Rows that a form may send."""

_WOUND = "wound"


def rows_from_form(sent: Mapping[str, str], named: Callable[[str, int], str]) -> tuple[StepTexts, ...]:
    """The rows that a form sent, not yet checked: `step-0` is the kind of the first, `rounds-0` a field of it.

    A Wound in a fight is sent as `wound-0`, `wound.chance-0` and `wound.steps-0`. `named` says what a fight, a Check or
    a Wound is called that was left without a name, given the number of its row.
    """
    rows = []
    for at in range(MOST_ROWS):
        kind = sent.get(f"step-{at}")
        if kind is None or (kind not in STEPS and kind != WORDS):
            continue
        end = f"-{at}"
        texts = {
            name.removesuffix(end): " ".join(text.split())
            for name, text in sent.items()
            if name.endswith(end) and name != f"step{end}" and text.strip()
        }
        if kind in ("fight", "check", "wound"):
            texts.setdefault(kind, named(kind, at))
        rows.append(StepTexts(kind, _with_wound(texts, named(_WOUND, at)) if kind == "fight" else texts))
    return tuple(rows)


def rows_from_line(text: str) -> tuple[StepTexts, ...]:
    """The rows that a line of words says, not yet checked; as one row of words what is no step at all."""
    try:
        return texts_from_line(text)
    except Malformed:
        return (StepTexts(WORDS, {WORDS: text}),)


def rows_of(sketch: Sketch) -> tuple[StepTexts, ...]:
    """The rows of a sketch."""
    return tuple(texts_of_step(step) for step in sketch.ahead)


def steps_from_rows(rows: Sequence[StepTexts]) -> tuple[StepTexts, ...]:
    """The steps of the rows, those in words read. Raises Malformed."""
    found: list[StepTexts] = []
    for row in rows:
        found += texts_from_line(row.texts.get(WORDS, "")) if row.kind == WORDS else [row]
    return tuple(found)


def value_in(kind: str, name: str, texts: Mapping[str, str]) -> str:
    """What stands in a field of a row, as it is usually spelled: "0:1/2,1:1/2" for a reaction with a chance of 1/2.

    Where the field is left out, it is what leaving it out means; what cannot be read stays as it was typed.
    """
    field = next(one for one in day_fields(STEPS[kind]) if one.name == name)
    if name in texts:
        return usual_spelling(kind, name, texts[name])
    return "" if field.required or field.default is None else field.spelling.to_text(field.default)


def usual_spelling(kind: str, name: str, text: str) -> str:
    """A text of this field as the model spells the same value; as it is where it cannot be read."""
    made = STEPS[kind]
    field = next(one for one in day_fields(made) if one.name == name)
    try:
        value = field.check(field.spelling.from_text(text), name)
    except Malformed:
        return text
    return field.spelling.to_text(value)


def wound_in(texts: Mapping[str, str]) -> tuple[str, str, str]:
    """The Wound that a row of a fight may bring: its name, its chance and its steps; chance "0" for none."""
    if _WOUND not in texts:
        return "", "0", "1"
    data = data_from_texts(STEPS["fight"], {_WOUND: texts[_WOUND]})[_WOUND]
    assert isinstance(data, dict)
    return str(data.get("wound", "")), str(data.get("chance", "1")), str(data.get("steps", "1"))


def _with_wound(texts: dict[str, str], usual: str) -> dict[str, str]:
    """The three fields of a fight's Wound as the one they are."""
    name, chance, steps = (texts.pop(key, "") for key in (_WOUND, "wound.chance", "wound.steps"))
    if chance in ("", "0"):
        return texts
    name = name or usual
    spelling = next(one.spelling for one in day_fields(STEPS["fight"]) if one.name == _WOUND)
    data = data_from_texts(PossibleWound, {"wound": name, "chance": chance, **({"steps": steps} if steps else {})})
    try:
        return {**texts, _WOUND: spelling.to_text(read(PossibleWound, data))}
    except Malformed:
        return {**texts, _WOUND: f"{name}:{chance}"}
