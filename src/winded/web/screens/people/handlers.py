"""Links and invitations that the Referee gives out, renews and ends."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get, post
from litestar.types import ControllerRouterHandler
from markupsafe import Markup
from msgspec import Struct

from winded.errors import Malformed
from winded.roles import Role
from winded.sentence import Sentence
from winded.service import INVITATION, Given, linking
from winded.web.access import link_cookie
from winded.web.host import Host
from winded.web.language import Language
from winded.web.network.reach import Reach
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee
from winded.web.screens.parts.sheet import Facts
from winded.web.screens.people.qr import qr_svg

WAYS = 8
"""So many addresses are offered to come by."""


@post("/tables/{table:str}/links", include_in_schema=False, status_code=200)
async def links(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """Give out, renew or end a link. What is given out is shown once: only a hash of it is kept."""
    who, _ = referee(host, request, table)
    form = await request.form()
    link = str(form.get("link", ""))[:100]
    match form.get("do"):
        case "invite":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, INVITATION)
            return _given(request, host, language, given, f"/join/{given.token}", language.gettext("Invite players"))
        case "spectator":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, Role.SPECTATOR)
            return _given(request, host, language, given, f"/l/{given.token}", language.gettext("Spectators’ link"))
        case "referee":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, Role.REFEREE)
            return _given(
                request, host, language, given, f"/l/{given.token}", language.gettext("Another Referee’s link")
            )
        case "renew":
            given = await asyncio.to_thread(linking.renew_link, host.desk, who, link)
            answer = _given(request, host, language, given, f"/l/{given.token}", given.link.name)
            if given.link.id == who.member:
                answer.set_cookie(link_cookie(table, given.token, secure=request.url.scheme == "https"))
            return answer
        case "revoke":
            await asyncio.to_thread(linking.revoke_link, host.desk, who, link)
            return html("")
    raise Malformed("do", "There is no action {do} here.", do=str(form.get("do"))[:60])


@get("/tables/{table:str}/arrivals", include_in_schema=False)
async def arrivals(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """Whether any other device has come yet, and what to look at where none does."""
    referee(host, request, table)
    return html(language.render("people/arrivals.html", **_arrivals(host.reach)))


def _arrivals(reach: Reach) -> Facts:
    return {"was_reached": reach.was_reached, "in_the_way": reach.in_the_way()}


@get("/tables/{table:str}/invitation", include_in_schema=False)
async def invitation(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The invitation as the board shows it, by the address that its Referee came by; or the button that makes one."""
    who, _ = referee(host, request, table)
    given = await asyncio.to_thread(linking.invitation_of, host.desk, who)
    ways: list[Shown] = []
    if given is not None:
        host.reach.invited()
        ways = _ways(request, host, f"/join/{given.token}", language.gettext("Invite players"))
    return html(
        language.render(
            "people/invitation.html",
            at=f"/tables/{table}",
            given=given,
            code=None if given is None else given.code,
            ways=ways,
            **_arrivals(host.reach),
        )
    )


class Shown(Struct, frozen=True):
    """A link by one of the addresses that others may come by, and where that address leads to."""

    base: str
    network: Sentence | None
    address: str
    qr: Markup | None


def _ways(request: Request[Any, Any, Any], host: Host, path: str, title: str) -> list[Shown]:
    """A path by each address that others may come by; by this machine's own, without a code to scan, where none is."""
    asked = f"{request.url.scheme}://{request.headers.get('host', '')}"
    ways = host.reach.ways(asked, request.client.host if request.client else "")[:WAYS]
    # What leads only to this machine is for this machine: nobody is to scan it.
    return [Shown(way.base, way.network, way.base + path, qr_svg(way.base + path, title)) for way in ways] or [
        Shown(host.reach.here, None, host.reach.here + path, None)
    ]


def _given(
    request: Request[Any, Any, Any], host: Host, language: Language, given: Given, path: str, title: str
) -> Response[str]:
    if given.link.role == INVITATION:
        host.reach.invited()
    said = {
        Role.REFEREE.value: language.gettext("Anyone who follows this link becomes a Referee here, like you."),
        Role.SPECTATOR.value: language.gettext("Anyone who follows this link can watch. Share it freely."),
        Role.PLAYER.value: language.gettext(
            "This player’s own link, for all their devices. The old one no longer works."
        ),
    }.get(given.link.role, language.gettext("Players scan this, enter a name and choose a character."))
    return html(
        language.render(
            "people/given.html",
            title=title,
            says=said,
            code=given.code,
            ways=_ways(request, host, path, title),
            overlay=f"/tables/{given.link.table}/overlay?key={given.token}"
            if given.link.role == Role.SPECTATOR
            else "",
            at=f"/tables/{given.link.table}",
            is_invitation=given.link.role == INVITATION,
            **_arrivals(host.reach),
        )
    )


handlers: list[ControllerRouterHandler] = [links, arrivals, invitation]
