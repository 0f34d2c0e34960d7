"""What the Referee's board sends besides plain commands: several enemies at once."""

from __future__ import annotations

from typing import Any

from litestar import Request, post
from litestar.types import ControllerRouterHandler

from winded.rules import AddCharacter, command_from
from winded.service.acting import add_many, counted, request_id
from winded.web.forms import whole_number
from winded.web.host import Host
from winded.web.screens.parts.acting import form_data
from winded.web.screens.parts.referee import referee


@post("/tables/{table:str}/add", include_in_schema=False, status_code=204)
async def add(request: Request[Any, Any, Any], table: str, host: Host) -> None:
    """Add a character, or several enemies with numbers, as one act: all of them or none."""
    who, _ = referee(host, request, table)
    form = await request.form()
    data = form_data(form, AddCharacter)
    enemies = counted(str(data.get("name", "")), whole_number(str(form.get("count") or "1")) or 0)
    one = command_from({"do": "add_character", **data, "name": enemies.name})
    assert isinstance(one, AddCharacter)
    key = request_id(request.headers.get("idempotency-key"))
    await add_many(host.desk, who, one, enemies.count, request=key)


handlers: list[ControllerRouterHandler] = [add]
