"""Odds beside the server's loop: what one request asks for makes nobody else wait."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from winded import charts
from winded.errors import Malformed, TooMuch
from winded.odds import BadExpression, Dice, roll, sketch_from_text
from winded.odds.day.model import MOST_STEPS
from winded.odds.dice import grammar, work_of
from winded.rules import AddCharacter, Table
from winded.service.odds import (
    AT_ONCE,
    MOST_WORK,
    Odds,
    advice_data,
    comparison_data,
    forecast_data,
    forecast_of_text,
    totals_csv,
)
from winded.service.worker import MOST_WAITING, Worker

HOSTILE = {
    "characters": [{"name": "Ash", "con": "d12"}],
    "steps": [{"check": f"C{at}", "target": 500, "dice": f"20d100kh10+{at}"} for at in range(250)],
}


class Counted:
    """Units of work that are done in this very process, on whatever thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.units = 0
        for way in ("pool", "kept", "added", "best_of"):
            monkeypatch.setattr(grammar, way, self.counting(getattr(grammar, way)))

    def counting(self, way: Callable[..., Dice]) -> Callable[..., Dice]:
        def counted(*given: Any) -> Dice:
            found = way(*given)
            self.units += len(found.counts) * (found.ways.bit_length() // 30 + 1)
            return found

        return counted


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    roll.cache_clear()
    return Counted(monkeypatch)


@pytest.fixture
def odds() -> Iterator[Odds]:
    one = Odds()
    yield one
    one.close()


@pytest.mark.parametrize("dice", ["20d100kh10", "100d20", "20d4!kh10", "50d20+50d20"])
def test_large_dice_are_rolled_out_in_another_process(dice: str, odds: Odds, counted: Counted) -> None:
    assert AT_ONCE < work_of(dice) <= MOST_WORK
    found = asyncio.run(odds.roll(dice, None))
    assert counted.units == 0
    assert found == roll(dice)


def test_small_dice_are_rolled_out_at_once_within_the_units_of_one_request(odds: Odds, counted: Counted) -> None:
    assert asyncio.run(odds.roll("1d20+con", "d8")) == roll("1d20+con", "d8")
    assert 0 < counted.units <= work_of("1d20+con", "d8") <= AT_ONCE


def test_very_many_totals_are_drawn_in_another_process(odds: Odds, monkeypatch: pytest.MonkeyPatch) -> None:
    many = (roll("2d1000"),)

    def never(*_: object, **__: object) -> None:
        pytest.fail("it was drawn here")

    told = asyncio.run(odds.draw(totals_csv, (roll("1d20"),), str))
    assert told.count("\n") == 21
    monkeypatch.setattr(charts, "distribution_table", never)
    assert asyncio.run(odds.draw(totals_csv, many, str)).count("\n") == 2000


def test_what_is_too_much_for_any_process_is_refused_before_it_is_begun(odds: Odds, counted: Counted) -> None:
    assert work_of("20d9!kh18") > MOST_WORK
    with pytest.raises(BadExpression, match="too long"):
        asyncio.run(odds.roll("20d9!kh18", None))
    assert counted.units == 0


@pytest.mark.parametrize("work", [forecast_data, advice_data, comparison_data])
def test_a_day_of_many_dice_is_refused_with_no_die_rolled_out(
    work: Callable[[object], object], odds: Odds, counted: Counted
) -> None:
    sent = {"day": HOSTILE} | ({"rulesets": [{}]} if work is comparison_data else {})
    with pytest.raises(Malformed, match="at most 8 different dice") as no:
        asyncio.run(odds.of_day(work, sent))
    assert no.value.field == "day.steps"
    with pytest.raises(Malformed):
        work(sent)
    assert counted.units == 0


def test_the_dice_of_a_day_are_counted_beforehand_too(counted: Counted) -> None:
    steps = [{"check": f"C{at}", "target": 500, "dice": f"20d100kh10+{at}"} for at in range(8)]
    with pytest.raises(Malformed, match="too long to work out here"):
        forecast_data({"day": {**HOSTILE, "steps": steps}})
    assert counted.units == 0


def test_a_long_day_and_a_table_ahead_are_worked_out_in_other_processes(odds: Odds, counted: Counted) -> None:
    day = 'check = "1d20+con"\n[[characters]]\nname = "Ash"\ncon = "d12"\n[[steps]]\ncheck = "door"\ntarget = 15\n'
    people, _, picture = asyncio.run(odds.of_day(forecast_of_text, day, str))
    assert (people[0].name, picture[:4]) == ("Ash", "<svg")
    table = Table().do(AddCharacter("Ash", "d12"), AddCharacter("Bryn", "d8"))
    sketch = sketch_from_text("fight Wolves rounds=3 reactions=1; check door target=15", "1d20+con")
    shown = asyncio.run(odds.prospects(table, sketch, "freely", "en", str))
    assert [one.name for one in shown] == ["Ash", "Bryn"]
    assert counted.units == 0
    assert MOST_STEPS == 300


def test_an_error_comes_out_of_the_process_as_it_was_raised(odds: Odds) -> None:
    with pytest.raises(BadExpression) as no:
        asyncio.run(odds.of_day(roll, "2d6kh3"))
    assert (no.value.column, str(no.value)) == (
        4,
        "“2d6kh3” asks for too much at column 4: 1 to 2 of 2 dice can be kept.",
    )


def test_a_task_that_takes_too_long_is_ended_and_the_next_one_goes_well() -> None:
    async def asked() -> Dice:
        worker = Worker(longest=1.0)
        try:
            with pytest.raises(TooMuch, match="takes more than 1 s"):
                await worker.run(signal.pause)
            worker.longest = 60
            return await worker.run(roll, "1d6")
        finally:
            worker.close()

    assert asyncio.run(asked()).counts == (1,) * 6


def test_only_so_many_wait_for_one_worker() -> None:
    async def asked() -> list[object]:
        worker = Worker()
        try:
            tasks = [asyncio.ensure_future(worker.run(roll, "1d6")) for _ in range(MOST_WAITING + 3)]
            return await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            worker.close()

    found = asyncio.run(asked())
    assert sum(isinstance(one, TooMuch) for one in found) == 3
    assert sum(isinstance(one, Dice) for one in found) == MOST_WAITING
