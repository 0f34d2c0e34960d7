"""What is ahead for one character: what is best now, in a sentence beside its Check, and what that rests on."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler

from winded.errors import WindedError
from winded.odds.day.line import texts_of_step
from winded.service import seeing
from winded.service.foreseeing import Advised, advice_seen
from winded.web.access import visitor
from winded.web.guard import ODDS
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.ahead.form import shown_rows
from winded.web.screens.odds.chances import target_from
from winded.web.screens.parts.answers import html


async def _advised(request: Request[Any, Any, Any], table: str, host: Host) -> tuple[Advised, dict[str, Any]]:
    who = visitor(host.desk, request, table)
    host.limits.take(ODDS, who.member)
    seen = seeing.see(host.desk, who)
    query = request.query_params
    typed = str(query.get("target", "")).strip()
    character = str(query.get("character", ""))
    found = await advice_seen(host.odds, seen, character, target_from(typed) if typed else None)
    return found, {
        "at": f"/tables/{seen.id}",
        "table_name": seen.name,
        "character": seen.table.character(character),
        "target": typed,
        "found": found,
        "rows": shown_rows([texts_of_step(step) for step in found.sketch.ahead]),
        "dice": seen.company.check_dice,
    }


@get("/tables/{table:str}/advice", include_in_schema=False)
async def advice(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The advice for one character as a page; with `as=sentence` only its sentence, which leads to what it rests on.

    The sentence is empty where there is nothing to say: it stands beside what is being done, and is in nobody's way.
    """
    if request.query_params.get("as") != "sentence":
        _, shown = await _advised(request, table, host)
        return html(language.render("ahead/advice_page.html", **shown))
    try:
        _, shown = await _advised(request, table, host)
    except WindedError as no:
        if no.status >= 429:
            raise
        return html("")
    return html(language.render("ahead/advice_sentence.html", **shown).strip())


@get("/tables/{table:str}/sheet/advice", include_in_schema=False)
async def advice_sheet(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The same as a sheet: the sentence, the rules of thumb, and what is assumed."""
    _, shown = await _advised(request, table, host)
    return html(language.render("ahead/advice_sheet.html", **shown))


handlers: list[ControllerRouterHandler] = [advice, advice_sheet]
