"""Simulation: the same day by chance, many times, for what no exact forecast can hold.

Characters here share what they share at a table: a fight ends for all at once, acting early matters to all or to none,
a rest comes about for everyone, and the enemies' attention may follow who is weakest. A party's habit may look at
everyone. Days are drawn in blocks, each with a seed of its own, so that a seed gives the same days on any number of
cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from winded.errors import Malformed
from winded.odds.day.fields import certainly
from winded.odds.day.model import Ahead, Day, Fight, RestAhead
from winded.odds.forecasts.decision_tree import (
    Node,
    Stage,
    declaring_tree,
    going_on,
    rest_tree,
    round_tree,
    stages,
    takes_part,
    turns_tree,
)
from winded.odds.forecasts.forecast import everyone_at_start, space_for
from winded.odds.forecasts.forward import MEASURES, Policy, StepKernels, policy
from winded.odds.forecasts.habits import KINDS, HabitLike
from winded.odds.forecasts.sampling import AliasTable, alias_table_of, drawn, step_from
from winded.odds.forecasts.states import Array, Numbers, anonymous
from winded.rules import PAGE, Character, Ruleset
from winded.sentence import Sentence, sentence

BLOCK = 16_384
"""Days drawn at a time: few enough for their states to stay in the processor's cache."""
MOST_DAYS = 100_000_000


class PartyMoment(Struct, frozen=True):
    """What a party's habit may look at before a step: for P characters on N days at once.

    `stamina`, shape (P, N); `names` and `maximum` (P, of the unwounded die); `step` from 0, `round` 0 outside a fight.
    """

    step: int
    name: str
    round: int
    last_fight: bool
    names: tuple[str, ...]
    stamina: Numbers
    maximum: Numbers


class PartyHabit(Struct, frozen=True):
    """A habit of the whole party: before each step `choose` answers which of `habits` each character follows in it.

    It is given a PartyMoment and answers whole numbers below len(habits), of shape (P, N) or (P, 1).
    """

    habits: tuple[HabitLike, ...]
    choose: Callable[[PartyMoment], NDArray[np.integer]]


class SimulatedStep(Struct, frozen=True):
    """After a step, each figure with its standard error: the chance of each Stamina, the expected one, that of 0."""

    title: str
    stamina: tuple[float, ...]
    stamina_error: tuple[float, ...]
    expected: float
    expected_error: float


class CharacterSimulationData(Struct, frozen=True):
    """A character's simulated days in JSON; the first of `steps` is before anything has happened."""

    name: str
    steps: tuple[SimulatedStep, ...]


class SimulationData(Struct, frozen=True):
    """A party's simulated days in JSON; `someone_empty` and `all_empty` go by step, the first before anything."""

    title: str
    rules: str
    days: int
    seed: int
    characters: tuple[CharacterSimulationData, ...]
    someone_empty: tuple[float, ...]
    all_empty: tuple[float, ...]


class CharacterSimulation(Struct, frozen=True, eq=False):
    """One character's days. Shapes as in CharacterForecast, each figure with its standard error beside it."""

    name: str
    stages: tuple[Stage, ...]
    stamina: Array
    stamina_error: Array
    expected: Array
    expected_error: Array
    counted: Array
    counted_error: Array
    may_be_empty: NDArray[np.bool_]
    """Whether 0 Stamina is possible after each step, however rare; shape (T + 1)."""
    must_be_empty: NDArray[np.bool_]
    """Whether nothing but 0 Stamina is possible after each step; shape (T + 1)."""

    @property
    def titles(self) -> tuple[Sentence, ...]:
        """What the rows of `stamina` are called, shape (T + 1)."""
        return (sentence("At the start"), *(stage.title for stage in self.stages))

    def data(self) -> CharacterSimulationData:
        """The same in JSON's terms."""
        steps = zip(self.titles, self.stamina, self.stamina_error, self.expected, self.expected_error, strict=True)
        return CharacterSimulationData(
            self.name,
            tuple(
                SimulatedStep(str(title), tuple(seen.tolist()), tuple(error.tolist()), float(mean), float(mean_error))
                for title, seen, error, mean, mean_error in steps
            ),
        )


class Simulation(Struct, frozen=True, eq=False):
    """A party's simulated days.

    `someone_empty` and `all_empty`, shape (T + 1): the share of days on which someone, or everyone, is at 0 after a
    step.
    """

    title: str
    ruleset: Ruleset
    days: int
    seed: int
    characters: tuple[CharacterSimulation, ...]
    someone_empty: Array
    all_empty: Array

    def data(self) -> SimulationData:
        """The same in JSON's terms."""
        return SimulationData(
            self.title,
            self.ruleset.name,
            self.days,
            self.seed,
            tuple(one.data() for one in self.characters),
            tuple(self.someone_empty.tolist()),
            tuple(self.all_empty.tolist()),
        )


def simulate(
    day: Day,
    ruleset: Ruleset = PAGE,
    *,
    days: int = 100_000,
    seed: int = 0,
    cores: int | None = None,
    habits: Mapping[str, HabitLike | Policy] | None = None,
    together: PartyHabit | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Play a day many times (1 to 100,000,000) and count; with standard errors, the same for the same seed.

    `habits` replaces habits of the day by name, `together` gives the party one of its own; `cores` is how many threads
    draw (all there are, unless given), `progress` is told days done and days in all. Raises Malformed as `forecast`
    does, but for attention.
    """
    if not 1 <= days <= MOST_DAYS:
        raise Malformed(
            "days", "“days” must be a whole number from 1 to {most}; it is {value}.", most=MOST_DAYS, value=days
        )
    party = _Party(day, ruleset, habits or {}, together)
    sizes = [BLOCK] * (days // BLOCK) + ([days % BLOCK] if days % BLOCK else [])
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    total = _Counts(party)
    done = 0
    with ThreadPoolExecutor(max_workers=cores or os.cpu_count() or 1) as threads:
        for size, counts in zip(sizes, threads.map(party.play, sizes, seeds), strict=True):
            total.add(counts)
            done += size
            if progress is not None:
                progress(done, days)
    return total.told(party, day.title, ruleset, days, seed)


WHOLE, DECLARING, TURNS = "whole", "declaring", "turns"
"""What of its stage a step draws."""


class _Shared(Struct, frozen=True):
    """What a step draws for the whole party: whether acting early matters, whether a fight ends, whom calls fall on.

    A variant is numbered (early * 2 + ends) * calls + the number of calls; a rest has the variants 0 (no) and 1. `step`
    is the place of its stage. Where the calls go by who is weakest or freshest, a round is drawn in two parts, as that
    is seen only once acting early has been paid for.
    """

    step: int
    part: str
    ahead: Ahead
    early: bool
    ends: bool
    calls: int


class _Party:
    """Everything that is known before the first day is drawn. Nothing in here changes afterwards."""

    def __init__(
        self, day: Day, ruleset: Ruleset, habits: Mapping[str, HabitLike | Policy], together: PartyHabit | None
    ) -> None:
        self.sketch = day.sketch
        self.together = together
        self.names = tuple(one.name for one in day.characters)
        people = everyone_at_start(ruleset, day)
        self.stages = [stages(day.sketch, one.name, len(people)) for one in people]
        self.shared = [one for step, stage in enumerate(self.stages[0]) for one in self._shared(step, stage)]
        self.firsts = [at for at, one in enumerate(self.shared) if one.part != TURNS]
        """Where each stage begins among `shared`."""
        self.kernels: list[StepKernels] = []
        self.alias_tables: list[list[AliasTable]] = []
        self.begin: list[int] = []
        for person, one, steps in zip(people, day.characters, self.stages, strict=True):
            own = habits.get(one.name, one.habit)
            deciding = [policy(habit, one.name) for habit in (together.habits if together else (own,))]
            self._explore(person, steps, deciding, ruleset)
        self.maximum = np.array([one.level.shape[1] - 1 for one in self.kernels], dtype=np.intp)

    def _shared(self, step: int, stage: Stage) -> tuple[_Shared, ...]:
        ahead = self.sketch.ahead[stage.at]
        if not isinstance(ahead, Fight):
            return (_Shared(step, WHOLE, ahead, False, False, 1),)
        early, ends = 0 < ahead.early < 1, 0 < going_on(ahead, stage.number) < 1
        calls = 1 if ahead.attention == "each" else len(ahead.reactions)
        if ahead.attention in ("weakest", "freshest"):
            return (
                _Shared(step, DECLARING, ahead, early, False, 1),
                _Shared(step, TURNS, ahead, False, ends, calls),
            )
        return (_Shared(step, WHOLE, ahead, early, ends, calls),)

    def _variants(self, stage: Stage, shared: _Shared, who: str) -> tuple[Node, ...]:
        ahead, values = shared.ahead, self.sketch.values
        if not takes_part(ahead, who):
            return (stage.node,)
        if isinstance(ahead, RestAhead) and 0 < ahead.chance < 1:
            return rest_tree(ahead, Fraction(0)), rest_tree(ahead, Fraction(1))
        if not isinstance(ahead, Fight):
            return (stage.node,)
        earlies = [Fraction(0), Fraction(1)] if shared.early else [ahead.early]
        goings = [Fraction(1), Fraction(0)] if shared.ends else [going_on(ahead, stage.number)]
        calling = [ahead.reactions] if shared.calls == 1 else [certainly(many) for many in range(shared.calls)]
        if shared.part == DECLARING:
            return tuple(declaring_tree(ahead, values, stage.number, early) for early in earlies)
        if shared.part == TURNS:
            return tuple(turns_tree(ahead, values, calls, more) for more in goings for calls in calling)
        return tuple(
            round_tree(ahead, values, stage.number, calls, early, more)
            for early in earlies
            for more in goings
            for calls in calling
        )

    def _explore(
        self, person: Character, steps: tuple[Stage, ...], deciding: Sequence[Policy], ruleset: Ruleset
    ) -> None:
        space = space_for(deciding[0], anonymous(person), ruleset)
        with space.lock:
            variants = [self._variants(steps[shared.step], shared, person.name) for shared in self.shared]
            kernels = StepKernels(space, variants)
            made: dict[object, AliasTable] = {}
            alias_tables = []
            for shared, nodes in zip(self.shared, variants, strict=True):
                step, stage = shared.step, steps[shared.step]
                key = nodes, tuple(one.key(stage, step) for one in deciding), stage.round > 0
                if key not in made:
                    found = [kernels.of(node, stage, step, one) for one in deciding for node in nodes]
                    made[key] = alias_table_of(found)
                alias_tables.append(made[key])
        self.kernels.append(kernels)
        self.alias_tables.append(alias_tables)
        self.begin.append(int(kernels.start[person.stamina]))

    def play(self, days: int, seed: np.random.SeedSequence) -> _Counts:
        """Draw a block of days and count what came of them."""
        random = np.random.Generator(np.random.SFC64(seed))
        counts = _Counts(self)
        states = [np.full(days, begin, dtype=np.intp) for begin in self.begin]
        lasts = np.zeros(days, dtype=np.intp)
        draw, column = np.empty(days), np.empty(days, dtype=np.intp)
        counts.empty(self, 0, states)
        habits: Numbers | None = None
        for step, shared in enumerate(self.shared):
            stage = self.stages[0][shared.step]
            if isinstance(shared.ahead, Fight) and stage.number == 1 and shared.part != TURNS:
                lasts = drawn(shared.ahead.rounds, random, days)
            variants = self._draw_shared(stage, shared, states, lasts, random)
            if shared.part != TURNS:
                habits = self._habits(stage, shared.step, states)
            for who, variant in enumerate(variants):
                alias_table = self.alias_tables[who][step]
                row = states[who]
                if variant is not None or habits is not None:
                    row = row + self._offset(who, step, variant, None if habits is None else habits[who])
                counts.rows[who][step] += np.bincount(row, minlength=len(alias_table.below))
                random.random(out=draw)
                states[who] = step_from(alias_table, row, draw, column)
            counts.empty(self, step + 1, states)
        for who, last in enumerate(states):
            counts.last[who] += np.bincount(last, minlength=len(self.kernels[who].between))
        return counts

    def _offset(self, who: int, step: int, variant: Numbers | None, habit: Numbers | None) -> Numbers:
        """How far down the rows of an alias table this habit's and this variant's states begin."""
        many = len(self.kernels[who].between)
        offset = np.zeros(1, dtype=np.intp) if variant is None else variant * many
        if habit is not None:
            assert self.together is not None
            offset = offset + habit * (len(self.alias_tables[who][step].below) // len(self.together.habits))
        return offset

    def _habits(self, stage: Stage, step: int, states: list[Numbers]) -> Numbers | None:
        if self.together is None:
            return None
        stamina = np.array([kernels.stamina[now] for kernels, now in zip(self.kernels, states, strict=True)])
        asked = PartyMoment(step, stage.name, stage.round, stage.last_fight, self.names, stamina, self.maximum)
        chosen = np.asarray(self.together.choose(asked)).astype(np.intp)
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < len(self.together.habits):
            raise Malformed(
                "together",
                "A party's habit must return whole numbers from 0 to {most}.",
                most=len(self.together.habits) - 1,
            )
        return np.broadcast_to(chosen, stamina.shape)

    def _draw_shared(
        self, stage: Stage, shared: _Shared, states: list[Numbers], lasts: Numbers, random: np.random.Generator
    ) -> list[Numbers | None]:
        """Which variant of the step each character goes through, by day; None where there is but one."""
        ahead, days = shared.ahead, len(lasts)
        if isinstance(ahead, RestAhead) and 0 < ahead.chance < 1:
            comes = (random.random(days) < float(ahead.chance)).astype(np.intp)
            return [comes if takes_part(ahead, name) else None for name in self.names]
        if not isinstance(ahead, Fight) or not (shared.early or shared.ends or shared.calls > 1):
            return [None] * len(states)
        variant = np.zeros(days, dtype=np.intp)
        if shared.early:
            variant += random.random(days) < float(ahead.early)
        if shared.ends:
            variant = variant * 2 + (lasts <= stage.number)
        there = [who for who, name in enumerate(self.names) if takes_part(ahead, name)]
        if shared.calls == 1:
            return [variant if who in there else None for who in range(len(states))]
        variant *= shared.calls
        fallen = self._fall(ahead, there, states, random, days)
        return [variant + fallen[there.index(who)] if who in there else None for who in range(len(states))]

    def _fall(
        self, fight: Fight, there: list[int], states: list[Numbers], random: np.random.Generator, days: int
    ) -> Numbers:
        """How many of a round's calls fall on each of those who are there, shape (there, days)."""
        calls = drawn(fight.reactions, random, days)
        fallen = np.zeros((len(there), days), dtype=np.intp)
        each = np.arange(days)
        if fight.attention == "spread":
            for call in range(len(fight.reactions) - 1):
                on = random.integers(len(there), size=days)
                np.add.at(fallen, (on, each), calls > call)
            return fallen
        stamina = np.array([self.kernels[who].stamina[states[who]] for who in there], dtype=float)
        stamina += random.random(stamina.shape) / 2  # so that a tie falls on any of them
        on = (stamina.argmin if fight.attention == "weakest" else stamina.argmax)(axis=0)
        fallen[on, each] = calls
        return fallen


class _Counts:
    """What is counted of some days: rows of alias tables drawn from, last states, days with someone or all at 0."""

    def __init__(self, party: _Party) -> None:
        self.rows = [
            [np.zeros(len(one.below), dtype=np.int64) for one in alias_tables] for alias_tables in party.alias_tables
        ]
        self.last = [np.zeros(len(kernels.between), dtype=np.int64) for kernels in party.kernels]
        self.someone = np.zeros(len(party.shared) + 1, dtype=np.int64)
        self.all = np.zeros(len(party.shared) + 1, dtype=np.int64)

    def add(self, other: _Counts) -> None:
        for who, theirs in enumerate(other.rows):
            for step, rows in enumerate(theirs):
                self.rows[who][step] += rows
            self.last[who] += other.last[who]
        self.someone += other.someone
        self.all += other.all

    def empty(self, party: _Party, step: int, states: list[Numbers]) -> None:
        """Count the days on which someone, and everyone, is at 0."""
        if len(states) == 1:
            return  # then both are what that one's distribution says
        out = [(kernels.stamina == 0)[now] for kernels, now in zip(party.kernels, states, strict=True)]
        self.someone[step] += np.count_nonzero(np.logical_or.reduce(out))
        self.all[step] += np.count_nonzero(np.logical_and.reduce(out))

    def told(self, party: _Party, title: str, ruleset: Ruleset, days: int, seed: int) -> Simulation:
        people = tuple(self._one(party, who, days) for who in range(len(party.names)))
        after = [*party.firsts, len(party.shared)]
        someone, everyone = self.someone[after] / days, self.all[after] / days
        if len(people) == 1:
            someone = everyone = people[0].stamina[:, 0]
        return Simulation(title, ruleset, days, seed, people, someone, everyone)

    def _one(self, party: _Party, who: int, days: int) -> CharacterSimulation:
        kernels, alias_tables = party.kernels[who], party.alias_tables[who]
        many = len(kernels.between)
        between = [rows.reshape(-1, many).sum(axis=0) for rows in self.rows[who]] + [self.last[who]]
        seen = np.array(between)[[*party.firsts, len(party.shared)]] / days
        stamina = seen @ kernels.level
        levels = np.arange(stamina.shape[1])
        expected = stamina @ levels
        counted = np.zeros((len(MEASURES), len(party.firsts), len(KINDS)))
        square = np.zeros_like(counted)
        for shared, rows, alias_table in zip(party.shared, self.rows[who], alias_tables, strict=True):
            # The parts of a round spend on different things, so that their squares may be added up too.
            counted[:, shared.step] += alias_table.counted @ (rows / days)
            square[:, shared.step] += alias_table.counted**2 @ (rows / days)
        return CharacterSimulation(
            party.names[who],
            party.stages[who],
            stamina,
            _error(stamina, stamina, days),
            expected,
            _error(stamina @ levels**2, expected, days),
            counted,
            _error(square, counted, days),
            *_reached(kernels, alias_tables, party.begin[who], [*party.firsts, len(party.shared)]),
        )


def _reached(
    kernels: StepKernels, alias_tables: Sequence[AliasTable], begin: int, after: Sequence[int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether 0 Stamina can be, and whether it must be, before the first step and after each."""
    many = len(kernels.between)
    states = np.array([begin])
    may, must = [], []
    for table in (None, *alias_tables):
        if table is not None:
            offsets = np.arange(0, len(table.below), many)
            states = np.unique(table.to[(offsets[:, None] + states).ravel()])
        empty = kernels.stamina[states] == 0
        may.append(bool(empty.any()))
        must.append(bool(empty.all()))
    return np.array(may)[after], np.array(must)[after]


def _error(mean_square: Array, mean: Array, days: int) -> Array:
    error: Array = np.sqrt(np.maximum(mean_square - mean**2, 0) / days)
    return error
