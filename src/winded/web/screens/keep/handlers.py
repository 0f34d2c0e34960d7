"""A table as one file: taken out by its Referee, brought in by anyone."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie, UploadFile
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from winded.errors import Forbidden, Malformed
from winded.roles import Role
from winded.service.table_file import Carried, bring_in, carried_from, carry_out, is_here
from winded.tables import table_name
from winded.web.access import COOKIE_PREFIX, remembered, visitor
from winded.web.apart import apart
from winded.web.guard import IMPORT_LIMIT, NEW_TABLES
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.parts.answers import html, to_table
from winded.web.screens.parts.referee import referee

_NOT_FOR_FILES = re.compile(r"[^0-9A-Za-z._-]+")


@get("/tables/{table:str}/export", include_in_schema=False, sync_to_thread=True)
def export(request: Request[Any, Any, Any], table: str, host: Host) -> Response[bytes]:
    """The whole table as one file. Everything is in it, hidden enemies too, so it is the Referee's alone."""
    if not visitor(host.links, request, table).is_referee:
        raise Forbidden("Only the Referee can take the whole table out: hidden enemies are in it.")
    name = _NOT_FOR_FILES.sub("-", host.tables.snapshot(table).name).strip("-.") or "table"
    return Response(
        carry_out(host.tables, table),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}.winded.json"'},
    )


@post("/tables/import", include_in_schema=False, request_max_body_size=IMPORT_LIMIT, status_code=200)
async def bring(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[Any]:
    """Bring a table in from a file. One that is here already is asked about: a copy, or in its place."""
    host.limits.take(NEW_TABLES, address_of(request))
    form = await request.form()
    file = form.get("file")
    data = await file.read() if isinstance(file, UploadFile) else str(form.get("text", "")).encode()
    if not data:
        raise Malformed("file", "Choose a table file first.")
    carried = await apart(lambda: carried_from(data))
    how = form.get("how")
    here = is_here(host.tables, carried)
    if here and how not in ("copy", "replace"):
        text = language.render(
            "keep/bring_again.html",
            name=carried.record.name,
            text=data.decode(),
            may_replace=_is_own(request, host, carried),
        )
        return html(text)
    if how == "replace" and here and not _is_own(request, host, carried):
        raise Forbidden("Only with its Referee's link can a table be replaced; bring this one in as a copy.")
    copying = here and how == "copy"
    brought = await apart(
        lambda: bring_in(
            host.tables,
            carried,
            copying=copying,
            replacing=here and how == "replace",
            copy_of=lambda name: language.gettext("Copy of %(name)s") % {"name": name},
        )
    )
    token = next((given.token for given in brought.links if given.link.role == Role.REFEREE), None)
    return to_table(request, brought.table, token)


def _is_own(request: Request[Any, Any, Any], host: Host, carried: Carried) -> bool:
    return any(one.table == carried.record.id and one.is_referee for one in remembered(host.links, request))


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
        raise Malformed("sure", "Tick the box to confirm that the table is to be deleted for good.")
    await asyncio.to_thread(host.tables.delete, table)
    host.links.forget()
    gone = Cookie(COOKIE_PREFIX + table, path="/", value="", max_age=0, httponly=True, samesite="lax")
    return Redirect("/", status_code=303, cookies=[gone])


handlers: list[ControllerRouterHandler] = [export, bring, rename, delete]
