"""What a figure is, and how it is measured fairly: ours and the floor in turn, in one run, as medians.

A module in this folder that has `FIGURES` is found by itself. The whole of it:

    def measure() -> Measured:
        table = sample_table()                       # set-up is not timed
        return in_turn(lambda: ours(table), floor, operations=1_000)

    FIGURES = (Figure("room.what", "What is done, in words.", "things/s", measure, goal_ratio=0.3),)

`python -m benchmarks room.what` runs it. A figure that is no rate (bytes, a latency) makes its `Measured` itself, by
`Measured.of(samples)` or `Measured(value)`, puts what else it saw in `more`, and says `better="less"`.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct

Clock = Callable[[], float]

ROUNDS = 11
SECONDS_A_ROUND = 0.1


class Spread(Struct, frozen=True):
    """A median with the lowest and the highest of what was measured."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: Iterable[float]) -> Spread:
        sample = sorted(samples)
        return cls(statistics.median(sample), sample[0], sample[-1])

    def __str__(self) -> str:
        return (
            written(self.median)
            if self.low == self.high
            else (f"{written(self.median)} [{written(self.low)} .. {written(self.high)}]")
        )


class Measured(Struct, frozen=True):
    """What was measured: ours, the floor of the same kind in the same run, and ours / floor round by round.

    `more` holds further figures by name, such as {"p99 ms": 3.1}.
    """

    ours: Spread
    floor: Spread | None = None
    ratio: Spread | None = None
    more: Mapping[str, float] = {}

    @classmethod
    def of(cls, samples: Iterable[float], floor: Iterable[float] | None = None, **more: float) -> Measured:
        """From samples of ours and, taken in turn with them, of the floor."""
        ours = [*samples]
        if floor is None:
            return cls(Spread.of(ours), more=more)
        theirs = [*floor]
        ratio = Spread.of(one / other for one, other in zip(ours, theirs, strict=True))
        return cls(Spread.of(ours), Spread.of(theirs), ratio, more)


class Figure(Struct, frozen=True):
    """One figure: its name (dotted, lower case), what is done, its unit, how to measure it, and the goal if any.

    `goal` is in the unit, `goal_ratio` a share of the floor. `floor` says in words what the floor does.
    """

    name: str
    what: str
    unit: str
    measure: Callable[[], Measured]
    goal: float | None = None
    goal_ratio: float | None = None
    better: Literal["more", "less"] = "more"
    floor: str = ""

    def reached(self, measured: Measured) -> bool | None:
        """Whether every goal was reached; None where there is none."""
        seen = []
        if self.goal is not None:
            seen.append((measured.ours.median, self.goal))
        if self.goal_ratio is not None and measured.ratio is not None:
            seen.append((measured.ratio.median, self.goal_ratio))
        if not seen:
            return None
        return all(value >= goal if self.better == "more" else value <= goal for value, goal in seen)


def in_turn(
    ours: Callable[[], object],
    floor: Callable[[], object] | None = None,
    *,
    operations: int = 1,
    rounds: int = ROUNDS,
    seconds: float = SECONDS_A_ROUND,
    clock: Clock = time.perf_counter,
) -> Measured:
    """Operations a second of `ours` and of `floor`, round by round in turn, so that both meet the same weather.

    Each call does `operations` of them, `floor` as many as `ours`; a round calls it again until `seconds` have gone by.
    Where nothing waits, `clock=time.process_time` counts seconds of the processor, which no other program takes away.
    """
    ours_rate, floor_rate = [], []
    rate(ours, operations, seconds / 4, clock)
    if floor is not None:
        rate(floor, operations, seconds / 4, clock)
    for _ in range(rounds):
        ours_rate.append(rate(ours, operations, seconds, clock))
        if floor is not None:
            floor_rate.append(rate(floor, operations, seconds, clock))
    return Measured.of(ours_rate, None if floor is None else floor_rate)


def rate(
    work: Callable[[], object],
    operations: int = 1,
    seconds: float = SECONDS_A_ROUND,
    clock: Clock = time.perf_counter,
) -> float:
    """Operations a second, where each call of `work` does so many; calls it until the time is up, at least once."""
    gc.collect()
    calls, batch = 0, 1
    start = clock()
    while True:
        for _ in range(batch):
            work()
        calls += batch
        spent = clock() - start
        if spent >= seconds:
            return calls * operations / spent
        # Few looks at the clock, however short the work is.
        batch = max(1, min(calls, int(calls * (seconds - spent) / max(spent, 1e-9)) + 1))


def written(value: float) -> str:
    """A figure with three digits that count: 524,000; 41.3; 0.333."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        digits = len(str(int(abs(value)))) - 3
        return f"{round(value, -digits):,.0f}"
    return f"{value:.3g}"
