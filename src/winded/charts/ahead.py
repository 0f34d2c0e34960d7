"""What is ahead of one character, for people who have never seen a distribution: plain sentences, a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from winded.charts.frame import step_name
from winded.charts.svg import Drawing
from winded.charts.tables import Say, shown
from winded.odds.figures import Number
from winded.odds.forecasts.forecast import CharacterForecast
from winded.sentence import Sentence, sentence

ROW, LABELS, HEAD = 11.0, 34.0, 20.0


def stops(one: CharacterForecast) -> list[tuple[Sentence, int]]:
    """Each entry of the sketch, fights as a whole, with the row of the forecast that comes after it."""
    found: list[tuple[Sentence, int]] = []
    row = 0
    for _, group in groupby(one.stages, key=lambda plan: plan.at):
        steps = list(group)
        row += len(steps)
        found.append((step_name(steps[0]), row))
    return found


def ahead_words(one: CharacterForecast) -> tuple[Sentence, ...]:
    """A sentence for each entry of the sketch, and one on running out: in words that need no mathematics."""
    told = []
    for name, row in stops(one):
        told.append(sentence("After {what}: {left}.", what=name, left=left_words(one.stamina[row].tolist())))
    return (*told, often_empty(float(one.empty[-1])))


def left_words(chances: Sequence[float]) -> Sentence:
    """Where Stamina will likely be: the narrowest run of amounts that holds in 8 of 10 such evenings."""
    low, high = most_likely([float(chance) for chance in chances])
    if low == high:
        if chances[low] > 1 - 1e-9:
            return sentence("exactly {low} left", low=low)
        return sentence("likely {low} left", low=low)
    if high == low + 1:
        return sentence("likely {low} or {high} left", low=low, high=high)
    return sentence("likely {low} to {high} left", low=low, high=high)


def often_empty(chance: float) -> Sentence:
    """How often one is at 0 at the end, counted in evenings."""
    if chance < 1e-12:
        return sentence("There is always some left at the end.")
    if chance > 1 - 1e-12:
        return sentence("Nothing is left at the end.")
    if chance < 0.05:
        return sentence("Nothing left at the end: hardly ever, in fewer than 1 of 20 such evenings.")
    if chance > 0.95:
        return sentence("Nothing left at the end: almost always, in more than 19 of 20 such evenings.")
    return sentence("Nothing left at the end: in about {evenings} of 20 such evenings.", evenings=round(20 * chance))


def most_likely(chances: list[float]) -> tuple[int, int]:
    """The narrowest run of Stamina that holds in at least 8 of 10 evenings."""
    best = 0, len(chances) - 1
    for low in range(len(chances)):
        total = 0.0
        for high in range(low, len(chances)):
            total += float(chances[high])
            if total >= 0.8 - 1e-12:
                if high - low < best[1] - best[0]:
                    best = low, high
                break
    return best


def ahead_picture(one: CharacterForecast, *, name: str = "ahead", standalone: bool = False, say: Say = str) -> str:
    """A column for now and for after each entry of the sketch, small enough for a phone.

    The darker a field, the likelier that Stamina; above each column what to expect.
    """
    columns = [(sentence("now"), 0), *stops(one)]
    most = one.stamina.shape[1] - 1
    wide = max(44.0, min(84.0, 320.0 / len(columns)))
    left = 24.0
    drawing = Drawing(left + wide * len(columns) + 4, HEAD + (most + 1) * ROW + LABELS, name=name)
    bottom = HEAD + (most + 1) * ROW
    for stamina in {0, most // 2, most}:
        drawing.text(left - 6, HEAD + (most - stamina + 1) * ROW - 2, str(stamina), "quiet small", "end")
    for at, (label, row) in enumerate(columns):
        x = left + at * wide
        drawing.line(x, bottom, x + wide - 3, bottom, "rule")
        for stamina, chance in enumerate(one.stamina[row].tolist()):
            if chance >= 0.005:
                y = HEAD + (most - stamina) * ROW
                opacity = round(max(0.08, float(chance) ** 0.6), 3)
                drawing.rect(x, y + 0.5, wide - 3, ROW - 1, "fill-1", fill_opacity=opacity)
        expected = shown(Number(float(one.expected[row]), 0 if at == 0 else 1), say)
        drawing.text(x + wide / 2, HEAD - 6, expected, "strong", "middle")
        words, room = say(label), int(wide / 6.2)
        lines = _two_lines(words, room)
        for line, text in enumerate(lines):
            drawing.text(x + (wide - 3) / 2, bottom + 13 + 12 * line, text, "small", "middle")
    return drawing.finished(one.name, " ".join(say(words) for words in ahead_words(one)), standalone=standalone)


def _two_lines(words: str, room: int) -> list[str]:
    """A label on one line or two, cut where it is longer."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) >= room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > 2:
        lines = [lines[0], " ".join(lines[1:])]
    return [line if len(line) <= room else line[: max(room - 1, 1)] + "…" for line in lines]
