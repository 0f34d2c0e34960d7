"""Whoever acts is counted, whatever way of acting it is, and what was too much did nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from winded.errors import TooMuch
from winded.journal import MemoryJournal
from winded.rules import AddCharacter, Adjust
from winded.service import Desk, Visitor, acting, linking, visiting
from winded.service.limits import ACTS, Limits
from winded.service.opening import begin_table

DOWN = Adjust("Ash", -1, "a long fall")
WAYS: dict[str, Callable[[Desk, Visitor], object]] = {
    "act": lambda desk, who: asyncio.run(acting.act(desk, who, DOWN)),
    "act while one waits": lambda desk, who: acting.act_now(desk, who, DOWN),
    "add many": lambda desk, who: asyncio.run(acting.add_many(desk, who, AddCharacter("Bat", con="d6"), 2)),
    "try out": lambda desk, who: asyncio.run(acting.rehearse(desk, who, DOWN)),
    "give a link": lambda desk, who: linking.give_link(desk, who, "spectator"),
}


@pytest.fixture
def desk() -> Iterator[Desk]:
    with MemoryJournal() as journal:
        yield Desk(journal, limits=Limits(clock=lambda: 0.0))


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_acting_is_counted_and_what_is_too_much_does_nothing(desk: Desk, way: str) -> None:
    given = begin_table(desk, "The Gate", [AddCharacter("Ash", con="d12")])
    who = visiting.follow(desk, given.token)
    act = partial(WAYS[way], desk, who)
    act()
    for _ in range(ACTS.burst - 1):
        desk.limits.take(ACTS, who.member)
    before = desk.tables.snapshot(who.table), linking.links_of(desk, who)
    with pytest.raises(TooMuch, match="Try again in 1 s"):
        act()
    assert (desk.tables.snapshot(who.table), linking.links_of(desk, who)) == before


def test_the_keeper_of_the_database_is_not_counted(desk: Desk) -> None:
    table = begin_table(desk, "The Gate", [AddCharacter("Ash", con="d12")]).link.table
    who = visiting.keeper(desk, table)
    for _ in range(ACTS.burst + 1):
        asyncio.run(acting.rehearse(desk, who, DOWN))
