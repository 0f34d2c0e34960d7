"""The frame that pictures of a day share: a column a step, a row a Stamina, the steps named below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from winded.charts.svg import Drawing
from winded.charts.tables import Say
from winded.odds.forecasts.decision_tree import Stage
from winded.sentence import Sentence, sentence

LEFT, RIGHT, HEAD, ROW = 40.0, 16.0, 34.0, 16.0
NAMES = 62.0
"""Room below for the names of the steps."""


class Frame:
    """Where things go in one character's panel: columns from 0, rows from `most` Stamina at the top down to 0."""

    def __init__(self, drawing: Drawing, top: float, columns: int, most: int) -> None:
        self.drawing = drawing
        self.top: float = top + HEAD
        self.columns = columns
        self.most = most
        self.wide: float = (drawing.width - LEFT - RIGHT) / columns

    def x(self, column: float) -> float:
        """The left edge of a column."""
        return LEFT + column * self.wide

    def y(self, stamina: float) -> float:
        """The top edge of a Stamina's row."""
        return self.top + (self.most - stamina) * ROW

    @property
    def bottom(self) -> float:
        return self.top + (self.most + 1) * ROW

    def heading(self, words: str) -> None:
        """What the panel shows, above it."""
        self.drawing.text(12, self.top - 12, words, "strong")

    def scale(self) -> None:
        """The Stamina beside the rows, and a line across for every second one."""
        for stamina in range(0, self.most + 1, 2 if self.most > 6 else 1):
            self.drawing.text(LEFT - 8, self.y(stamina) + ROW - 4, str(stamina), "quiet small", "end")
        self.drawing.line(LEFT, self.bottom, self.drawing.width - RIGHT, self.bottom, "rule")

    def names(self, plans: Sequence[Stage], say: Say, first: int = 0) -> None:
        """The steps below the columns from `first` on: rounds by number, and what they belong to, staggered."""
        groups = [list(group) for _, group in groupby(plans, key=lambda plan: (plan.at, plan.name))]
        columns = [first + sum(map(len, groups[:at])) for at in range(len(groups))]
        levels = [self.bottom + 28 + 13 * (at % 3) for at in range(len(groups))]
        for column, level in zip(columns, levels, strict=True):
            if column:
                self.drawing.line(self.x(column), self.bottom, self.x(column), level - 8, "rule")
        for column, level, steps in zip(columns, levels, groups, strict=True):
            if len(steps) > 1 and self.wide > 11:
                for number, plan in enumerate(steps):
                    middle = self.x(column + number) + self.wide / 2
                    self.drawing.text(middle, self.bottom + 12, str(plan.number), "quiet small", "middle")
            begin = self.x(column)
            room = min(3 * max(self.wide * len(steps), 40), self.drawing.width - begin - 4)
            self.drawing.text(begin + 4, level, _cut(say(step_name(steps[0])), int(room / 6)), "small on-fill")


def step_name(plan: Stage) -> Sentence:
    """What a step is called, without the number of its round."""
    return sentence("{name}", name=plan.name) if plan.kind == "fight" or plan.times > 1 else plan.title


def width_for(columns: int) -> float:
    """A picture as wide as its columns need, within what a page holds."""
    return min(960.0, max(560.0, LEFT + RIGHT + 34.0 * columns))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= max(longest, 3) else text[: max(longest, 3) - 1] + "…"
