"""A table as one file: exported, and imported as a new table, as a copy or in place of the one here."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Forbidden, Stale, Unknown
from winded.journal import Link
from winded.roles import Join, Role
from winded.sentence import Sentence, sentence
from winded.service import table_file
from winded.service.desk import Desk
from winded.service.links import INVITATION, Given
from winded.service.table_file import Carried
from winded.service.visiting import Visitor, check_referee_is_here
from winded.tables import Revision, new_table_id


class Here(StrEnum):
    """What to do if the table is already here."""

    REFUSE = "refuse"
    COPY = "copy"
    REPLACE = "replace"


class BroughtIn(Struct, frozen=True):
    """A table that was imported, and its new links: one for each of its people who had none here."""

    table: str
    name: str
    revision: Revision
    links: tuple[Given, ...]

    @property
    def referee_token(self) -> str | None:
        """The token of a new Referee's link, if one was made."""
        return next((given.token for given in self.links if given.link.role == Role.REFEREE), None)


def carry_out(desk: Desk, who: Visitor) -> bytes:
    """Export the whole table as a file, hidden enemies included. Raises Forbidden for all but its Referee."""
    if not who.is_referee:
        raise Forbidden("Only the Referee can export the whole table: it holds the hidden enemies too.")
    check_referee_is_here(desk, who)
    return table_file.carry_out(desk.tables, who.table)


def is_here(desk: Desk, carried: Carried) -> bool:
    """Whether a table with this one's id is here already."""
    try:
        desk.tables.check_is_here(carried.record.id)
    except Unknown:
        return False
    return True


def bring_in(
    desk: Desk,
    carried: Carried,
    here: Here = Here.REFUSE,
    *,
    may_replace: bool = False,
    say: Callable[[Sentence], str] = str,
) -> BroughtIn:
    """Import a table, identical except for its links. Each of its people who has no link here gets a new one.

    `here` says what to do if the table is already here. A copy gets new ids for the table and its people, and a name
    that `say` puts into words. A replacement, which only its Referee may ask for (`may_replace`), keeps the links that
    work. Raises Stale if the table is here and must stay, and Forbidden if someone else asks to replace it.
    """
    record, entries = carried.record, carried.entries
    known = is_here(desk, carried)
    if known and here is Here.REFUSE:
        raise Stale(
            "The table {table} is already here: import this one as a copy, or replace the one here.", table=record.id
        )
    if known and here is Here.REPLACE and not may_replace:
        raise Forbidden("Only a table's Referee can replace it; import this one as a copy.")
    if known and here is Here.COPY:
        # Nobody could tell two tables of the same name apart, and might delete the wrong one.
        name = say(sentence("Copy of {name}", name=record.name))[:40].rstrip()
        record = replace(record, id=new_table_id(), created=round(desk.clock(), 3), name=name)
        entries = table_file.among_others(entries)
    company = table_file.people_after(entries)
    given: list[Given] = []
    staying: list[Link] = []

    def links(before: Sequence[Link]) -> Iterator[Link]:
        given.clear()
        staying.clear()
        here_before = {link.id: link for link in before}
        for member in company.members.values():
            old = here_before.pop(member.id, None)
            if old is not None and old.revoked is None:
                continue
            drawn = desk.links.draw(record.id, member.role.value, member.name)
            given.append(Given(replace(drawn.link, id=member.id), drawn.token))
        staying.extend(link for link in here_before.values() if link.revoked is None and link.role != INVITATION)
        if all(one.link.role != Role.REFEREE for one in given) and all(
            link.role != Role.REFEREE or link.revoked is not None for link in before
        ):
            given.append(desk.links.draw(record.id, Role.REFEREE, "Referee"))
        yield from (one.link for one in given)

    try:
        desk.tables.take_in(record, entries, replacing=known and here is Here.REPLACE, links=links, checked=True)
    except Stale:
        if given and not known:
            # Somebody at another table has one of these ids, so everyone at this one gets a new id.
            return bring_in(desk, Carried(record, table_file.among_others(entries)), here, say=say)
        raise
    desk.links.forget(record.id)
    members = desk.tables.snapshot(record.id).company.members
    for link in [*staying, *(one.link for one in given)]:
        if link.id not in members:
            join = Join(link.id, link.name, Role(link.role))
            desk.tables.do(record.id, join, who=link.id, name=link.name, request=f"join-{secrets.token_hex(4)}")
    return BroughtIn(record.id, record.name, desk.tables.snapshot(record.id).revision, tuple(given))
