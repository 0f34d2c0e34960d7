"""How one acts at a table: commands to the table itself, the same without doing them, and commands to the company."""

from __future__ import annotations

import re

from winded.errors import Malformed, Refused, Stale, TooMuch, Unavailable
from winded.roles import AskFor, company_command_from, seen_by
from winded.rules import Command, command_from_json, shown
from winded.tables import SomeCommand
from winded.web.access import act, authorised_for, request_id
from winded.web.api.operations import Answer, Answers, Body, Call, Header, json_from, operation
from winded.web.api.seeing import events_for
from winded.web.api.shapes import Accepted, AskedFor
from winded.web.guard import ACTS

IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "An id of the sender's choice for this command: sent again with the same one, the command is done once and "
    "answered alike, even if it was refused.",
    {"type": "string", "pattern": "^[!-~]{8,100}$"},
)
IF_MATCH = Header(
    "If-Match",
    "The number of the entry this builds on. If it is no longer the newest, nothing is done.",
    {"type": "string", "pattern": '^([0-9]{1,15}|"[0-9]{1,15}")$'},
)

_EXPECTED = re.compile(r'([0-9]{1,15})|"([0-9]{1,15})"')


COMMAND = Body(command_from_json, lambda: {"$ref": "#/components/schemas/Command"})
COMPANY_COMMAND = Body(json_from, lambda: {"$ref": "#/components/schemas/CompanyCommand"})

_DONE = {
    200: Answers("Done: what happened, and the state after it.", Accepted),
    202: Answers("Asked of the Referee; nothing is spent until the answer.", AskedFor),
}
_ERRORS = (Refused, Stale, TooMuch, Unavailable)


@operation("POST", "/tables/{table}/commands", _DONE, body=COMMAND, headers=(IDEMPOTENCY_KEY, IF_MATCH), errors=_ERRORS)
async def play(call: Call) -> Answer:
    """Play a command. It is accepted whole or refused whole.

    Where the table wants the Referee's nod, it is asked for, and nothing is spent until the answer.
    """
    return await _act(call, call.body)


@operation("POST", "/tables/{table}/check", _DONE, body=COMMAND, headers=(IF_MATCH,), errors=_ERRORS)
async def check_command(call: Call) -> Answer:
    """What a command would do now, answered as if it were played; nothing happens.

    `number` is that of the newest entry.
    """
    command: Command = call.body
    who = call.who
    call.host.limits.take(ACTS, who.member)
    would = call.host.tables.rehearse(
        call.table, command, who=who.member, expect=_expected(call), authorise=authorised_for(who)
    )
    if isinstance(would.command, AskFor):
        return Answer(AskedFor(would.number, True), 202)
    events = events_for(who.role, would.events, would.about, would.secret, would.table)
    state = seen_by(who.role, would.table).state()
    return Answer(Accepted(would.number, True, events, state))  # type: ignore[arg-type]


@operation(
    "POST",
    "/tables/{table}/company",
    {200: _DONE[200]},
    body=COMPANY_COMMAND,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    errors=_ERRORS,
)
async def act_in_company(call: Call) -> Answer:
    """Claim or release a character; accept, decline or take back what was asked for; set what players may do.

    A claim, or its release, without a `member` is the caller's own.
    """
    return await _act(call, company_command_from(call.body, call.who.member))


async def _act(call: Call, command: SomeCommand) -> Answer:
    who = call.who
    call.host.limits.take(ACTS, who.member)
    request = request_id(call.header(IDEMPOTENCY_KEY.name))
    acted = await act(call.host.tables, who, command, request, _expected(call))
    entry = acted.done.entry
    if acted.asked:
        return Answer(AskedFor(entry.number, True), 202)
    table = acted.done.snapshot.table
    events = events_for(who.role, entry.events, entry.about, entry.secret, table)
    state = seen_by(who.role, table).state()
    return Answer(Accepted(entry.number, True, events, state))  # type: ignore[arg-type]


def _expected(call: Call) -> int | None:
    value = call.header(IF_MATCH.name)
    if value is None:
        return None
    found = _EXPECTED.fullmatch(value.strip())
    if found is None:
        raise Malformed("If-Match", "“If-Match” must be the number of an entry; it is {value}.", value=shown(value))
    return int(found[1] or found[2])


OPERATIONS = (play, check_command, act_in_company)
