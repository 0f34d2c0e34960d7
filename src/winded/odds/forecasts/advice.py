"""Advice: when it is best to spend, given what a table holds things worth, and the rules of thumb that come of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from winded.odds.day.model import Day, Sketch
from winded.odds.forecasts.backward import AdvisedPolicy, BackwardInduction
from winded.odds.forecasts.decision_tree import Advance, Stage, stages
from winded.odds.forecasts.forecast import everyone_at_start, refuse_entangled
from winded.odds.forecasts.forward import HabitPolicy
from winded.odds.forecasts.habits import KINDS, HabitLike
from winded.odds.forecasts.rules_of_thumb import AdviceByStamina, rules_of_thumb
from winded.odds.forecasts.states import StateSpace, anonymous, state_space
from winded.rules import PAGE, Character, Ruleset
from winded.sentence import Sentence


class CharacterAdviceData(Struct, frozen=True):
    """One character's advice in JSON: `wanted[kind][step][stamina]`, -1 where the step does not ask."""

    name: str
    steps: tuple[str, ...]
    worth: tuple[tuple[float, ...], ...]
    wanted: dict[str, tuple[tuple[int, ...], ...]]
    best: float
    usual: float
    rules_of_thumb: tuple[str, ...]


class AdviceData(Struct, frozen=True):
    """A party's advice in JSON."""

    title: str
    rules: str
    characters: tuple[CharacterAdviceData, ...]


class CharacterAdvice(Struct, frozen=True, eq=False):
    """One character's advice. T steps, M the maximum of the unwounded die.

    `worth[t, s]`, shape (T + 1, M + 1): what the rest of the day is worth with s Stamina before step t + 1, with the
    Wounds of the start and no reaction taken; row T is the end of the day. `wanted[kind][t, s]`, shape (T, M + 1): what
    is best in step t + 1 with s Stamina: 1 or 0 for acting early, how many reactions, how much of a push; NOT_ASKED
    where the step does not ask. Above the present maximum both repeat what holds at it. `best` is the worth of the day
    with this advice, `usual` that with the character's own habit.
    """

    name: str
    stages: tuple[Stage, ...]
    worth: NDArray[np.float64]
    wanted: dict[str, NDArray[np.intp]]
    best: float
    usual: float
    habit: AdvisedPolicy
    rules_of_thumb: tuple[Sentence, ...]

    @property
    def last_stamina(self) -> NDArray[np.float64]:
        """What the last Stamina is worth: of s rather than s - 1, shape (T + 1, M); column 0 is the first Stamina."""
        last: NDArray[np.float64] = np.diff(self.worth, axis=1)
        return last

    def data(self) -> CharacterAdviceData:
        """The same in JSON's terms."""
        return CharacterAdviceData(
            self.name,
            tuple(str(stage.title) for stage in self.stages),
            tuple(tuple(row) for row in self.worth.tolist()),
            {kind: tuple(tuple(row) for row in wanted.tolist()) for kind, wanted in self.wanted.items()},
            self.best,
            self.usual,
            tuple(map(str, self.rules_of_thumb)),
        )


class Advice(Struct, frozen=True, eq=False):
    """Everyone's advice for one day under one ruleset."""

    title: str
    ruleset: Ruleset
    characters: tuple[CharacterAdvice, ...]

    def data(self) -> AdviceData:
        """The same in JSON's terms."""
        return AdviceData(self.title, self.ruleset.name, tuple(one.data() for one in self.characters))


def advise(day: Day, ruleset: Ruleset = PAGE, *, habits: Mapping[str, HabitLike] | None = None) -> Advice:
    """The best habit for everyone, given the day's values, and the rules of thumb that come out of it.

    Each character's own habit (or the one in `habits`) is valued beside it. Raises Malformed as `forecast` does.
    """
    refuse_entangled(day.sketch)
    people = everyone_at_start(ruleset, day)
    own = [(habits or {}).get(one.name, one.habit) for one in day.characters]
    return Advice(
        day.title,
        ruleset,
        tuple(
            advice_for(person, day.sketch, ruleset, habit, len(people))
            for person, habit in zip(people, own, strict=True)
        ),
    )


def advice_for(character: Character, sketch: Sketch, ruleset: Ruleset, habit: HabitLike, party: int) -> CharacterAdvice:
    """One character's advice from its present Stamina, Wounds and abilities on."""
    steps = stages(sketch, character.name, party)
    space = state_space(ruleset, anonymous(character))
    with space.lock:
        _follow_from_any_stamina(space, steps)
        best = BackwardInduction(space, sketch.values, None)
        worths = best.through(steps)
        usual = BackwardInduction(space, sketch.values, HabitPolicy(habit, character.name)).through(steps)
        start = space.starts[character.stamina]
        shown = AdviceByStamina(space, steps, best.advised.options)
        wanted = {kind: found for kind in KINDS if (found := shown.wanted(kind)).max(initial=-1) >= 0}
        return CharacterAdvice(
            character.name,
            steps,
            shown.worth(worths),
            wanted,
            float(worths[0][start]),
            float(usual[0][start]),
            best.advised,
            tuple(rules_of_thumb(steps, wanted, shown)),
        )


def _follow_from_any_stamina(space: StateSpace, steps: tuple[Stage, ...]) -> None:
    """Explore the day, and before each step also from every Stamina: advice is given for all of them."""
    starts = set(space.starts)
    fighting = space.explore(Advance("start"), starts)
    states = starts
    for stage in steps:
        states = space.explore(stage.node, states | (fighting if stage.amid_fight else starts))
