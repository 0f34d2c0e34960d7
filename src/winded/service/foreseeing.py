"""What is best for one character now, given what is ahead as the Referee lets everyone see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from winded.errors import Refused, Unknown
from winded.odds import AdviceNow, PushChance, push_chances
from winded.sentence import Sentence, sentence

if TYPE_CHECKING:
    from winded.odds import Sketch
    from winded.service.odds import Odds
    from winded.service.sights import Seen


class Advised(Struct, frozen=True):
    """What is best for one character now: the sketch, also in Winded's own words, the advice, a push for a Check now.

    `told` says it in a sentence; None where nothing that is ahead asks for Stamina and no Check is pushed.
    """

    sketch: Sketch
    line: str
    advice: AdviceNow
    push: PushChance | None
    told: Sentence | None


async def advice_seen(
    odds: Odds, seen: Seen, character: str, target: int | None = None, line: str | None = None
) -> Advised:
    """What is best for a character now, by the sketch that everyone sees or by this one.

    Refused "not-now" where there is none; raises Unknown for nobody, Malformed, and what `advice_now` raises.
    """
    from winded.odds import sketch_from_text, sketch_to_text

    line = line or seen.company.sketch
    if line is None:
        raise Refused("not-now", "The Referee has not shown what is ahead.")
    table, dice = seen.table, seen.company.check_dice
    try:
        who = table.character(character)
    except Refused as no:
        raise Unknown(no.text, **no.facts) from no
    sketch = sketch_from_text(line, dice)
    advice = await odds.advice(table, sketch, who)
    push = None
    if target is not None and dice is not None and who.open_check is None:
        chances = push_chances(table, who.id, await odds.roll(dice, who.con, at_table=True), target)
        push = None if chances.refused is not None else advice.push(chances)
    return Advised(sketch, sketch_to_text(sketch), advice, push, _told(advice, push))


def _told(advice: AdviceNow, push: PushChance | None) -> Sentence | None:
    if push is not None and push.push:
        return sentence("With what is ahead: push {push} here, keep {left}.", push=push.push, left=push.leaves)
    if push is not None:
        return sentence("With what is ahead: do not push here, keep {left}.", left=push.leaves)
    if advice.where is None or advice.what is None:
        return None
    return sentence(
        "What is ahead, with {stamina} Stamina: {where}: {what}.",
        stamina=advice.stamina,
        where=advice.where,
        what=advice.what,
    )
