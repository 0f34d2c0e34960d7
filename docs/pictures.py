"""Draws the pictures of the odds pages from the very days that stand in them: `python -m docs.pictures`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from winded import charts
from winded.odds import advise, check, compare, day_from_toml, forecast
from winded.rules import PAGE, ruleset_from_toml

HERE = Path(__file__).parent
FOLDER = HERE / "explanation" / "pictures"
PLAN = HERE / "how-to" / "plan-a-day.md"


def written(page: Path, name: str) -> str:
    """The file of this name that stands in a page."""
    found = re.search(rf"^```file {re.escape(name)}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{page} shows no file {name}.")
    return found[1]


def drawn() -> Iterator[tuple[Path, str]]:
    """Each picture with the file it belongs into."""
    day = day_from_toml(written(PLAN, "mill.toml"))
    valued = day_from_toml(written(PLAN, "mill-values.toml"))
    house = ruleset_from_toml(written(PLAN, "house.toml"))
    odds = check("1d20+con", 15, 5, con="d8")
    yield FOLDER / "push.svg", charts.check_picture(odds, standalone=True)
    yield FOLDER / "totals.svg", charts.totals_picture(odds, standalone=True)
    yield FOLDER / "forecast.svg", charts.forecast_picture(forecast(day), standalone=True)
    yield FOLDER / "advice.svg", charts.advice_picture(advise(valued), standalone=True)
    yield FOLDER / "comparison.svg", charts.comparison_picture(compare(day, (PAGE, house)), standalone=True)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, picture in drawn():
        path.write_text(picture + "\n", encoding="utf-8")
        print(path.relative_to(HERE.parent))


if __name__ == "__main__":
    main()
