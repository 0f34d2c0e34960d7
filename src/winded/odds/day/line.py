"""Sketches in a line of words, short enough for an address or a text field.

    fight The mill rounds=3 early=1/2 reactions=1:1/2,2:1/4; rest short; check A stuck door target=15

Steps are separated by semicolons. A step is its kind, its name, and its fields as in a day file; chances by number are
written `1:1/2,2:1/4`, a Wound that a round of a fight may bring `wound=bite:1/10`, several names `who=Ash,Brakka`. What
holds one of the signs ; = , : or " stands in double quotes, a double quote within them twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from winded.errors import Malformed
from winded.odds.day.fields import data_from_texts, parts, quoted, texts_of, unquoted, words
from winded.odds.day.files import sketch_from
from winded.odds.day.model import STEPS, Ahead, Sketch
from winded.rules.fields import LONGEST_LINE
from winded.sentence import sentence


class StepTexts(Struct, frozen=True):
    """One step as it is written, not yet checked: its kind, and its fields as texts, the first one being its name."""

    kind: str
    texts: Mapping[str, str]


def sketch_from_text(text: str, check: str | None = None) -> Sketch:
    """A sketch from its line of words; `check` says how Checks are rolled. Raises Malformed that names the place."""
    return sketch_from_texts(texts_from_line(text), check)


def sketch_to_text(sketch: Sketch) -> str:
    """The line of words that `sketch_from_text` reads as this sketch (but for its title, dice and values)."""
    return line_from_texts([texts_of_step(step) for step in sketch.ahead])


def texts_from_line(text: str) -> tuple[StepTexts, ...]:
    """The steps of a line as they are written. Raises Malformed for what is no step."""
    if len(text) > LONGEST_LINE:
        raise Malformed("steps", "A sketch has at most {most} characters.", most=LONGEST_LINE)
    return tuple(_step(one, at) for at, one in enumerate(part for part in parts(text, ";") if part.strip()))


def line_from_texts(steps: Sequence[StepTexts]) -> str:
    """The line that says these steps."""
    return "; ".join(" ".join(_words(one)) for one in steps)


def texts_of_step(step: Ahead) -> StepTexts:
    """A step as it is written."""
    return StepTexts(step.kind, texts_of(step))


def sketch_from_texts(steps: Sequence[StepTexts], check: str | None = None) -> Sketch:
    """A sketch from steps as they are written. Raises Malformed that names the place."""
    data: dict[str, object] = {"steps": [data_from_texts(STEPS[one.kind], one.texts) for one in steps]}
    return sketch_from(data if check is None else data | {"check": check})


def _step(step: str, at: int) -> StepTexts:
    kind, *rest = words(step)
    if kind not in STEPS:
        raise Malformed(
            f"steps[{at}]",
            "“{field}” must be {allowed}; it is {value}.",
            field=f"steps[{at}]",
            allowed=sentence("a step that begins with one of {words}", words=", ".join(f"“{one}”" for one in STEPS)),
            value=f"“{kind[:40]}”",
        )
    name: list[str] = []
    texts: dict[str, str] = {}
    for word in rest:
        field, *values = parts(word, "=")
        if values:
            if field in texts or field == kind:
                place = f"steps[{at}].{field}"[:60]
                raise Malformed(place, "“{field}” is given twice.", field=place)
            texts[field] = "=".join(values)
        elif texts:
            texts[next(reversed(texts))] += f" {word}"  # as in who=Ash the Bold
        else:
            name.append(word)
    return StepTexts(kind, {kind: unquoted(" ".join(name)) or kind, **texts})


def _words(step: StepTexts) -> list[str]:
    name = step.texts.get(step.kind, "")
    # A name that begins with a sign of its own, or is none, is told from what follows by its quotes.
    return [
        step.kind,
        quoted(name),
        *(f"{field}={text}" for field, text in step.texts.items() if field != step.kind),
    ]
