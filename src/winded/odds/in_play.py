"""Odds at a table that is being played: what a push does now, and what is ahead of everyone from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from winded.errors import Refused
from winded.odds.check import MOST_PUSH, CheckOdds, check_of
from winded.odds.dice import Dice, roll
from winded.rules import DeclareCheck, Table

if TYPE_CHECKING:
    from winded.odds.day.model import Sketch
    from winded.odds.forecasts.advice import Advice
    from winded.odds.forecasts.forecast import Forecast
    from winded.odds.forecasts.forward import Policy
    from winded.odds.forecasts.habits import HabitLike
    from winded.sentence import Sentence


class PushChance(Struct, frozen=True):
    """One amount that may be pushed now: the chance with it (`exact` as a fraction), what its last Stamina adds to the
    chance, and what it leaves."""

    push: int
    chance: float
    exact: str
    gain: float
    leaves: int


class PushChances(Struct, frozen=True):
    """Every amount a character may push on a Check now, from 0 up; `refused` says why none can be pushed, if so.

    With a Check already open, `amounts` holds just the push that was declared, and what it left.
    """

    character: str
    expression: str
    con: str | None
    target: int
    amounts: tuple[PushChance, ...]
    refused: Refused | None
    odds: CheckOdds
    """The same as CheckOdds, to be drawn."""


def push_chances(table: Table, character: str, dice: str | Dice, target: int) -> PushChances:
    """What each push would do to a Check of this character now, and what it would leave.

    How Checks are rolled the table says: `dice` is an expression, or rolled out for this character's die. The amounts,
    and what they leave, come from the table's own rules. Refused: "not-found". Raises BadExpression and Malformed as
    `check` does.
    """
    who = table.character(character)
    opened = who.open_check
    least = 0 if opened is None else opened.push
    leaves = {least: who.stamina}
    refused: Refused | None = None
    try:
        for push in range(MOST_PUSH + 1):
            leaves[push] = table.do(DeclareCheck(who.name, push)).character(who.name).stamina
    except Refused as no:
        if len(leaves) == 1:
            refused = no
            no.__traceback__ = None
    rolled = roll(dice, who.con) if isinstance(dice, str) else dice
    odds = check_of(rolled, target, sorted(leaves), con=who.con, push_bonus=table.ruleset.push.bonus)
    amounts = tuple(
        PushChance(one.stamina, one.ways / one.of, str(one.chance), one.gained / one.of, leaves[one.stamina])
        for one in odds.pushes
    )
    return PushChances(who.name, odds.expression, who.con, target, amounts, refused, odds)


class AdviceNow(Struct, frozen=True):
    """What is best for one character from the present state of a table on, given what a sketch holds things worth.

    `where` and `what` say what is best at the first step that asks for anything; both are None where none does.
    `worth[s]` is what all that is ahead is worth with s Stamina, from 0 to the maximum of the unwounded die, with the
    Wounds of now; a Check that succeeds is worth `check` on the same scale.
    """

    character: str
    stamina: int
    where: Sentence | None
    what: Sentence | None
    worth: tuple[float, ...]
    check: float
    rules_of_thumb: tuple[Sentence, ...]

    def push(self, chances: PushChances) -> PushChance:
        """The push that is best for a Check now: the smallest of those that are worth the most with what they leave."""
        worth = [one.chance * self.check + self.worth[one.leaves] for one in chances.amounts]
        return next(one for one, each in zip(chances.amounts, worth, strict=True) if each >= max(worth) - 1e-9)


def advice_now(table: Table, sketch: Sketch, character: str) -> AdviceNow:
    """The advice for one character from the present state of a table on.

    A combat that is on is taken as over when the sketch begins. Refused: "not-found"; "not-now" for whoever goes
    through no day: an enemy, someone set aside or without a CON Ability Die. Raises Malformed as `forecast` does.
    """
    from winded.odds.forecasts.advice import advice_for
    from winded.odds.forecasts.forecast import refuse_entangled
    from winded.odds.forecasts.habits import HABITS, USUAL
    from winded.odds.forecasts.rules_of_thumb import NOT_ASKED, advised_told, joined, where_told

    refuse_entangled(sketch)
    one = table.character(character)
    party = [each for each in table.taking_part() if each.base_con is not None]
    if one not in party:
        raise Refused("not-now", "There is no advice for {name}, who goes through no day here.", name=one.name)
    found = advice_for(one, sketch, table.ruleset, HABITS[USUAL], len(party))
    where = what = None
    for step, stage in enumerate(found.stages):
        asked = {kind: int(wanted[step, one.stamina]) for kind, wanted in found.wanted.items()}
        told = [advised_told(kind, advised) for kind, advised in asked.items() if advised != NOT_ASKED]
        if told:
            where, what = where_told(stage, stage), joined(told)
            break
    return AdviceNow(
        one.name,
        one.stamina,
        where,
        what,
        tuple(found.worth[0].tolist()),
        float(sketch.values.check),
        found.rules_of_thumb,
    )


def what_is_ahead(
    table: Table,
    sketch: Sketch,
    habits: Mapping[str, HabitLike | Policy] | None = None,
    usual: HabitLike | None = None,
) -> Forecast:
    """Everyone's forecast from the present state of a table: Stamina, Wounds and abilities as they are now.

    A combat that is on is taken as over when the sketch begins. Characters follow their habit in `habits` by name,
    otherwise `usual`, which spends freely unless given. Raises Malformed as `forecast` does.
    """
    from winded.odds.forecasts.forecast import Forecast, forecast_of, refuse_entangled
    from winded.odds.forecasts.habits import HABITS, USUAL

    refuse_entangled(sketch)
    party = [one for one in table.taking_part() if one.base_con is not None]
    follow = HABITS[USUAL] if usual is None else usual
    people = tuple(
        forecast_of(one, sketch, table.ruleset, (habits or {}).get(one.name, follow), len(party)) for one in party
    )
    return Forecast(sketch.title, table.ruleset, people)


def best_ahead(table: Table, sketch: Sketch, usual: HabitLike | None = None) -> Advice:
    """The best habit for everyone from the present state of a table on, given the sketch's values."""
    from winded.odds.forecasts.advice import Advice, advice_for
    from winded.odds.forecasts.forecast import refuse_entangled
    from winded.odds.forecasts.habits import HABITS, USUAL

    refuse_entangled(sketch)
    party = [one for one in table.taking_part() if one.base_con is not None]
    follow = HABITS[USUAL] if usual is None else usual
    people = tuple(advice_for(one, sketch, table.ruleset, follow, len(party)) for one in party)
    return Advice(sketch.title, table.ruleset, people)
