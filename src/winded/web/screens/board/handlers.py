"""What the Referee's board sends besides plain commands: several enemies at once."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, post
from litestar.types import ControllerRouterHandler

from winded.rules import AddCharacter, Side, command_from
from winded.rules.characters import CharacterAdded
from winded.service.acting import act, add_many, counted, put_enemies_away, request_id
from winded.web.forms import whole_number
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.board.several import commands_for_each
from winded.web.screens.board.who import adding
from winded.web.screens.parts.acting import answer, form_data
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee


@post("/tables/{table:str}/add", include_in_schema=False, status_code=200)
async def add(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """Add a character, or several enemies with numbers, as one act: all of them or none.

    The answer is the sheet anew, for more of the same side, and says who was added.
    """
    who, _ = referee(host, request, table)
    form = await request.form()
    data = form_data(form, AddCharacter)
    enemies = counted(str(data.get("name", "")), whole_number(str(form.get("count") or "1")) or 0)
    one = command_from({"do": "add_character", **data, "name": enemies.name})
    assert isinstance(one, AddCharacter)
    key = request_id(request.headers.get("idempotency-key"))
    acted = await add_many(host.desk, who, one, enemies.count, request=key)
    added = tuple(name for event in acted.events if isinstance(event, CharacterAdded) for name in event.names())
    facts = adding(acted.seen.table, one.side is Side.ENEMY, added)
    return html(language.render("board/add.html", at=f"/tables/{table}", **facts))


@post("/tables/{table:str}/put-away", include_in_schema=False, status_code=204)
async def put_away(request: Request[Any, Any, Any], table: str, host: Host) -> None:
    """Put all enemies away once combat is over, as one act."""
    who, _ = referee(host, request, table)
    await put_enemies_away(host.desk, who, request=request_id(request.headers.get("idempotency-key")))


@post("/tables/{table:str}/several", include_in_schema=False)
async def several(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """Do the same to each of several characters, as one act: to all of them or to none."""
    who, _ = referee(host, request, table)
    commands = commands_for_each(await request.form())
    key = request_id(request.headers.get("idempotency-key"))
    return answer(await act(host.desk, who, commands, request=key), language)


handlers: list[ControllerRouterHandler] = [add, put_away, several]
