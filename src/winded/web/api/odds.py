"""Odds over HTTP: of a Check, of a day that you send, and from a table's present state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any

from litestar import Controller, get, post
from msgspec import Meta, Struct, defstruct

from winded.errors import Malformed, Refused, TooMuch, Unknown
from winded.odds import BadExpression, CheckData, PushChance, check_of, push_chances
from winded.odds.check import FURTHEST_TARGET
from winded.rules import Refusal
from winded.rules.fields import LONGEST_LINE as LONGEST_SKETCH
from winded.rules.fields import Amount, Die, FieldKind, Figure, Name, Text, malformed
from winded.sentence import sentence
from winded.service import Visitor
from winded.service.foreseeing import advice_seen
from winded.service.odds import advice_data, ahead_data, comparison_data, forecast_data
from winded.web.api.answers import Answer
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import json_from
from winded.web.api.seeing import newest
from winded.web.guard import FORECASTS, ODDS
from winded.web.host import Host

Target = Annotated[int, Meta(ge=-FURTHEST_TARGET, le=FURTHEST_TARGET, description="Success is a total at or above it.")]
Dice = Annotated[Text, Meta(description="How a Check is rolled, such as 1d20+con or 2d12kh1+3.")]


class Succeeds(StrEnum):
    """When a roll succeeds: at the target or more, as a Check does, or at the target or less (roll-under)."""

    AT_LEAST = "at-least"
    AT_MOST = "at-most"


class OddsQuery(Struct, frozen=True):
    """A Check: its dice, its target, the CON Ability Die for `con`, and the most it may be pushed by."""

    dice: Dice
    target: Target
    con: Die | None = None
    push: Annotated[Figure, Meta(description="The most Stamina to push.")] = 5
    push_bonus: Annotated[Amount, Meta(description="What each Stamina adds; the page's figure is 1.")] = 1
    succeeds: Succeeds = Succeeds.AT_LEAST


class ChancesQuery(Struct, frozen=True):
    """Whose Check, against which target; `dice`, if you give them, replace the table's."""

    character: Annotated[Name, Meta(description="A character's name or id.")]
    target: Target
    dice: Dice | None = None


class HabitName(StrEnum):
    """A spending habit by name, as in a day file."""

    FREELY = "freely"
    CAREFULLY = "carefully"
    SPARINGLY = "sparingly"
    NEVER = "never"


_A_SKETCH = sentence("a sketch of 1 to {most} characters", most=LONGEST_SKETCH)


def _sketch(value: object, path: str) -> str:
    if type(value) is not str or not 1 <= len(value.strip()) <= LONGEST_SKETCH:
        raise malformed(path, _A_SKETCH, value)
    return value.strip()


Sketched = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_SKETCH,
        description="Steps separated by semicolons, each with its kind, its name and its fields: "
        "fight The mill rounds=3 early=1/2 reactions=1; rest short; check A stuck door target=15",
        extra={"kind": FieldKind(_sketch, _A_SKETCH)},
    ),
]


class AheadQuery(Struct, frozen=True):
    """A sketch of what is coming, in one line, and how everyone spends."""

    sketch: Sketched
    habit: HabitName = HabitName.FREELY


class AdviceQuery(Struct, frozen=True):
    """Who is to be advised; the target of a Check that may be pushed now; another sketch than the Referee's."""

    character: Annotated[Name, Meta(description="A character's name or id.")]
    target: Target | None = None
    sketch: Sketched | None = None


class AdviceSeen(Struct, frozen=True):
    """What is best for one character now, given what is ahead.

    `told` says it in a sentence, null where nothing is asked of the character; `push` is the best push for a Check now.
    `worth[s]` is what all that is ahead is worth with s Stamina, a Check that succeeds being worth `check`. `number` is
    that of the newest entry.
    """

    number: int
    revision: str
    character: str
    stamina: int
    sketch: str
    told: str | None
    push: PushChance | None
    worth: tuple[float, ...]
    check: float
    rules_of_thumb: tuple[str, ...]


class ChancesSeen(Struct, frozen=True):
    """The chance at each push a character can make now; `refusal` says why the character cannot push.

    `number` is that of the newest entry.
    """

    number: int
    revision: str
    character: str
    dice: str
    con: str | None
    target: int
    push_bonus: int
    amounts: tuple[PushChance, ...]
    refusal: Refusal | None


def answer_types() -> dict[str, Any]:
    """The types of the answers, by their names in the API's description. Loading them loads NumPy."""
    from winded.odds import AdviceData, ComparisonData, ForecastData

    told = "What is ahead of everyone from the present state; `sketch` is the sketch in Winded's own words."
    fields = [("number", int), ("revision", str), ("sketch", str), ("habit", str), ("forecast", ForecastData)]
    ahead = defstruct("AheadSeen", fields, frozen=True, namespace={"__doc__": told})
    return {one.__name__: one for one in (AdviceData, ComparisonData, ForecastData, ahead)}


@contextmanager
def _naming(field: str) -> Iterator[None]:
    """Name the field that the dice came in when they are wrong."""
    try:
        yield
    except BadExpression as wrong:
        raise Malformed(field, wrong.text, **wrong.facts) from wrong


ONE: Body = Body(json_from, "DayUnder")
SEVERAL: Body = Body(json_from, "DayCompared")


class OddsController(Controller):
    """Odds of a Check, of a day, and from the present state of a table."""

    tags: list[str] = ["odds"]  # noqa: RUF012 - as the framework wants it

    @get("/odds", **takes(Answers("The odds."), token=False, query=OddsQuery, rate=ODDS))
    async def see_odds(self, host: Host, asked: OddsQuery) -> CheckData:
        """Work out the exact chance of a Check at each push, and what each Stamina adds.

        Each chance is given as a number and, exactly, as a fraction in text. This also takes dice that count successes
        (6d10>=8) and roll-under; at a table, a Check is a total against a target.
        """
        with _naming("dice"):
            dice = await host.odds.roll(asked.dice, asked.con)
        return check_of(
            dice, asked.target, asked.push, con=asked.con, push_bonus=asked.push_bonus,
            under=asked.succeeds is Succeeds.AT_MOST,
        ).data()  # fmt: skip

    @post(
        "/forecast",
        status_code=200,
        **takes(
            Answers("Everyone's forecast.", component="ForecastData"),
            token=False,
            body=ONE,
            rate=FORECASTS,
            errors=(Refused,),
        ),
    )
    async def see_forecast(self, host: Host, data: object) -> Answer[object]:
        """Forecast a day, exactly: the distribution of everyone's Stamina after each step, and the refusals."""
        return Answer(await host.odds.of_day(forecast_data, data))

    @post(
        "/advise",
        status_code=200,
        **takes(
            Answers("Everyone's advice.", component="AdviceData"),
            token=False,
            body=ONE,
            rate=FORECASTS,
            errors=(Refused,),
        ),
    )
    async def see_advice(self, host: Host, data: object) -> Answer[object]:
        """Advise when to spend in a day, by what its `values` say things are worth, with rules of thumb."""
        return Answer(await host.odds.of_day(advice_data, data))

    @post(
        "/compare",
        status_code=200,
        **takes(
            Answers("The day under each ruleset.", component="ComparisonData"),
            token=False,
            body=SEVERAL,
            rate=FORECASTS,
            errors=(Refused,),
        ),
    )
    async def see_comparison(self, host: Host, data: object) -> Answer[object]:
        """Compare a day under several rulesets: what changes for each CON Ability Die and each character."""
        return Answer(await host.odds.of_day(comparison_data, data))

    @get("/tables/{table:str}/chances", **takes(Answers("The chances."), query=ChancesQuery, errors=(TooMuch, Refused)))
    async def see_chances(self, host: Host, who: Visitor, asked: ChancesQuery) -> ChancesSeen:
        """Show how each push would change the odds of a character's Check now, and the Stamina it would leave.

        Uses the given `dice`, or else the table's; refused if there are neither.
        """
        host.limits.take(ODDS, who.member)
        seen = newest(host, who)
        dice = asked.dice or seen.company.check_dice
        if dice is None:
            raise Refused("not-now", "This table has not said how its Checks are rolled.")
        table = seen.table
        try:
            character = table.character(asked.character)
        except Refused as no:
            raise Unknown(no.text, **no.facts) from no
        with _naming("dice"):
            rolled = await host.odds.roll(dice, character.con, at_table=asked.dice is None)
        found = push_chances(table, character.id, rolled, asked.target)
        return ChancesSeen(
            seen.number,
            str(seen.revision),
            found.character,
            found.expression,
            found.con,
            found.target,
            found.odds.push_bonus,
            found.amounts,
            None if found.refused is None else Refusal.of(found.refused),
        )

    @get("/tables/{table:str}/advice", **takes(Answers("The advice."), query=AdviceQuery, errors=(TooMuch, Refused)))
    async def see_advice_now(self, host: Host, who: Visitor, asked: AdviceQuery) -> AdviceSeen:
        """Advise one character from the table's present state on, given the sketch the Referee lets everyone see.

        With `target` and the table's dice it also says which push is best now. A combat under way counts as over.
        Refused if nothing is sketched.
        """
        host.limits.take(FORECASTS, who.member)
        seen = newest(host, who)
        with _naming("sketch"):
            found = await advice_seen(host.odds, seen, asked.character, asked.target, asked.sketch)
        advice = found.advice
        return AdviceSeen(
            seen.number,
            str(seen.revision),
            advice.character,
            advice.stamina,
            found.line,
            None if found.told is None else str(found.told),
            found.push,
            advice.worth,
            advice.check,
            tuple(map(str, advice.rules_of_thumb)),
        )

    @get(
        "/tables/{table:str}/ahead",
        **takes(
            Answers("Everyone's forecast from here.", component="AheadSeen"),
            query=AheadQuery,
            errors=(TooMuch, Refused),
        ),
    )
    async def see_ahead(self, host: Host, who: Visitor, asked: AheadQuery) -> Answer[object]:
        """Forecast what a sketch of fights, Checks and rests would leave everyone, from the table's present state.

        A combat under way counts as over. Enemies are left out.
        """
        host.limits.take(FORECASTS, who.member)
        seen = newest(host, who)
        table = seen.table

        with _naming("sketch"):
            words, found = await host.odds.at_table(
                ahead_data, table, asked.sketch, seen.company.check_dice, asked.habit.value
            )
        answer = {
            "number": seen.number,
            "revision": str(seen.revision),
            "sketch": words,
            "habit": asked.habit.value,
            "forecast": found,
        }
        return Answer(answer)
