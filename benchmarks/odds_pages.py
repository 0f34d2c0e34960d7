"""Odds on pages: the sheet of what is ahead, and the chances of a push, as the server makes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count

from benchmarks.harness import Figure, Measured, in_turn
from winded.odds import sketch_from_text
from winded.odds.day.form import rows_of
from winded.rules import AddCharacter, EditCharacter, Table
from winded.service.odds import Odds
from winded.web.language import language
from winded.web.screens.ahead.form import HABIT_WORDS, KIND_WORDS, shown_rows
from winded.web.screens.odds.chances import amounts_now

DICE = "1d20+con"
SKETCH = (
    "fight Wolves rounds=2:1/3,3:1/3,4:1/3 early=1/2 reactions=1:1/2,2:1/4 wound=bite:1/10; rest short; "
    "check A stuck door target=15; rest unsafe_long; fight The mill rounds=4 early=1 reactions=2"
)

RUNNER, ODDS = asyncio.Runner(), Odds()
"""The sheet is worked out as the server does it: beside its loop."""


def a_party() -> Table:
    return Table().do(*(AddCharacter(f"Hero {at}", die) for at, die in enumerate(("d12", "d10", "d8", "d6", "d10"))))


def sheet(table: Table) -> str:
    """The sheet as HTML, from the sketch in the address."""
    speaking = language("en")
    sketch = sketch_from_text(SKETCH, DICE)
    people = RUNNER.run(ODDS.prospects(table, sketch, "freely", speaking.code, speaking.say_plain))
    return speaking.render(
        "ahead/sheet.html", at="/tables/x", name="Thursday", address="ahead", page="/tables/x/ahead", dice=DICE,
        rows=shown_rows(rows_of(sketch)), habit="freely", habits=HABIT_WORDS, kinds=KIND_WORDS, people=people,
        error=None, fighting=False,
    )  # fmt: skip


def after_a_change() -> Callable[[], object]:
    """The sheet anew after one of five has changed, into what was never drawn before."""
    table = a_party()
    numbers = count(10)

    def change() -> object:
        nonlocal table
        first = next(iter(table.characters))
        table = table.do(EditCharacter(first, name=f"Hero {next(numbers)}"))
        return sheet(table)

    return change


def whole_sheet() -> Measured:
    change = after_a_change()
    for _ in range(30):
        change()
    drawn = in_turn(change)

    def anew() -> object:
        ODDS.forget()
        return sheet(a_party())

    return Measured.of([1000 / drawn.ours.median], **{"with everyone drawn anew, ms": 1000 / in_turn(anew).ours.median})


def chances() -> Measured:
    from winded.odds import push_chances

    table, speaking = a_party(), language("en")

    def made() -> object:
        found = push_chances(table, "Hero 0", DICE, 15)
        return speaking.render(
            "odds/chances.html", where="odds-1", dice=found.expression, target=15, amounts=amounts_now(found),
            columns=(), rows=(), refused=None, bonus=1, more="/odds",
        )  # fmt: skip

    return Measured.of([1000 / in_turn(made).ours.median])


FIGURES = (
    Figure(
        "odds.sheet",
        "the whole sheet of what is ahead of a party of five, as HTML, after one of them has changed",
        "ms",
        whole_sheet,
        goal=10,
        better="less",
    ),
    Figure(
        "odds.chances", "the chances of 13 pushes as they are shown on a phone", "ms", chances, goal=3, better="less"
    ),
)
