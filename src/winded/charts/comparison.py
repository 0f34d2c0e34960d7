"""Pictures of house rules compared: expected Stamina step by step, a line for each ruleset."""

from __future__ import annotations

from winded.charts.frame import HEAD, LEFT, NAMES, ROW, Frame, width_for
from winded.charts.svg import Drawing
from winded.charts.tables import Cell, FigureTable, Say
from winded.odds.figures import Number, Percent
from winded.odds.forecasts.comparison import Comparison
from winded.rules import RestKind, rest_name
from winded.sentence import Sentence, sentence


def comparison_title(comparison: Comparison) -> Sentence:
    """What is compared."""
    names = " · ".join(ruleset.name for ruleset in comparison.rulesets)
    if comparison.title:
        return sentence("{day} under {rules}", day=comparison.title, rules=names)
    return sentence("A day under {rules}", rules=names)


def dice_table(comparison: Comparison) -> FigureTable:
    """For each die under each ruleset: the maximum, and what each rest offers at it."""
    kinds = [kind.value for kind in RestKind]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.die, one.rules, "-" if one.maximum is None else one.maximum, *(one.rests.get(kind, "-") for kind in kinds))
        for one in comparison.dice
    )
    return FigureTable(
        sentence("Each CON Ability Die"),
        (sentence("Die"), sentence("Rules"), sentence("Maximum"), *(rest_name(kind) for kind in RestKind)),
        rows,
    )


def ends_table(comparison: Comparison) -> FigureTable:
    """How the day ends for each character under each ruleset."""
    return FigureTable(
        sentence("Each character at the end of the day"),
        (sentence("Character"), sentence("Rules"), sentence("Expected"), sentence("Lowest"), sentence("At 0"),
         sentence("Refused")),
        tuple(
            (
                one.name, one.rules, Number(one.left), Number(one.lowest), Percent.summed(one.empty),
                Percent.summed(one.refused),
            )
            for one in comparison.ends
        ),
    )  # fmt: skip


def comparison_text(comparison: Comparison, *, say: Say = str) -> str:
    """Both tables, for a terminal."""
    tables = [ends_table(comparison), dice_table(comparison)]
    return "\n\n".join(
        [say(comparison_title(comparison)), *(f"{say(table.caption)}\n\n{table.text(say)}" for table in tables)]
    )


def comparison_picture(
    comparison: Comparison, *, name: str = "comparison", standalone: bool = False, say: Say = str
) -> str:
    """A panel a character: expected Stamina after each step, each ruleset in its own colour and dashes."""
    people = list(zip(*(one.characters for one in comparison.forecasts), strict=True))
    columns = max(1, *(each[0].stamina.shape[0] for each in people)) if people else 1
    mosts = [max(one.stamina.shape[1] for one in each) - 1 for each in people]
    heights = [HEAD + (most + 1) * ROW + NAMES for most in mosts]
    legend = 18.0 * len(comparison.rulesets) + 12
    drawing = Drawing(width_for(columns), legend + sum(heights) + 12, name=name)
    for series, ruleset in enumerate(comparison.rulesets, 1):
        drawing.path([(LEFT, 18.0 * series), (LEFT + 44, 18.0 * series)], series)
        drawing.text(LEFT + 54, 18.0 * series + 4, ruleset.name)
    top = legend
    for each, most, height in zip(people, mosts, heights, strict=True):
        frame = Frame(drawing, top, columns, most)
        frame.heading(each[0].name)
        frame.scale()
        for stamina in range(0, most + 1, 2):
            level = frame.y(stamina) + ROW / 2
            drawing.line(LEFT, level, drawing.width - 16, level, "rule")
        for series, one in enumerate(each, 1):
            drawing.path(
                [
                    (frame.x(column) + frame.wide / 2, frame.y(float(expected)) + ROW / 2)
                    for column, expected in enumerate(one.expected)
                ],
                series,
            )
        frame.names(each[0].stages, say, 1)
        top += height
    words = " ".join(
        say(
            sentence(
                "{name} under {rules}: {left} Stamina expected at the end.",
                name=one.name,
                rules=one.rules,
                left=Number(one.left),
            )
        )
        for one in comparison.ends
    )
    return drawing.finished(say(comparison_title(comparison)), words, standalone=standalone)
