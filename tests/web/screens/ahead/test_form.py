"""The form of what is ahead: what it shows is what the figures are of, and an edit loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.odds.forecasts.test_forecast import days
from winded.odds import Day, Sketch, sketch_from, sketch_from_text
from winded.odds.day.form import rows_from_form, rows_from_line, rows_of, steps_from_rows
from winded.odds.day.line import sketch_from_texts
from winded.web.screens.ahead.form import changed, new_row, shown_rows


def sent(sketch: Sketch) -> dict[str, str]:
    """All that the form of this sketch sends when nothing is changed."""
    fields: dict[str, str] = {}
    for at, row in enumerate(shown_rows(rows_of(sketch))):
        fields[f"step-{at}"] = row.kind
        for part in row.parts:
            fields[f"{part.name}-{at}"] = part.value
    return fields


def named(kind: str, at: int) -> str:
    return f"{kind} {at}"


def read(fields: dict[str, str], check: str | None = "1d20+con") -> Sketch:
    return sketch_from_texts(steps_from_rows(rows_from_form(fields, named)), check)


@given(days())
@settings(max_examples=60)
def test_a_form_that_is_sent_unchanged_says_the_same_sketch(one: Day) -> None:
    assert read(sent(one.sketch)) == one.sketch


TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=20).filter(
    lambda text: text.strip() and text.strip().isprintable()
)


@given(name=TEXTS, wound=TEXTS, who=TEXTS)
def test_no_name_and_no_field_without_an_input_is_lost(name: str, wound: str, who: str) -> None:
    fight = {
        "fight": name, "wound": {"wound": wound, "chance": 0.1, "steps": 2}, "who": [who, "Ash"], "early_value": 3,
        "attention": "spread",
    }  # fmt: skip
    sketch = sketch_from({"steps": [fight, {"check": name, "value": 2, "who": who}, {"wound": wound, "steps": 2}]})
    assert read(sent(sketch), None) == sketch


@pytest.mark.parametrize(
    ("line", "shown"), [("fight A", "0"), ("fight A reactions=1", "1"), ("fight A reactions=3", "3")]
)
def test_reactions_are_shown_as_they_are_counted(line: str, shown: str) -> None:
    (row,) = shown_rows(rows_of(sketch_from_text(line)))
    (part,) = (one for one in row.parts if one.name == "reactions")
    assert part.value == shown
    assert shown in {choice.value for choice in part.choices}


def test_a_wound_keeps_its_name_and_gets_one_where_it_has_none() -> None:
    fields = sent(sketch_from_text("fight A wound=bite:1/4"))
    assert (fields["wound-0"], fields["wound.chance-0"]) == ("bite", "1/4")
    del fields["wound-0"]
    assert read(fields) == sketch_from_text("fight A wound=wound_0:1/4", "1d20+con")
    fields["wound.chance-0"] = "0"
    assert read(fields) == sketch_from_text("fight A", "1d20+con")


def test_rows_are_added_dropped_and_moved() -> None:
    rows = rows_from_line("fight A; rest short; check B")
    assert [one.kind for one in changed(rows, {"drop": "1"}, named)] == ["fight", "check"]
    assert [one.kind for one in changed(rows, {"up": "2"}, named)] == ["fight", "check", "rest"]
    assert changed(rows, {"add": "wound"}, named)[-1] == new_row("wound", "wound 3")
    assert changed(rows, {"drop": "9", "up": "x", "add": "dragon"}, named) == list(rows)
