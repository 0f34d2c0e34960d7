"""What a visitor may see of a table: its state, its people, its history."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from winded.errors import Forbidden, WindedError
from winded.roles import Member, Role
from winded.rules import moment_told, party_told, standing_told
from winded.sentence import Sentence
from winded.service.desk import Desk
from winded.service.sights import Seen, SeenLine, Sight
from winded.service.visiting import Visitor, member_at
from winded.tables import Line, Revision, is_table_id


class Following(Struct, frozen=True):
    """Part of the history, without the lines that the viewer may not see.

    `last` names the state after the last entry read, seen or not; `newest` the table's newest state. `looked_at` counts
    the entries read.
    """

    lines: tuple[SeenLine, ...]
    last: Revision
    newest: Revision
    looked_at: int


def see(desk: Desk, who: Visitor, *, with_lines: bool = False) -> Seen:
    """The table as this visitor may see it now. Raises Forbidden if sent away, Unknown for no table."""
    sight = desk.sights.now(who.table)
    return sight.by(member_at(sight.snapshot, who), with_lines=with_lines)


def see_as(desk: Desk, table: str, role: Role, member: str = "") -> Seen:
    """The table and its newest lines as everyone in this role sees them, or as the player `member` does.

    For screens that many share. A `member` who has left sees what a stranger in that role would.
    """
    sight = desk.sights.now(table)
    return sight.by(sight.snapshot.company.members.get(member) or Member(member, "", role))


async def have_at_hand(desk: Desk, table: str) -> None:
    """Read the table into memory in another thread, so that a long history does not block the event loop."""
    if is_table_id(table) and not desk.tables.is_at_hand(table):
        with suppress(WindedError):
            await asyncio.to_thread(desk.tables.snapshot, table)


def is_at_table(desk: Desk, who: Visitor) -> bool:
    """Whether this visitor is still at the table."""
    try:
        member_at(desk.sights.now(who.table).snapshot, who)
    except Forbidden:
        return False
    return True


def standing(desk: Desk, who: Visitor, character: str | None = None, *, party: bool = False) -> tuple[Sentence, ...]:
    """“How do I stand?” in sentences: of this character, of a player's own, or of the party.

    The party is told with `party`, and to whoever plays nobody. Refused as "not-found".
    """
    seen = see(desk, who)
    table = seen.table
    if character is not None:
        return (*standing_told(table, table.character(character)), moment_told(table))
    own = [one for one in seen.company.characters_of(seen.member.id, table) if not one.is_enemy]
    if party or not own:
        return party_told(table)
    return (*(told for one in own for told in standing_told(table, one)), moment_told(table))


def name_of(desk: Desk, table: str) -> str:
    """A table's name, even if its history cannot be read. Raises Unknown."""
    return desk.journal.head(table).name


def is_of_history(desk: Desk, table: str, revision: Revision) -> bool:
    """Whether the table's present history includes this revision. Raises Unknown."""
    return desk.tables.is_of(table, revision)


def revision_now(desk: Desk, table: str) -> Revision:
    """The revision of the table's newest state. Raises Unknown."""
    return desk.sights.now(table).snapshot.revision


def see_lines(desk: Desk, who: Visitor, before: int | None = None, limit: int = 50) -> Following:
    """The history before entry `before` (all of it without one), newest first, from at most `limit` entries.

    May read a long history: do not call it in the event loop.
    """
    sight = desk.sights.now(who.table)
    role = member_at(sight.snapshot, who).role
    return _following(desk.tables.lines(who.table, before, limit), sight, role)


async def see_lines_after(desk: Desk, who: Visitor, after: int = 0, limit: int = 50) -> Following:
    """The history after entry `after`, oldest first, from at most `limit` entries."""
    return await see_lines_after_as(
        desk, who.table, member_at(desk.sights.now(who.table).snapshot, who).role, after, limit
    )


async def see_lines_after_as(desk: Desk, table: str, role: Role, after: int, limit: int) -> Following:
    """`see_lines_after` for everyone in this role. Reads from the journal in another thread."""
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
