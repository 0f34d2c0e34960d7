"""What the Referee's board opens and sends besides plain commands: sheets, several enemies at once, links, its end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.response import Redirect

from winded.errors import Forbidden, Malformed
from winded.roles import Role
from winded.rules import AddCharacter, Table, command_from
from winded.rules.table import same
from winded.service.links import Given
from winded.tables import Snapshot, table_name
from winded.web.access import COOKIE_PREFIX, Visitor, act, link_cookie, member_at, request_id, visitor
from winded.web.guard import ACTS
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.board.sheets import TEMPLATES, Asking, facts
from winded.web.screens.parts.acting import form_data
from winded.web.screens.parts.answers import html
from winded.web.screens.people.qr import qr_svg

AT_ONCE = 20
"""So many characters may be added with one form."""

_COUNT = re.compile(r"[1-9][0-9]?")
_COUNTED = re.compile(r"([1-9][0-9]?)\s*[x×]?\s+(\S.*)")


def referee(host: Host, request: Request[Any, Any, Any], table: str) -> tuple[Visitor, Snapshot]:
    """The Referee who asks, and the table. Raises Forbidden for anyone else."""
    who = visitor(host.links, request, table)
    snapshot = host.tables.snapshot(table)
    member_at(snapshot, who)
    if not who.is_referee:
        raise Forbidden("Only the Referee can do this.")
    return who, snapshot


@get("/tables/{table:str}/sheet/{name:str}", include_in_schema=False)
async def sheet(
    request: Request[Any, Any, Any], table: str, name: str, host: Host, language: Language
) -> Response[str]:
    """One of the board's sheets, as it is now."""
    who, snapshot = referee(host, request, table)
    query = request.query_params
    asking = Asking(
        snapshot,
        host.tables,
        {name: str(value) for name, value in query.items()},
        tuple(query.getall("order", [])),
        tuple(host.links.of(table)),
        who.member,
    )
    found = await asyncio.to_thread(facts, name, asking)
    return html(language.render(TEMPLATES[name], at=f"/tables/{table}", **found))


def numbered(table: Table, name: str, count: int, taken: Sequence[str] = ()) -> list[str]:
    """The names for so many of a kind: "Wolf" gives Wolf 1, Wolf 2 …, going on after those who are there already.

    `taken` are those of them who sit there by this very request, the first of the names.
    """
    if count == 1:
        return [*taken] or [name]
    names = [*taken]
    number = 1
    while len(names) < count:
        candidate = f"{name} {number}"
        if same(candidate) not in table.names:
            names.append(candidate)
        number += 1
    return names


@post("/tables/{table:str}/add", include_in_schema=False, status_code=204)
async def add(request: Request[Any, Any, Any], table: str, host: Host) -> None:
    """Add a character, or several enemies with numbers; all of them or none, and once however often it is sent."""
    who, snapshot = referee(host, request, table)
    host.limits.take(ACTS, who.member)
    form = await request.form()
    data = form_data(form, AddCharacter)
    name = str(data.get("name", ""))
    counted = _COUNTED.fullmatch(name)
    count = str(form.get("count") or "1")
    if counted and count == "1":
        count, name = counted[1], counted[2]
    if not _COUNT.fullmatch(count) or int(count) > AT_ONCE:
        raise Malformed("count", "“How many” must be a whole number from 1 to {most}.", most=AT_ONCE)
    key = request_id(request.headers.get("idempotency-key"))
    keys = [None if key is None else f"{key[:90]}-{at}" for at in range(int(count))]
    added = [*_added(host, table, keys)]
    commands = [
        command_from({"do": "add_character", **data, "name": one})
        for one in numbered(snapshot.table, name, len(keys), added)
    ]
    snapshot.table.do(*commands[len(added) :])
    for command, one in zip(commands, keys, strict=True):
        await act(host.tables, who, command, one)


def _added(host: Host, table: str, keys: Sequence[str | None]) -> Iterator[str]:
    """The names of those whom the same request has added already: it was sent again, as no answer had come."""
    for key in keys:
        entry = None if key is None else host.tables.journal.find(table, key)
        if entry is None or not isinstance(entry.command, AddCharacter):
            return
        yield entry.command.name


@post("/tables/{table:str}/links", include_in_schema=False, status_code=200)
async def links(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """Give out, renew or end a link. What is given out is shown once: only a hash of it is kept."""
    who, _ = referee(host, request, table)
    host.limits.take(ACTS, who.member)
    form = await request.form()
    link = str(form.get("link", ""))[:100]
    match form.get("do"):
        case "invite":
            given = await asyncio.to_thread(host.links.invite, table)
            return _given(request, language, given, f"/join/{given.token}", language.gettext("Invite players"))
        case "spectator":
            given = await asyncio.to_thread(host.links.give_spectator, table)
            return _given(request, language, given, f"/l/{given.token}", language.gettext("Spectators’ link"))
        case "referee":
            given = await asyncio.to_thread(host.links.give_referee, table)
            return _given(request, language, given, f"/l/{given.token}", language.gettext("Another Referee’s link"))
        case "renew":
            given = await asyncio.to_thread(host.links.renew, table, link)
            answer = _given(request, language, given, f"/l/{given.token}", given.link.name)
            if given.link.id == who.member:
                answer.set_cookie(link_cookie(table, given.token, secure=request.url.scheme == "https"))
            return answer
        case "revoke":
            await asyncio.to_thread(host.links.revoke, table, link, who.member, who.name)
            return html("")
    raise Malformed("do", "There is nothing called {do} to be done here.", do=str(form.get("do"))[:60])


def _given(request: Request[Any, Any, Any], language: Language, given: Given, path: str, title: str) -> Response[str]:
    base = base_address(request)
    address = base + path
    said = {
        Role.REFEREE.value: language.gettext("Whoever follows this link is Referee here, as you are."),
        Role.SPECTATOR.value: language.gettext("Whoever follows this link watches; it may be shared."),
        Role.PLAYER.value: language.gettext("This player’s own link, for every device. The one before has ended."),
    }.get(given.link.role, language.gettext("Players scan this, give a name and choose a character."))
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


@post("/tables/{table:str}/name", include_in_schema=False, status_code=204)
async def rename(request: Request[Any, Any, Any], table: str, host: Host) -> None:
    """Call the table something else."""
    referee(host, request, table)
    await asyncio.to_thread(host.tables.rename, table, table_name(str((await request.form()).get("name", ""))))


@post("/tables/{table:str}/delete", include_in_schema=False, status_code=303)
async def delete(request: Request[Any, Any, Any], table: str, host: Host) -> Redirect:
    """Delete the table for good."""
    referee(host, request, table)
    if not (await request.form()).get("sure"):
        raise Malformed("sure", "Deleting a table for good has to be ticked first.")
    await asyncio.to_thread(host.tables.delete, table)
    host.links.forget()
    gone = Cookie(COOKIE_PREFIX + table, path="/", value="", max_age=0, httponly=True, samesite="lax")
    return Redirect("/", status_code=303, cookies=[gone])


handlers = [sheet, add, links, rename, delete]
