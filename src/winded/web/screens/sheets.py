"""The sheets that the board opens, by the word in their address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from winded.errors import Unknown
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.board.act import act
from winded.web.screens.board.call import call
from winded.web.screens.board.keys import keys
from winded.web.screens.board.reorder import reorder
from winded.web.screens.board.rest import rest
from winded.web.screens.board.rules import rules
from winded.web.screens.board.several import several
from winded.web.screens.board.who import add, who
from winded.web.screens.history.correct import correct
from winded.web.screens.history.sheet import back, history
from winded.web.screens.history.summary import summary
from winded.web.screens.keep.sheet import table as this_table
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee
from winded.web.screens.parts.sheet import Asking, Facts
from winded.web.screens.people.sheet import people


class Sheet(Struct, frozen=True):
    """A sheet: what it is rendered with, and its template."""

    facts: Callable[[Asking], Facts]
    template: str


SHEETS = {
    "act": Sheet(act, "board/act.html"),
    "who": Sheet(who, "board/who.html"),
    "add": Sheet(add, "board/add.html"),
    "call": Sheet(call, "board/call.html"),
    "rest": Sheet(rest, "board/rest.html"),
    "several": Sheet(several, "board/several.html"),
    "reorder": Sheet(reorder, "board/reorder.html"),
    "rules": Sheet(rules, "board/rules.html"),
    "keys": Sheet(keys, "board/keys.html"),
    "history": Sheet(history, "history/sheet.html"),
    "back": Sheet(back, "history/back.html"),
    "correct": Sheet(correct, "history/correct.html"),
    "summary": Sheet(summary, "history/summary.html"),
    "people": Sheet(people, "people/sheet.html"),
    "table": Sheet(this_table, "keep/sheet.html"),
}
"""The sheets by the word in their address; what is ahead has handlers of its own."""


@get("/tables/{table:str}/sheet/{name:str}", include_in_schema=False)
async def open_sheet(
    request: Request[Any, Any, Any], table: str, name: str, host: Host, language: Language
) -> Response[str]:
    """One of the board's sheets, as it is now. Unknown where there is no such sheet."""
    visitor, seen = referee(host, request, table)
    sheet = SHEETS.get(name)
    if sheet is None:
        raise Unknown("There is nothing at this address.")
    query = request.query_params
    asked = {name: str(value) for name, value in query.items()}
    asking = Asking(host.desk, visitor, seen, asked, tuple(query.getall("order", [])), host.devices)
    facts = await asyncio.to_thread(sheet.facts, asking)
    return html(language.render(sheet.template, at=f"/tables/{table}", ruleset=seen.table.ruleset, **facts))


handlers: list[ControllerRouterHandler] = [open_sheet]
