"""Simulated days against exact forecasts, and what only a simulation can tell."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.odds.forecasts.test_forecast import HALF, HOUSES, days, fight, habits
from winded.errors import Malformed
from winded.odds.day.fields import certainly
from winded.odds.day.model import CheckAhead, Day, DayCharacter, Fight, PossibleWound, RestAhead, Sketch
from winded.odds.forecasts.advice import advise
from winded.odds.forecasts.forecast import CharacterForecast, forecast
from winded.odds.forecasts.forward import MEASURES
from winded.odds.forecasts.habits import HABITS, KINDS, Habit, SpendingMoment
from winded.odds.forecasts.simulation import BLOCK, CharacterSimulation, PartyHabit, PartyMoment, simulate
from winded.rules import RestKind, Ruleset, ruleset_from

DAYS = 20_000


def agree(exact: CharacterForecast, drawn: CharacterSimulation, sigmas: float = 4) -> None:
    """Within so many standard errors of what is exact; the error is that of the exact chance, which may be tiny."""
    error = np.sqrt(np.maximum(exact.stamina * (1 - exact.stamina), 0) / DAYS) + 1 / DAYS
    assert np.all(np.abs(exact.stamina - drawn.stamina) <= sigmas * error)
    assert np.all(np.abs(exact.expected - drawn.expected) <= sigmas * (drawn.expected_error + 1e-3))
    assert np.all(np.abs(exact.counted - drawn.counted) <= sigmas * (drawn.counted_error + 1e-3))


@given(one=days(), habit=habits, ruleset=st.sampled_from(HOUSES), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_many_days_agree_with_the_exact_forecast_at_four_sigma(
    one: Day, habit: Habit, ruleset: Ruleset, seed: int
) -> None:
    (exact,) = forecast(one, ruleset, habits={"Brakka": habit}).characters
    (drawn,) = simulate(one, ruleset, days=DAYS, seed=seed, habits={"Brakka": habit}).characters
    # Hypothesis looks at some 60 days of up to 13 rows each: 5 sigma for the worst of them.
    agree(exact, drawn, 5)


def any_day(number: int) -> Day:
    """A day made up by chance, but the same on every run."""
    made = random.Random(number)

    def fight_of(name: str) -> Fight:
        rounds = [Fraction(0), *(Fraction(made.randint(1, 4)) for _ in range(made.randint(1, 4)))]
        calls = [Fraction(made.randint(1, 4)) for _ in range(made.randint(1, 4))]
        bite = PossibleWound("bite", made.randint(1, 2), Fraction(made.randint(0, 3), 10))
        share = Fraction(made.randint(0, 4), 4)
        return Fight(
            name, tuple(one / sum(rounds) for one in rounds), share, tuple(one / sum(calls) for one in calls), bite
        )

    rests = [RestAhead(made.choice([*RestKind]), Fraction(made.randint(1, 4), 4)) for _ in range(2)]
    check = CheckAhead("door", made.randint(5, 25), chance=HALF, times=made.randint(1, 3))
    ahead = (fight_of("Wolves"), rests[0], check, fight_of("Bridge"), rests[1], check)
    hero = DayCharacter("Brakka", made.choice(["d6", "d8", "d10", "d12"]), habit=HABITS[made.choice(sorted(HABITS))])
    return Day((hero,), Sketch(ahead, "1d20+con"))


@pytest.mark.parametrize("number", range(30))
def test_a_day_drawn_many_times_is_within_four_standard_errors_of_the_exact_one(number: int) -> None:
    one = any_day(number)
    (exact,) = forecast(one).characters
    (drawn,) = simulate(one, days=DAYS, seed=number).characters
    agree(exact, drawn)


def party(*ahead: object, habit: Habit = HABITS["freely"], many: int = 3) -> Day:
    people = tuple(DayCharacter(name, "d8", habit=habit) for name in ("Ash", "Brakka", "Corvin")[:many])
    return Day(people, Sketch(ahead, "1d20+con"))  # type: ignore[arg-type]


EVENING = (
    Fight("Wolves", (Fraction(0), HALF, Fraction(1, 4), Fraction(1, 4)), HALF, (HALF, Fraction(1, 4), Fraction(1, 4)),
          PossibleWound("bite", 1, Fraction(1, 5))),
    CheckAhead("door", 15, chance=HALF),
    RestAhead(RestKind.SHORT, Fraction(3, 4)),
    Fight("Bridge", (Fraction(0), Fraction(0), Fraction(1)), Fraction(1), (Fraction(0), Fraction(0), Fraction(1)),
          attention="spread"),
)  # fmt: skip


def test_a_party_that_shares_its_fights_has_the_same_margins_as_the_exact_forecast() -> None:
    one = party(*EVENING)
    drawn = simulate(one, days=DAYS, seed=7)
    for exact, simulated in zip(forecast(one).characters, drawn.characters, strict=True):
        agree(exact, simulated)


def test_standard_errors_are_those_of_many_runs() -> None:
    one = party(*EVENING, many=1)
    runs = [simulate(one, days=2_000, seed=seed).characters[0] for seed in range(60)]
    spread = np.std([run.expected[-1] for run in runs], ddof=1)
    assert 0.7 < spread / np.mean([run.expected_error[-1] for run in runs]) < 1.4


def test_a_seed_gives_the_same_days_on_any_number_of_cores() -> None:
    one = party(*EVENING)
    alone, together = (simulate(one, days=3 * BLOCK + 5, seed=11, cores=cores) for cores in (1, 3))
    other = simulate(one, days=3 * BLOCK + 5, seed=12, cores=2)
    for mine, theirs, different in zip(alone.characters, together.characters, other.characters, strict=True):
        np.testing.assert_array_equal(mine.stamina, theirs.stamina)
        assert not np.array_equal(mine.stamina, different.stamina)
    np.testing.assert_array_equal(alone.someone_empty, together.someone_empty)


def test_a_fight_ends_for_everyone_at_once() -> None:
    # One round or two, a sure reaction in each: both lose 1, or both lose 3 in two rounds (they act late: 1 and 1).
    lasting = Fight("Wolves", (Fraction(0), HALF, HALF), reactions=(Fraction(0), Fraction(1)))
    one = Day((DayCharacter("Ash", "d6", 2), DayCharacter("Brakka", "d6", 2)), Sketch((lasting,)))
    drawn = simulate(one, days=DAYS, seed=1)
    # Were the fights drawn apart, both would be at 0 on a quarter of the days only.
    assert abs(drawn.all_empty[-1] - 0.5) < 4 * 0.5 / np.sqrt(DAYS)
    assert drawn.all_empty[-1] == drawn.someone_empty[-1]


def test_attention_on_the_weakest_falls_on_one_and_on_the_freshest_evens_out() -> None:
    people = (DayCharacter("Ash", "d12", 6), DayCharacter("Brakka", "d12", 12))
    ends = {}
    for attention in ("weakest", "freshest"):
        one = Day(people, Sketch((fight(3, calls=2, attention=attention),)))
        drawn = simulate(one, days=500, seed=5)
        ends[attention] = [float(each.expected[-1]) for each in drawn.characters]
    # Two reactions a round cost 1 + 2. Weakest: Ash 6, 3, 0, then its reactions are refused. Freshest: Brakka 12, 9, 6,
    # and the third round falls on either, who have 6 each.
    assert ends["weakest"] == [0, 12]
    assert sum(ends["freshest"]) == pytest.approx(9)
    assert all(4 < end < 5 for end in ends["freshest"])


def test_calls_on_the_party_are_as_many_as_the_day_says() -> None:
    for attention in ("spread", "weakest", "freshest"):
        one = party(Fight("Bridge", (Fraction(0), Fraction(1)), reactions=(HALF, 0, 0, HALF), attention=attention))
        drawn = simulate(one, days=DAYS, seed=2)
        called = sum(each.counted[0, 0, KINDS.index("reaction")] for each in drawn.characters)
        assert abs(called - 1.5) < 4 * 1.5 / np.sqrt(DAYS)


def test_a_partys_habit_looks_at_everyone() -> None:
    def the_freshest_only(moment: PartyMoment) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        assert moment.stamina.shape[0] == len(moment.names)
        return moment.stamina == moment.stamina.max(axis=0)

    together = PartyHabit((HABITS["never"], HABITS["freely"]), the_freshest_only)
    one = Day((DayCharacter("Ash", "d6", 5), DayCharacter("Brakka", "d6", 4)), Sketch((fight(3, calls=1),)))
    drawn = simulate(one, days=100, together=together)
    # 5 and 4: Ash reacts; 4 and 4: both; 3 and 3: both.
    assert [each.expected.tolist() for each in drawn.characters] == [[5, 4, 3, 2], [4, 4, 3, 2]]


def test_a_partys_habit_that_answers_nonsense_is_named() -> None:
    together = PartyHabit((HABITS["never"],), lambda moment: np.ones((len(moment.names), 1), dtype=int))
    with pytest.raises(Malformed, match="whole numbers from 0 to 0"):
        simulate(party(fight(1, calls=1)), days=10, together=together)


def test_a_python_habit_may_do_what_it_likes() -> None:
    def odd(moment: SpendingMoment) -> int:
        return moment.stamina % 2

    one = party(fight(2, calls=1), many=1)
    drawn = simulate(one, days=50, habits={"Ash": odd})
    assert drawn.characters[0].expected.tolist() == [8, 8, 8]


def test_progress_is_told_to_the_last_day() -> None:
    told: list[tuple[int, int]] = []
    simulate(party(fight(1), many=1), days=2 * BLOCK + 1, progress=lambda done, of: told.append((done, of)))
    assert told == [(BLOCK, 2 * BLOCK + 1), (2 * BLOCK, 2 * BLOCK + 1), (2 * BLOCK + 1, 2 * BLOCK + 1)]


@pytest.mark.parametrize("many", [0, -1, 10**9])
def test_days_out_of_range_are_refused(many: int) -> None:
    with pytest.raises(Malformed) as no:
        simulate(party(fight(1)), days=many)
    assert no.value.field == "days"


def test_advice_may_be_simulated() -> None:
    one = party(*EVENING, many=1)
    (best,) = advise(one).characters
    (exact,) = forecast(one, habits={"Ash": best.habit}).characters
    (drawn,) = simulate(one, days=DAYS, seed=3, habits={"Ash": best.habit}).characters
    agree(exact, drawn)


def test_attention_sees_who_is_weakest_once_acting_early_has_been_paid() -> None:
    dear = ruleset_from({"name": "Dear", "early": {"cost": 2}})
    people = (
        DayCharacter("Ash", "d6", 6, habit=Habit()),
        DayCharacter("Bryn", "d6", 5, habit=Habit(early=False)),
    )
    for attention, ends in (("weakest", [3, 5]), ("freshest", [4, 4])):
        one = Fight("Wolves", certainly(1), Fraction(1), certainly(1), attention=attention)
        drawn = simulate(Day(people, Sketch((one,))), dear, days=100)
        assert [found.expected.tolist() for found in drawn.characters] == [[6, ends[0]], [5, ends[1]]]
        assert drawn.characters[0].counted[MEASURES.index("taken"), 0, KINDS.index("early")] == 1
        assert [str(title) for title in drawn.characters[0].titles] == ["At the start", "Wolves, round 1"]
