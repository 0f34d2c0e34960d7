"""Checks a database: whether it is intact, whether every table can be read, how old its newest copy is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from winded.errors import WindedError
from winded.journal import SqliteJournal
from winded.sentence import Sentence, sentence, sentences
from winded.service.copies import copies_of, folder_of
from winded.service.desk import Desk, no_database, open_desk
from winded.service.serving import served_at

NEARLY_FULL = 1 << 28
"""A disk with fewer bytes free than this is nearly full."""


class Finding(Struct, frozen=True):
    """One thing that was checked, what was found, and whether it is in order."""

    what: str
    found: str
    is_well: bool = True


def examine(database: Path) -> Iterator[Finding]:
    """Check a database, finding by finding. Changes no table. Raises Unknown if there is no such database."""
    if not database.exists():
        raise no_database(database)
    address = served_at(database)
    yield Finding("Server", "none runs over it" if address is None else f"runs over it, at {address}")
    try:
        with open_desk(database) as desk:
            yield from _of_tables(desk, database)
    except WindedError as no:
        yield Finding("Database", str(no), is_well=False)
    yield _of_copies(database)
    free = shutil.disk_usage(database.parent).free
    yield Finding("Disk", f"{_size(free)} free", is_well=free > NEARLY_FULL)


def _of_tables(desk: Desk, database: Path) -> Iterator[Finding]:
    journal = desk.journal
    assert isinstance(journal, SqliteJournal)
    damage = journal.damage()
    if damage is None:
        yield Finding("Database", f"{database} is whole, {_size(database.stat().st_size)}")
    else:
        yield Finding("Database", f"{database} is damaged: {damage}. Bring a copy back with “winded restore”.", False)
    readable = 0
    for record in desk.tables.records():
        try:
            desk.tables.snapshot(record.id)
            readable += 1
        except WindedError as no:
            yield Finding("Table", f"“{record.name}” ({record.id}) cannot be read: {no}", is_well=False)
    yield Finding("Tables", f"{readable} can be read")


def _of_copies(database: Path) -> Finding:
    copies = copies_of(database)
    if not copies:
        return Finding("Newest copy", f"there is none in {folder_of(database)}", is_well=False)
    age = told_age(max(0.0, time.time() - copies[0].made))
    return Finding("Newest copy", f"{copies[0].path}, {age} old")


def told_age(seconds: float) -> Sentence:
    """How long ago something was, in the largest unit that fits."""
    minutes = int(seconds // 60)
    if minutes >= 24 * 60:
        return sentences("{n} day", "{n} days", minutes // (24 * 60))
    if minutes >= 60:
        return sentences("{n} hour", "{n} hours", minutes // 60)
    return sentences("{n} minute", "{n} minutes", minutes) if minutes else sentence("less than a minute")


def _size(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
