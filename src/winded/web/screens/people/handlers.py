"""Links and invitations that the Referee gives out, renews and ends."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response, post
from litestar.types import ControllerRouterHandler

from winded.errors import Malformed
from winded.roles import Role
from winded.service import INVITATION, Given, linking
from winded.web.access import link_cookie
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee
from winded.web.screens.people.qr import qr_svg


@post("/tables/{table:str}/links", include_in_schema=False, status_code=200)
async def links(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """Give out, renew or end a link. What is given out is shown once: only a hash of it is kept."""
    who, _ = referee(host, request, table)
    form = await request.form()
    link = str(form.get("link", ""))[:100]
    match form.get("do"):
        case "invite":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, INVITATION)
            return _given(request, language, given, f"/join/{given.token}", language.gettext("Invite players"))
        case "spectator":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, Role.SPECTATOR)
            return _given(request, language, given, f"/l/{given.token}", language.gettext("Spectators’ link"))
        case "referee":
            given = await asyncio.to_thread(linking.give_link, host.desk, who, Role.REFEREE)
            return _given(request, language, given, f"/l/{given.token}", language.gettext("Another Referee’s link"))
        case "renew":
            given = await asyncio.to_thread(linking.renew_link, host.desk, who, link)
            answer = _given(request, language, given, f"/l/{given.token}", given.link.name)
            if given.link.id == who.member:
                answer.set_cookie(link_cookie(table, given.token, secure=request.url.scheme == "https"))
            return answer
        case "revoke":
            await asyncio.to_thread(linking.revoke_link, host.desk, who, link)
            return html("")
    raise Malformed("do", "There is no action {do} here.", do=str(form.get("do"))[:60])


def _given(request: Request[Any, Any, Any], language: Language, given: Given, path: str, title: str) -> Response[str]:
    base = base_address(request)
    address = base + path
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
            join_address=f"{base}/join",
            address=address,
            overlay=f"{base}/tables/{given.link.table}/overlay?key={given.token}"
            if given.link.role == Role.SPECTATOR
            else "",
            qr=qr_svg(address, title),
        )
    )


def base_address(request: Request[Any, Any, Any]) -> str:
    """The address other devices reach this server by: where the request came to, or this machine's in its network."""
    own = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
    if not _is_this_machine(own):
        return own
    known: list[str] = getattr(request.app.state, "addresses", [])
    return next((one.rstrip("/") for one in known if not _is_this_machine(one)), own)


def _is_this_machine(address: str) -> bool:
    name = urlsplit(address).hostname or ""
    return name in ("localhost", "::1") or name.startswith("127.")


handlers: list[ControllerRouterHandler] = [links]
