"""Putting the past right, step by step: say what went wrong, see what would become of the rest, accept it."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response, post
from litestar.datastructures import FormMultiDict
from litestar.types import ControllerRouterHandler

from winded.errors import Malformed
from winded.rules import Correct, Table, command_from
from winded.rules.fields import malformed
from winded.sentence import sentence
from winded.service import Desk, Visitor, correcting
from winded.service.correcting import Place, at_entry
from winded.web.forms import whole_number
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.history.correct import asked, entry_at, is_offered, needs_more, reviewed, to_fill
from winded.web.screens.parts.acting import act_by_form, answer, command_from_form
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee
from winded.web.screens.parts.sheet import Facts


@post("/tables/{table:str}/correction", include_in_schema=False, status_code=200)
async def review(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The next step of the sheet that puts the past right: what is still to be said, or what would become of the rest.

    Nothing happens yet.
    """
    who, seen = referee(host, request, table)
    form = await request.form()
    facts = await asyncio.to_thread(_next_step, host.desk, who, seen.table, form)
    return html(language.render("history/correct.html", at=f"/tables/{table}", ruleset=seen.table.ruleset, **facts))


@post("/tables/{table:str}/correct", include_in_schema=False)
async def correct(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """Put the past right as it was previewed, as one act."""
    who, _ = referee(host, request, table)
    return answer(await act_by_form(request, host, who, _correction(await request.form(), "correction")), language)


def _next_step(desk: Desk, who: Visitor, table: Table, form: FormMultiDict) -> Facts:
    at = entry_at(desk, who, whole_number(str(form.get("entry", ""))) or 0)
    before = _correction(form, "correction") if form.get("correction") else None
    do = str(form.get("do", ""))
    place = _place(form)
    if place is Place.LEFT_OUT:
        command = at_entry(at.number, place, to=before)
    elif not do:
        return asked(table, at, before)
    elif is_offered(do) and needs_more(do) and "filled" not in form:
        return to_fill(table, at, place, do, str(form.get("character", "")), before)
    else:
        command = at_entry(at.number, place, (command_from_form(form),), before)
    return reviewed(at, command, correcting.review(desk, who, command))


def _place(form: FormMultiDict) -> Place:
    word = str(form.get("place", Place.BEFORE))
    try:
        return Place(word)
    except ValueError:
        raise malformed("place", sentence("before, after, instead or left_out"), word) from None


def _correction(form: FormMultiDict, name: str) -> Correct:
    """The correction that the sheet carries along. Raises Malformed."""
    try:
        command = command_from(msgspec.json.decode(str(form.get(name, ""))))
    except msgspec.DecodeError as wrong:
        raise malformed(name, sentence("what the form showed, as JSON"), str(form.get(name, ""))) from wrong
    if not isinstance(command, Correct):
        raise Malformed("do", "“{field}” must be “correct” here.", field="do")
    return command


handlers: list[ControllerRouterHandler] = [review, correct]
