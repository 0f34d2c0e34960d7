"""What is ahead of one character, in words that need no mathematics: how it will likely stand, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from winded.charts.ahead import ahead_picture, ahead_words, left_words
from winded.charts.forecast import KIND_NAMES, forecast_table
from winded.odds.forecasts.forecast import CharacterForecast
from winded.odds.forecasts.forward import REFUSED, WANTED
from winded.odds.forecasts.habits import KINDS
from winded.rules import Character
from winded.sentence import Sentence, sentence


class Likely(Struct, frozen=True):
    """How it may stand with one character at one moment: in words, and how likely it is to have none."""

    when: Sentence
    left: Sentence
    none: Sentence | None


class Refusals(Struct, frozen=True):
    """What is wanted and cannot be paid for, of one kind of spend, as expected numbers."""

    kind: Sentence
    refused: float
    wanted: float


class Prospect(Struct, frozen=True):
    """One character's forecast in words, with its picture and its figures."""

    key: str
    name: str
    stamina: int
    maximum: int
    likely: tuple[Likely, ...]
    refusals: tuple[Refusals, ...]
    refused_share: float
    steps: tuple[Sentence, ...]
    picture: str
    figures: str


def prospect(
    one: CharacterForecast, say: Callable[[Sentence], str], key: str, now: Character | None = None
) -> Prospect:
    """One character's forecast in words, with its picture; `key` begins the ids in it, `now` is the character now."""
    stamina = [[float(chance) for chance in row] for row in one.stamina.tolist()]
    whole = one.counted.sum(axis=1)
    start = max(range(len(stamina[0])), key=lambda amount: stamina[0][amount])
    return Prospect(
        key,
        one.name,
        start if now is None else now.stamina,
        len(stamina[0]) - 1 if now is None else now.maximum,
        tuple(likely(when, stamina[at]) for at, when in _moments(one)),
        tuple(
            Refusals(KIND_NAMES[kind], float(whole[REFUSED, at]), float(whole[WANTED, at]))
            for at, kind in enumerate(KINDS)
            if float(whole[REFUSED, at]) >= 0.05
        ),
        one.refused_share,
        ahead_words(one),
        ahead_picture(one, name=key, say=say),
        forecast_table(one).html(say),
    )


def _moments(one: CharacterForecast) -> tuple[tuple[int, Sentence], ...]:
    """The rows of a forecast that are told in words: before the last fight, unless that comes first, and the end."""
    last = next((at for at, plan in enumerate(one.stages) if plan.last_fight), 0)
    moments = [(len(one.stages), sentence("at the end"))]
    if last:
        moments.insert(0, (last, sentence("before the last fight")))
    return tuple(moments)


def likely(when: Sentence, chances: Sequence[float]) -> Likely:
    """How it may stand at a moment, given the chance of each amount."""
    none = None if max(chances) > 1 - 1e-9 else none_words(chances[0])
    return Likely(when, left_words(chances), none)


def none_words(share: float) -> Sentence:
    """The chance of having none, as people say it."""
    if share < 1e-9:
        return sentence("never at 0")
    if share > 1 - 1e-9:
        return sentence("always at 0")
    if share < 0.01:
        return sentence("hardly any chance of none")
    if share > 0.99:
        return sentence("almost certainly none")
    if share <= 0.27:
        return sentence("1 in {many} chance of none", many=round(1 / share))
    return sentence("{many} in 10 chance of none", many=min(max(round(share * 10), 3), 9))
