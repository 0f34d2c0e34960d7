"""Sitting down at a table: by an invitation or its short code, under a name, with characters of one's own."""

from __future__ import annotations

from collections.abc import Sequence

from winded.errors import Forbidden, Refused
from winded.journal import Link
from winded.roles import Member, Role
from winded.service.desk import Desk
from winded.service.links import INVITATION, Given, a_secret
from winded.service.sights import Seen


def invitation(desk: Desk, token: str) -> Link:
    """The invitation with this token. Raises Unknown for none that holds, Forbidden for a link of another kind."""
    link = desk.links.holder(token)
    if link.role != INVITATION:
        raise Forbidden("This link is not an invitation.")
    return link


async def invitation_by_code(desk: Desk, code: str, address: str, *, shown: str = "") -> Link:
    """The invitation with this short code, in any case and spacing, for someone at a network address.

    Whoever was found right before may have the pass `shown` for it, and is asked no second time. Slow otherwise, on
    purpose. Raises Unknown, or TooMuch for whoever has been wrong too often.
    """
    return desk.codes.invitation_by_pass(shown) or await desk.codes.invitation(code, address)


def pass_for(desk: Desk, invited: Link) -> str:
    """What shows later that the code of an invitation was right."""
    return desk.codes.pass_for(invited)


def see_invitation(desk: Desk, invited: Link) -> Seen:
    """The table as one sees it who is asked to it."""
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
    """A player's own link, and with it these characters, by name or id.

    `once` is a secret of the one who joins, as `a_secret` draws them: sent again with it, it is the same player who
    joins. A character that cannot be claimed is left out or, if `strict`, refused before anyone joins. Raises Malformed
    for a name that is none.
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
            # It left the table meanwhile, or was never there: the phone asks again.
            continue
    return given


__all__ = ["a_secret", "invitation", "invitation_by_code", "join", "pass_for", "see_invitation"]
