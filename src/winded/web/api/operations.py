"""What the API can do, each operation once: the address it stands at and its description come from the same data.

An `Operation` says what it takes and what it answers. `serving` makes the addresses the server listens at, `openapi`
the document that describes them; neither knows anything that is not said there.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send
from msgspec import Struct

from winded.errors import Forbidden, Malformed, TooMuch, Unknown, WindedError
from winded.rules import fields, read, shown
from winded.web.access import Visitor, visitor_by_token
from winded.web.errors import NoToken, TooLarge, WrongMethod, WrongType, in_our_words
from winded.web.guard import BODY_LIMIT
from winded.web.host import Host

PREFIX = "/api"

WORTH_COMPRESSING = 4096
"""Bytes from which on an answer is compressed for those who can read it."""

_PLACES = re.compile(r"\{(\w+)\}")
_WHOLE = re.compile(r"-?[0-9]{1,16}")
_encode = msgspec.json.Encoder(decimal_format="number").encode

Made = TypeVar("Made", bound=Struct)


class Answer(Struct, frozen=True):
    """What goes back: `body` is anything that goes into JSON, None for nothing at all."""

    body: object
    status: int = 200
    headers: Mapping[str, str] = {}


class Body(Struct, frozen=True):
    """What an operation takes: how it is read, its JSON Schema as the reference to a component, and its most bytes."""

    read: Callable[[bytes], Any]
    schema: Callable[[], dict[str, Any]]
    limit: int = BODY_LIMIT


class Header(Struct, frozen=True):
    """A header an operation takes besides its token."""

    name: str
    told: str
    schema: Mapping[str, Any]


class Answers(Struct, frozen=True):
    """One answer an operation may give: what it means, its headers by name in words, and the type of its body.

    Instead of a type there may be a tuple of them, of which it is one, a JSON Schema, or a function that answers with a
    type which is loaded for the description only.
    """

    told: str
    made: Any = None
    headers: Mapping[str, str] = {}
    media_type: str = "application/json"


class Call:
    """One request to an operation, as its code meets it: all that could be checked beforehand has been."""

    __slots__ = ("_headers", "_who", "body", "host", "query", "receive", "scope", "send", "token")

    def __init__(self, host: Host, scope: Scope, receive: Receive, send: Send) -> None:
        self.host = host
        self.scope = scope
        self.receive = receive
        self.send = send
        self.query: Any = None
        self.body: Any = None
        self.token = ""
        self._headers: dict[bytes, bytes] | None = None
        self._who: Visitor | None = None

    @property
    def who(self) -> Visitor:
        """The one who asks."""
        assert self._who is not None
        return self._who

    @who.setter
    def who(self, who: Visitor) -> None:
        self._who = who

    @property
    def table(self) -> str:
        """The id of the table in the address."""
        return self.place("table")

    @property
    def address(self) -> str:
        """The network address that asks, for limits; "" where there is none."""
        client = self.scope.get("client")
        return client[0] if client else ""

    def place(self, name: str) -> str:
        """What stands at a named place of the address."""
        return str(self.scope["path_params"][name])

    def header(self, name: str) -> str | None:
        """A header, None where it is not there."""
        if self._headers is None:
            self._headers = dict(self.scope["headers"])
        value = self._headers.get(name.lower().encode())
        return None if value is None else value.decode("latin-1")


Run = Callable[[Call], Awaitable[Answer | None]]
"""Does what an operation is for; None where it has sent its answer itself."""


class Operation(Struct, frozen=True):
    """One thing the API can do. `path` is below /api, with places such as {table}.

    With `token` the caller needs one to the table in the address; with `referee` it must be a Referee's. `errors` are
    the kinds of errors beyond those that follow from the rest.
    """

    method: str
    path: str
    run: Run
    told: str
    token: bool
    referee: bool
    query: type[Struct] | None
    body: Body | None
    headers: tuple[Header, ...]
    answers: Mapping[int, Answers]
    errors: tuple[type[WindedError], ...]

    @property
    def name(self) -> str:
        """What the operation is called in descriptions."""
        return self.run.__name__

    @property
    def places(self) -> tuple[str, ...]:
        """The named places of the address, in order."""
        return tuple(_PLACES.findall(self.path))


def operation(
    method: str,
    path: str,
    answers: Mapping[int, Answers],
    *,
    token: bool = True,
    referee: bool = False,
    query: type[Struct] | None = None,
    body: Body | None = None,
    headers: tuple[Header, ...] = (),
    errors: tuple[type[WindedError], ...] = (),
) -> Callable[[Run], Operation]:
    """Makes an operation of the function that does it; its docstring is the description."""

    def made(run: Run) -> Operation:
        told = (run.__doc__ or "").strip()
        return Operation(method, path, run, told, token, referee, query, body, headers, answers, errors)

    return made


class _Place(dict[str | None, "_Place"]):
    """One step of an address: where each next part leads, None for whatever is named, and what can be done here."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: dict[str, Operation] = {}
        self.names: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        return ", ".join(sorted(self.methods))


def serving(operations: Sequence[Operation], host: Host) -> ASGIApp:
    """Everything below /api, as an ASGI application: each address leads to its operations."""
    root = _Place()
    for one in operations:
        place = root
        for part in one.path.split("/")[1:]:
            place = place.setdefault(None if _PLACES.fullmatch(part) else part, _Place())
        place.names = one.places
        place.methods[one.method] = one

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        place = root
        try:
            place = _at(root, scope)
            found = place.methods.get(scope["method"])  # type: ignore[typeddict-item]
            if found is None:
                raise WrongMethod("This address takes {methods} and no other method.", methods=place.allowed)
            answered = await _run(found, Call(host, scope, receive, send))
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is answered in one shape
            answered = _error(in_our_words(error), place.allowed)
        if answered is not None:
            await _send(answered, scope, send)

    return answer


def _at(root: _Place, scope: Scope) -> _Place:
    """The place that an address leads to, what stands at its names kept in the scope. Raises Unknown."""
    address = scope["raw_path"].decode("latin-1").partition("?")[0][len(PREFIX) :]
    named: list[str] = []
    place = root
    for part in address.split("/")[1:]:
        following = place.get(part)
        if following is None:
            following = place.get(None)
            if following is None or not part:
                raise Unknown("There is nothing at this address.")
            named.append(unquote(part))
        place = following
    if not place.methods:
        raise Unknown("There is nothing at this address.")
    scope["path_params"] = dict(zip(place.names, named, strict=True))
    return place


async def _run(found: Operation, call: Call) -> Answer | None:
    if found.token:
        call.token = bearer(call)
        try:
            call.who = visitor_by_token(call.host.links, call.token, call.table)
        except Forbidden as no:
            raise NoToken(no.text, **no.facts) from no
        if found.referee and not call.who.is_referee:
            raise Forbidden("Only the Referee can do this.")
    call.query = _read_query(found.query, bytes(call.scope["query_string"]))
    if found.body is not None:
        _check_type(call.header("content-type"))
        call.body = found.body.read(await _read_body(call, found.body.limit))
    return await found.run(call)


def bearer(call: Call) -> str:
    """The token a caller brings. A cookie is none: a browser sends it by itself, whoever asked it to."""
    scheme, _, token = (call.header("authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoToken("This takes the token of a link to this table, as “Authorization: Bearer …”.")
    return token.strip()


def _read_query(made: type[Struct] | None, text: bytes) -> Any:
    """The parameters behind the question mark, all text, in their own types. Raises Malformed."""
    if not text:
        return None if made is None else read(made, {})
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="strict")
    except ValueError as wrong:
        raise Malformed("", "The address cannot be read after its question mark.") from wrong
    twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    if twice:
        raise Malformed(twice[0][:60], "“{field}” stands twice in the address.", field=twice[0][:60])
    if made is None:
        if pairs:
            raise Malformed(pairs[0][0][:60], "There is no parameter “{field}” here.", field=pairs[0][0][:60])
        return None
    numbers = {field.name for field in fields(made) if field.kind == "number"}
    data: dict[str, object] = {
        name: int(value) if name in numbers and _WHOLE.fullmatch(value) else value for name, value in pairs
    }
    return read(made, data)


def _check_type(content_type: str | None) -> None:
    named, _, rest = (content_type or "").partition(";")
    charset = rest.strip().lower().removeprefix("charset=").strip('"')
    if named.strip().lower() != "application/json" or charset not in ("", "utf-8"):
        raise WrongType(
            "Content-Type",
            "This takes JSON, as “Content-Type: application/json”; it is {type}.",
            type=shown(content_type),
        )


async def _read_body(call: Call, limit: int) -> bytes:
    length = call.header("content-length")
    if length is not None and length.isdecimal() and int(length) > limit:
        raise _too_large(limit)
    parts: list[bytes] = []
    size = 0
    while True:
        message: HTTPReceiveMessage = await call.receive()  # type: ignore[assignment]
        if message["type"] != "http.request":
            raise Malformed("", "The request ended before its body did.")
        part = message["body"]
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(limit: int) -> TooLarge:
    return TooLarge("That is more than the {limit} bytes that may be sent here.", limit=limit)


def json_from(body: bytes) -> object:
    """What a body says. Raises Malformed where it is no JSON."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not JSON: {reason}.", reason=str(wrong)) from wrong


def struct_from(made: type[Made]) -> Callable[[bytes], Made]:
    """Reads a body that holds the fields of a struct, and no others; raises Malformed that names the field."""

    def from_body(body: bytes) -> Made:
        data = json_from(body)
        if not isinstance(data, dict):
            raise Malformed("", "This takes an object with its fields; this is {value}.", value=shown(data))
        return read(made, data)

    return from_body


def _error(error: WindedError, allowed: str) -> Answer:
    headers: dict[str, str] = {}
    if isinstance(error, NoToken):
        headers["www-authenticate"] = 'Bearer realm="Winded"'
    elif isinstance(error, WrongMethod):
        headers["allow"] = allowed
    elif isinstance(error, TooMuch) and "seconds" in error.facts:
        headers["retry-after"] = str(error.facts["seconds"])
    return Answer(error.as_data(), error.status, headers)


async def _send(answer: Answer, scope: Scope, send: Send) -> None:
    headers = [(name.encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
    body = b""
    if answer.body is not None:
        body = answer.body if isinstance(answer.body, bytes) else _encode(answer.body)
        headers.append((b"content-type", b"application/json"))
        if len(body) >= WORTH_COMPRESSING:
            headers.append((b"vary", b"accept-encoding"))
            if any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"]):
                body = gzip.compress(body, 6)
                headers.append((b"content-encoding", b"gzip"))
    if answer.status != 204:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
