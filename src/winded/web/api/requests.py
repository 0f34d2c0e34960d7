"""Reads what a request to the API carries, strictly: token, parameters, content type and body."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar import Request
from litestar.datastructures import State
from msgspec import Meta, Struct

from winded.errors import Forbidden, Malformed
from winded.rules import fields, read, shown
from winded.rules.fields import FieldKind, malformed
from winded.service import A_REVISION, REVISION_PATTERN, Visitor, revision_from, visiting
from winded.web.errors import NoToken, WrongType
from winded.web.host import Host

Call: TypeAlias = Request[Visitor, str, State]
"""A request as a handler gets it: `user` is the visitor, `auth` their token."""

Made = TypeVar("Made", bound=Struct)


def _revision(value: object, path: str) -> str:
    if type(value) is not str:
        raise malformed(path, A_REVISION, value)
    return str(revision_from(value, path))


After = Annotated[
    str,
    Meta(
        pattern=f"^{REVISION_PATTERN}$",
        description="Only entries after this one; give its revision or its number.",
        extra={"kind": FieldKind(_revision, A_REVISION)},
    ),
]
"""The entry after which to begin."""

_WHOLE = re.compile(r"-?[0-9]{1,16}")
_UTF_8 = frozenset(("", "utf-8", "utf8"))


def visitor_by_bearer(host: Host, token: str, table: str) -> Visitor:
    """The visitor with this token to this table. Raises NoToken."""
    try:
        return visiting.visitor(host.desk, token, table)
    except Forbidden as no:
        raise NoToken(no.text, **no.facts) from no


def bearer(authorization: str | None) -> str:
    """The caller's token. Cookies don't count: browsers send them unasked, for any site."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoToken("Send the token of a link to this table, as “Authorization: Bearer …”.")
    return token.strip()


def read_query(made: type[Struct] | None, text: bytes) -> Any:
    """The query string's parameters, converted from text to their own types. Raises Malformed."""
    if not text:
        return None if made is None else read(made, {})
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="strict")
    except ValueError as wrong:
        raise Malformed("", "What follows the question mark in the address cannot be read.") from wrong
    twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    if twice:
        raise Malformed(twice[0][:60], "“{field}” is in the address twice.", field=twice[0][:60])
    if made is None:
        if pairs:
            raise Malformed(pairs[0][0][:60], "There is no parameter “{field}” here.", field=pairs[0][0][:60])
        return None
    numbers = {field.name for field in fields(made) if field.kind == "number"}
    data: dict[str, object] = {
        name: int(value) if name in numbers and _WHOLE.fullmatch(value) else value for name, value in pairs
    }
    return read(made, data)


def check_type(content_type: str | None) -> None:
    """Raises WrongType for anything but JSON in UTF-8."""
    named, _, rest = (content_type or "").partition(";")
    charset = rest.strip().lower().removeprefix("charset=").strip('"')
    if named.strip().lower() != "application/json" or charset not in _UTF_8:
        raise WrongType(
            "Content-Type",
            "Send JSON, as “Content-Type: application/json”; this is {type}.",
            type=shown(content_type),
        )


def json_from(body: bytes) -> object:
    """The content of a JSON body. Raises Malformed if it is not JSON."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not JSON: {reason}.", reason=str(wrong)) from wrong


@contextmanager
def within(place: str) -> Iterator[None]:
    """Prefix this place to the field that Malformed names, so that it names the whole path."""
    try:
        yield
    except Malformed as wrong:
        field = f"{place}.{wrong.field}" if wrong.field else place
        facts = {**wrong.facts, "field": field} if "field" in wrong.facts else wrong.facts
        raise Malformed(field, wrong.text, **facts) from wrong


def struct_from(made: type[Made]) -> Callable[[bytes], Made]:
    """A reader of bodies with just the fields of a struct. It raises Malformed, naming the field."""

    def from_body(body: bytes) -> Made:
        data = json_from(body)
        if not isinstance(data, dict):
            raise Malformed("", "Send a JSON object with the fields; this is {value}.", value=shown(data))
        return read(made, data)

    return from_body
