"""Sketches in a line of words, for addresses and text fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.odds.forecasts.test_forecast import days
from winded.errors import Malformed
from winded.odds import Day, sketch_from, sketch_from_text, sketch_to_text

LINE = (
    "fight The mill rounds=2:1/4,3:3/4 early=1/2 reactions=0:1/5,1:1/2,2:3/10 wound=wolf_bite:1/10 who=Ash,Brakka; "
    "rest short; check A stuck door target=15 times=2; resist fear stamina=2"
)


def test_a_line_of_words_is_the_sketch_a_day_file_would_say() -> None:
    mill = {
        "fight": "The mill", "rounds": {"2": "1/4", "3": "3/4"}, "early": 0.5, "reactions": {"1": 0.5, "2": 0.3},
        "wound": {"wound": "wolf bite", "chance": 0.1}, "who": ["Ash", "Brakka"],
    }  # fmt: skip
    steps = [
        mill,
        {"rest": "short"},
        {"check": "A stuck door", "target": 15, "times": 2},
        {"resist": "fear", "stamina": 2},
    ]
    assert sketch_from_text(LINE, "1d20") == sketch_from({"steps": steps, "check": "1d20"})
    assert sketch_to_text(sketch_from_text(LINE, "1d20")) == LINE


@given(days())
def test_every_sketch_comes_back_from_its_line(one: Day) -> None:
    assert sketch_from_text(sketch_to_text(one.sketch), one.sketch.check) == one.sketch


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("", "steps"), ("nap", "steps[0]"), ("rest short; nap", "steps[1]"), ("rest long", "steps[0].rest"),
        ("fight Wolves rounds=0", "steps[0].rounds"), ("fight Wolves rounds=x", "steps[0].rounds"),
        ("fight Wolves speed=3", "steps[0].speed"), ("rest short chance=2", "steps[0].chance"), ("x" * 5000, "steps"),
        ("fight Wolves reactions=1:1/0", "steps[0].reactions.1"),
        ("fight Wolves rounds=3 banana", "steps[0].rounds"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_line_is_named_as_in_a_day_file(line: str, field: str) -> None:
    with pytest.raises(Malformed) as no:
        sketch_from_text(line)
    assert no.value.field == field


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=30).filter(
    lambda text: text.strip() and text.strip().isprintable()
)


@given(name=NAMES, wound=NAMES, who=st.lists(NAMES, min_size=1, max_size=3))
def test_no_name_is_lost_in_a_line(name: str, wound: str, who: list[str]) -> None:
    data = {"steps": [{"fight": name, "wound": {"wound": wound, "chance": 0.5, "steps": 2}, "who": who}]}
    sketch = sketch_from(data)
    assert sketch_from_text(sketch_to_text(sketch)) == sketch


def test_a_field_said_twice_is_refused() -> None:
    with pytest.raises(Malformed, match=r"“steps\[0\].rounds” is given twice"):
        sketch_from_text("fight Wolves rounds=3 rounds=4")
