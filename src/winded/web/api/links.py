"""Links to a table: the Referee gives them out, renews and revokes them, and people join by them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from litestar import Controller, delete, get, post
from msgspec import Meta, Struct

from winded.errors import Malformed, Refused, TooMuch, Unknown
from winded.journal import Link
from winded.roles import Role, veiled
from winded.rules.fields import Name, Text
from winded.service.links import INVITATION, Given
from winded.web.access import Visitor
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import Call, address_of, struct_from
from winded.web.api.seeing import link_seen, moment
from winded.web.api.shapes import LinkGiven, LinksSeen, PlayerJoined
from winded.web.api.tables import links_of
from winded.web.guard import ACTS, ALL_CODES, CODES, JOINING
from winded.web.host import Host


class NewLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to give out: to another Referee, to everyone who only watches, or an invitation for players.

    `name` is what its holder is called at the table; an invitation has none.
    """

    role: Literal["referee", "spectator", "invitation"]
    name: Name | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """Someone who joins as a player, by the token of an invitation or its short code, not both.

    `character`, a name or an id, is claimed at once.
    """

    name: Name
    invitation: Annotated[Text, Meta(description="The token of an invitation.")] | None = None
    code: Annotated[Text, Meta(description="The short code of an invitation, in any case and spacing.")] | None = None
    character: Annotated[Name, Meta(description="A character to claim, by name or id.")] | None = None


NEW_LINK: Body = Body(struct_from(NewLink), "NewLink")
JOINING_BODY: Body = Body(struct_from(Joining), "Joining")


async def _invitation(host: Host, address: str, wanted: Joining) -> Link:
    links = host.links
    if (wanted.invitation is None) == (wanted.code is None):
        raise Malformed("invitation", "Send either “invitation” or “code”, not both.")
    if wanted.invitation is not None:
        link = links.holder(wanted.invitation)
        if link.role != INVITATION:
            raise Unknown("This link is not an invitation.")
        return link
    # A code is short: guessing must be slow, from one address and from all together.
    host.limits.take(CODES, address)
    host.limits.take(ALL_CODES, "")
    return await asyncio.to_thread(links.invitation_by_code, wanted.code or "")


def _check_claim(host: Host, table: str, character: str) -> None:
    """Refuse a claim before anyone has joined for it; a hidden enemy is refused in the words for nobody."""
    found = veiled(host.tables.snapshot(table).table).character(character)
    if found.is_enemy:
        raise Refused("not-allowed", "Only the Referee plays {name}.", name=found.name)


def given_seen(given: Given) -> LinkGiven:
    """A new link, with its token."""
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


class LinksController(Controller):
    """Links to a table, and joining by one."""

    tags: list[str] = ["links"]  # noqa: RUF012 - as the framework wants it

    @get("/tables/{table:str}/links", **takes(Answers("The links."), referee=True))
    async def see_links(self, host: Host, who: Visitor) -> LinksSeen:
        """The links to the table that still work, without their tokens."""
        return LinksSeen(tuple(map(link_seen, host.links.of(who.table))))

    @post(
        "/tables/{table:str}/links",
        **takes(Answers("The link, with its token."), referee=True, body=NEW_LINK, errors=(TooMuch,)),
    )
    async def give_link(self, host: Host, who: Visitor, data: NewLink) -> LinkGiven:
        """Give out a link. A new invitation replaces the one before it, which stops working."""
        host.limits.take(ACTS, who.member)
        links = host.links
        if data.role == INVITATION:
            if data.name is not None:
                raise Malformed("name", "An invitation has no name: everyone who joins by it gives their own.")
            given = await asyncio.to_thread(links.invite, who.table)
        elif data.role == Role.REFEREE.value:
            given = await asyncio.to_thread(links.give_referee, who.table, data.name or "Referee")
        else:
            given = await asyncio.to_thread(links.give_spectator, who.table, data.name or "Spectators")
        return given_seen(given)

    @post(
        "/tables/{table:str}/links/{link:str}/renew",
        status_code=200,
        **takes(Answers("The link, with its new token."), referee=True, errors=(TooMuch,)),
    )
    async def renew_link(self, host: Host, who: Visitor, link: str) -> LinkGiven:
        """Give the holder of a link a new token. The old one stops working, and so do devices that use it."""
        host.limits.take(ACTS, who.member)
        given = await asyncio.to_thread(host.links.renew, who.table, link)
        host.live.look_closely(who.table)
        return given_seen(given)

    @delete(
        "/tables/{table:str}/links/{link:str}",
        **takes(Answers("The link no longer works."), referee=True, errors=(TooMuch,)),
    )
    async def revoke_link(self, host: Host, who: Visitor, link: str) -> None:
        """Revoke a link: its holder leaves the table. The last Referee's link cannot be revoked."""
        host.limits.take(ACTS, who.member)
        await asyncio.to_thread(host.links.revoke, who.table, link, who.member, who.name)

    @post(
        "/join",
        **takes(
            Answers("The player has joined."), token=False, body=JOINING_BODY, rate=JOINING, errors=(Refused, Unknown)
        ),
    )
    async def join(self, request: Call, host: Host, data: Joining) -> PlayerJoined:
        """Join a table as a player, by an invitation or its short code. Answers with your own token."""
        link = await _invitation(host, address_of(request), data)
        table = link.table
        if data.character is not None:
            _check_claim(host, table, data.character)
        given = await asyncio.to_thread(host.links.join, link, data.name)
        if data.character is not None:
            await asyncio.to_thread(host.links.claim, given, data.character)
        one = given.link
        return PlayerJoined(table, one.name, Role.PLAYER, one.id, given.token, links_of(table, given.token))
