"""Odds for anyone who asks, within limits, so that nobody at the table waits for them.

Small requests are worked out at once. Larger ones are measured in units of work first, then go to a process that can
be stopped: nobody waits because somebody else asked for the odds of twenty dice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, TypeVar

from winded.errors import Malformed
from winded.odds import BadExpression, CheckOdds, Dice, roll
from winded.odds.day.fields import within
from winded.odds.dice import work_of
from winded.rules import PAGE, Ruleset, ruleset_from, shown
from winded.sentence import sentence
from winded.service.worker import Worker

if TYPE_CHECKING:
    from winded.charts.prospect import Prospect
    from winded.odds import AdviceNow, Day, Sketch
    from winded.rules import Character, Table
    from winded.sentence import Sentence

MOST_STEPS = 500
"""The most steps of a day, each round counted as one, times its characters."""

MOST_DICE = 8
"""The most different dice for the Checks of one day."""

MOST_WORK = 1_000_000_000
"""The most units of work for the dice of one request: a second or two."""

AT_ONCE = 2_000_000
"""The most units of work done in the server's event loop: a few milliseconds."""

TOTALS_AT_ONCE = 250
"""The most totals drawn in the server's event loop. Each takes some hundredths of a millisecond."""

MOST_RULESETS = 6
"""The most rulesets to compare a day under."""

_KEPT = 500
_KEPT_ROLLS = 64

_Found = TypeVar("_Found")


def check_size(sketch: Sketch, characters: int, cons: Iterable[str] = ("d12",)) -> None:
    """Raises Malformed for a day that would keep this server busy for too long."""
    from winded.odds.day.model import CheckAhead, length

    dice = {one.dice or sketch.check for one in sketch.ahead if isinstance(one, CheckAhead) and one.target is not None}
    if len(dice) > MOST_DICE:
        raise Malformed("steps", "A day can use at most {most} different dice for its Checks here.", most=MOST_DICE)
    work = sum(work_of(one, con) for one in dice if one is not None for con in cons)
    if work > MOST_WORK:
        raise Malformed("steps", "The dice of these Checks take too long to work out here.")
    steps = sum(length(one) for one in sketch.ahead)
    if steps * max(characters, 1) > MOST_STEPS:
        raise Malformed(
            "steps",
            "{steps} steps and rounds for {characters} characters are too many here. Use “winded forecast” on the "
            "command line.",
            steps=steps,
            characters=characters,
        )


def check_day(day: Day) -> None:
    """`check_size` for a day that names its characters."""
    check_size(day.sketch, len(day.characters), {one.con for one in day.characters})


class Odds:
    """Works out odds, with one worker for days that people bring and one for tables.

    There are two so that a long day on somebody's page never keeps a table waiting.
    """

    def __init__(self) -> None:
        self._at_tables = Worker()
        self._elsewhere = Worker()
        self._rolled: OrderedDict[tuple[str, str | None], Dice] = OrderedDict()
        self._drawn: OrderedDict[Hashable, Prospect] = OrderedDict()
        self._advised: OrderedDict[Hashable, AdviceNow] = OrderedDict()

    def close(self) -> None:
        """Stop both workers."""
        self._at_tables.close()
        self._elsewhere.close()

    def forget(self) -> None:
        """Empty the caches, so that everything is worked out again."""
        self._drawn.clear()
        self._advised.clear()
        self._rolled.clear()

    async def roll(self, dice: str, con: str | None, *, at_table: bool = False) -> Dice:
        """The odds of every total of these dice. `at_table` says that they are a table's Check dice.

        Raises BadExpression as `roll` does, and for dice that would take too long.
        """
        units = work_of(dice, con)
        if units > MOST_WORK:
            raise BadExpression(dice, 1, "“{expression}” takes too long to work out here.")
        if units <= AT_ONCE:
            return roll(dice, con)
        key = dice, con
        if key not in self._rolled:
            worker = self._at_tables if at_table else self._elsewhere
            self._rolled[key] = await worker.run(roll, dice, con)
        self._rolled.move_to_end(key)
        while len(self._rolled) > _KEPT_ROLLS:
            self._rolled.popitem(last=False)
        return self._rolled[key]

    async def draw(self, work: Callable[..., _Found], rolled: tuple[Dice, ...], *given: object) -> _Found:
        """`work(rolled, *given)`, which draws every total of these dice; in the worker if there are very many."""
        if sum(len(one.counts) for one in rolled) <= TOTALS_AT_ONCE:
            return work(rolled, *given)
        return await self._elsewhere.run(work, rolled, *given)

    async def of_day(self, work: Callable[..., _Found], *given: object) -> _Found:
        """`work(*given)`, run in the worker for days that people bring."""
        return await self._elsewhere.run(work, *given)

    async def at_table(self, work: Callable[..., _Found], *given: object) -> _Found:
        """`work(*given)`, run in the worker for tables."""
        return await self._at_tables.run(work, *given)

    async def prospects(
        self, table: Table, sketch: Sketch, habit: str, language: str, say: Callable[[Sentence], str]
    ) -> tuple[Prospect, ...]:
        """Everyone's forecast from the table as it is now, in words; `say` translates into `language`.

        Forecasts are cached for each character: when one's Stamina changes, only that one is worked out again.
        """
        party = [one for one in table.taking_part() if one.base_con is not None]
        check_at_table(table, sketch)
        keys: list[Hashable] = [
            (one, at, len(party), table.ruleset, sketch, habit, language) for at, one in enumerate(party)
        ]
        missing = [at for at, key in enumerate(keys) if key not in self._drawn]
        if missing:
            found = await self.at_table(_prospects, table, sketch, habit, say, missing)
            for at, one in zip(missing, found, strict=True):
                self._drawn[keys[at]] = one
        shown = tuple(self._drawn[key] for key in keys)
        for key in keys:
            self._drawn.move_to_end(key)
        while len(self._drawn) > max(_KEPT, len(keys)):
            self._drawn.popitem(last=False)
        return shown

    async def advice(self, table: Table, sketch: Sketch, character: Character) -> AdviceNow:
        """The advice for one character from the present state of a table on. Raises as `advice_now` does.

        What was worked out is kept: it depends on nobody else's Stamina.
        """
        check_at_table(table, sketch)
        party = [one.id for one in table.taking_part() if one.base_con is not None]
        key = character, character.id in party, len(party), table.ruleset, sketch
        if key not in self._advised:
            self._advised[key] = await self.at_table(_advice, table, sketch, character.id)
        self._advised.move_to_end(key)
        while len(self._advised) > _KEPT:
            self._advised.popitem(last=False)
        return self._advised[key]


def _advice(table: Table, sketch: Sketch, character: str) -> AdviceNow:
    from winded.odds import advice_now

    return advice_now(table, sketch, character)


def drawn(rolled: tuple[Dice, ...], odds: CheckOdds | None, say: Callable[[Sentence], str]) -> tuple[str, str, str]:
    """Every total of these dice as a picture and as a table; a Check's totals as a picture, "" if there is no Check."""
    from winded.charts import distribution_picture, distribution_table, totals_picture

    return (
        distribution_picture(rolled, say=say),
        distribution_table(rolled).html(say),
        "" if odds is None else totals_picture(odds, say=say),
    )


def totals_csv(rolled: tuple[Dice, ...], say: Callable[[Sentence], str]) -> str:
    """Every total of these dice as CSV."""
    from winded.charts import distribution_table

    return distribution_table(rolled).csv(say)


def _prospects(
    table: Table, sketch: Sketch, habit: str, say: Callable[[Sentence], str], who: list[int]
) -> tuple[Prospect, ...]:
    from winded.charts.prospect import prospect
    from winded.odds import HABITS, what_is_ahead

    found = what_is_ahead(table, sketch, usual=HABITS[habit]).characters
    party = [one for one in table.taking_part() if one.base_con is not None]
    return tuple(prospect(found[at], say, f"ahead-{at}", party[at]) for at in who)


def forecast_of_text(text: str, say: Callable[[Sentence], str]) -> tuple[tuple[Prospect, ...], str, str]:
    """The forecast of a day file: everyone in words, the day's title, and a picture of it all. Raises Malformed."""
    from winded.charts import forecast_picture
    from winded.charts.prospect import prospect
    from winded.odds import day_from_toml, forecast

    day = day_from_toml(text)
    check_day(day)
    found = forecast(day)
    people = tuple(prospect(one, say, f"day-{at}") for at, one in enumerate(found.characters))
    return people, day.title, forecast_picture(found, say=say)


def forecast_data(sent: object) -> object:
    """The forecast, as JSON data, of a day sent as JSON data. Raises Malformed and Refused."""
    from winded.odds import forecast

    day, (ruleset,) = _day_and_rulesets(sent, several=False)
    with within("day"):
        return forecast(day, ruleset).data()


def advice_data(sent: object) -> object:
    """The advice, as JSON data, for a day sent as JSON data. Raises Malformed and Refused."""
    from winded.odds import advise

    day, (ruleset,) = _day_and_rulesets(sent, several=False)
    with within("day"):
        return advise(day, ruleset).data()


def comparison_data(sent: object) -> object:
    """A day sent as JSON data, compared under several rulesets, as JSON data. Raises Malformed and Refused."""
    from winded.odds import compare

    day, rulesets = _day_and_rulesets(sent, several=True)
    if not 1 <= len(rulesets) <= MOST_RULESETS:
        allowed = sentence("a list of {least} to {most} entries", least=1, most=MOST_RULESETS)
        raise Malformed(
            "rulesets", "“{field}” must be {allowed}; it is {value}.",
            field="rulesets", allowed=allowed, value=len(rulesets),
        )  # fmt: skip
    with within("day"):
        return compare(day, rulesets).data()


def ahead_data(table: Table, line: str, dice: str | None, habit: str) -> tuple[str, object]:
    """The forecast at a table for a day in one line of words: the line as Winded writes it, and the JSON data."""
    from winded.odds import HABITS, sketch_from_text, sketch_to_text, what_is_ahead

    sketch = sketch_from_text(line, dice)
    check_at_table(table, sketch)
    return sketch_to_text(sketch), what_is_ahead(table, sketch, usual=HABITS[habit]).data()


def check_at_table(table: Table, sketch: Sketch) -> None:
    """As `check_size`, for all who go through it at a table."""
    cons = [one.base_con for one in table.taking_part() if one.base_con is not None]
    check_size(sketch, len(cons), set(cons))


def _day_and_rulesets(sent: object, *, several: bool) -> tuple[Day, tuple[Ruleset, ...]]:
    """The `day` that was sent, and its `ruleset` or `rulesets`; without one, the page's. Raises Malformed."""
    name = "rulesets" if several else "ruleset"
    if not isinstance(sent, dict):
        raise Malformed("", "Send a JSON object with the fields; this is {value}.", value=shown(sent))
    for field in sent:
        if field not in ("day", name):
            raise Malformed(
                field[:60],
                "There is no field “{field}” here. Fields here: {known}.",
                field=field[:60],
                known=f"“day”, “{name}”",
            )
    for field in ("day", "rulesets") if several else ("day",):
        if field not in sent:
            raise Malformed(field, "The field “{field}” is missing.", field=field)
    rulesets: tuple[Ruleset, ...]
    if not several:
        rulesets = (_ruleset(sent.get("ruleset", {}), "ruleset"),)
    elif isinstance(sent["rulesets"], list):
        given = sent["rulesets"][: MOST_RULESETS + 1]
        rulesets = tuple(_ruleset(one, f"rulesets[{at}]") for at, one in enumerate(given))
    else:
        told = shown(sent["rulesets"])
        raise Malformed("rulesets", "“{field}” must be a list; it is {value}.", field="rulesets", value=told)
    from winded.odds import day_from

    with within("day"):
        day = day_from(sent["day"])
        check_size(day.sketch, len(day.characters) * len(rulesets), {one.con for one in day.characters})
    return day, rulesets


def _ruleset(given: object, place: str) -> Ruleset:
    if given == {}:
        return PAGE
    with within(place):
        return ruleset_from(given)
