"""Pictures as SVG text and figures as tables, for pages, files and terminals alike.

Those of a Check are at hand; those of a day are imported when they are first asked for, as they bring NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winded.odds.pictures.check import check_grid, check_picture, check_text, check_title, check_words, totals_picture
from winded.odds.pictures.svg import STYLE

if TYPE_CHECKING:
    from winded.odds.pictures.advice import advice_grid, advice_picture, advice_text, advice_words, legend
    from winded.odds.pictures.ahead import ahead_picture, ahead_words
    from winded.odds.pictures.comparison import (
        comparison_picture,
        comparison_text,
        comparison_title,
        dice_grid,
        ends_grid,
    )
    from winded.odds.pictures.forecast import (
        forecast_grid,
        forecast_picture,
        forecast_text,
        forecast_words,
        spends_grid,
    )
    from winded.odds.pictures.simulation import party_grid, simulation_grid, simulation_text

_LATER = {
    "ahead": ("ahead_picture", "ahead_words"),
    "advice": ("advice_grid", "advice_picture", "advice_text", "advice_words", "legend"),
    "comparison": ("comparison_picture", "comparison_text", "comparison_title", "dice_grid", "ends_grid"),
    "forecast": ("forecast_grid", "forecast_picture", "forecast_text", "forecast_words", "spends_grid"),
    "simulation": ("party_grid", "simulation_grid", "simulation_text"),
}


def __getattr__(name: str) -> Any:
    for room, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"winded.odds.pictures.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "STYLE",
    "advice_grid",
    "advice_picture",
    "advice_text",
    "advice_words",
    "ahead_picture",
    "ahead_words",
    "check_grid",
    "check_picture",
    "check_text",
    "check_title",
    "check_words",
    "comparison_picture",
    "comparison_text",
    "comparison_title",
    "dice_grid",
    "ends_grid",
    "forecast_grid",
    "forecast_picture",
    "forecast_text",
    "forecast_words",
    "legend",
    "party_grid",
    "simulation_grid",
    "simulation_text",
    "spends_grid",
    "totals_picture",
]
