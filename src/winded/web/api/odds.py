"""Odds over HTTP: of a Check, of a day that is sent along, and from the present state of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, defstruct

from winded.errors import Malformed, Refused, TooMuch, Unknown
from winded.odds import BadExpression, CheckData, PushChance, check, push_chances
from winded.odds.check import FURTHEST_TARGET
from winded.odds.day.line import LONGEST as LONGEST_SKETCH
from winded.roles import seen_by
from winded.rules import PAGE, Refusal, Ruleset, ruleset_from, shown
from winded.rules.fields import Amount, Die, Figure, Kind, Name, Text, malformed
from winded.sentence import sentence
from winded.web.api.operations import Answer, Answers, Body, Call, json_from, operation
from winded.web.api.seeing import newest
from winded.web.forecasting import at_table, check_day, check_size, elsewhere
from winded.web.guard import FORECASTS, ODDS

if TYPE_CHECKING:
    from winded.odds import Day, ForecastData

Target = Annotated[int, Meta(ge=-FURTHEST_TARGET, le=FURTHEST_TARGET, description="Success is a total at or above it.")]
Dice = Annotated[Text, Meta(description="How a Check is rolled, such as 1d20+con or 2d12kh1+3.")]


class OddsQuery(Struct, frozen=True):
    """Which Check is meant: its dice, its target, the CON Ability Die for `con`, and how far it may be pushed."""

    dice: Dice
    target: Target
    con: Die | None = None
    push: Annotated[Figure, Meta(description="The most Stamina to push.")] = 5
    push_bonus: Annotated[Amount, Meta(description="What each Stamina adds; the page's figure is 1.")] = 1


class ChancesQuery(Struct, frozen=True):
    """Whose Check is meant, and against which target; with other dice than the table's, if any are given."""

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
    """A sketch in a line of words, and how everyone spends."""

    sketch: Sketched
    habit: HabitName = HabitName.FREELY


class ChancesSeen(Struct, frozen=True):
    """Every amount a character may push now; `refusal` says why none may be. `number` is that of the newest entry."""

    number: int
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


def _ahead_seen() -> Any:
    from winded.odds import ForecastData

    told = "What is ahead of everyone from the present state; `sketch` is the sketch in Winded's own words."
    fields = [("number", int), ("sketch", str), ("habit", str), ("forecast", ForecastData)]
    return defstruct("AheadSeen", fields, frozen=True, namespace={"__doc__": told})


def _type(name: str) -> Callable[[], Any]:
    """A type of answer that is loaded, and NumPy with it, only for the description."""

    def made() -> Any:
        import winded.odds

        return getattr(winded.odds, name)

    return made


@contextmanager
def _naming(field: str) -> Iterator[None]:
    """What is wrong with dice is told of the field they stand in."""
    try:
        yield
    except BadExpression as wrong:
        raise Malformed(field, wrong.text, **wrong.facts) from wrong


def _day_in(data: object) -> Day:
    from winded.odds import day_from

    try:
        day = day_from(data)
        check_day(day)
    except Malformed as wrong:
        place = f"day.{wrong.field}".rstrip(".")
        raise Malformed(place, wrong.text, **wrong.facts) from wrong
    return day


def _body(several: bool) -> Callable[[bytes], DayUnder]:
    name = "rulesets" if several else "ruleset"
    known = f"“day”, “{name}”"

    def read(body: bytes) -> DayUnder:
        data = json_from(body)
        if not isinstance(data, dict):
            raise Malformed("", "This takes an object with its fields; this is {value}.", value=shown(data))
        for field in data:
            if field not in ("day", name):
                raise Malformed(
                    field[:60], "There is no field “{field}” here; there are {known}.", field=field[:60], known=known
                )
        for field in ("day", "rulesets") if several else ("day",):
            if field not in data:
                raise Malformed(field, "The field “{field}” is missing.", field=field)
        if several:
            given = data["rulesets"]
            if not isinstance(given, list):
                raise Malformed(
                    "rulesets", "“{field}” must be a list; it is {value}.", field="rulesets", value=shown(given)
                )
            rulesets = tuple(PAGE if one == {} else ruleset_from(one) for one in given[:7])
        else:
            rulesets = (ruleset_from(data["ruleset"]) if "ruleset" in data else PAGE,)
        return DayUnder(_day_in(data["day"]), rulesets)

    return read


ONE = Body(_body(several=False), lambda: {"$ref": "#/components/schemas/DayUnder"})
SEVERAL = Body(_body(several=True), lambda: {"$ref": "#/components/schemas/DayCompared"})


@operation("GET", "/odds", {200: Answers("The odds.", CheckData)}, token=False, query=OddsQuery, errors=(TooMuch,))
async def see_odds(call: Call) -> Answer:
    """The exact chance of a Check at each push, and what each Stamina adds.

    Chances are numbers and, exactly, fractions as text.
    """
    call.host.limits.take(ODDS, call.address)
    asked: OddsQuery = call.query
    with _naming("dice"):
        found = await elsewhere(
            lambda: check(asked.dice, asked.target, asked.push, con=asked.con, push_bonus=asked.push_bonus)
        )
    return Answer(found.data())


@operation(
    "POST",
    "/forecast",
    {200: Answers("Everyone's forecast.", _type("ForecastData"))},
    token=False,
    body=ONE,
    errors=(TooMuch, Refused),
)
async def see_forecast(call: Call) -> Answer:
    """How much Stamina a day leaves everyone after each step, exactly: the whole distribution, and what is refused."""
    call.host.limits.take(FORECASTS, call.address)
    wanted: DayUnder = call.body

    def work() -> object:
        from winded.odds import forecast

        return forecast(wanted.day, wanted.rulesets[0]).data()

    return Answer(await elsewhere(work))


@operation(
    "POST",
    "/advise",
    {200: Answers("Everyone's advice.", _type("AdviceData"))},
    token=False,
    body=ONE,
    errors=(TooMuch, Refused),
)
async def see_advice(call: Call) -> Answer:
    """When it is best to spend in a day, given what its `values` say things are worth, and the rules of thumb."""
    call.host.limits.take(FORECASTS, call.address)
    wanted: DayUnder = call.body

    def work() -> object:
        from winded.odds import advise

        return advise(wanted.day, wanted.rulesets[0]).data()

    return Answer(await elsewhere(work))


@operation(
    "POST",
    "/compare",
    {200: Answers("The day under each ruleset.", _type("ComparisonData"))},
    token=False,
    body=SEVERAL,
    errors=(TooMuch, Refused),
)
async def see_comparison(call: Call) -> Answer:
    """The same day under several rulesets: what changes for each CON Ability Die and each character."""
    call.host.limits.take(FORECASTS, call.address)
    wanted: DayUnder = call.body
    check_size(wanted.day.sketch, len(wanted.day.characters) * len(wanted.rulesets))

    def work() -> object:
        from winded.odds import compare

        return compare(wanted.day, wanted.rulesets).data()

    return Answer(await elsewhere(work))


@operation(
    "GET",
    "/tables/{table}/chances",
    {200: Answers("The chances.", ChancesSeen)},
    query=ChancesQuery,
    errors=(TooMuch, Refused),
)
async def see_chances(call: Call) -> Answer:
    """What each push would do to a character's Check now, and what it would leave.

    Checks are rolled as the table has said, or with the `dice` that are given; refused where neither says it.
    """
    call.host.limits.take(ODDS, call.who.member)
    asked: ChancesQuery = call.query
    snapshot, member = newest(call)
    dice = asked.dice or snapshot.company.check_dice
    if dice is None:
        raise Refused("not-now", "It has not been said how Checks are rolled at this table.")
    table = seen_by(member.role, snapshot.table)
    try:
        character = table.character(asked.character)
    except Refused as no:
        raise Unknown(no.text, **no.facts) from no
    with _naming("dice"):
        work = at_table if asked.dice is None else elsewhere
        found = await work(lambda: push_chances(table, character.id, dice, asked.target))
    return Answer(
        ChancesSeen(
            snapshot.number,
            found.character,
            found.expression,
            found.con,
            found.target,
            found.odds.push_bonus,
            found.amounts,
            None if found.refused is None else Refusal.of(found.refused),
        )
    )


@operation(
    "GET",
    "/tables/{table}/ahead",
    {200: Answers("Everyone's forecast from here.", _ahead_seen)},
    query=AheadQuery,
    errors=(TooMuch, Refused),
)
async def see_ahead(call: Call) -> Answer:
    """What a sketch of coming fights, Checks and rests would leave everyone, from the table's present state.

    A combat that is on is taken as over. Of enemies nothing is told.
    """
    call.host.limits.take(FORECASTS, call.who.member)
    asked: AheadQuery = call.query
    snapshot, member = newest(call)
    table = seen_by(member.role, snapshot.table)

    def work() -> tuple[str, ForecastData]:
        from winded.odds import HABITS, sketch_from_text, sketch_to_text, what_is_ahead

        sketch = sketch_from_text(asked.sketch, snapshot.company.check_dice)
        check_size(sketch, sum(1 for _ in table.party()))
        return sketch_to_text(sketch), what_is_ahead(table, sketch, usual=HABITS[asked.habit.value]).data()

    with _naming("sketch"):
        words, found = await at_table(work)
    return Answer({"number": snapshot.number, "sketch": words, "habit": asked.habit.value, "forecast": found})


OPERATIONS = (see_odds, see_forecast, see_advice, see_comparison, see_chances, see_ahead)
