"""Pictures as SVG text and figures as tables, for pages, files and terminals alike.

Those of a Check are at hand; those of a day are imported when they are first asked for, as they bring NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winded.charts.check import check_picture, check_table, check_text, check_title, check_words, totals_picture
from winded.charts.svg import STYLE
from winded.charts.tables import comma_separated
from winded.charts.totals import distribution_picture, distribution_table, distribution_words

if TYPE_CHECKING:
    from winded.charts.advice import advice_picture, advice_table, advice_text, advice_words, legend
    from winded.charts.ahead import ahead_picture, ahead_words
    from winded.charts.comparison import (
        comparison_picture,
        comparison_text,
        comparison_title,
        dice_table,
        ends_table,
    )
    from winded.charts.forecast import (
        forecast_picture,
        forecast_table,
        forecast_text,
        forecast_words,
        spends_table,
    )
    from winded.charts.simulation import party_table, simulation_table, simulation_text

_LATER = {
    "ahead": ("ahead_picture", "ahead_words"),
    "advice": ("advice_table", "advice_picture", "advice_text", "advice_words", "legend"),
    "comparison": ("comparison_picture", "comparison_text", "comparison_title", "dice_table", "ends_table"),
    "forecast": ("forecast_table", "forecast_picture", "forecast_text", "forecast_words", "spends_table"),
    "simulation": ("party_table", "simulation_table", "simulation_text"),
}


def __getattr__(name: str) -> Any:
    for room, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"winded.charts.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "STYLE",
    "advice_picture",
    "advice_table",
    "advice_text",
    "advice_words",
    "ahead_picture",
    "ahead_words",
    "check_picture",
    "check_table",
    "check_text",
    "check_title",
    "check_words",
    "comma_separated",
    "comparison_picture",
    "comparison_text",
    "comparison_title",
    "dice_table",
    "distribution_picture",
    "distribution_table",
    "distribution_words",
    "ends_table",
    "forecast_picture",
    "forecast_table",
    "forecast_text",
    "forecast_words",
    "legend",
    "party_table",
    "simulation_table",
    "simulation_text",
    "spends_table",
    "totals_picture",
]
