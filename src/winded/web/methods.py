"""Which methods an address takes: HEAD wherever GET is taken, and in `Allow` all that it takes instead of another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import Scope

_HEAD = "winded.head"
_PLACE = re.compile(r"\{[^}]*\}")


def as_get(scope: Scope) -> Scope:
    """A request for the head of an answer as one for the whole; the server sends no body after such a head."""
    if scope.get("method") == "HEAD":
        return {**scope, "method": "GET", _HEAD: True}  # type: ignore[return-value]
    return scope


def is_for_head(scope: Scope) -> bool:
    """Whether only the head was asked for: what would go on for ever after it must end at once."""
    return _HEAD in scope


def allowed(routes: Iterable[BaseRoute], path: str) -> str:
    """The methods that these routes take at a path, as the header `Allow` lists them."""
    found = {
        str(method)
        for route in routes
        if isinstance(route, HTTPRoute) and _pattern(route.path_format).fullmatch(path)
        for method in route.methods
    }
    return ", ".join(sorted(found | ({"HEAD"} if "GET" in found else set())))


def _pattern(path_format: str) -> re.Pattern[str]:
    return re.compile("[^/]+".join(map(re.escape, _PLACE.split(path_format))))
