"""Day files: what they may say, and errors that name the place and what is allowed there."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.odds.forecasts.test_forecast import days
from winded.errors import Malformed
from winded.odds import Day
from winded.odds.day.files import data_of_day, day_from, day_from_toml, sketch_from
from winded.odds.day.line import sketch_from_text
from winded.odds.day.model import (
    SPENDS,
    STEPS,
    CheckAhead,
    Fight,
    PossibleWound,
    RecoveryAhead,
    RestAhead,
    Values,
    WoundAhead,
)
from winded.odds.dice import grammar
from winded.odds.forecasts.forecast import forecast
from winded.odds.forecasts.habits import HABITS, Habit
from winded.rules import RestKind

FULL = """
title = "The mill"
check = "1d20+con"

[values]
early = 2
left = 0.5

[[characters]]
name = "Ash"
con = "d12"
stamina = 9
wounds = ["ribs", { wound = "ankle", steps = 2 }]
abilities = { "Second Wind" = 2 }
habit = { keep = 3, reactions = 1, push = 2, aim = 0.6, early = false, other = false, last_fight_free = true }

[[characters]]
name = "Brakka"
con = "D10"
habit = "sparingly"

[[steps]]
fight = "Wolves"
rounds = { 2 = 0.25, 3 = 0.75 }
early = "1/3"
reactions = { 1 = 0.5, 2 = 0.3 }
wound = { wound = "bite", chance = 0.1 }
attention = "spread"
reaction_value = 1.5
who = ["ash"]

[[steps]]
check = "The door"
target = 15
times = 2
chance = 0.5

[[steps]]
wound = "fever"
steps = 2
chance = 0.25

[[steps]]
recover = "fever"

[[steps]]
rest = "safe_long"
chance = 1

[[steps]]
resist = "fear"
stamina = 2

[[steps]]
channel = "a ward"

[[steps]]
ability = "Second Wind"
value = 3
"""


def test_a_day_file_says_all_of_this() -> None:
    day = day_from_toml(FULL)
    ash, brakka = day.characters
    assert (ash.name, ash.con, ash.stamina) == ("Ash", "d12", 9)
    assert ash.wounds == (PossibleWound("ribs"), PossibleWound("ankle", 2))
    assert ash.abilities == (("Second Wind", 2),)
    assert ash.habit == Habit(3, False, 1, 2, Fraction(3, 5), False, True)
    assert (brakka.con, brakka.habit) == ("d10", HABITS["sparingly"])
    assert day.sketch.values == Values(early=Fraction(2), left=Fraction(1, 2))
    tenth = Fraction(1, 10)
    assert day.sketch.ahead == (
        Fight(
            "Wolves", (Fraction(0), Fraction(0), Fraction(1, 4), Fraction(3, 4)), Fraction(1, 3),
            (2 * tenth, 5 * tenth, 3 * tenth), PossibleWound("bite", 1, tenth), "spread", None,
            Fraction(3, 2), ("Ash",),
        ),
        CheckAhead("The door", 15, None, Fraction(1, 2), 2),
        WoundAhead("fever", 2, Fraction(1, 4)),
        RecoveryAhead("fever"),
        RestAhead(RestKind.SAFE_LONG),
        SPENDS["resist"]("fear", stamina=2),
        SPENDS["channel"]("a ward"),
        SPENDS["ability"]("Second Wind", value=Fraction(3)),
    )  # fmt: skip


def test_chances_are_kept_as_they_were_written() -> None:
    sketch = sketch_from({"steps": [{"rest": "short", "chance": 0.1}, {"rest": "short", "chance": "1/7"}]})
    assert [one.chance for one in sketch.ahead] == [Fraction(1, 10), Fraction(1, 7)]  # type: ignore[union-attr]


def test_a_chance_of_one_reaction_is_a_figure_below_one() -> None:
    (fight,) = sketch_from({"steps": [{"fight": "Wolves", "reactions": 0.25}]}).ahead
    assert isinstance(fight, Fight)
    assert fight.reactions == (Fraction(3, 4), Fraction(1, 4))
    assert fight.rounds == (0, 0, 0, 1)


HERO = {"name": "Ash", "con": "d8"}
REST = {"rest": "short"}


def day(**changes: object) -> dict[str, object]:
    return {"characters": [HERO], "steps": [REST]} | changes


def step(**fields: object) -> dict[str, object]:
    return day(steps=[REST, fields])


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        ([], "", "“day” must be a table of its own; it is []."),
        ({"steps": [REST]}, "characters", "“characters” is missing; it must be a list of 1 to 12 entries."),
        (day(characters=[]), "characters", "“characters” must be a list of 1 to 12 entries; it is []."),
        (day(steps=[]), "steps", "“steps” must be a list of 1 to 300 entries; it is []."),
        (
            day(weather="rain"),
            "weather",
            "There is no field “weather” here. Fields here: “characters”, “check”, “steps”, “title”, “values”.",
        ),
        (
            day(characters=[HERO, {"name": "ASH", "con": "d6"}]),
            "characters[1].name",
            "“characters[1].name” must be a name that nobody else has; it is \"ASH\".",
        ),
        (day(characters=[{"name": "Ash"}]), "characters[0].con",
         "“characters[0].con” is missing; it must be a CON Ability Die such as “d10”."),
        (
            day(characters=[HERO | {"con": "8"}]),
            "characters[0].con",
            "“characters[0].con” must be a CON Ability Die such as “d10”; it is \"8\".",
        ),
        (
            day(characters=[HERO | {"stamina": "7"}]),
            "characters[0].stamina",
            "“characters[0].stamina” must be a whole number from 0 to 99; it is \"7\".",
        ),
        (
            day(characters=[HERO | {"habit": "wildly"}]),
            "characters[0].habit",
            "“characters[0].habit” must be one of “freely”, “carefully”, “sparingly”, “never”; it is \"wildly\".",
        ),
        (
            day(characters=[HERO | {"habit": {"kep": 2}}]),
            "characters[0].habit.kep",
            (
                "There is no field “characters[0].habit.kep” here. Fields here: “aim”, “early”, “keep”, "
                "“last_fight_free”, “other”, “push”, “reactions”."
            ),
        ),
        (
            step(nap=1),
            "steps[1]",
            ("“steps[1]” must be a step with one of “fight”, “check”, “wound”, “recover”, “rest”, “resist”, “ability”, "
            "“channel”; it is \"none of them\"."),
        ),
        (
            step(rest="nap"),
            "steps[1].rest",
            "“steps[1].rest” must be one of “short”, “unsafe_long”, “safe_long”, “respite”; it is \"nap\".",
        ),
        (
            step(rest="short", chance=1.5),
            "steps[1].chance",
            "“steps[1].chance” must be a chance from 0 to 1, such as 0.25 or \"1/3\"; it is 1.5.",
        ),
        (
            step(fight="Wolves", rounds={"2": 0.5}),
            "steps[1].rounds",
            "“steps[1].rounds” must be chances that sum to exactly 1; it is \"1/2\".",
        ),
        (
            step(fight="Wolves", rounds=31),
            "steps[1].rounds",
            "“steps[1].rounds” must be a whole number from 1 to 30; it is 31.",
        ),
        (
            step(fight="Wolves", reactions={"1": 0.7, "2": 0.7}),
            "steps[1].reactions",
            "“steps[1].reactions” must be chances that sum to no more than 1; it is \"7/5\".",
        ),
        (
            step(fight="Wolves", reactions={"eleven": 1}),
            "steps[1].reactions.eleven",
            "“steps[1].reactions.eleven” must be a whole number from 0 to 10; it is \"eleven\".",
        ),
        (
            step(fight="Wolves", who=["Bryn"]),
            "steps[1].who[0]",
            "“steps[1].who[0]” must be one of “Ash”; it is \"Bryn\".",
        ),
        (
            step(check="door", target=15),
            "steps[1].target",
            "“steps[1].target” needs dice: say how Checks are rolled, such as check = “1d20+con” at the top.",
        ),
        (
            step(resist="boredom"),
            "steps[1].resist",
            ("“steps[1].resist” must be one of “exposure”, “fatigue”, “fear”, “injury”, “pain”, “shock”; it is "
            "\"boredom\"."),
        ),
        (
            day(steps=[{"fight": "War", "rounds": 30}] * 11),
            "steps",
            "“steps” must be at most 300 rounds and other steps in all; it is 330.",
        ),
        (
            day(steps=[{"wound": name} for name in "abcde"]),
            "steps",
            "“steps” must be steps that bring at most 4 differently named Wounds; it is 5.",
        ),
        (day(values={"gold": 1}), "values.gold",
         "There is no field “values.gold” here. Fields here: “check”, “early”, “empty”, “left”, “reaction”, “spend”."),
        (day(title="a\x00b"), "title",
         "“title” must be a text of 1 to 80 characters, without control characters; it is \"a\\u0000b\"."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(data: object, field: str, message: str) -> None:
    with pytest.raises(Malformed) as no:
        day_from(data)
    assert (no.value.field, str(no.value)) == (field, message)


def test_dice_in_a_day_file_are_read_as_everywhere() -> None:
    with pytest.raises(Malformed, match="asks for too much at column 1"):
        day_from(day(check="9999d6"))


def test_what_is_no_toml_says_where() -> None:
    with pytest.raises(Malformed, match=r"The day file is not TOML: .*line 2"):
        day_from_toml("title = 1\nx = y\n")


@pytest.mark.parametrize("number", ["inf", "nan", "-0.1", "1e400", "true"])
def test_odd_numbers_are_no_chances(number: str) -> None:
    text = f'[[characters]]\nname = "Ash"\ncon = "d8"\n[[steps]]\nrest = "short"\nchance = {number}\n'
    with pytest.raises(Malformed) as no:
        day_from_toml(text)
    assert no.value.field == "steps[0].chance"


@pytest.mark.parametrize(
    "wrong",
    [
        {"rest": "short", "chance": "1e999999999"},
        {"rest": "short", "chance": 1e308},
        {"rest": "short", "chance": 10**5000},
        {"rest": ["short"]},
        {"rest": "short", "who": []},
        {"fight": "A", "rounds": {"9" * 5000: 1}},
        {"fight": "A", "rounds": {"٣": 1}},
        {"fight": "A", "reactions": "1/0"},
        {"fight": "A", "early": float("inf")},
        {"fight": None},
        {"check": "a", "target": 10**5000},
        {"wound": "x", "steps": float("nan")},
        {"resist": "fear", "stamina": True},
    ],
)
def test_hostile_figures_are_refused_at_once(wrong: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        day_from(step(**wrong))


def test_a_huge_exponent_in_a_file_is_never_worked_out() -> None:
    with pytest.raises(Malformed) as no:
        day_from_toml('[[characters]]\nname = "Ash"\ncon = "d8"\n[[steps]]\nrest = "short"\nchance = 1e999999999\n')
    assert no.value.field == "steps[0].chance"


WORDS = ["short", "fear", "d8", "Ash", "1/3", "freely", "spread", "1d20+con"]
KEYS = [*STEPS, "chance", "rounds", "reactions", "early", "who", "stamina", "target", "1"]
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), anything), max_size=3))
def test_any_steps_at_all_are_either_read_and_forecast_or_refused(steps: list[dict[str, object]]) -> None:
    try:
        found = day_from(day(steps=steps))
    except Malformed:
        return
    assert forecast(found).characters[0].stamina.sum(axis=1) == pytest.approx(1)


@given(st.text(alphabet="fightchecrsod ;=:,./0123456789", max_size=60))
def test_any_line_at_all_is_either_a_sketch_or_refused(line: str) -> None:
    with suppress(Malformed):
        assert sketch_from_text(line).ahead


def test_a_whole_day_comes_back_from_its_plain_data() -> None:
    written = day_from_toml(FULL)
    assert day_from(data_of_day(written)) == written
    assert day_from(msgspec.json.decode(msgspec.json.encode(data_of_day(written)))) == written


@given(days())
def test_every_day_comes_back_from_its_plain_data(one: Day) -> None:
    assert day_from(data_of_day(one)) == one


def test_a_day_is_read_without_a_die_being_rolled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def rolled(*_: object) -> None:
        pytest.fail("something was rolled out")

    for way in ("pool", "kept", "added", "best_of"):
        monkeypatch.setattr(grammar, way, rolled)
    checks = [{"check": f"C{at}", "target": 500, "dice": f"20d100kh10+{at}"} for at in range(250)]
    assert len(day_from(day(steps=checks)).sketch.ahead) == 250


def test_dice_must_fit_the_die_of_everyone_who_goes_through_the_day() -> None:
    with pytest.raises(Malformed) as no:
        day_from(day(check="90con", characters=[HERO, {"name": "Big", "con": "d99"}]))
    assert no.value.field == "check"


def test_dice_that_cannot_be_read_are_told_with_their_place() -> None:
    with pytest.raises(Malformed) as no:
        day_from(step(check="door", target=3, dice="6d10>=8"))
    assert no.value.field == "steps[1].dice"
    assert str(no.value) == (
        "“steps[1].dice”: “6d10>=8” counts successes at column 5, but a Check is a total against a target."
    )
