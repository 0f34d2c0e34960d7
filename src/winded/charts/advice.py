"""Pictures of advice: what the last Stamina is worth at each moment, and what to do with it."""

from __future__ import annotations

from winded.charts.frame import HEAD, NAMES, ROW, Frame, width_for
from winded.charts.svg import Drawing
from winded.charts.tables import Cell, FigureTable, Say
from winded.odds.figures import Number
from winded.odds.forecasts.advice import Advice, CharacterAdvice
from winded.odds.forecasts.rules_of_thumb import NOT_ASKED
from winded.sentence import Sentence, sentence


def advice_words(one: CharacterAdvice) -> Sentence:
    """What the advice is worth, in a sentence."""
    return sentence(
        "For {name} the day is worth {best} at best and {usual} with the usual habit.",
        name=one.name,
        best=Number(one.best, 2),
        usual=Number(one.usual, 2),
    )


def advice_table(one: CharacterAdvice) -> FigureTable:
    """What is best in each step, for each Stamina: as signs (see `legend`)."""
    most = one.worth.shape[1] - 1
    columns = (sentence("Step"), *(sentence("{stamina}", stamina=stamina) for stamina in range(most + 1)))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (plan.title, *(sign(one, step, stamina) or "·" for stamina in range(most + 1)))
        for step, plan in enumerate(one.stages)
        if any(found[step, 0] != NOT_ASKED for found in one.wanted.values())
    )
    return FigureTable(sentence("{name}: what to do, by Stamina", name=one.name), columns, rows)


def legend() -> Sentence:
    """What the signs say."""
    return sentence(
        "E: act early. 1, 2, ...: that many reactions. +1, +2, ...: push by that much. S: spend. A dot or nothing: "
        "keep."
    )


def shading() -> Sentence:
    """What the shades say."""
    return sentence("The darker a field, the more the last Stamina is worth at that moment.")


def sign(one: CharacterAdvice, step: int, stamina: int) -> str:
    """What is best, in a few signs: "E2" to act early and take two reactions, "+3" to push 3, "" to keep."""
    parts = []
    for kind, found in one.wanted.items():
        wanted = int(found[step, stamina])
        if wanted > 0:
            parts.append({"early": "E", "reaction": f"{wanted}", "push": f"+{wanted}"}.get(kind, "S"))
    return "".join(parts)


def advice_text(advice: Advice, *, say: Say = str) -> str:
    """The rules of thumb, and the table of signs, for a terminal."""
    parts = []
    for one in advice.characters:
        rules_of_thumb = "\n".join(f"- {say(rule)}" for rule in one.rules_of_thumb)
        parts += [say(advice_words(one)), rules_of_thumb, f"{advice_table(one).text(say)}"]
    parts.append(say(legend()))
    return "\n\n".join(part for part in parts if part)


def advice_picture(advice: Advice, *, name: str = "advice", standalone: bool = False, say: Say = str) -> str:
    """A panel a character: the darker a field, the more the last Stamina is worth there; the signs say what to do."""
    people = advice.characters
    columns = max(1, *(len(one.stages) for one in people)) if people else 1
    heights = [HEAD + one.worth.shape[1] * ROW + NAMES for one in people]
    drawing = Drawing(width_for(columns), sum(heights) + 42, name=name)
    top = 0.0
    for one, height in zip(people, heights, strict=True):
        _panel(drawing, one, top, columns, say)
        top += height
    drawing.text(12, top + 14, say(shading()), "quiet small")
    drawing.text(12, top + 30, say(legend()), "quiet small")
    words = " ".join(say(sentence_) for one in people for sentence_ in (advice_words(one), *one.rules_of_thumb))
    return drawing.finished(advice.title or say(sentence("When to spend")), words, standalone=standalone)


def _panel(drawing: Drawing, one: CharacterAdvice, top: float, columns: int, say: Say) -> None:
    frame = Frame(drawing, top, columns, one.worth.shape[1] - 1)
    frame.heading(
        say(
            sentence(
                "{name}: worth {best} at best, {usual} as usual",
                name=one.name,
                best=Number(one.best, 2),
                usual=Number(one.usual, 2),
            )
        )
    )
    frame.scale()
    last = one.last_stamina
    most = max(float(last.max(initial=0.0)), 1e-9)
    for step in range(len(one.stages)):
        for stamina in range(one.worth.shape[1]):
            worth = float(last[step, stamina - 1]) / most if stamina else 0.0
            x, y = frame.x(step), frame.y(stamina)
            if worth > 0:
                drawing.rect(
                    x + 0.5, y + 0.5, frame.wide - 1, ROW - 1, "fill-1", fill_opacity=round(0.06 + 0.84 * worth, 3)
                )
            told = sign(one, step, stamina)
            if told and frame.wide > 16:
                drawing.text(x + frame.wide / 2, y + ROW - 4, told, "small on-fill", "middle")
    frame.names(one.stages, say)
