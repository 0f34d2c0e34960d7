"""Joining a table: with an invitation or its short code, under a name, and with characters to play."""

from __future__ import annotations

from collections.abc import Sequence

from winded.errors import Forbidden, Refused
from winded.journal import Link
from winded.roles import Member, Role
from winded.service.desk import Desk
from winded.service.links import INVITATION, Given, a_secret
from winded.service.sights import Seen


def invitation(desk: Desk, token: str) -> Link:
    """The invitation with this token. Raises Unknown if there is none that works, Forbidden for any other link."""
    link = desk.links.holder(token)
    if link.role != INVITATION:
        raise Forbidden("This link is not an invitation.")
    return link


async def invitation_by_code(desk: Desk, code: str, address: str, *, shown: str = "") -> Link:
    """The invitation with this short code, in any case and spacing, for someone at a network address.

    A pass from an earlier right code may be `shown`, and is quick to check; a code is slow to check, on purpose.
    Raises Unknown, or TooMuch after too many wrong codes.
    """
    return desk.codes.invitation_by_pass(shown) or await desk.codes.invitation(code, address)


def pass_for(desk: Desk, invited: Link) -> str:
    """A pass that proves later that the code of this invitation was right."""
    return desk.codes.pass_for(invited)


def see_invitation(desk: Desk, invited: Link) -> Seen:
    """The table as someone invited to it sees it."""
    return desk.sights.now(invited.table).by(Member("", "", Role.SPECTATOR), with_lines=False)


def join(
    desk: Desk,
    invited: Link,
    name: str,
    *,
    once: str | None = None,
    characters: Sequence[str] = (),
    strict: bool = False,
) -> Given:
    """Join as a player: returns their own link, and claims these characters, given by name or id.

    `once` is a secret of the person joining, from `a_secret`: the same secret joins the same player again. A character
    that cannot be claimed is left out or, if `strict`, refused before anyone joins. Raises Malformed for an unusable
    name.
    """
    if strict:
        table = see_invitation(desk, invited).table
        for character in characters:
            found = table.character(character)
            if found.is_enemy:
                raise Refused("not-allowed", "Only the Referee plays {name}.", name=found.name)
    given = desk.links.join(invited, name, once)
    for character in characters:
        try:
            desk.links.claim(given, character)
        except Refused:
            if strict:
                raise
            # It has left the table since, or was never there: the phone asks again.
            continue
    return given


__all__ = ["a_secret", "invitation", "invitation_by_code", "join", "pass_for", "see_invitation"]
