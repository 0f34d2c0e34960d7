"""A table as one file: taken out by its Referee, brought in by anyone."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie, FormMultiDict, UploadFile
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from winded.errors import Malformed
from winded.service import carrying, opening, seeing
from winded.service.carrying import Here
from winded.service.table_file import Carried
from winded.web.access import COOKIE_PREFIX, remembered, visitor
from winded.web.guard import IMPORT_LIMIT, NEW_TABLES
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.parts.answers import html, to_table
from winded.web.screens.parts.referee import referee

_NOT_FOR_FILES = re.compile(r"[^0-9A-Za-z._-]+")


@get("/tables/{table:str}/export", include_in_schema=False, sync_to_thread=True)
def export(request: Request[Any, Any, Any], table: str, host: Host) -> Response[bytes]:
    """The whole table as one file. Everything is in it, hidden enemies too, so it is the Referee's alone."""
    who = visitor(host.desk, request, table)
    file = carrying.carry_out(host.desk, who)
    name = _NOT_FOR_FILES.sub("-", seeing.see(host.desk, who).name).strip("-.") or "table"
    return Response(
        file,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}.winded.json"'},
    )


@post("/tables/import", include_in_schema=False, request_max_body_size=IMPORT_LIMIT, status_code=200)
async def bring(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[Any]:
    """Bring a table in from a file. One that is here already is asked about: a copy, or in its place."""
    host.limits.take(NEW_TABLES, address_of(request))
    form = await request.form()
    data = await _file(form, host)
    carried = await host.long_work.table_in(data)
    how = str(form.get("how"))
    may_replace = _is_own(request, host, carried)
    if how not in ("copy", "replace") and carrying.is_here(host.desk, carried):
        upload = host.uploads.keep(data)
        return html(
            language.render("keep/bring_again.html", name=carried.record.name, upload=upload, may_replace=may_replace)
        )
    here = Here(how) if how in ("copy", "replace") else Here.REFUSE
    brought = await host.long_work.do(
        lambda: carrying.bring_in(host.desk, carried, here, may_replace=may_replace, say=language.say_plain)
    )
    return to_table(request, brought.table, brought.referee_token)


async def _file(form: FormMultiDict, host: Host) -> bytes:
    if upload := str(form.get("upload", "")):
        waiting = host.uploads.take(upload)
        if waiting is None:
            raise Malformed("file", "The file you sent is no longer here. Choose it again.")
        return waiting
    file = form.get("file")
    data = await file.read() if isinstance(file, UploadFile) else b""
    if not data:
        raise Malformed("file", "Choose a table file first.")
    return data


def _is_own(request: Request[Any, Any, Any], host: Host, carried: Carried) -> bool:
    return any(one.table == carried.record.id and one.is_referee for one in remembered(host.desk, request))


@post("/tables/{table:str}/name", include_in_schema=False, status_code=204)
async def rename(request: Request[Any, Any, Any], table: str, host: Host) -> None:
    """Call the table something else."""
    who, _ = referee(host, request, table)
    name = str((await request.form()).get("name", ""))
    await asyncio.to_thread(opening.rename_table, host.desk, who, name)


@post("/tables/{table:str}/delete", include_in_schema=False, status_code=303)
async def delete(request: Request[Any, Any, Any], table: str, host: Host) -> Redirect:
    """Delete the table for good."""
    who, _ = referee(host, request, table)
    if not (await request.form()).get("sure"):
        raise Malformed("sure", "Tick the box to confirm that the table is to be deleted for good.")
    await asyncio.to_thread(opening.delete_table, host.desk, who)
    gone = Cookie(COOKIE_PREFIX + table, path="/", value="", max_age=0, httponly=True, samesite="lax")
    return Redirect("/", status_code=303, cookies=[gone])


handlers: list[ControllerRouterHandler] = [export, bring, rename, delete]
