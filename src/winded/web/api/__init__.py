"""The HTTP API, under /api: tables, commands, options, state, history and live events, as JSON."""

from typing import Any

handlers: list[Any] = []
