"""Links to a table: the Referee makes, renews and revokes them, and people join with them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from litestar import Controller, delete, get, post
from msgspec import Meta, Struct

from winded.errors import Malformed, Refused, TooMuch, Unknown
from winded.roles import Role
from winded.rules.fields import Name, Text
from winded.service import INVITATION, Given, Link, Visitor, joining, linking
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import Call, struct_from
from winded.web.api.seeing import link_seen, moment
from winded.web.api.shapes import LinkGiven, LinksSeen, PlayerJoined
from winded.web.api.tables import addresses_of
from winded.web.guard import JOINING
from winded.web.host import Host, address_of


class NewLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to make: for another Referee, for spectators, or an invitation for players.

    `name` is what its holder is called at the table; an invitation has none.
    """

    role: Literal["referee", "spectator", "invitation"]
    name: Name | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """Someone who joins as a player, with the token of an invitation or its short code, but not both.

    They claim `character`, given by name or id, at once.
    """

    name: Name
    invitation: Annotated[Text, Meta(description="The token of an invitation.")] | None = None
    code: Annotated[Text, Meta(description="The short code of an invitation, in any case and spacing.")] | None = None
    character: Annotated[Name, Meta(description="A character to claim, by name or id.")] | None = None


NEW_LINK: Body = Body(struct_from(NewLink), "NewLink")
JOINING_BODY: Body = Body(struct_from(Joining), "Joining")


async def _invitation(host: Host, address: str, wanted: Joining) -> Link:
    if (wanted.invitation is None) == (wanted.code is None):
        raise Malformed("invitation", "Send either “invitation” or “code”, not both.")
    if wanted.invitation is not None:
        return joining.invitation(host.desk, wanted.invitation)
    return await joining.invitation_by_code(host.desk, wanted.code or "", address)


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
    """Links to a table, and joining with one."""

    tags: list[str] = ["links"]  # noqa: RUF012 - as the framework wants it

    @get("/tables/{table:str}/links", **takes(Answers("The links."), referee=True))
    async def see_links(self, host: Host, who: Visitor) -> LinksSeen:
        """List the links to the table that still work, without their tokens."""
        return LinksSeen(tuple(map(link_seen, linking.links_of(host.desk, who))))

    @post(
        "/tables/{table:str}/links",
        **takes(Answers("The link, with its token."), referee=True, body=NEW_LINK, errors=(TooMuch,)),
    )
    async def give_link(self, host: Host, who: Visitor, data: NewLink) -> LinkGiven:
        """Make a link. A new invitation replaces the previous one, which stops working."""
        return given_seen(await asyncio.to_thread(linking.give_link, host.desk, who, data.role, data.name))

    @post(
        "/tables/{table:str}/links/{link:str}/renew",
        status_code=200,
        **takes(Answers("The link, with its new token."), referee=True, errors=(TooMuch,)),
    )
    async def renew_link(self, host: Host, who: Visitor, link: str) -> LinkGiven:
        """Give the holder of a link a new token. The old one stops working, on every device."""
        return given_seen(await asyncio.to_thread(linking.renew_link, host.desk, who, link))

    @delete(
        "/tables/{table:str}/links/{link:str}",
        **takes(Answers("The link no longer works."), referee=True, errors=(TooMuch,)),
    )
    async def revoke_link(self, host: Host, who: Visitor, link: str) -> None:
        """Revoke a link: its holder leaves the table. The only Referee's link cannot be revoked."""
        await asyncio.to_thread(linking.revoke_link, host.desk, who, link)

    @post(
        "/join",
        **takes(
            Answers("The player has joined."), token=False, body=JOINING_BODY, rate=JOINING, errors=(Refused, Unknown)
        ),
    )
    async def join(self, request: Call, host: Host, data: Joining) -> PlayerJoined:
        """Join a table as a player, with an invitation or its short code. Answers with your own token."""
        link = await _invitation(host, address_of(request), data)
        characters = () if data.character is None else (data.character,)
        given = await asyncio.to_thread(joining.join, host.desk, link, data.name, characters=characters, strict=True)
        one = given.link
        addresses = addresses_of(one.table, given.token)
        return PlayerJoined(one.table, one.name, Role.PLAYER, one.id, given.token, addresses)
