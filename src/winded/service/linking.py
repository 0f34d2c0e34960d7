"""Links that the Referee makes, renews and revokes. Screens that watch with a revoked link stop at once."""

from __future__ import annotations

from msgspec import Struct

from winded.errors import Malformed
from winded.roles import Role
from winded.service.desk import Desk
from winded.service.links import INVITATION, Given
from winded.service.visiting import Visitor, check_referee_is_here, count_act

_NAMES = {Role.REFEREE.value: "Referee", Role.SPECTATOR.value: "Spectators"}


class ListedLink(Struct, frozen=True):
    """A link in a list: whose it is, its role, and since when (UTC in seconds since 1970). Its token is not stored."""

    id: str
    role: str
    name: str
    created: float


def links_of(desk: Desk, who: Visitor) -> tuple[ListedLink, ...]:
    """The links to a table that still work, oldest first. Raises Forbidden for all but its Referee."""
    check_referee_is_here(desk, who)
    return tuple(ListedLink(one.id, one.role, one.name, one.created) for one in desk.links.of(who.table))


def give_link(desk: Desk, who: Visitor, role: str, name: str | None = None) -> Given:
    """Make a link for a role: "referee", "spectator" or "invitation". A new invitation ends earlier ones.

    Raises Malformed for any other role, and for an invitation with a name: everyone who joins with it gives their own.
    """
    _may_change(desk, who)
    if role == INVITATION:
        if name is not None:
            raise Malformed("name", "An invitation has no name: everyone who joins with it gives their own.")
        return desk.links.invite(who.table)
    if role not in _NAMES:
        raise Malformed("role", "There is no link for “{role}”.", role=role[:60])
    return desk.links.give_member(who.table, Role(role), name or _NAMES[role])


def invitation_of(desk: Desk, who: Visitor) -> Given | None:
    """The invitation to a table, to show it again; None if there is none, or if another process made it.

    Raises Forbidden for all but the table's Referee.
    """
    check_referee_is_here(desk, who)
    return desk.links.invitation(who.table)


def renew_link(desk: Desk, who: Visitor, link: str) -> Given:
    """Give a member a new token; devices with the old one lose access. Raises Unknown."""
    _may_change(desk, who)
    return desk.links.renew(who.table, link)


def revoke_link(desk: Desk, who: Visitor, link: str) -> None:
    """Revoke a link: its holder leaves the table. Raises Unknown, and Forbidden for the only Referee's link."""
    _may_change(desk, who)
    desk.links.revoke(who.table, link, who.member, who.name)


def _may_change(desk: Desk, who: Visitor) -> None:
    check_referee_is_here(desk, who)
    count_act(desk, who)
