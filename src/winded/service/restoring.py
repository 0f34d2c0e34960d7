"""Restore the whole database from a copy. What is there now is copied first."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from winded.errors import Malformed, Unavailable
from winded.journal import Damaged, SqliteJournal, put_in_place, staged
from winded.roles import Join, Leave, Role
from winded.service.copies import free_name
from winded.service.desk import Desk, open_desk
from winded.service.links import INVITATION
from winded.service.serving import served_at


class Restored(Struct, frozen=True):
    """How many tables were restored, and where the earlier database is kept; None if there was none."""

    tables: int
    kept: Path | None


def restore(database: Path, copy: Path) -> Restored:
    """Restore everything in a copy at once; what is there now is copied first.

    A server may keep running, and its screens then show the restored tables. Only if the database is missing or
    unreadable must it be stopped. Links that work now still do, with the same name and role; whoever was sent away
    since the copy was made stays away. Raises Unknown if there is no copy, Damaged or Unavailable if it cannot be read,
    Stale if a newer Winded wrote it, Malformed if it is the database itself.
    """
    with suppress(OSError):
        if copy.samefile(database):
            raise Malformed("FILE", "{path} is the database itself: name a copy of it.", path=str(copy))
    kept = free_name(database, "replaced")
    if database.exists():
        try:
            return _in_place(database, copy, kept)
        except Damaged:
            with staged(copy, database):
                pass  # The copy is whole: it is the database that is damaged.
    _check_nobody_serves(database)
    was_there = _set_aside(database, kept)
    with staged(copy, database) as stage:
        put_in_place(stage, database)
    with open_desk(database) as desk:
        return Restored(len(desk.tables.records()), kept if was_there else None)


def _in_place(database: Path, copy: Path, kept: Path) -> Restored:
    with open_desk(database) as desk:
        kept.parent.mkdir(mode=0o700, exist_ok=True)
        assert isinstance(desk.journal, SqliteJournal)
        desk.journal.restore(copy, kept)
        tables = desk.tables.records()
        for record in tables:
            _seat(desk, record.id)
        return Restored(len(tables), kept)


def _seat(desk: Desk, table: str) -> None:
    """Make the members of a table those who have a link to it, and nobody else."""
    members = desk.tables.snapshot(table).company.members
    holding = {link.id: link for link in desk.links.of(table) if link.role != INVITATION}
    for link in holding.values():
        if link.id not in members:
            desk.tables.do(table, Join(link.id, link.name, Role(link.role)), who=link.id, name=link.name)
    for member in members.values():
        if member.id not in holding:
            desk.tables.do(table, Leave(member.id))


def _check_nobody_serves(database: Path) -> None:
    address = served_at(database)
    if address is not None:
        raise Unavailable(
            "A server at {address} still has {path} open as it was: stop it, then restore again.",
            address=address,
            path=str(database),
        )


def _set_aside(database: Path, kept: Path) -> bool:
    """Move the old database out of the way, with its log. Returns whether there was one."""
    moved = False
    for end in ("", "-wal", "-shm"):
        file = database.with_name(database.name + end)
        if file.exists():
            kept.parent.mkdir(mode=0o700, exist_ok=True)
            file.replace(kept.with_name(kept.name + end))
            moved = True
    return moved
