"""Answers as JSON, and every error in the same shape."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.enums import MediaType
from litestar.exceptions import HTTPException, ValidationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from winded.errors import TooMuch, WindedError
from winded.web.api.requests import json_from
from winded.web.errors import NoToken, WrongMethod, in_our_words, too_large

Made = TypeVar("Made")

_encode = msgspec.json.Encoder(decimal_format="number").encode


class Answer(Response[Made]):
    """An answer as JSON. Bytes are taken to be JSON already."""

    def __init__(self, content: Made, **how: Any) -> None:
        how["media_type"] = how.get("media_type") or MediaType.JSON
        super().__init__(content, **how)

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        return encoded(content)


def encoded(content: object) -> bytes:
    """The content as JSON; no bytes at all for None."""
    if isinstance(content, bytes):
        return content
    return b"" if content is None else _encode(content)


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Answer[object]:
    """Answer any error of the API in our words, including those the framework raises."""
    said = _said(request, error)
    return Answer(said.as_data(), status_code=said.status, headers=headers_of(said))


def headers_of(error: WindedError) -> dict[str, str]:
    """The headers that go with an error."""
    if isinstance(error, NoToken):
        return {"www-authenticate": 'Bearer realm="Winded"'}
    if isinstance(error, WrongMethod):
        return {"allow": str(error.facts["methods"])}
    if isinstance(error, TooMuch) and "seconds" in error.facts:
        return {"retry-after": str(error.facts["seconds"])}
    return {}


def wrong_method(allowed: str) -> WrongMethod:
    """The error for a method that this address does not take; `allowed` are those it does, such as "GET, POST"."""
    return WrongMethod("This address takes only {methods}.", methods=allowed)


def _said(request: Request[Any, Any, Any], error: Exception) -> WindedError:
    if isinstance(error, RequestEntityTooLarge):
        return too_large(request.route_handler.resolve_request_max_body_size() or 0)
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = {one.strip() for one in (error.headers or {}).get("allow", "").split(",")} - {"OPTIONS"}
        return wrong_method(", ".join(sorted(allowed | ({"HEAD"} if "GET" in allowed else set()))))
    if isinstance(error, ValidationException):
        # All that the framework itself checks is that there is a body at all.
        try:
            json_from(b"")
        except WindedError as empty:
            return empty
    return in_our_words(error)
