"""Commands read from plain data and JSON, and the JSON Schema of what is read."""

from __future__ import annotations

from typing import Any

import msgspec

from winded.errors import Malformed
from winded.rules.command import Command
from winded.rules.correcting import ABOUT_HISTORY, played_from
from winded.rules.fields import malformed, read, schema, shown
from winded.rules.hallway import COMMANDS, AnyCommand
from winded.sentence import sentence

MOST_TOGETHER = 100
"""So many commands may be one act."""


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


def commands_from_json(text: bytes | str) -> tuple[Command, ...]:
    """A list of 1 to `MOST_TOGETHER` commands from JSON, none of them about the history itself, to play as one act.

    Raises Malformed that names the place in the list and the field.
    """
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not JSON: {reason}.", reason=str(wrong)) from wrong
    return played_from(data, "", MOST_TOGETHER, least=1)


def commands_schema() -> dict[str, Any]:
    """The JSON Schema of such a list; the commands in it are described in `command_schema`."""
    left_out = {f"#/$defs/{COMMANDS[word].__name__}" for word in ABOUT_HISTORY}
    return {
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_TOGETHER,
        "items": {"anyOf": [one for one in command_schema()["anyOf"] if one["$ref"] not in left_out]},
        "description": "Commands that are one act: all of them, in this order, or none.",
    }


def command_schema() -> dict[str, Any]:
    """The JSON Schema of commands."""
    return schema(AnyCommand)
