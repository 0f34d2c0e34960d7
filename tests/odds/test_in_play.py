"""Odds at a table that is being played."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from winded.errors import Malformed, Refused
from winded.odds import (
    HABITS,
    Day,
    advice_now,
    best_ahead,
    forecast,
    push_chances,
    sketch_from,
    sketch_from_text,
    what_is_ahead,
)
from winded.odds.day.model import DayCharacter, PossibleWound
from winded.rules import (
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    DeclareCheck,
    Ruleset,
    Side,
    StartCombat,
    Table,
    TakeWound,
    ruleset_from,
)

SKETCH = sketch_from_text("fight Wolves rounds=2 early=1 reactions=2; rest short; check door target=15", "1d20+con")


def table(ruleset: Ruleset | None = None) -> Table:
    anonymous = Table() if ruleset is None else Table(ruleset)
    return anonymous.do(
        AddCharacter("Ash", "d12"),
        AddCharacter("Brakka", "d10", stamina=3),
        AddCharacter("Wolf", None, side=Side.ENEMY),
    )


def test_pushing_shows_the_chance_at_each_amount_and_what_it_leaves() -> None:
    found = push_chances(table(), "brakka", "1d20+con", 20)
    assert (found.character, found.con, found.refused) == ("Brakka", "d10", None)
    # By hand: with a d10 that shows k the d20 must show 20 - k or more, k + 1 of its 20 faces: 65 of 200 in all.
    assert [(one.push, one.leaves, one.exact) for one in found.amounts] == [
        (0, 3, "13/40"), (1, 2, "3/8"), (2, 1, "17/40"), (3, 0, "19/40"),
    ]  # fmt: skip
    assert found.amounts[1].gain == pytest.approx(1 / 20)


def test_a_wound_changes_the_die_that_is_rolled() -> None:
    wounded = table().do(TakeWound("Brakka", "ribs"))
    assert push_chances(wounded, "Brakka", "1d20+con", 20).con == "d8"
    assert push_chances(wounded, "Brakka", "1d20+con", 20).amounts[0].exact == "11/40"


def test_a_house_rules_push_bonus_is_in_force() -> None:
    house = ruleset_from({"name": "House", "push": {"bonus": 2}})
    assert push_chances(table(house), "Brakka", "1d20", 11).amounts[2].exact == "7/10"


def test_with_no_stamina_only_the_bare_check_is_left_and_the_refusal_says_why() -> None:
    empty = table().do(Adjust("Brakka", -3, "tired"))
    found = push_chances(empty, "Brakka", "1d20", 11)
    assert [one.push for one in found.amounts] == [0]
    assert found.refused is not None
    assert (found.refused.rule, found.refused.needs, found.refused.has) == ("zero.no-spending", 1, 0)


def test_an_open_check_shows_the_push_that_was_declared() -> None:
    opened = table().do(DeclareCheck("Brakka", 2))
    found = push_chances(opened, "Brakka", "1d20", 11)
    assert [(one.push, one.leaves, one.exact) for one in found.amounts] == [(2, 1, "3/5")]
    assert found.refused is not None
    assert found.refused.rule == "push.before-roll"


def test_nobody_of_that_name_is_refused() -> None:
    with pytest.raises(Refused) as no:
        push_chances(table(), "Corvin", "1d20", 11)
    assert no.value.rule == "not-found"


def test_what_is_ahead_begins_with_the_present_stamina_and_wounds() -> None:
    now = table().do(AddAbility("Ash", "Second Wind", 2), TakeWound("Ash", "ribs"), StartCombat(), ActEarly("Ash"))
    ash, brakka = what_is_ahead(now, SKETCH).characters
    assert ash.stamina[0].tolist().index(1) == 9
    assert brakka.stamina[0].tolist().index(1) == 3
    same = Day(
        (DayCharacter("Ash", "d12", 9, (PossibleWound("ribs"),), (), HABITS["freely"]),
         DayCharacter("Brakka", "d10", 3, habit=HABITS["freely"])),
        SKETCH,
    )  # fmt: skip
    for live, planned in zip((ash, brakka), forecast(same).characters, strict=True):
        assert live.stamina.tolist() == planned.stamina.tolist()


def test_the_panel_in_json() -> None:
    data = msgspec.json.decode(msgspec.json.encode(what_is_ahead(table(), SKETCH).data()))
    assert [one["name"] for one in data["characters"]] == ["Ash", "Brakka"]
    assert [step["title"] for step in data["characters"][0]["steps"]] == [
        "At the start", "Wolves, round 1", "Wolves, round 2", "Short Rest", "door",
    ]  # fmt: skip
    assert data["characters"][1]["steps"][0]["stamina"][3] == 1


def test_habits_may_be_given_by_name() -> None:
    never = what_is_ahead(table(), SKETCH, {"Ash": HABITS["never"]}, usual=HABITS["freely"]).characters
    assert never[0].expected[-1] == 12
    assert never[1].expected[-1] < 1


def test_the_best_habit_from_here_on_is_no_worse_than_the_usual() -> None:
    for one in best_ahead(table(), SKETCH).characters:
        assert one.best >= one.usual > 0


def test_attention_that_depends_on_others_is_refused_here_too() -> None:
    with pytest.raises(Malformed):
        what_is_ahead(table(), sketch_from_text("fight Wolves reactions=1 attention=weakest"))


def test_a_party_without_anyone_has_nothing_ahead() -> None:
    assert what_is_ahead(Table(), SKETCH).characters == ()


def test_chances_on_the_sheet_sum_to_one_for_many_states() -> None:
    sketch = sketch_from(
        {"steps": [{"fight": "A", "rounds": {"1": 0.5, "4": 0.5}, "early": 0.3, "reactions": {"2": 0.7}}]}
    )
    now = table()
    for _ in range(3):
        now = now.do(Adjust("Ash", -1, "x"))
        for one in what_is_ahead(now, sketch).characters:
            assert one.stamina.sum(axis=1) == pytest.approx(1)


def test_many_tables_may_ask_at_once() -> None:
    lines = [
        f"fight Wolves rounds={rounds} early=1/2 reactions={calls}; rest short"
        for rounds in (1, 2, 3)
        for calls in (0, 1, 2)
    ]
    sketches = [sketch_from_text(line) for line in lines] * 3
    now = Table(ruleset_from({"name": "Fresh", "rest": {"short": 3}})).do(
        AddCharacter("Ash", "d12"), AddCharacter("Bryn", "d10")
    )
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda sketch: what_is_ahead(now, sketch), sketches))
        advice = list(threads.map(lambda sketch: best_ahead(now, sketch), sketches))
    for sketch, found, advised in zip(sketches, together, advice, strict=True):
        alone = what_is_ahead(now, sketch)
        for one, other in zip(alone.characters, found.characters, strict=True):
            assert one.stamina.tolist() == other.stamina.tolist()
        assert [one.best for one in advised.characters] == [one.best for one in best_ahead(now, sketch).characters]


def test_advice_now_is_what_the_advice_says_for_the_stamina_one_has() -> None:
    _, brakka = best_ahead(table(), SKETCH).characters
    found = advice_now(table(), SKETCH, "brakka")
    assert (found.character, found.stamina) == ("Brakka", 3)
    assert found.worth == tuple(brakka.worth[0].tolist())
    assert found.rules_of_thumb == brakka.rules_of_thumb
    early, reactions = (int(brakka.wanted[kind][0, 3]) for kind in ("early", "reaction"))
    told = str(found.what)
    assert told.startswith("act early" if early else "do not act early")
    assert ("do not react" in told) == (not reactions)
    assert str(found.where) == "Wolves, round 1"


def test_the_push_advised_now_weighs_its_chance_against_what_is_left_for_later() -> None:
    with_advice = advice_now(table(), SKETCH, "Brakka")
    chances = push_chances(table(), "Brakka", "1d20+con", 20)
    worth = {one.push: 2 * one.chance + with_advice.worth[one.leaves] for one in chances.amounts}
    best = with_advice.push(chances)
    assert worth[best.push] == pytest.approx(max(worth.values()))
    # Where nothing is ahead but the end, at which a Stamina left is worth more than it adds to the chance.
    assert advice_now(table(), sketch_from_text("rest short"), "Brakka").push(chances).push == 0


def test_there_is_no_advice_for_whoever_goes_through_no_day() -> None:
    with pytest.raises(Refused) as no:
        advice_now(table(), SKETCH, "Wolf")
    assert no.value.rule == "not-now"
    assert advice_now(table(), sketch_from_text("rest short"), "Ash").what is None
