"""Who is asking: the holder of a link to a table, or the keeper of the database."""

from __future__ import annotations

from msgspec import Struct

from winded.errors import Forbidden, Unknown
from winded.journal import Link
from winded.roles import Member, Role
from winded.service.desk import Desk
from winded.service.limits import ACTS
from winded.service.links import INVITATION
from winded.tables import Snapshot


class Visitor(Struct, frozen=True):
    """Someone who asks for something at one table. `member` is the id of their link, "" for the database's keeper."""

    table: str
    member: str
    role: Role
    name: str

    @property
    def is_referee(self) -> bool:
        """Whether this visitor may do and see everything."""
        return self.role is Role.REFEREE

    @property
    def is_keeper(self) -> bool:
        """Whether this is the keeper of the database, who is no member of the table."""
        return not self.member


def keeper(desk: Desk, table: str) -> Visitor:
    """The database's keeper, who may do and see what a Referee may. Raises Unknown if there is no such table."""
    desk.tables.check_is_here(table)
    return Visitor(table, "", Role.REFEREE, "")


def visitor(desk: Desk, token: str | None, table: str) -> Visitor:
    """The holder of this token at this table. Raises Forbidden without a token that works here."""
    if not token:
        raise Forbidden("You need a link to this table. Ask its Referee for one.")
    try:
        link = desk.links.holder(token)
    except Unknown as gone:
        raise Forbidden(gone.text) from gone
    if link.table != table:
        raise Forbidden("This link is for another table.")
    return _visitor_by(link)


def follow(desk: Desk, token: str) -> Visitor:
    """The holder of this token, whichever its table. Raises Unknown if no link has it, Forbidden for an invitation."""
    return _visitor_by(desk.links.holder(token))


def require_referee(who: Visitor) -> None:
    """Raises Forbidden for anyone but a Referee."""
    if not who.is_referee:
        raise Forbidden("Only the Referee can do this.")


def check_referee_is_here(desk: Desk, who: Visitor) -> None:
    """Raises Forbidden for anyone but a Referee who is still at the table."""
    require_referee(who)
    member_at(desk.tables.snapshot(who.table), who)


def member_at(snapshot: Snapshot, who: Visitor) -> Member:
    """The visitor as a member of the table. Raises Forbidden if the member was sent away."""
    if who.is_keeper:
        return Member("", "", Role.REFEREE)
    member = snapshot.company.members.get(who.member)
    if member is None:
        raise Forbidden("This link is invalid or has expired. Ask the Referee for a new one.")
    return member


def count_act(desk: Desk, who: Visitor) -> None:
    """Count one more act by this link, whichever door it came by. Raises TooMuch for too many in a short time."""
    if not who.is_keeper:
        desk.limits.take(ACTS, who.member)


def _visitor_by(link: Link) -> Visitor:
    if link.role == INVITATION:
        raise Forbidden("This is an invitation: follow it first, to join the table.")
    return Visitor(link.table, link.id, Role(link.role), link.name)
