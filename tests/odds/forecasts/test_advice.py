"""Advice against an exhaustive search over every habit there is, on days small enough for that."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.odds.forecasts.plain import sat
from tests.odds.forecasts.test_forecast import HALF, HOUSES, days, fight
from winded.errors import Malformed, Refused
from winded.odds.day.fields import certainly
from winded.odds.day.model import (
    SPENDS,
    CheckAhead,
    Day,
    DayCharacter,
    Fight,
    RecoveryAhead,
    RestAhead,
    Sketch,
    SpendAhead,
    Values,
    WoundAhead,
)
from winded.odds.forecasts.advice import advise
from winded.odds.forecasts.forecast import forecast
from winded.odds.forecasts.habits import HABITS, KINDS, Habit
from winded.odds.forecasts.rules_of_thumb import NOT_ASKED
from winded.rules import (
    PAGE,
    ActEarly,
    BeginTurns,
    Channel,
    Command,
    DeclareCheck,
    EndCombat,
    Hardship,
    NextTurn,
    React,
    RecoverWound,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Ruleset,
    StartCombat,
    Table,
    TakeWound,
    UseAbility,
    ruleset_from,
)

ME = "Brakka"
VALUES = Values(Fraction(1), Fraction(2), Fraction(3), Fraction(1), Fraction(1, 3), Fraction(1, 2))

Chance = tuple[str, Fraction, tuple[object, ...]]


def begins(table: Table) -> Table:
    return table.do(StartCombat())


def enemy_turn(table: Table) -> Table:
    table = table.do(BeginTurns(), NextTurn())
    return table.do(NextTurn()) if table.combat.turn == ME else table  # type: ignore[union-attr]


def next_round(table: Table) -> Table:
    while table.combat.phase == "turns":  # type: ignore[union-attr]
        table = table.do(NextTurn())
    return table


def flat(day: Day) -> tuple[object, ...]:
    """The day as a list of what happens, each "want" numbered; fights by their rounds, which may not be reached."""
    return tuple(part for at, ahead in enumerate(day.sketch.ahead) for part in told(ahead, at))


def told(ahead: object, at: int) -> Iterator[object]:
    match ahead:
        case Fight():
            yield ("move", begins)
            yield from rounds(ahead, at, 1)
        case CheckAhead():
            for time in range(ahead.times):
                yield ("maybe", ahead.chance, (("check", (at, time), ahead.target),))
        case SpendAhead():
            command: Command = (
                Resist(ME, ahead.stamina, Hardship.FEAR) if ahead.kind == "resist"
                else Channel(ME, ahead.stamina) if ahead.kind == "channel" else UseAbility(ME, ahead.what)
            )  # fmt: skip
            for time in range(ahead.times):
                yield ("maybe", ahead.chance, (("want", (at, time), command, VALUES.spend),))
        case WoundAhead():
            yield ("maybe", ahead.chance, (("give", TakeWound(ME, ahead.name, ahead.steps)),))
        case RecoveryAhead():
            yield ("maybe", ahead.chance, (("give", RecoverWound(ME, ahead.name)),))
        case RestAhead():
            yield ("maybe", ahead.chance, (("give", Rest(ahead.rest)),))


def rounds(one: Fight, at: int, number: int) -> Iterator[object]:
    yield ("maybe", one.early, (("want", (at, number, "early"), ActEarly(ME), VALUES.early),))
    yield ("move", enemy_turn)
    yield calls(one, at, number, 1)
    if one.wound is not None:
        yield ("maybe", one.wound.chance, (("give", TakeWound(ME, one.wound.wound, one.wound.steps)),))
    yield ("move", next_round)
    here, more = sum(one.rounds[number:]), sum(one.rounds[number + 1 :])
    yield ("either", more / here, tuple(rounds(one, at, number + 1)) if more else (), (("give", EndCombat()),))


def calls(one: Fight, at: int, number: int, call: int) -> object:
    here, more = sum(one.reactions[call - 1 :]), sum(one.reactions[call:])
    if not more:
        return ("maybe", Fraction(0), ())
    want = ("want", (at, number, call), React(ME), VALUES.reaction)
    return ("maybe", Fraction(more) / here, (want, calls(one, at, number, call + 1)))


class Best:
    """Follow every branch. With a policy, choose by it; without one, choose what is best and note what was asked."""

    def __init__(self, policy: dict[object, int] | None = None) -> None:
        self.policy = policy
        self.asked: dict[object, int] = {}
        self.known: dict[tuple[Table, tuple[object, ...]], Fraction] = {}

    def worth(self, table: Table, parts: tuple[object, ...]) -> Fraction:
        if (table, parts) not in self.known:
            self.known[table, parts] = self.follow(table, parts)
        return self.known[table, parts]

    def follow(self, table: Table, parts: tuple[object, ...]) -> Fraction:
        if not parts:
            stamina = table.character(ME).stamina
            return VALUES.left * stamina + VALUES.empty * (stamina > 0)
        (what, *facts), rest = parts[0], parts[1:]  # type: ignore[misc]
        if what == "move":
            return self.worth(facts[0](table), rest)
        if what == "give":
            try:
                return self.worth(table.do(facts[0]), rest)
            except Refused:
                return self.worth(table, rest)
        if what == "maybe":
            chance, then = facts
            comes = self.worth(table, then + rest) if chance else Fraction(0)
            return chance * comes + (1 - chance) * (self.worth(table, rest) if chance != 1 else Fraction(0))
        if what == "either":
            chance, this, that = facts
            goes_on = self.worth(table, this + rest) if chance else Fraction(0)
            return chance * goes_on + (1 - chance) * (self.worth(table, that + rest) if chance != 1 else Fraction(0))
        return self.choose(table, what, facts, rest)

    def choose(self, table: Table, what: str, facts: list[object], rest: tuple[object, ...]) -> Fraction:
        character = table.character(ME)
        ways = [lambda: self.worth(table, rest)]
        if what == "want":
            _, command, value = facts
            try:
                after = table.do(command)  # type: ignore[arg-type]
                ways.append(lambda: value + self.worth(after, rest))  # type: ignore[operator]
            except Refused:
                pass
        else:
            ways = [
                lambda push=push: self.pushed(table, push, facts[1], rest)
                for push in range(character.stamina + 1)  # type: ignore[misc]
            ]
        key = facts[0], character, table.combat is not None
        if self.policy is None:
            self.asked[key] = len(ways)
            return max(way() for way in ways)
        return ways[self.policy[key]]()

    def pushed(self, table: Table, push: int, target: object, rest: tuple[object, ...]) -> Fraction:
        con = table.character(ME).con
        chance = Fraction(0)
        if target is not None and con is not None:
            faces = int(con[1:])
            hits = sum(a + b + push * table.ruleset.push.bonus >= target
                       for a, b in product(range(1, 21), range(1, faces + 1)))  # type: ignore[operator]  # fmt: skip
            chance = Fraction(hits, 20 * faces)
        return VALUES.check * chance + self.worth(table.do(DeclareCheck(ME, push), ResolveCheck(ME, 0)), rest)


def valued(day: Day) -> Day:
    return Day(day.characters, Sketch(day.sketch.ahead, day.sketch.check, VALUES))


SMALL = ruleset_from({"name": "Small", "dice": {"d4": 2, "d6": 3}})


@pytest.mark.parametrize(
    "ahead",
    [
        (Fight("Wolves", (Fraction(0), Fraction(1)), HALF, (HALF, Fraction(1, 4), Fraction(1, 4))),),
        (CheckAhead("door", 22), RestAhead(RestKind.SHORT, HALF), CheckAhead("gate", 15)),
        (fight(2, early=HALF, calls=1),),
        (SPENDS["channel"]("ward", HALF, stamina=2), fight(1, calls=2), RestAhead(RestKind.SHORT)),
        (Fight("Wolves", (Fraction(0), HALF, HALF), Fraction(0), (HALF, HALF)), CheckAhead("door", 20)),
    ],
)
def test_no_habit_at_all_does_better_than_the_advice(ahead: tuple[object, ...]) -> None:
    one = valued(Day((DayCharacter(ME, "d4"),), Sketch(ahead, "1d20+con")))  # type: ignore[arg-type]
    start, parts = sat(one, one.characters[0], SMALL), flat(one)
    noted = Best()
    noted.worth(start, parts)
    keys = list(noted.asked)
    habits = [dict(zip(keys, choice, strict=True)) for choice in product(*(range(noted.asked[key]) for key in keys))]
    assert 8 <= len(habits) < 20_000
    best = max(Best(habit).worth(start, parts) for habit in habits)
    (found,) = advise(one, SMALL).characters
    assert found.best == pytest.approx(float(best), abs=1e-12)


@given(one=days(), ruleset=st.sampled_from(HOUSES))
@settings(max_examples=40)
def test_advice_is_worth_what_looking_ahead_through_every_branch_is(one: Day, ruleset: Ruleset) -> None:
    one = valued(one)
    (found,) = advise(one, ruleset).characters
    (sitter,) = one.characters
    assert found.best == pytest.approx(float(Best().worth(sat(one, sitter, ruleset), flat(one))), abs=1e-9)


@given(one=days(), ruleset=st.sampled_from(HOUSES), name=st.sampled_from(sorted(HABITS)))
@settings(max_examples=40)
def test_the_worth_of_a_habit_is_that_of_its_forecast_and_none_beats_the_advice(
    one: Day, ruleset: Ruleset, name: str
) -> None:
    one = valued(one)
    (advice,) = advise(one, ruleset, habits={ME: HABITS[name]}).characters
    for habit, worth in ((HABITS[name], advice.usual), (advice.habit, advice.best)):
        (found,) = forecast(one, ruleset, habits={ME: habit}).characters
        taken, succeeded = found.counted.sum(axis=1)[[3, 5]]
        gained = (
            taken[KINDS.index("early")] * VALUES.early + taken[KINDS.index("reaction")] * VALUES.reaction
            + succeeded[KINDS.index("push")] * VALUES.check
            + sum(taken[KINDS.index(kind)] for kind in ("resist", "channel", "ability")) * VALUES.spend
            + found.expected[-1] * VALUES.left + (1 - found.empty[-1]) * VALUES.empty
        )  # fmt: skip
        assert worth == pytest.approx(float(gained), abs=1e-9)
    assert advice.best >= advice.usual - 1e-9


def test_what_a_stamina_is_worth_never_falls_with_having_more() -> None:
    one = Day(
        (DayCharacter(ME, "d10"),), Sketch((fight(3, early=1, calls=2), RestAhead(RestKind.SHORT), fight(2, calls=2)))
    )
    (found,) = advise(one).characters
    assert found.worth.shape == (7, 11)
    assert found.last_stamina.shape == (7, 10)
    assert np.all(found.last_stamina >= -1e-12)


def test_rules_of_thumb_say_when_to_keep_back() -> None:
    values = Values(early=Fraction(3), reaction=Fraction(1), left=Fraction(0))
    ahead = (fight(1, calls=2), Fight("The last fight", (Fraction(0), Fraction(0), Fraction(1)), Fraction(1)))
    (found,) = advise(Day((DayCharacter(ME, "d6"),), Sketch(ahead, values=values))).characters
    # Two rounds of acting early at 1 each are worth 3 apiece: those 2 Stamina are kept back; a first reaction costs 1,
    # a second 2 more.
    assert [str(rule) for rule in found.rules_of_thumb] == [
        "Wolves: with 2 or less, no first reaction; with 4 or less, no second reaction.",
        "The last fight: act early whenever you can.",
    ]
    assert found.wanted["reaction"][0].tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert found.wanted["early"].tolist() == [[NOT_ASKED] * 7, [0, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1]]


def test_a_push_is_advised_as_far_as_its_gain_is_worth_it() -> None:
    ahead = (CheckAhead("door", 11),)
    dear, cheap = (Values(check=Fraction(20), left=left) for left in (Fraction(1, 2), Fraction(2)))
    one = DayCharacter(ME, "d6")
    # Each Stamina adds 1/20, worth 1 of 20: more than the 1/2 that keeping it is worth, less than 2.
    assert advise(Day((one,), Sketch(ahead, "1d20", dear))).characters[0].wanted["push"][0].tolist() == list(range(7))
    assert advise(Day((one,), Sketch(ahead, "1d20", cheap))).characters[0].wanted["push"][0].tolist() == [0] * 7


def test_advice_in_json_holds_the_same() -> None:
    one = Day((DayCharacter(ME, "d6"),), Sketch((fight(1, early=1, calls=1),)))
    advice = advise(one, PAGE)
    data = advice.data().characters[0]
    assert data.steps == ("Wolves, round 1",)
    assert data.worth == tuple(map(tuple, advice.characters[0].worth.tolist()))
    assert len(data.wanted["reaction"][0]) == 7


def test_habits_other_than_the_days_own_can_be_valued() -> None:
    one = Day((DayCharacter(ME, "d6"),), Sketch((fight(1, early=1, calls=1),)))
    never = advise(one, habits={ME: HABITS["never"]}).characters[0]
    assert never.usual == pytest.approx(6 / 4)
    assert advise(one, habits={ME: Habit()}).characters[0].usual == pytest.approx(2 + 4 / 4)


def test_a_rule_that_is_no_threshold_names_the_amounts() -> None:
    # The ladder 1, 2, 3 takes 1, 3 or 6 Stamina in all; only what is over is free for the door.
    values = Values(reaction=Fraction(1), check=Fraction(4), left=Fraction(0))
    ahead = (CheckAhead("door", 15), fight(1, calls=3))
    (found,) = advise(Day((DayCharacter(ME, "d6"),), Sketch(ahead, "1d20+con", values))).characters
    assert found.wanted["push"][0].tolist() == [0, 0, 1, 0, 1, 2, 0]
    assert str(found.rules_of_thumb[0]) == "door: push 1 with 2, 4 Stamina; push 2 with 5 Stamina."


def test_advice_is_no_habit_for_other_rules_or_another_die() -> None:
    one = Day((DayCharacter(ME, "d6"),), Sketch((fight(1, early=1, calls=1),)))
    habit = advise(one).characters[0].habit
    with pytest.raises(Malformed, match="This advice was made for other rules"):
        forecast(one, SMALL, habits={ME: habit})
    with pytest.raises(Malformed, match="This advice was made for other rules"):
        forecast(Day((DayCharacter(ME, "d8"),), one.sketch), habits={ME: habit})


def test_advice_for_someone_absent_from_a_fight_is_as_if_there_were_none() -> None:
    """A fight without Bryn, then one with: before the second Bryn sits in no combat."""
    people = (DayCharacter("Ash", "d6"), DayCharacter("Bryn", "d6"))
    without = Fight("Wolves", certainly(2), who=("Ash",), reactions=certainly(1))
    for later in (fight(2, calls=1), RestAhead(RestKind.RESPITE)):
        ash, bryn = advise(Day(people, Sketch((without, later)))).characters
        alone = advise(Day(people[1:], Sketch((later,)))).characters[0]
        assert ash.best > bryn.best
        assert bryn.best == pytest.approx(alone.best)
        for step in (0, 1, 2):
            assert bryn.worth[step].tolist() == pytest.approx(alone.worth[0].tolist())
