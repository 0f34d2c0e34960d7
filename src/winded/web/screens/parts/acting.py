"""What the forms on the pages send: commands to the table, and to the company at it."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Request, Response, post
from litestar.datastructures import FormMultiDict
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from winded.errors import Malformed
from winded.roles import (
    COMPANY_COMMANDS,
    PRESETS,
    AtPermissions,
    CompanyCommand,
    PermissionChanges,
    Permissions,
    SetPermissions,
    company_command_from,
)
from winded.rules import COMMANDS, Adjust, AtCharacter, Command, EditCharacter, Rest, command_from, fields, read
from winded.rules.fields import malformed
from winded.sentence import sentence
from winded.service import Visitor
from winded.service.acting import Acted, act, request_id
from winded.web.access import visitor
from winded.web.forms import whole_number
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.parts.answers import html

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def form_data(form: FormMultiDict, made: type[Struct]) -> dict[str, object]:
    """The fields of a command as a form sends them, all text, in their own types. What was left empty is left out."""
    data: dict[str, object] = {}
    for field in fields(made):
        values = [str(value).strip() for value in form.getall(field.name, [])]
        if field.kind == "names":
            if any(values):
                data[field.name] = [value for value in values if value]
        elif field.kind == "yes-no":
            if values:
                data[field.name] = values[-1] in ("on", "true", "1")
        elif values and (values[0] or field.nullable):
            value = values[0]
            if not value:
                data[field.name] = None
            elif field.kind == "moment":
                data[field.name] = _json(value, field.name)
            elif field.kind == "number":
                number = whole_number(value)
                data[field.name] = value if number is None else number
            else:
                data[field.name] = value
    return data


def command_from_form(form: FormMultiDict) -> Command:
    """The command a form asks for. Raises Malformed that names the field."""
    do = str(form.get("do", ""))
    made = COMMANDS.get(do)
    if made is None:
        return command_from({"do": do})
    data = form_data(form, made)
    if made is EditCharacter and "at" in form:
        data = _edited(data, _json(str(form["at"]), "at"))
    if made is Adjust and "sign" in form and isinstance(by := data.get("by"), int):
        # One button gives and another takes: neither depends on a minus sign that a phone's number pad lacks.
        data["by"] = -abs(by) if form["sign"] == "-" else abs(by)
    if made is Rest and "rests" in form:
        data["at"] = {"rests": _rests(form)}
    return command_from({"do": do, **data})


def _edited(data: dict[str, object], at: dict[str, object]) -> dict[str, object]:
    """Of the fields of a character that a form sends, those that are another than the form showed."""
    seen = read(AtCharacter, at, "at").character
    shown = {"name": seen.name, "con": seen.con, "hidden": seen.hidden, "note": seen.note}
    return {name: value for name, value in data.items() if name not in shown or value != shown[name]}


def _rests(form: FormMultiDict) -> int:
    """How often those who are ticked had rested when the sheet for resting was opened. Raises Malformed."""
    rests = _json(str(form["rests"]), "rests")
    ticked = [rests.get(str(one), 0) for one in form.getall("characters", [])]
    if not ticked:
        raise Malformed("characters", "Select who rests first.")
    return sum(count for count in ticked if isinstance(count, int))


def company_command_from_form(form: FormMultiDict, who: Visitor) -> CompanyCommand:
    """The command to the company that a form asks for; a claim without a member is the sender's own."""
    do = str(form.get("do", ""))
    if do == "set_permissions":
        preset = form.get("preset")
        if preset in PRESETS:
            return SetPermissions.to(PRESETS[preset][1])
        chosen = form_data(form, Permissions)
        if "at" not in form:
            return SetPermissions(read(PermissionChanges, chosen))
        seen = read(AtPermissions, _json(str(form["at"]), "at"), "at").permissions.named
        return SetPermissions.changed(read(Permissions, seen), read(Permissions, {**seen, **chosen}))
    made = COMPANY_COMMANDS.get(do)
    return company_command_from({"do": do, **({} if made is None else form_data(form, made))}, who.member)


def _json(text: str, name: str) -> dict[str, object]:
    """What a form repeats of what it showed. Raises Malformed."""
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError as wrong:
        raise malformed(name, sentence("what the form showed, as JSON"), text) from wrong


async def act_by_form(
    request: Request[Any, Any, Any], host: Host, who: Visitor, command: Command | CompanyCommand
) -> Acted:
    """Have the sender of a form act, once however often it is sent.

    A form may say which entry it `expect`s to be the newest: then nothing happens that its sender has not seen.
    """
    expect = str((await request.form()).get("expect", ""))
    return await act(
        host.desk,
        who,
        command,
        request=request_id(request.headers.get("idempotency-key")),
        expect=int(expect) if _WHOLE.fullmatch(expect) else None,
    )


def answer(acted: Acted, language: Language) -> Response[Any]:
    """The answer to a form: nothing where it is done, as the stream brings the view; a message where it was asked."""
    if not acted.asked:
        return Response(None, status_code=204, headers={"winded-number": str(acted.number)})
    return html(language.render("parts/asked.html"), 202)


@post("/tables/{table:str}/do", include_in_schema=False)
async def do(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """Play the command a form asks for, at the table or in the company at it."""
    who = visitor(host.desk, request, table)
    form = await request.form()
    is_company = form.get("do") in COMPANY_COMMANDS
    command = company_command_from_form(form, who) if is_company else command_from_form(form)
    return answer(await act_by_form(request, host, who, command), language)


@post("/tables/{table:str}/company", include_in_schema=False)
async def company(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[Any]:
    """Do what a form asks of the company at the table."""
    who = visitor(host.desk, request, table)
    command = company_command_from_form(await request.form(), who)
    return answer(await act_by_form(request, host, who, command), language)


handlers: list[ControllerRouterHandler] = [do, company]
