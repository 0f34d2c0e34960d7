"""Pictures of a forecast: how likely each Stamina is after each step, and what is expected."""

from __future__ import annotations

from winded.charts.frame import HEAD, NAMES, ROW, Frame, width_for
from winded.charts.svg import Drawing
from winded.charts.tables import Cell, FigureTable, Say, bar
from winded.odds.figures import Number, Percent
from winded.odds.forecasts.forecast import CharacterForecast, Forecast
from winded.odds.forecasts.forward import CALLED, REFUSED, SPENT, TAKEN, WANTED
from winded.odds.forecasts.habits import KINDS
from winded.rules.hallway import SPENDINGS
from winded.sentence import Sentence, sentence

KIND_NAMES = {one.habit: one.title for one in SPENDINGS}
"""Each way to spend, as it calls itself."""


def forecast_words(one: CharacterForecast) -> Sentence:
    """A character's day in a sentence."""
    return sentence(
        "{name} begins with {start} Stamina and can expect {left} at the end; the chance of having none is {empty}.",
        name=one.name,
        start=Number(float(one.expected[0]), 0),
        left=Number(float(one.expected[-1])),
        empty=Percent.summed(float(one.empty[-1])),
    )


def forecast_table(one: CharacterForecast) -> FigureTable:
    """Step by step: expected Stamina, the middle half of what may be, and the chance of having none."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        _row(title, float(expected), chances, float(empty))
        for title, expected, chances, empty in zip(
            one.titles, one.expected.tolist(), one.stamina.astype(float).tolist(), one.empty.tolist(), strict=True
        )
    )
    return FigureTable(
        forecast_words(one),
        (sentence("After"), sentence("Expected"), sentence("Mostly"), sentence("At 0")),
        rows,
    )


def spends_table(one: CharacterForecast) -> FigureTable:
    """What came of each kind of spend in the whole day: wanted, taken, refused for lack of Stamina, Stamina spent."""
    whole = one.counted.astype(float).sum(axis=1)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (KIND_NAMES[kind], *(Number(float(whole[measure, at])) for measure in (CALLED, WANTED, TAKEN, REFUSED, SPENT)))
        for at, kind in enumerate(KINDS)
        if whole[0, at]
    )
    return FigureTable(
        sentence("{name} over the whole day, on average", name=one.name),
        (
            sentence("Spend"), sentence("Called for"), sentence("Wanted"), sentence("Taken"), sentence("Refused"),
            sentence("Stamina"),
        ),
        rows,
    )  # fmt: skip


def legend() -> Sentence:
    """How to read the picture."""
    return sentence(
        "The darker a field, the likelier that much Stamina after that step; the line is the expected Stamina."
    )


def forecast_text(forecast: Forecast, *, say: Say = str) -> str:
    """Tables with bars for a terminal: a line a step for everyone."""
    parts = []
    for one in forecast.characters:
        most = max(1, one.stamina.shape[1] - 1)
        head, *lines = forecast_table(one).text(say).split("\n")
        edge = max(map(len, [head, *lines]))
        drawn = [
            f"{line.ljust(edge)}  {bar(float(expected) / most, 24)}"
            for line, expected in zip(lines, one.expected, strict=True)
        ]
        parts += ["\n".join([say(forecast_words(one)), "", head, *drawn]), spends_table(one).text(say)]
    return "\n\n".join(parts)


def forecast_picture(forecast: Forecast, *, name: str = "forecast", standalone: bool = False, say: Say = str) -> str:
    """A panel a character: the darker a field, the likelier that Stamina then; the line is what to expect."""
    people = forecast.characters
    columns = max(1, *(one.stamina.shape[0] for one in people)) if people else 1
    heights = [HEAD + one.stamina.shape[1] * ROW + NAMES for one in people]
    drawing = Drawing(width_for(columns), sum(heights) + 24, name=name)
    top = 0.0
    for one, height in zip(people, heights, strict=True):
        _panel(drawing, one, top, columns, say)
        top += height
    drawing.text(12, top + 12, say(legend()), "quiet small")
    words = " ".join(say(forecast_words(one)) for one in people)
    title = forecast.title or say(sentence("What is ahead"))
    return drawing.finished(title, words, standalone=standalone)


def _panel(drawing: Drawing, one: CharacterForecast, top: float, columns: int, say: Say) -> None:
    frame = Frame(drawing, top, columns, one.stamina.shape[1] - 1)
    frame.heading(
        say(
            sentence(
                "{name}: {left} expected at the end, {empty} at 0",
                name=one.name,
                left=Number(float(one.expected[-1])),
                empty=Percent.summed(float(one.empty[-1])),
            )
        )
    )
    frame.scale()
    for column, chances in enumerate(one.stamina.astype(float).tolist()):
        for stamina, chance in enumerate(chances):
            if chance >= 0.002:
                drawing.rect(
                    frame.x(column) + 1, frame.y(stamina) + 1, frame.wide - 2, ROW - 2, "fill-1",
                    fill_opacity=round(max(0.06, chance**0.6), 3),
                )  # fmt: skip
    points = [
        (frame.x(column) + frame.wide / 2, frame.y(float(expected)) + ROW / 2)
        for column, expected in enumerate(one.expected)
    ]
    drawing.path(points, 2)
    for x, y in points:
        drawing.add("circle", cx=x, cy=y, r=2.6, class_="fill-2")
    frame.names(one.stages, say, 1)
    drawing.text(frame.x(0) + 4, frame.bottom + 12, say(sentence("start")), "quiet small")


def _row(title: Sentence, expected: float, chances: list[float], empty: float) -> tuple[Cell, ...]:
    return title, Number(expected), _middle(chances), Percent.summed(empty)


def _middle(chances: list[float]) -> str:
    """The Stamina between which the middle half lies, such as "3-6"."""
    total, low, high = 0.0, None, len(chances) - 1
    for stamina, chance in enumerate(chances):
        total += chance
        if low is None and total >= 0.25 - 1e-12:
            low = stamina
        if total >= 0.75 - 1e-12:
            high = stamina
            break
    return str(high) if low == high else f"{low}-{high}"
