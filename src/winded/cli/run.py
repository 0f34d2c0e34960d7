"""`winded run`: commands in, what came of them out, one JSON object a line, at a fresh table in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from winded.cli.house_rules import HouseRules, ruleset_at
from winded.cli.program import say
from winded.cli.reading import is_waited_for, lines, no_option, opened
from winded.errors import Malformed, Refused
from winded.rules import command_from_json
from winded.service import acting, desk_in_memory, opening, seeing, visiting

_encode = msgspec.json.Encoder().encode


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
    out = sys.stdout.buffer
    refused = 0
    with opened(file) as source, desk_in_memory() as desk:
        table = opening.begin_table(desk, "winded run", ruleset=ruleset).link.table
        who = visiting.keeper(desk, table)
        is_flushed = is_waited_for(source)
        if source.isatty():
            say("Type one command a line, as JSON. Ctrl-D ends it.")
        for line in lines(source):
            answer: dict[str, object]
            try:
                acted = acting.act_now(desk, who, command_from_json(line.text()))
            except Refused as no:
                refused += 1
                answer = {"line": line.number, "accepted": False, "refusal": no.refusal()}
            except Malformed as wrong:
                out.flush()
                raise Malformed(wrong.field, "Line {line}: {what}", line=line.number, what=wrong.sentence) from wrong
            else:
                answer = {"line": line.number, "accepted": True, "events": acted.events}
            if state == "each":
                answer["state"] = seeing.see(desk, who).table.state()
            out.write(_encode(answer) + b"\n")
            if is_flushed:
                out.flush()
        if state == "end":
            out.write(_encode({"state": seeing.see(desk, who).table.state()}) + b"\n")
    out.flush()
    return Refused.exit_status if refused else 0
