"""Joining a table: by the invitation's QR code or address, or by its short code typed by hand. No account, one name."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get, post
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from winded.errors import Forbidden, TooMuch, Unknown
from winded.roles import Role
from winded.service import Link, a_secret, joining
from winded.web.access import visitor
from winded.web.guard import JOINING
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.parts.answers import html, to_table
from winded.web.screens.start import handlers as start


@get("/join", include_in_schema=False)
async def ask_for_code(language: Language) -> Response[str]:
    """The page for typing a code."""
    return html(language.render("join/code.html", code="", error=None))


@post("/join", include_in_schema=False, status_code=200)
async def by_code(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """The invitation of a code; the code, and that it was right, go along in the form that follows, not in its address.

    One that is mistyped stands in its field again, with what is wrong beside it.
    """
    form = await request.form()
    code = str(form.get("code", ""))[:40]
    try:
        invitation = await joining.invitation_by_code(host.desk, code, address_of(request))
    except (Unknown, TooMuch) as no:
        if form.get("from") == "start":
            return start.page(request, host, language, code=code, no_such_code=no)
        return html(language.render("join/code.html", code=code, error=no), no.status)
    return _invited(request, host, language, invitation, "/join/code", code)


@get("/join/{token:str}", include_in_schema=False)
async def invited(request: Request[Any, Any, Any], token: str, host: Host, language: Language) -> Response[str]:
    """The page that asks who one is, for one who follows an invitation."""
    return _invited(request, host, language, joining.invitation(host.desk, token), f"/join/{token}", "")


@post("/join/{token:str}", include_in_schema=False, status_code=303)
async def join(request: Request[Any, Any, Any], token: str, host: Host) -> Redirect:
    """Sit down at the table: a player's own link, and with it the characters that were chosen."""
    form = await request.form()
    code = str(form.get("code", ""))[:40]
    shown = str(form.get("pass", ""))[:200]
    invitation = (
        await joining.invitation_by_code(host.desk, code, address_of(request), shown=shown)
        if code
        else joining.invitation(host.desk, token)
    )
    host.limits.take(JOINING, address_of(request))
    once = str(form.get("once", ""))
    given = await asyncio.to_thread(
        joining.join,
        host.desk,
        invitation,
        str(form.get("name", "")),
        once=once,
        characters=[str(character) for character in form.getall("character", [])[:10]],
    )
    return to_table(request, invitation.table, given.token)


def _invited(
    request: Request[Any, Any, Any], host: Host, language: Language, invitation: Link, to: str, code: str
) -> Response[str]:
    seen = joining.see_invitation(host.desk, invitation)
    table, company = seen.table, seen.company
    try:
        known = visitor(host.desk, request, invitation.table)
    except Forbidden:
        known = None
    return html(
        language.render(
            "join/page.html",
            name=seen.name,
            to=to,
            code=code,
            shown=joining.pass_for(host.desk, invitation) if code else "",
            once=a_secret(),
            at=f"/tables/{seen.id}",
            known=known,
            is_referee=known is not None and known.role is Role.REFEREE,
            ladder=table.ruleset.ladder,
            party=[(one, [who.name for who in company.players_of(one)]) for one in table.party()],
            back=f"/join/{to.removeprefix('/join/')}" if not code else "/join",
        )
    )


handlers: list[ControllerRouterHandler] = [ask_for_code, by_code, invited, join]
