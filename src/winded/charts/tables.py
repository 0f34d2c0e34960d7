"""A table of figures in words: what a screen reader reads beside each picture, what a terminal and a CSV file show."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from msgspec import Struct

from winded.odds.figures import Number, Percent
from winded.sentence import Sentence

Say = Callable[[Sentence], str]


Cell = str | int | Sentence | Percent | Number


class FigureTable(Struct, frozen=True):
    """Rows under headings; every row is as long as `columns`."""

    caption: Sentence
    columns: tuple[Sentence, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def text(self, say: Say = str) -> str:
        """Aligned columns for a terminal: words to the left, figures to the right."""
        head = [say(column) for column in self.columns]
        body = [[shown(cell, say) for cell in row] for row in self.rows]
        widths = [max(len(line[at]) for line in [head, *body]) for at in range(len(head))]
        right = [bool(self.rows) and all(_is_figure(row[at]) for row in self.rows) for at in range(len(head))]
        return "\n".join(_line(line, widths, right) for line in [head, *body])

    def csv(self, say: Say = str) -> str:
        """The same, comma-separated, with the headings as its first line."""
        head = [say(column) for column in self.columns]
        return comma_separated([head, *([shown(cell, say) for cell in row] for row in self.rows)])

    def html(self, say: Say = str) -> str:
        """A `<table class="odds-figures">` with a caption and scoped headings, everything escaped."""
        head = "".join(f'<th scope="col">{escape(say(column))}</th>' for column in self.columns)
        rows = [[escape(shown(cell, say)) for cell in row] for row in self.rows]
        body = "".join(
            f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in rows
        )
        return (
            f'<table class="odds-figures"><caption>{escape(say(self.caption))}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def shown(cell: Cell, say: Say = str) -> str:
    """One cell as text."""
    if isinstance(cell, Percent | Number):
        return say(Sentence("{figure}", {"figure": cell}))
    return say(cell) if isinstance(cell, Sentence) else str(cell)


_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_FIGURE = re.compile(r"[+-]?[\d.,]+\s?%?")


def comma_separated(rows: Iterable[Sequence[str | int | float]]) -> str:
    """Rows as CSV, which spreadsheets take for text and figures alone.

    A text that one of them would take for a formula, such as the name `=1+2`, gets an apostrophe before it.
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: str | int | float) -> str | int | float:
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _FIGURE.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def bar(share: float, width: int = 30) -> str:
    """A bar of block characters, to an eighth of a character; `share` is 0 to 1."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + ("" if rest == 0 else "▏▎▍▌▋▊▉"[rest - 1])


def _is_figure(cell: Cell) -> bool:
    if isinstance(cell, Sentence):
        return any(isinstance(fact, Percent | Number) for fact in cell.facts.values())
    return not isinstance(cell, str) or cell.lstrip("+-−±")[:1].isdigit()


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if figure else cell.ljust(width)
        for cell, width, figure in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()
