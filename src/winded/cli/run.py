"""`winded run`: commands in, what came of them out, one JSON object a line, at a fresh table in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from winded.cli.house_rules import HouseRules, ruleset_at
from winded.cli.reading import is_waited_for, lines, opened
from winded.errors import Malformed, Refused
from winded.rules import Command, Event, Redo, Redone, Table, Undo, Undone, command_from_json


def no_option(kind: object, path: Path | None) -> None:
    """“-” is standard input; anything else with a hyphen in front is an option that does not exist."""
    if path is not None and str(path).startswith("-") and str(path) != "-":
        raise ValueError(f"There is no option {path}; a file of that name is ./{path}.")


def run(
    file: Annotated[Path | None, Parameter(allow_leading_hyphen=True, validator=no_option)] = None,
    /,
    *,
    rules: HouseRules = None,
    state: Literal["end", "each"] = "end",
) -> int:
    """Play commands at a fresh table and print what came of each, as JSON Lines.

    Reads one command a line; blank lines and lines that start with # are skipped. Answers each with
    {"line": …, "accepted": true, "events": […]} or {"line": …, "accepted": false, "refusal": {…}}, and goes on.

    Exit status: 0 if all were accepted, 1 if some were refused, 2 at the first line that is no command.

    Parameters
    ----------
    file
        Where the commands are; "-" or nothing for standard input.
    state
        Print the table's state after each line, or once at the end.
    """
    ruleset = ruleset_at(rules)
    encode = msgspec.json.Encoder().encode
    out = sys.stdout.buffer
    play = _Play(Table(ruleset))
    refused = 0
    with opened(file) as source:
        flush = is_waited_for(source)
        for line in lines(source):
            answer: dict[str, object]
            try:
                events = play.do(command_from_json(line.text()))
            except Refused as no:
                refused += 1
                answer = {"line": line.number, "accepted": False, "refusal": no.refusal()}
            except Malformed as wrong:
                out.flush()
                raise Malformed(
                    wrong.field,
                    "Line {line}: {what}",
                    line=line.number,
                    what=wrong.sentence,
                ) from wrong
            else:
                answer = {"line": line.number, "accepted": True, "events": events}
            if state == "each":
                answer["state"] = play.table.state()
            out.write(encode(answer) + b"\n")
            if flush:
                out.flush()
    if state == "end":
        out.write(encode({"state": play.table.state()}) + b"\n")
    out.flush()
    return 1 if refused else 0


class _Play:
    """A table and what was done at it, for undo and redo."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._past: list[tuple[int, Table]] = []
        self._future: list[tuple[int, Table]] = []
        self._number = 0

    def do(self, command: Command) -> tuple[Event, ...]:
        self._number += 1
        match command:
            case Undo():
                if not self._past:
                    raise Refused("not-now", "There is nothing to take back.")
                number, before = self._past.pop()
                self._future.append((number, self.table))
                self.table = before
                return (Undone((number,)),)
            case Redo():
                if not self._future:
                    raise Refused("not-now", "There is nothing to put back.")
                number, after = self._future.pop()
                self._past.append((number, self.table))
                self.table = after
                return (Redone((number,)),)
        events = command.decide(self.table)
        self._past.append((self._number, self.table))
        self._future.clear()
        self.table = self.table.after(*events)
        return events
