"""Links to a table: given out, renewed and revoked by its Referee, and followed by those who join."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta, Struct

from winded.errors import Malformed, Refused, TooMuch, Unavailable, Unknown
from winded.journal import Link
from winded.roles import Role, veiled
from winded.rules.fields import Name, Text
from winded.service.links import INVITATION, Given
from winded.web.api.operations import Answer, Answers, Body, Call, operation, struct_from
from winded.web.api.seeing import link_seen, moment
from winded.web.api.shapes import LinkGiven, LinksSeen, PlayerJoined
from winded.web.api.tables import links_of
from winded.web.guard import ACTS, ALL_CODES, CODES, JOINING


class NewLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to give out: another Referee's, one for all who only watch, or an invitation for players.

    `name` is what its holder is called at the table; an invitation has none.
    """

    role: Literal["referee", "spectator", "invitation"]
    name: Name | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """Someone who joins as a player: by the token of an invitation or by its short code, and by what name.

    `character`, a name or an id, is claimed at once.
    """

    name: Name
    invitation: Annotated[Text, Meta(description="The token of an invitation.")] | None = None
    code: Annotated[Text, Meta(description="The short code of an invitation, in any case and spacing.")] | None = None
    character: Annotated[Name, Meta(description="A character to claim, by name or id.")] | None = None


NEW_LINK = Body(struct_from(NewLink), lambda: {"$ref": "#/components/schemas/NewLink"})
JOINING_BODY = Body(struct_from(Joining), lambda: {"$ref": "#/components/schemas/Joining"})


@operation("GET", "/tables/{table}/links", {200: Answers("The links.", LinksSeen)}, referee=True)
async def see_links(call: Call) -> Answer:
    """The links to the table that hold, without their tokens."""
    return Answer(LinksSeen(tuple(map(link_seen, call.host.links.of(call.table)))))


@operation(
    "POST",
    "/tables/{table}/links",
    {201: Answers("The link, with its token.", LinkGiven)},
    referee=True,
    body=NEW_LINK,
    errors=(TooMuch, Unavailable),
)
async def give_link(call: Call) -> Answer:
    """Give out a link. An invitation takes the place of the one before it, which no longer holds."""
    wanted: NewLink = call.body
    call.host.limits.take(ACTS, call.who.member)
    links = call.host.links
    if wanted.role == INVITATION:
        if wanted.name is not None:
            raise Malformed("name", "An invitation has no name; each who follows it says theirs.")
        given = await asyncio.to_thread(links.invite, call.table)
    elif wanted.role == Role.REFEREE.value:
        given = await asyncio.to_thread(links.give_referee, call.table, wanted.name or "Referee")
    else:
        given = await asyncio.to_thread(links.give_spectator, call.table, wanted.name or "Spectators")
    return Answer(given_seen(given), 201)


@operation(
    "POST",
    "/tables/{table}/links/{link}/renew",
    {200: Answers("The link, with its new token.", LinkGiven)},
    referee=True,
    errors=(Unknown, TooMuch, Unavailable),
)
async def renew_link(call: Call) -> Answer:
    """Give the holder of a link a new token. The old one no longer holds, and devices that go by it are out."""
    call.host.limits.take(ACTS, call.who.member)
    given = await asyncio.to_thread(call.host.links.renew, call.table, call.place("link"))
    call.host.live.look_closely(call.table)
    return Answer(given_seen(given))


@operation(
    "DELETE",
    "/tables/{table}/links/{link}",
    {204: Answers("The link no longer holds.")},
    referee=True,
    errors=(Unknown, TooMuch, Unavailable),
)
async def revoke_link(call: Call) -> Answer:
    """Revoke a link: its holder leaves the table. The last Referee's link cannot be revoked."""
    call.host.limits.take(ACTS, call.who.member)
    who = call.who
    await asyncio.to_thread(call.host.links.revoke, call.table, call.place("link"), who.member, who.name)
    return Answer(None, 204)


@operation(
    "POST",
    "/join",
    {201: Answers("The player has joined.", PlayerJoined)},
    token=False,
    body=JOINING_BODY,
    errors=(Refused, Unknown, TooMuch, Unavailable),
)
async def join(call: Call) -> Answer:
    """Join a table as a player, by an invitation or its short code. Answers with the player's own token."""
    wanted: Joining = call.body
    host = call.host
    host.limits.take(JOINING, call.address)
    link = await _invitation(call, wanted)
    table = link.table
    if wanted.character is not None:
        _check_claim(call, table, wanted.character)
    given = await asyncio.to_thread(host.links.join, link, wanted.name)
    if wanted.character is not None:
        await asyncio.to_thread(host.links.claim, given, wanted.character)
    one = given.link
    return Answer(PlayerJoined(table, one.name, Role.PLAYER, one.id, given.token, links_of(table, given.token)), 201)


async def _invitation(call: Call, wanted: Joining) -> Link:
    links = call.host.links
    if (wanted.invitation is None) == (wanted.code is None):
        raise Malformed("invitation", "This takes either “invitation” or “code”.")
    if wanted.invitation is not None:
        link = links.holder(wanted.invitation)
        if link.role != INVITATION:
            raise Unknown("This link is no invitation.")
        return link
    # A code is short: guessing must be slow, from one address and from all together.
    call.host.limits.take(CODES, call.address)
    call.host.limits.take(ALL_CODES, "")
    return await asyncio.to_thread(links.invitation_by_code, wanted.code or "")


def _check_claim(call: Call, table: str, character: str) -> None:
    """Refuse a claim before anyone has joined for it; a hidden enemy in the same words as nobody."""
    found = veiled(call.host.tables.snapshot(table).table).character(character)
    if found.is_enemy:
        raise Refused("not-allowed", "{name} is the Referee's to play.", name=found.name)


def given_seen(given: Given) -> LinkGiven:
    """A link as it is given out."""
    link = given.link
    way = "join" if link.role == INVITATION else "l"
    return LinkGiven(
        link.id,
        link.role,  # type: ignore[arg-type]
        link.name,
        moment(link.created),
        given.token,
        given.code,
        f"/{way}/{given.token}",
    )


OPERATIONS = (see_links, give_link, renew_link, revoke_link, join)
