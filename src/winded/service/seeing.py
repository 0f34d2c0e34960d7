"""What one who asks may see of a table: its state, its people, its history."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from winded.errors import Forbidden, WindedError
from winded.roles import Member, Role
from winded.service.desk import Desk
from winded.service.sights import Seen, SeenLine, Sight
from winded.service.visiting import Visitor, member_at
from winded.tables import Line, Revision, is_table_id


class Following(Struct, frozen=True):
    """Lines of the history above a number, oldest first, as they are seen.

    `last` names the state after the last entry that was looked at, seen or not; `newest` the table's newest state.
    `looked_at` is how many entries there were to look at.
    """

    lines: tuple[SeenLine, ...]
    last: Revision
    newest: Revision
    looked_at: int


def see(desk: Desk, who: Visitor, *, with_lines: bool = False) -> Seen:
    """The table as this visitor may see it now. Raises Forbidden once sent away, Unknown for no table."""
    sight = desk.sights.now(who.table)
    return sight.by(member_at(sight.snapshot, who), with_lines=with_lines)


def see_as(desk: Desk, table: str, role: Role, member: str = "") -> Seen:
    """The table as all see it who look at it in this role, or as one player does; its newest lines with it.

    For screens that many share. Someone who is no longer at the table sees it as a stranger in that role.
    """
    sight = desk.sights.now(table)
    return sight.by(sight.snapshot.company.members.get(member) or Member(member, "", role))


async def have_at_hand(desk: Desk, table: str) -> None:
    """Have a table in memory, if there is one: a long history is read beside the loop, before it is seen."""
    if is_table_id(table) and not desk.tables.is_at_hand(table):
        with suppress(WindedError):
            await asyncio.to_thread(desk.tables.snapshot, table)


def is_at_table(desk: Desk, who: Visitor) -> bool:
    """Whether this visitor still sits at the table."""
    try:
        member_at(desk.sights.now(who.table).snapshot, who)
    except Forbidden:
        return False
    return True


def name_of(desk: Desk, table: str) -> str:
    """What a table is called, also where its history cannot be read. Raises Unknown."""
    return desk.journal.head(table).name


def is_of_history(desk: Desk, table: str, revision: Revision) -> bool:
    """Whether the table's history, as it is now, has come by this revision. Raises Unknown."""
    return desk.tables.is_of(table, revision)


def revision_now(desk: Desk, table: str) -> Revision:
    """What names the table's newest state. Raises Unknown."""
    return desk.sights.now(table).snapshot.revision


def see_lines(desk: Desk, who: Visitor, before: int | None = None, limit: int = 50) -> Following:
    """The history below entry `before`, or all of it, newest first; of at most `limit` entries, those that are seen.

    May read a long way: not to be called where others wait.
    """
    sight = desk.sights.now(who.table)
    role = member_at(sight.snapshot, who).role
    return _following(desk.tables.lines(who.table, before, limit), sight, role)


async def see_lines_after(desk: Desk, who: Visitor, after: int = 0, limit: int = 50) -> Following:
    """The history above entry `after`, oldest first; of at most `limit` entries, those that are seen."""
    return await see_lines_after_as(
        desk, who.table, member_at(desk.sights.now(who.table).snapshot, who).role, after, limit
    )


async def see_lines_after_as(desk: Desk, table: str, role: Role, after: int, limit: int) -> Following:
    """The same as all see it who look in this role. What has to be read is read beside the loop."""
    lines = desk.tables.lines_at_hand(table, after, limit)
    if lines is None:
        return await asyncio.to_thread(_lines_after, desk, table, role, after, limit)
    return _following(lines, desk.sights.now(table), role)


def _lines_after(desk: Desk, table: str, role: Role, after: int, limit: int) -> Following:
    lines = desk.tables.lines_after(table, after, limit)
    return _following(lines, desk.sights.now(table), role)


def _following(lines: Sequence[Line], sight: Sight, role: Role) -> Following:
    newest = sight.snapshot.revision
    last = Revision(lines[-1].entry.number, lines[-1].entry.mark) if lines else newest
    newest = max(newest, last, key=lambda one: one.number)
    return Following(sight.lines_of(lines, role), last, newest, len(lines))
