"""Pictures of one Check: the chance at each push, and the totals of the dice with the target among them."""

from __future__ import annotations

from winded.charts.svg import Drawing
from winded.charts.tables import FigureTable, Say, bar, shown
from winded.odds.check import CheckOdds
from winded.odds.figures import Percent
from winded.sentence import Sentence, sentence


def check_title(odds: CheckOdds) -> Sentence:
    """What is rolled against what, in words."""
    if odds.under:
        return sentence("{dice} at most {target}", dice=odds.expression, target=odds.target)
    if odds.con is None:
        return sentence("{dice} against {target}", dice=odds.expression, target=odds.target)
    return sentence("{dice} with CON {con} against {target}", dice=odds.expression, con=odds.con, target=odds.target)


def check_words(odds: CheckOdds) -> Sentence:
    """The whole Check in one sentence: for those who do not see the picture."""
    first, last = odds.pushes[0], odds.pushes[-1]
    if first is last:
        return sentence("The chance of success is {chance}.", chance=Percent.of(first.ways, first.of))
    return sentence(
        "Pushing {first} Stamina gives a chance of {low}, pushing {last} gives {high}.",
        first=first.stamina,
        last=last.stamina,
        low=Percent.of(first.ways, first.of),
        high=Percent.of(last.ways, last.of),
    )


def check_table(odds: CheckOdds) -> FigureTable:
    """The chance, what the last Stamina gained, and the exact figures, a row for each push."""
    return FigureTable(
        check_title(odds),
        (sentence("Push"), sentence("Chance"), sentence("Gain"), sentence("Exactly")),
        tuple(
            (
                one.stamina,
                Percent.of(one.ways, one.of),
                Sentence("+{gain}", {"gain": Percent.of(one.gained, one.of)}) if one.stamina else "",
                f"{one.ways}/{one.of}",
            )
            for one in odds.pushes
        ),
    )


def check_text(odds: CheckOdds, *, width: int = 30, say: Say = str) -> str:
    """The table and a bar for each push, for a terminal."""
    table = check_table(odds)
    wide = max(len(f"{one.ways}/{one.of}") for one in odds.pushes) <= 24
    if not wide:
        table = FigureTable(table.caption, table.columns[:3], tuple(row[:3] for row in table.rows))
    head, *lines = table.text(say).split("\n")
    edge = max(len(line) for line in [head, *lines])
    drawn = [
        f"{line.ljust(edge)}  {bar(one.ways / one.of, width)}" for line, one in zip(lines, odds.pushes, strict=True)
    ]
    missing = (
        [] if wide else ["", say(sentence("The exact figures are too long for this table; JSON has them in full."))]
    )
    return "\n".join([say(table.caption), "", head, *drawn, *missing])


def check_picture(odds: CheckOdds, *, name: str = "check", standalone: bool = False, say: Say = str) -> str:
    """A bar for each push: full for what the dice give anyhow, hatched for what pushing adds."""
    rows = len(odds.pushes)
    left, top, step, right = 64, 44, 30, 74
    width, height = 560, top + rows * step + 34
    drawing = Drawing(width, height, name=name)
    room = width - left - right
    drawing.text(12, 22, say(check_title(odds)), "strong")
    for quarter in range(5):
        x = left + room * quarter / 4
        drawing.line(x, top - 6, x, top + rows * step, "rule")
        drawing.text(x, top + rows * step + 18, f"{25 * quarter}%", "quiet small", "middle")
    base = odds.ways() / odds.dice.ways
    for at, one in enumerate(odds.pushes):
        y, chance = top + at * step, one.ways / one.of
        drawing.text(left - 10, y + 16, f"+{one.stamina}" if one.stamina else "0", "strong", "end")
        drawing.rect(left, y + 3, room * min(base, chance), step - 10, "fill-1")
        drawing.hatched(left + room * base, y + 3, room * (chance - base), step - 10, 2)
        drawing.text(left + room * chance + 8, y + 17, shown(Percent.of(one.ways, one.of), say))
    drawing.text(12, top + rows * step + 18, say(sentence("Push")), "quiet small")
    return drawing.finished(say(check_title(odds)), say(check_words(odds)), standalone=standalone)


def totals_picture(odds: CheckOdds, *, name: str = "totals", standalone: bool = False, say: Say = str) -> str:
    """Every total of the dice as a bar: full where the Check succeeds anyhow, hatched where the largest push saves it,
    hollow where it fails all the same."""
    dice = odds.dice
    shown = [at for at in range(len(dice.counts)) if dice.counts[at] / dice.ways > 1e-4] or [0]
    first, last = shown[0], shown[-1]
    many = last - first + 1
    left, top, deep, bottom = 40, 60, 170, 44
    width = 600
    step = (width - left - 16) / many
    drawing = Drawing(width, top + deep + bottom, name=name)
    drawing.text(12, 22, say(check_title(odds)), "strong")
    most = max(dice.counts)
    push = odds.pushes[-1].stamina
    reach = odds.target + push * odds.push_bonus * (1 if odds.under else -1)
    every = max(1, -(-many // 24))
    for at in range(first, last + 1):
        total, x = dice.low + at, left + (at - first) * step
        tall = deep * dice.counts[at] / most
        y, thick = top + deep - tall, step * 0.82
        if _reached(total, odds, odds.target):
            drawing.rect(x, y, thick, tall, "fill-1")
        elif _reached(total, odds, reach):
            drawing.hatched(x, y, thick, tall, 2)
        else:
            drawing.rect(x, y, thick, tall, "hollow")
        if (at - first) % every == 0:
            drawing.text(x + thick / 2, top + deep + 16, str(total), "quiet small", "middle")
    drawing.line(left, top + deep, width - 16, top + deep, "mark")
    edge = left + (min(max(odds.target + odds.under - dice.low, first), last + 1) - first) * step - step * 0.09
    drawing.line(edge, top - 14, edge, top + deep, "mark", stroke_dasharray="3 3")
    told = say(sentence("target {target}", target=odds.target))
    # Near an edge of the picture it is written away from it, so that no figure is cut off.
    half = 4 * len(told)
    anchor = "end" if edge + half > width else "start" if edge < half else "middle"
    drawing.text(edge, top - 20, told, "small strong", anchor)
    drawing.text(12, top + deep + 34, say(_totals_words(odds)), "quiet small")
    return drawing.finished(say(check_title(odds)), say(_totals_words(odds)), standalone=standalone)


def _reached(total: int, odds: CheckOdds, target: int) -> bool:
    return total <= target if odds.under else total >= target


def _totals_words(odds: CheckOdds) -> Sentence:
    first, last, every = odds.ways(), odds.pushes[-1], odds.dice.ways
    if not last.stamina:
        return sentence("Full: success, {chance}. Hollow: failure.", chance=Percent.of(first, every))
    return sentence(
        "Full: success without a push, {base}. Hatched: with {push} Stamina, {gained} more. Hollow: failure.",
        base=Percent.of(first, every),
        push=last.stamina,
        gained=Percent.of(last.ways - first, every),
    )
