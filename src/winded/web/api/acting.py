"""Acting at a table: commands, dry runs of them, and commands about the people there."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from winded.errors import Malformed, Refused, Stale, TooMuch, WindedError
from winded.roles import company_command_from
from winded.rules import Command, Correct, Refusal, command_from_json, commands_from_json
from winded.service import REVISION_PATTERN, Revision, SomeCommand, Visitor, correcting, revision_from
from winded.service.acting import Acted, act, rehearse, request_id
from winded.web.api.answers import Answer, encoded, headers_of
from winded.web.api.operations import Answers, Body, takes
from winded.web.api.requests import bearer, check_type, json_from, read_query, visitor_by_bearer
from winded.web.api.seeing import moment, told
from winded.web.api.shapes import Accepted, ActPlayedAgain, AskedFor, CorrectionSeen
from winded.web.errors import in_our_words, too_large
from winded.web.host import Host

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="An id you choose for this command, so that you can safely send it again. An accepted command "
        "is never done twice, and gives the same entry for as long as the history has it. One that was refused, or "
        "changed nothing, gets the same answer while the server remembers it: until it restarts or puts the table "
        "away, and through 64 newer ids of the table. After that it is decided again.",
        schema_extra={"pattern": "^[!-~]{8,100}$"},
    ),
]
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description="The revision you last saw, or its number. If it is no longer the newest, nothing is done.",
        schema_extra={"pattern": f'^({REVISION_PATTERN}|"{REVISION_PATTERN}")$'},
    ),
]


def _correction_from(data: bytes) -> Correct:
    command = command_from_json(data)
    if not isinstance(command, Correct):
        raise Malformed("do", "“{field}” must be “correct” here.", field="do")
    return command


COMMAND: Body = Body(command_from_json, "Command")
COMMANDS: Body = Body(commands_from_json, "Commands")
CORRECTION: Body = Body(_correction_from, "Correct")
COMPANY_COMMAND: Body = Body(json_from, "CompanyCommand")

_DONE = Answers("Done: what happened, and the state after it.")
_REVIEWED = Answers("What would happen to every later act, and the state after them.")
_ASKED = {
    202: ResponseSpec(
        AskedFor, generate_examples=False, description="The Referee has been asked; nothing is spent until they answer."
    )
}
_ERRORS = (Refused, Stale, TooMuch)


class ActingController(Controller):
    """Acting at a table."""

    path = "/tables/{table:str}"
    tags: list[str] = ["acting"]  # noqa: RUF012 - as the framework wants it

    @post("/commands", status_code=200, **takes(_DONE, body=COMMAND, errors=_ERRORS, also=_ASKED))
    async def play(
        self,
        host: Host,
        who: Visitor,
        data: Command,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Answer[Accepted]:
        """Play a command. It is accepted as a whole or refused as a whole.

        If it needs the Referee's approval at this table, the Referee is asked, and nothing is spent until they answer.
        """
        status, answer = await _act(host, who, data, idempotency_key, if_match)
        return Answer(answer, status_code=status)

    @post("/commands/together", status_code=200, **takes(_DONE, body=COMMANDS, errors=_ERRORS))
    async def play_together(
        self,
        host: Host,
        who: Visitor,
        data: tuple[Command, ...],
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Answer[Accepted]:
        """Play several commands as one act, with one entry and one undo: all of them, in this order, or none.

        A refusal names everyone who stands in the way. What needs the Referee's approval is asked for one at a time.
        """
        status, answer = await _act(host, who, data, idempotency_key, if_match)
        return Answer(answer, status_code=status)

    @post("/check", status_code=200, **takes(_DONE, body=COMMAND, errors=_ERRORS, also=_ASKED))
    async def check_command(
        self, host: Host, who: Visitor, data: Command, if_match: IfMatch = None
    ) -> Answer[Accepted]:
        """Try a command without playing it: the answer is the same, but nothing happens.

        `number` is that of the newest entry.
        """
        status, answer = _answer(await rehearse(host.desk, who, data, expect=_expected(if_match)))
        return Answer(answer, status_code=status)

    @post("/correction", status_code=200, **takes(_REVIEWED, referee=True, body=CORRECTION, errors=_ERRORS))
    async def review_correction(self, host: Host, who: Visitor, data: Correct) -> Answer[CorrectionSeen]:
        """Show how `correct` would change the past, act by act. Nothing happens.

        Play the same command to put the past right.
        """
        review = await asyncio.to_thread(correcting.review, host.desk, who, data)
        return Answer(_reviewed(review))

    @post("/company", status_code=200, **takes(_DONE, body=COMPANY_COMMAND, errors=_ERRORS))
    async def act_in_company(
        self,
        host: Host,
        who: Visitor,
        data: object,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Answer[Accepted]:
        """Claim or release a character; accept, decline or take back a request; set what players may do.

        Without a `member`, you claim or release a character for yourself.
        """
        command = company_command_from(data, who.member)
        status, answer = await _act(host, who, command, idempotency_key, if_match)
        return Answer(answer, status_code=status)


def is_play(scope: Scope) -> bool:
    """Whether this request plays a command."""
    path = scope["path"]
    return path.endswith("/commands") and path.count("/") == 4 and scope.get("method") == "POST"


def playing(host: Host) -> ASGIApp:
    """`play` without the framework, which would take longer than deciding and saving the command.

    Its answers must be exactly those of the framework; `tests/web/api/test_playing.py` compares the two.
    """

    async def play(scope: Scope, receive: Receive, send: Send) -> None:
        headers = {}
        try:
            brought = dict(scope["headers"])
            who = visitor_by_bearer(host, bearer(_text(brought, b"authorization")), scope["path"].split("/")[3])
            read_query(None, scope["query_string"])
            check_type(_text(brought, b"content-type"))
            command = COMMAND.read(await _read(brought, receive))
            key, expected = _text(brought, b"idempotency-key"), _text(brought, b"if-match")
            status, answer = await _act(host, who, command, key, expected)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is answered in one shape
            no = in_our_words(error)
            status, answer, headers = no.status, no.as_data(), headers_of(no)
        body = encoded(answer)
        sent = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        sent += [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return play


def _text(headers: dict[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


async def _read(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    limit = COMMAND.limit
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length) > limit:
        raise too_large(limit)
    body = b""
    while True:
        message: HTTPReceiveMessage = await receive()  # type: ignore[assignment]
        if message["type"] != "http.request":
            raise Malformed("", "The request broke off before its body was complete.")
        body += message["body"]
        if len(body) > limit:
            raise too_large(limit)
        if not message.get("more_body"):
            return body


async def _act(
    host: Host, who: Visitor, command: SomeCommand, key: str | None, expected: str | None
) -> tuple[int, Any]:
    """Act for someone. Returns the status and the body of the answer."""
    try:
        acted = await act(host.desk, who, command, request=request_id(key), expect=_expected(expected))
    except Malformed as wrong:
        raise _named_here(wrong) from wrong
    return _answer(acted)


def _answer(acted: Acted) -> tuple[int, Any]:
    revision = str(acted.revision)
    if acted.asked:
        return 202, AskedFor(acted.number, revision, True)
    state: Any = acted.seen.table.state()
    return 200, Accepted(acted.number, revision, True, acted.events, state)


def _reviewed(review: correcting.Review) -> CorrectionSeen:
    state: Any = review.table.state()
    acts = tuple(
        ActPlayedAgain(
            one.entry.number,
            moment(one.entry.at),
            one.entry.name,
            one.outcome,
            told(one.was),
            told(one.now),
            None if one.refused is None else Refusal.of(one.refused),
        )
        for one in review.acts
    )
    inserted = told(review.inserted)
    revision = review.revision
    return CorrectionSeen(revision.number, str(revision), not review.is_in_the_way, inserted, acts, state)


def _named_here(wrong: Malformed) -> WindedError:
    """Name the header when the request id is wrong."""
    return Malformed("Idempotency-Key", wrong.text, **wrong.facts) if wrong.field == "request" else wrong


def _expected(value: str | None) -> Revision | None:
    if value is None:
        return None
    text = value.strip()
    return revision_from(text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text, "If-Match")
