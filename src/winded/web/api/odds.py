"""Odds over HTTP: of a Check, of a day that is sent along, and from the present state of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Controller, get, post
from msgspec import Meta, Struct, defstruct

from winded.errors import Malformed, Refused, TooMuch, Unknown
from winded.odds import BadExpression, CheckData, PushChance, check, push_chances
from winded.odds.check import FURTHEST_TARGET
from winded.odds.day.line import LONGEST as LONGEST_SKETCH
from winded.roles import seen_by
from winded.rules import PAGE, Refusal, Ruleset, ruleset_from, shown
from winded.rules.fields import Amount, Die, Figure, Kind, Name, Text, malformed
from winded.sentence import sentence
from winded.web.access import Visitor
from winded.web.api.answers import Answer
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import json_from, within
from winded.web.api.seeing import newest
from winded.web.forecasting import at_table, check_day, check_size, elsewhere
from winded.web.guard import FORECASTS, ODDS
from winded.web.host import Host

if TYPE_CHECKING:
    from winded.odds import Day, ForecastData

Target = Annotated[int, Meta(ge=-FURTHEST_TARGET, le=FURTHEST_TARGET, description="Success is a total at or above it.")]
Dice = Annotated[Text, Meta(description="How a Check is rolled, such as 1d20+con or 2d12kh1+3.")]


class OddsQuery(Struct, frozen=True):
    """Which Check: its dice, its target, the CON Ability Die for `con`, and how far it may be pushed."""

    dice: Dice
    target: Target
    con: Die | None = None
    push: Annotated[Figure, Meta(description="The most Stamina to push.")] = 5
    push_bonus: Annotated[Amount, Meta(description="What each Stamina adds; the page's figure is 1.")] = 1


class ChancesQuery(Struct, frozen=True):
    """Whose Check, and against which target; with your own dice in place of the table's, if you give any."""

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
        description="Steps parted by semicolons, each its kind, its name and its fields: "
        "fight The mill rounds=3 early=1/2 reactions=1; rest short; check A stuck door target=15",
        extra={"kind": Kind(_sketch, _A_SKETCH)},
    ),
]


class AheadQuery(Struct, frozen=True):
    """A sketch of what is coming, in one line, and how everyone spends."""

    sketch: Sketched
    habit: HabitName = HabitName.FREELY


class ChancesSeen(Struct, frozen=True):
    """Every amount a character may push now; `refusal` says why none may be. `number` is that of the newest entry."""

    number: int
    revision: str
    character: str
    dice: str
    con: str | None
    target: int
    push_bonus: int
    amounts: tuple[PushChance, ...]
    refusal: Refusal | None


class DayUnder(Struct, frozen=True):
    """A day that was sent, and the rulesets it is gone through under."""

    day: Day
    rulesets: tuple[Ruleset, ...]


def answer_types() -> dict[str, Any]:
    """The types of answers by their names in the description, for it alone: loading them loads NumPy."""
    from winded.odds import AdviceData, ComparisonData, ForecastData

    told = "What is ahead of everyone from the present state; `sketch` is the sketch in Winded's own words."
    fields = [("number", int), ("revision", str), ("sketch", str), ("habit", str), ("forecast", ForecastData)]
    ahead = defstruct("AheadSeen", fields, frozen=True, namespace={"__doc__": told})
    return {one.__name__: one for one in (AdviceData, ComparisonData, ForecastData, ahead)}


@contextmanager
def _naming(field: str) -> Iterator[None]:
    """What is wrong with dice is told of the field they stand in."""
    try:
        yield
    except BadExpression as wrong:
        raise Malformed(field, wrong.text, **wrong.facts) from wrong


@contextmanager
def _naming_characters(day: Day, rulesets: Iterable[Ruleset]) -> Iterator[None]:
    """A CON Ability Die that a ruleset does not know is told of the character who has it."""
    try:
        yield
    except Malformed as wrong:
        if wrong.field != "con":
            raise
        dice = [ruleset.dice for ruleset in rulesets]
        strangers = (at for at, one in enumerate(day.characters) if any(one.con not in known for known in dice))
        with within(f"day.characters[{next(strangers, 0)}]"):
            raise


def _under(data: object, *, several: bool) -> DayUnder:
    """The day and the rulesets in a body. Counts the dice of the day: to be called where that makes nobody wait."""
    from winded.odds import day_from

    name = "rulesets" if several else "ruleset"
    known = f"“day”, “{name}”"
    if not isinstance(data, dict):
        raise Malformed("", "Send a JSON object with the fields; this is {value}.", value=shown(data))
    for field in data:
        if field not in ("day", name):
            raise Malformed(
                field[:60], "There is no field “{field}” here; there are {known}.", field=field[:60], known=known
            )
    for field in ("day", "rulesets") if several else ("day",):
        if field not in data:
            raise Malformed(field, "The field “{field}” is missing.", field=field)
    rulesets = tuple(_rulesets(data["rulesets"])) if several else (_ruleset(data.get("ruleset", {}), "ruleset"),)
    with within("day"):
        day = day_from(data["day"])
        check_day(day)
    return DayUnder(day, rulesets)


def _rulesets(given: object) -> Iterator[Ruleset]:
    if not isinstance(given, list):
        raise Malformed("rulesets", "“{field}” must be a list; it is {value}.", field="rulesets", value=shown(given))
    for at, one in enumerate(given[:7]):
        yield _ruleset(one, f"rulesets[{at}]")


def _ruleset(given: object, place: str) -> Ruleset:
    if given == {}:
        return PAGE
    with within(place):
        return ruleset_from(given)


ONE = Body(json_from, "DayUnder")
SEVERAL = Body(json_from, "DayCompared")


class OddsController(Controller):
    """Odds of a Check, of a day, and from the present state of a table."""

    tags = ["odds"]  # noqa: RUF012 - as the framework wants it

    @get("/odds", **takes(Answers("The odds."), token=False, query=OddsQuery, rate=ODDS))
    async def see_odds(self, asked: OddsQuery) -> CheckData:
        """The exact chance of a Check at each push, and what each Stamina adds.

        Chances are numbers and, exactly, fractions as text.
        """
        with _naming("dice"):
            found = await elsewhere(
                lambda: check(asked.dice, asked.target, asked.push, con=asked.con, push_bonus=asked.push_bonus)
            )
        return found.data()

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
    async def see_forecast(self, data: object) -> Answer[object]:
        """How much Stamina a day leaves everyone after each step, exactly: the whole distribution and the refusals."""

        def work() -> object:
            from winded.odds import forecast

            wanted = _under(data, several=False)
            with _naming_characters(wanted.day, wanted.rulesets):
                return forecast(wanted.day, wanted.rulesets[0]).data()

        return Answer(await elsewhere(work))

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
    async def see_advice(self, data: object) -> Answer[object]:
        """When it is best to spend in a day, given what its `values` say things are worth, and the rules of thumb."""

        def work() -> object:
            from winded.odds import advise

            wanted = _under(data, several=False)
            with _naming_characters(wanted.day, wanted.rulesets):
                return advise(wanted.day, wanted.rulesets[0]).data()

        return Answer(await elsewhere(work))

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
    async def see_comparison(self, data: object) -> Answer[object]:
        """The same day under several rulesets: what changes for each CON Ability Die and each character."""

        def work() -> object:
            from winded.odds import compare

            wanted = _under(data, several=True)
            with within("day"):
                check_size(wanted.day.sketch, len(wanted.day.characters) * len(wanted.rulesets))
            with _naming_characters(wanted.day, wanted.rulesets):
                return compare(wanted.day, wanted.rulesets).data()

        return Answer(await elsewhere(work))

    @get("/tables/{table:str}/chances", **takes(Answers("The chances."), query=ChancesQuery, errors=(TooMuch, Refused)))
    async def see_chances(self, host: Host, who: Visitor, asked: ChancesQuery) -> ChancesSeen:
        """What each push would do to a character's Check now, and what it would leave.

        Checks are rolled as the table has said, or with the `dice` that are given; refused where neither says it.
        """
        host.limits.take(ODDS, who.member)
        snapshot, member = newest(host, who)
        dice = asked.dice or snapshot.company.check_dice
        if dice is None:
            raise Refused("not-now", "This table has not said how its Checks are rolled.")
        table = seen_by(member.role, snapshot.table)
        try:
            character = table.character(asked.character)
        except Refused as no:
            raise Unknown(no.text, **no.facts) from no
        with _naming("dice"):
            work = at_table if asked.dice is None else elsewhere
            found = await work(lambda: push_chances(table, character.id, dice, asked.target))
        return ChancesSeen(
            snapshot.number,
            str(snapshot.revision),
            found.character,
            found.expression,
            found.con,
            found.target,
            found.odds.push_bonus,
            found.amounts,
            None if found.refused is None else Refusal.of(found.refused),
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
        """What a sketch of coming fights, Checks and rests would leave everyone, from the table's present state.

        A combat that is on is taken as over. Of enemies nothing is told.
        """
        host.limits.take(FORECASTS, who.member)
        snapshot, member = newest(host, who)
        table = seen_by(member.role, snapshot.table)

        def work() -> tuple[str, ForecastData]:
            from winded.odds import HABITS, sketch_from_text, sketch_to_text, what_is_ahead

            sketch = sketch_from_text(asked.sketch, snapshot.company.check_dice)
            check_size(sketch, sum(1 for _ in table.party()))
            return sketch_to_text(sketch), what_is_ahead(table, sketch, usual=HABITS[asked.habit.value]).data()

        with _naming("sketch"):
            words, found = await at_table(work)
        seen = {
            "number": snapshot.number,
            "revision": str(snapshot.revision),
            "sketch": words,
            "habit": asked.habit.value,
            "forecast": found,
        }
        return Answer(seen)
