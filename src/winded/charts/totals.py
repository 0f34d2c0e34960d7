"""Every total of some dice, and of those they are compared with: as a picture and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from winded.charts.svg import Drawing
from winded.charts.tables import Cell, FigureTable, Say
from winded.odds.dice import Dice
from winded.odds.figures import Number, Percent
from winded.sentence import Sentence, sentence


def distribution_words(rolled: Sequence[Dice]) -> Sentence:
    """The dice in a sentence each: from where to where, the mean and the deviation."""
    told = [
        sentence(
            "{dice}: {low} to {high}, mean {mean}, deviation {deviation}.",
            dice=one.text,
            low=one.low,
            high=one.high,
            mean=Number(float(one.mean), 2),
            deviation=Number(one.deviation, 2),
        )
        for one in rolled
    ]
    return told[0] if len(told) == 1 else sentence("{first} {more}", first=told[0], more=told[1])


def distribution_table(rolled: Sequence[Dice]) -> FigureTable:
    """A row for each total that can come up: how likely it is, and how likely it or more is; exactly for one roll."""
    low, high = min(one.low for one in rolled), max(one.high for one in rolled)
    columns = [sentence("Total")]
    for one in rolled:
        named = {"dice": one.text} if len(rolled) > 1 else None
        columns += (
            [sentence("Chance"), sentence("This or more"), sentence("Exactly")]
            if named is None
            else [Sentence("{dice}", named), sentence("{dice}, or more", dice=one.text)]
        )
    rows: list[tuple[Cell, ...]] = []
    for total in range(low, high + 1):
        ways = [one.ways_to(total) - one.ways_to(total + 1) for one in rolled]
        if not any(ways):
            continue
        cells: list[Cell] = [total]
        for one, count in zip(rolled, ways, strict=True):
            cells += [Percent.of(count, one.ways), Percent.of(one.ways_to(total), one.ways)]
        if len(rolled) == 1:
            cells.append(f"{ways[0]}/{rolled[0].ways}")
        rows.append(tuple(cells))
    return FigureTable(distribution_words(rolled), tuple(columns), tuple(rows))


def distribution_picture(
    rolled: Sequence[Dice], *, name: str = "spread", standalone: bool = False, say: Say = str
) -> str:
    """The first dice as bars, those they are compared with as a dashed line."""
    low, high = _seen(rolled)
    many = high - low + 1
    left, top, deep, width = 40.0, 50.0, 170.0, 600.0
    step = (width - left - 16) / many
    drawing = Drawing(width, top + deep + 30, name=name)
    most = max(max(one.counts) / one.ways for one in rolled)

    def x(total: float) -> float:
        return left + (total - low) * step

    def tall(one: Dice, total: int) -> float:
        ways = one.ways_to(total) - one.ways_to(total + 1)
        return deep * (ways / one.ways) / most

    for at, one in enumerate(rolled):
        y = 18.0 + 18 * at
        if at:
            drawing.path([(12, y - 4), (36, y - 4)], 2)
        else:
            drawing.rect(12, y - 9, 24, 9, "fill-1")
        drawing.text(44, y, say(distribution_words([one])), "small")
    for total in range(low, high + 1):
        height = tall(rolled[0], total)
        drawing.rect(x(total), top + deep - height, step * 0.82, height, "fill-1")
        if (total - low) % max(1, -(-many // 24)) == 0:
            drawing.text(x(total) + step * 0.41, top + deep + 16, str(total), "quiet small", "middle")
    for one in rolled[1:]:
        totals = range(max(low, one.low), min(high, one.high) + 1)
        drawing.path([(x(total) + step * 0.41, top + deep - tall(one, total)) for total in totals], 2)
    drawing.line(left, top + deep, width - 16, top + deep, "mark")
    words = say(distribution_words(rolled))
    return drawing.finished(" · ".join(one.text for one in rolled), words, standalone=standalone)


def _seen(rolled: Sequence[Dice]) -> tuple[int, int]:
    """The totals from the first to the last that is likely enough to be seen."""
    totals = [one.low + at for one in rolled for at, count in enumerate(one.counts) if count / one.ways > 1e-4]
    return (min(totals), max(totals)) if totals else (rolled[0].low, rolled[0].high)
