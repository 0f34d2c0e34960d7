"""Odds: what a push is worth, how drained a party will be, when it is best to spend. Exact, from the rules in force.

What needs NumPy is imported when it is first asked for, so that the odds of a Check stay quick to start.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winded.odds.check import CheckData, CheckOdds, Push, PushData, check, check_of
from winded.odds.dice import BadExpression, Dice, dice_for, roll, spelled, throw
from winded.odds.in_play import AdviceNow, PushChance, PushChances, advice_now, best_ahead, push_chances, what_is_ahead

if TYPE_CHECKING:
    from winded.odds.day.files import day_from, day_from_toml, sketch_from
    from winded.odds.day.line import sketch_from_text, sketch_to_text
    from winded.odds.day.model import Day, Sketch
    from winded.odds.forecasts.advice import Advice, AdviceData, CharacterAdvice, advise
    from winded.odds.forecasts.comparison import Comparison, ComparisonData, compare
    from winded.odds.forecasts.forecast import CharacterForecast, Forecast, ForecastData, forecast
    from winded.odds.forecasts.habits import HABITS, KINDS, USUAL, Habit, SpendingMoment
    from winded.odds.forecasts.simulation import PartyHabit, PartyMoment, Simulation, SimulationData, simulate

_LATER = {
    "forecasts.advice": ("Advice", "AdviceData", "CharacterAdvice", "advise"),
    "forecasts.comparison": ("Comparison", "ComparisonData", "compare"),
    "day.model": ("Day", "Sketch"),
    "day.files": ("day_from", "day_from_toml", "sketch_from"),
    "forecasts.forecast": ("CharacterForecast", "Forecast", "ForecastData", "forecast"),
    "forecasts.habits": ("HABITS", "KINDS", "USUAL", "Habit", "SpendingMoment"),
    "forecasts.simulation": ("PartyMoment", "Simulation", "SimulationData", "PartyHabit", "simulate"),
    "day.line": ("sketch_from_text", "sketch_to_text"),
}


def __getattr__(name: str) -> Any:
    for room, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"winded.odds.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "HABITS",
    "KINDS",
    "USUAL",
    "Advice",
    "AdviceData",
    "AdviceNow",
    "BadExpression",
    "CharacterAdvice",
    "CharacterForecast",
    "CheckData",
    "CheckOdds",
    "Comparison",
    "ComparisonData",
    "Day",
    "Dice",
    "Forecast",
    "ForecastData",
    "Habit",
    "PartyHabit",
    "PartyMoment",
    "Push",
    "PushChance",
    "PushChances",
    "PushData",
    "Simulation",
    "SimulationData",
    "Sketch",
    "SpendingMoment",
    "advice_now",
    "advise",
    "best_ahead",
    "check",
    "check_of",
    "compare",
    "day_from",
    "day_from_toml",
    "dice_for",
    "forecast",
    "push_chances",
    "roll",
    "simulate",
    "sketch_from",
    "sketch_from_text",
    "sketch_to_text",
    "spelled",
    "throw",
    "what_is_ahead",
]
