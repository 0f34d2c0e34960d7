"""What each operation of the API takes and answers, stated once, to check, serve and describe it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from litestar.connection import ASGIConnection
from litestar.dto import AbstractDTO
from litestar.handlers import BaseRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIHeader, OpenAPIMediaType, Operation, Parameter, Reference, Schema
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from winded.errors import Forbidden, Malformed, Refused, TooMuch, Unavailable, Unknown, WindedError
from winded.rules.fields import schema as schema_of
from winded.service.limits import Rate
from winded.web.api.requests import bearer, check_type, read_query, visitor_by_bearer
from winded.web.errors import NoToken, TooLarge, WrongType
from winded.web.guard import BODY_LIMIT
from winded.web.host import Host, address_of

COMPONENT = "#/components/schemas/{name}"
"""Where a type stands in the API's description."""


class Body(Struct, frozen=True):
    """The body an operation takes: how to read it, the component that describes it, and its limit in bytes."""

    read: Callable[[bytes], Any]
    component: str
    limit: int = BODY_LIMIT


class Answers(Struct, frozen=True):
    """What an answer means, and what its headers mean, by name.

    `component` describes the answer if the handler's return type does not; a stream has another `media_type`.
    """

    told: str
    headers: Mapping[str, str] = {}
    component: str | None = None
    media_type: str = "application/json"


def takes(
    answers: Answers,
    *,
    token: bool = True,
    referee: bool = False,
    query: type[Struct] | None = None,
    body: Body | None = None,
    rate: Rate | None = None,
    errors: Iterable[type[WindedError]] = (),
    also: Mapping[int, ResponseSpec] | None = None,
) -> dict[str, Any]:
    """The arguments that the framework's decorators need to make a handler of a function.

    With `token`, the caller needs a token to the table in the address; with `referee`, it must be a Referee's. `rate`
    counts by the caller's network address. All of this, the `query` and the content type are checked before any of the
    body is read. `errors` are kinds of errors beyond those that follow from the rest; `also` are further answers.
    """
    kinds: set[type[WindedError]] = {WindedError, Malformed, Unavailable, *errors}
    if token:
        kinds |= {NoToken, Forbidden, Unknown}
    if body is not None:
        kinds |= {TooLarge, WrongType}
    if rate is not None:
        kinds.add(TooMuch)

    async def check(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        host: Host = connection.app.state.host
        scope: Any = connection.scope
        if token:
            scope["auth"] = bearer(connection.headers.get("authorization"))
            scope["user"] = who = visitor_by_bearer(host, scope["auth"], scope["path_params"]["table"])
            if referee and not who.is_referee:
                raise Forbidden("Only the Referee can do this.")
        scope["state"]["query"] = read_query(query, scope["query_string"])
        if body is not None:
            check_type(connection.headers.get("content-type"))
        if rate is not None:
            host.limits.take(rate, address_of(connection))

    found: dict[str, Any] = {
        "guards": [check],
        "operation_class": _described(answers, query, kinds),
        "response_description": answers.told,
        "media_type": answers.media_type,
        "responses": {
            kind.status: ResponseSpec(error_shape(kind), generate_examples=False, description=_meant(kind))
            for kind in sorted(kinds, key=lambda kind: kind.status)
        }
        | dict(also or {}),
    }
    if token:
        found["security"] = [{"token": []}]
    if body is not None:
        found |= {"dto": _read_by(body), "request_max_body_size": body.limit}
    return found


def _meant(kind: type[WindedError]) -> str:
    return "Something went wrong on the server." if kind is WindedError else (kind.__doc__ or "").partition("\n")[0]


_MESSAGE = Annotated[str, Meta(min_length=1)]
_FIELD = Annotated[str, Meta(description='The field that is wrong; "" if it is the whole.')]
_FIGURE = Annotated[int, Meta(ge=0)] | UnsetType
_shapes: dict[type[WindedError], type[Struct]] = {}


def error_shape(kind: type[WindedError]) -> type[Struct]:
    """The shape of an error as a type, for the description."""
    if kind in _shapes:
        return _shapes[kind]
    fields: list[Any] = [("error", Literal[kind.kind]), ("message", _MESSAGE)]
    if issubclass(kind, Malformed):
        fields.append(("field", _FIELD))
    if issubclass(kind, Refused):
        fields += [("rule", _MESSAGE), ("needs", _FIGURE, UNSET), ("has", _FIGURE, UNSET)]
    name = "UnexpectedError" if kind is WindedError else f"{kind.__name__}Error"
    return _shapes.setdefault(
        kind, defstruct(name, fields, frozen=True, forbid_unknown_fields=True, namespace={"__doc__": _meant(kind)})
    )


_TABLE = {"type": "string", "pattern": "^[a-z0-9]{1,64}$", "description": "The id of a table."}
_PLACES = {
    "table": _TABLE,
    "link": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "The id of a link."},
}
_HEADERS_OF_ERRORS: Mapping[type[WindedError], tuple[str, str, str]] = {
    NoToken: ("WWW-Authenticate", "How to send a token.", "string"),
    TooMuch: ("Retry-After", "Seconds to wait, if waiting helps.", "integer"),
}


def _described(answers: Answers, query: type[Struct] | None, kinds: Iterable[type[WindedError]]) -> type[Operation]:
    """An operation described with everything that the framework cannot tell from its handler."""

    @dataclass
    class Described(Operation):
        def __post_init__(self) -> None:
            summary, _, rest = (self.description or "").partition("\n\n")
            self.summary = " ".join(summary.split())
            self.description = " ".join(rest.split()) or None
            own = sorted(map(_written, self.parameters or ()), key=lambda one: one.param_in != "path")
            self.parameters = [*own, *_of_query(query)] or None
            self._tell_answers()

        def _tell_answers(self) -> None:
            responses: Any = self.responses
            done = next(iter(responses.values()))
            done.headers = {
                name: _header(told, "string", required=True) for name, told in answers.headers.items()
            } or None
            if answers.component is not None:
                reference = Reference(COMPONENT.format(name=answers.component))
                done.content = {answers.media_type: OpenAPIMediaType(schema=reference)}
            for kind in kinds:
                if kind in _HEADERS_OF_ERRORS:
                    name, told, type_ = _HEADERS_OF_ERRORS[kind]
                    responses[str(kind.status)].headers = {name: _header(told, type_, required=kind is NoToken)}

    return Described


def _header(told: str, type_: str, *, required: bool) -> OpenAPIHeader:
    schema: Any = {"type": type_}
    return OpenAPIHeader(schema=schema, description=told, required=required)


def _written(one: Any) -> Any:
    """One of the framework's parameters, with the schema of its values."""
    if one.param_in == "path":
        one.schema = _PLACES[one.name]
    else:
        # It may be left out, which is not the same as null.
        one.schema = {"type": "string", "pattern": one.schema.pattern}
    return one


def _of_query(query: type[Struct] | None) -> Iterator[Parameter]:
    if query is None:
        return
    types = schema_of(query)["$defs"]
    whole = types[query.__name__]
    for name, kind in whole["properties"].items():
        # A parameter has no components to refer to, so its schema is written out.
        written: Any = types[kind.pop("$ref").rpartition("/")[2]] | kind if "$ref" in kind else kind
        yield Parameter(name, "query", schema=written, required=name in whole.get("required", ()))


def _read_by(body: Body) -> type[AbstractDTO[Any]]:
    """How the framework reads and describes this body."""

    class Read(AbstractDTO[Any]):
        def decode_bytes(self, value: bytes) -> Any:
            return body.read(value)

        @classmethod
        def create_for_field_definition(cls, *_: Any, **__: Any) -> None:
            """Nothing to prepare: the handler gets what `read` returns."""

        @classmethod
        def create_openapi_schema(cls, *_: Any, **__: Any) -> Reference | Schema:
            return Reference(COMPONENT.format(name=body.component))

        @classmethod
        def generate_field_definitions(cls, model_type: type[Any]) -> Any:
            yield from ()

        @classmethod
        def detect_nested_field(cls, field_definition: Any) -> bool:
            return False

    return Read
