"""Odds: chances of a Check, forecasts, simulated days, advice, the live sheet, and how soon `winded odds` answers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import dyce
import icepool
import numpy as np

from benchmarks.harness import Figure, Measured, in_turn
from winded.odds import Day, best_ahead, check, forecast, push_chances, simulate, sketch_from, what_is_ahead
from winded.odds.day.model import DayCharacter
from winded.odds.dice import roll
from winded.odds.forecasts.advice import advise
from winded.odds.forecasts.decision_tree import stages
from winded.odds.forecasts.forecast import at_start, chain_of
from winded.odds.forecasts.habits import HABITS
from winded.rules import PAGE, AddCharacter, Adjust, Table, TakeWound

TARGETS = range(1, 41)
PUSHES = 13
ODDS = len(TARGETS) * PUSHES


def odds_of_a_table() -> object:
    return [check("1d20+1d8", target, PUSHES - 1) for target in TARGETS]


def odds_as_fractions() -> object:
    return [push.chance for target in TARGETS for push in check("1d20+1d8", target, PUSHES - 1).pushes]


def tail_sums() -> object:
    """The least that can be done: one pass over the counts, whole numbers only."""
    counts = [0] * 29
    for a in range(1, 21):
        for b in range(1, 9):
            counts[a + b] += 1
    tail = [0] * 30
    for total in range(28, -1, -1):
        tail[total] = tail[total + 1] + counts[total]
    return [tail[min(max(target - push, 0), 29)] for target in TARGETS for push in range(PUSHES)]


def odds_by_dyce() -> object:
    histogram = dyce.H(20) + dyce.H(8)
    ways = sum(histogram.values())
    return [
        Fraction(sum(count for total, count in histogram.items() if total + push >= target), ways)
        for target in TARGETS
        for push in range(PUSHES)
    ]


def odds_by_icepool() -> object:
    die = icepool.d20 + icepool.d8
    return [(die + push).probability(">=", target) for target in TARGETS for push in range(PUSHES)]


def beside_outside(ours: Callable[[], object]) -> Measured:
    """Ours and the floor in turn; dyce and icepool as their users would write it, in the same run."""
    measured = in_turn(ours, tail_sums, operations=ODDS)
    outside = {
        "dyce, odds/s": in_turn(odds_by_dyce, operations=ODDS, rounds=3).ours.median,
        "icepool, odds/s": in_turn(odds_by_icepool, operations=ODDS, rounds=3).ours.median,
    }
    table = {"table of 520, ms": 1000 * ODDS / measured.ours.median}
    return Measured(measured.ours, measured.floor, measured.ratio, {**table, **outside})


def keep_highest(many: int, faces: int, keep: int) -> Measured:
    def ours() -> object:
        roll.cache_clear()
        return roll(f"{many}d{faces}kh{keep}")

    return in_turn(ours, lambda: icepool.d(faces).highest(many, keep).probabilities())


def day(steps: int, characters: int = 1) -> Day:
    """Fights of three rounds with a Check, a Wound that may come, and a rest between them."""
    cycle = (
        {"fight": "Wolves", "rounds": 3, "early": 0.5, "reactions": {"1": 0.5, "2": 0.25},
         "wound": {"wound": "bite", "chance": 0.1}},
        {"check": "door", "target": 15, "chance": 0.5},
        {"rest": "short"},
        {"recover": "bite", "chance": 0.5},
        {"fight": "Bridge", "rounds": 3, "early": 1, "reactions": 1},
        {"rest": "safe_long"},
    )  # fmt: skip
    sketch = sketch_from({"check": "1d20+con", "steps": [*cycle * (steps // 10)]})
    dice = ("d10", "d12", "d8", "d6", "d10")
    return Day(
        tuple(DayCharacter(f"Hero {at}", dice[at], habit=HABITS["carefully"]) for at in range(characters)), sketch
    )


def matrices(one: Day) -> Callable[[], object]:
    """The floor of a forecast: the same matrices, multiplied and nothing else."""
    (first, *_) = one.characters
    person = at_start(PAGE, first)
    chain = chain_of(person, stages(one.sketch, first.name, len(one.characters)), PAGE, first.habit)
    start = np.zeros(len(chain.between))
    start[chain.start[person.stamina]] = 1

    def walk() -> object:
        at = start
        for kernel in chain.kernels:
            at = at @ kernel.matrix
        return at

    return walk


def exact_forecast(characters: int) -> Measured:
    one = day(100, characters)
    forecast(one)
    floor = matrices(one)
    measured = in_turn(lambda: forecast(one), lambda: [floor() for _ in range(characters)])
    return Measured(measured.ours, measured.floor, measured.ratio, {"ms": 1000 / measured.ours.median})


def draws(days: int, steps: int) -> object:
    """The floor of a simulation: as many random numbers, and nothing done with them."""
    random = np.random.Generator(np.random.SFC64(1))
    out = np.empty(16_384)
    for _ in range(days * steps // len(out)):
        random.random(out=out)
    return out


def simulated(cores: int) -> Measured:
    one, days = day(20), 1 << 18
    return in_turn(
        lambda: simulate(one, days=days, seed=1, cores=cores),
        partial(draws, days, 20),
        operations=days,
        rounds=5,
        seconds=0.3,
    )


def advised() -> Measured:
    one = day(30)
    advise(one)
    measured = in_turn(lambda: advise(one))
    return Measured.of([1000 / measured.ours.median])


def live_table() -> Table:
    table = Table().do(*(AddCharacter(f"Hero {at}", die) for at, die in enumerate(("d12", "d10", "d8", "d6", "d10"))))
    return table.do(TakeWound("Hero 0", "ribs"), Adjust("Hero 1", -2, "tired"))


def ahead_of_a_party() -> Measured:
    table, sketch = live_table(), day(20).sketch
    what_is_ahead(table, sketch)
    measured = in_turn(lambda: what_is_ahead(table, sketch).data())
    cold = []
    for target in range(3):
        fresh = sketch_from(
            {"check": "1d20+con", "steps": [{"fight": "New", "rounds": 3, "reactions": 1 + target}] * 5}
        )
        begun = time.perf_counter()
        what_is_ahead(table, fresh)
        cold.append(1000 * (time.perf_counter() - begun))
    return Measured.of([1000 / measured.ours.median], **{"a new sketch, ms": min(cold)})


def pushes_on_the_sheet() -> Measured:
    table = live_table()
    measured = in_turn(lambda: push_chances(table, "Hero 0", "1d20+con", 15))
    return Measured.of([1000 / measured.ours.median])


def advice_on_the_sheet() -> Measured:
    table, sketch = live_table(), day(20).sketch
    best_ahead(table, sketch)
    return Measured.of([1000 / in_turn(lambda: best_ahead(table, sketch)).ours.median])


def process(*arguments: str) -> Callable[[], float]:
    """Seconds that a whole process takes, with compiled files at hand as they are once anything has run."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun

    return run


def whole_process() -> Measured:
    called = "import sys; from winded.cli import main; sys.exit(main())"
    ours = process("-c", called, "odds", "1d20+con", "--con", "d8", "--target", "15")
    others = {"icepool": process("-c", "import icepool"), "NumPy": process("-c", "import numpy")}
    bare = process("-c", "pass")
    ours()
    seen = [(ours(), bare()) for _ in range(9)]
    more = {f"importing {name}, s": min(run() for _ in range(5)) for name, run in others.items()}
    return Measured.of([one for one, _ in seen], [floor for _, floor in seen], **more)


FIGURES = (
    Figure(
        "odds.check.whole-numbers",
        "13 pushes x 40 targets of 1d20+1d8, as whole numbers of ways, warm",
        "odds/s",
        partial(beside_outside, odds_of_a_table),
        goal=ODDS / 0.0005,
        floor="counting 1d20+1d8 once and adding up from the top",
    ),
    Figure(
        "odds.check.fractions",
        "the same, each read as a Fraction",
        "odds/s",
        partial(beside_outside, odds_as_fractions),
        goal=ODDS / 0.0005,
        floor="counting 1d20+1d8 once and adding up from the top",
    ),
    *(
        Figure(
            f"odds.pool.{many}d{faces}kh{keep}",
            f"the {keep} highest of {many}d{faces}, cold",
            "pools/s",
            partial(keep_highest, many, faces, keep),
            floor="icepool",
        )
        for many, faces, keep in ((4, 6, 3), (8, 12, 3), (10, 10, 5), (20, 20, 10))
    ),
    Figure(
        "odds.forecast.one",
        "an exact forecast of 100 steps for one character, warm",
        "forecasts/s",
        partial(exact_forecast, 1),
        goal=1 / 0.0006,
        floor="multiplying the same matrices",
    ),
    Figure(
        "odds.forecast.five",
        "the same for five characters",
        "forecasts/s",
        partial(exact_forecast, 5),
        goal=1 / 0.003,
        floor="multiplying the same matrices",
    ),
    *(
        Figure(
            f"odds.simulation.cores-{cores}",
            f"simulated days of 20 steps for one character, {cores} core{'s' * (cores > 1)}",
            "days/s",
            partial(simulated, cores),
            goal=750_000 * (1 if cores == 1 else 1.5),
            floor="drawing as many random numbers, one core",
        )
        for cores in (1, 2)
    ),
    Figure("odds.advice", "advice for a day of 30 steps", "ms", advised, goal=50, better="less"),
    Figure(
        "odds.live.ahead",
        "what is ahead of a party of five from here, 20 steps, as data for the page, warm",
        "ms",
        ahead_of_a_party,
        goal=10,
        better="less",
    ),
    Figure(
        "odds.live.pushes", "every push a character could make now", "ms", pushes_on_the_sheet, goal=1, better="less"
    ),
    Figure("odds.live.advice", "advice for a party of five, 20 steps", "ms", advice_on_the_sheet, better="less"),
    Figure(
        "odds.process",
        "`winded odds 1d20+con --con d8 --target 15` as a whole process",
        "s",
        whole_process,
        goal=0.15,
        better="less",
        floor="an interpreter that does nothing",
    ),
)
