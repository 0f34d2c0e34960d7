"""Sketches of what is ahead that everyone may see: taken in, and shown without what is hidden."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from winded.errors import WindedError
from winded.rules import Table
from winded.rules.table import same

if TYPE_CHECKING:
    from winded.odds.day.line import StepTexts

UNNAMED = "…"
"""Stands where a name is that not everyone may know."""

_FREE = frozenset({"fight", "check", "wound", "recover", "channel"})
"""The fields of a step in which anything may stand."""


def check_sketch(table: Table, line: str, dice: str | None) -> None:
    """Only a sketch that can be worked out for the characters of this table. Raises Malformed."""
    from winded.odds import sketch_from_text
    from winded.service.odds import check_at_table

    check_at_table(table, sketch_from_text(line, dice))


def sketch_seen(line: str, hidden: Collection[str]) -> str | None:
    """A sketch as all but the Referee see it: without the names of the enemies that are hidden.

    None where it can no longer be read.
    """
    if not hidden:
        return line
    from winded.odds.day.line import line_from_texts, texts_from_line

    names = [same(name) for name in hidden]
    try:
        return line_from_texts([_unnamed(step, names) for step in texts_from_line(line)])
    except WindedError:
        return None


def _unnamed(step: StepTexts, names: Collection[str]) -> StepTexts:
    from winded.odds.day.fields import parts
    from winded.odds.day.line import StepTexts

    texts = dict(step.texts)
    if step.kind in _FREE and _tells(texts[step.kind], names):
        texts[step.kind] = UNNAMED
    wound = texts.get("wound") if step.kind == "fight" else None
    if wound is not None and _tells(wound.replace("_", " "), names):
        texts["wound"] = ":".join((UNNAMED, *parts(wound, ":")[1:]))
    return StepTexts(step.kind, texts)


def _tells(text: str, names: Collection[str]) -> bool:
    folded = same(text)
    return any(name in folded for name in names)
