"""What the Referee's board opens and sends besides plain commands: sheets, several enemies at once, links, its end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from litestar import Request, post
from litestar.types import ControllerRouterHandler

from winded.errors import Malformed
from winded.rules import AddCharacter, Table, command_from
from winded.rules.table import same
from winded.web.access import act, request_id
from winded.web.forms import whole_number
from winded.web.guard import ACTS, check_room
from winded.web.host import Host
from winded.web.screens.parts.acting import form_data
from winded.web.screens.parts.referee import referee

AT_ONCE = 20
"""So many characters may be added with one form."""


_COUNTED = re.compile(r"([1-9][0-9]?)\s*[x×]?\s+(\S.*)")


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
    count = whole_number(str(form.get("count") or "1"))
    if counted and count == 1:
        count, name = int(counted[1]), counted[2]
    if count is None or not 1 <= count <= AT_ONCE:
        raise Malformed("count", "“How many” must be a whole number from 1 to {most}.", most=AT_ONCE)
    key = request_id(request.headers.get("idempotency-key"))
    keys = [None if key is None else f"{key[:90]}-{at}" for at in range(count)]
    added = [*_added(host, table, keys)]
    commands = [
        command_from({"do": "add_character", **data, "name": one})
        for one in numbered(snapshot.table, name, len(keys), added)
    ]
    sitting = snapshot.table
    for command in commands[len(added) :]:
        check_room(sitting, command)
        sitting = sitting.do(command)
    for command, one in zip(commands, keys, strict=True):
        await act(host.tables, who, command, one)


def _added(host: Host, table: str, keys: Sequence[str | None]) -> Iterator[str]:
    """The names of those whom the same request has added already: it was sent again, as no answer had come."""
    for key in keys:
        entry = None if key is None else host.tables.journal.find(table, key)
        if entry is None or not isinstance(entry.command, AddCharacter):
            return
        yield entry.command.name


handlers: list[ControllerRouterHandler] = [add]
