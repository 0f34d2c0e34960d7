"""Commands read from plain data and JSON, and the JSON Schema of what is read."""

from __future__ import annotations

from typing import Any

import msgspec

from winded.errors import Malformed
from winded.rules.command import Command
from winded.rules.fields import malformed, read, schema, shown
from winded.rules.hallway import COMMANDS, AnyCommand
from winded.sentence import sentence


def command_from(data: object) -> Command:
    """A command from plain data; raises Malformed that names the field which is unknown, missing or wrong."""
    if not isinstance(data, dict):
        raise Malformed("", "A command is an object with “do” and its fields; this is {value}.", value=shown(data))
    do = data.get("do")
    made = COMMANDS.get(do) if isinstance(do, str) else None
    if made is None:
        allowed = sentence("one of {words}", words=", ".join(sorted(COMMANDS)))
        if "do" not in data:
            raise Malformed("do", "“{field}” is missing; it must be {allowed}.", field="do", allowed=allowed)
        raise malformed("do", allowed, do)
    return read(made, {name: value for name, value in data.items() if name != "do"})


def command_from_json(text: bytes | str) -> Command:
    """A command from JSON; raises Malformed as `command_from` does, or for what is not JSON at all."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not JSON: {reason}.", reason=str(wrong)) from wrong
    return command_from(data)


def command_schema() -> dict[str, Any]:
    """The JSON Schema of commands."""
    return schema(AnyCommand)
