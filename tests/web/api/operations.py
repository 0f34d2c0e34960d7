"""Everything the API can do, by its own description."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from winded.web.api import description


class Described(Struct, frozen=True):
    """One operation: its name, method, address below /api, the body it takes, if any, and whether it needs a token."""

    name: str
    method: str
    path: str
    body: Any
    token: bool


OPERATIONS = tuple(
    Described(
        operation["operationId"],
        method.upper(),
        path.removeprefix("/api"),
        operation.get("requestBody"),
        "security" in operation,
    )
    for path, operations in description()["paths"].items()
    for method, operation in operations.items()
)
