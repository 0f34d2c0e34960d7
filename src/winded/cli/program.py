"""Which commands there are, and how each of them ends.

A command's own room is entered when the command is called for; the front page needs none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from winded.errors import Malformed, Unavailable, WindedError


def _version() -> str:
    from importlib.metadata import version

    return f"winded {version('winded')}"


app: App = App(
    name="winded",
    help="Stamina at the table: who has how much, what it buys, what it leaves, live on every screen.",
    version=_version,
    help_format="plaintext",
    help_epilogue="Use “winded COMMAND --help” for more about a command.",
    default_parameter=Parameter(show_default=lambda value: value or None),
    result_action="return_value",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,
)

_PLAYING = Group("At the table", sort_key=1)
_KEEPING = Group("The tables that are kept", sort_key=2)
_TERMINAL = Group("In the terminal", sort_key=3)
_ODDS = Group("Odds", sort_key=4)
_ITSELF = Group("Winded itself", sort_key=5)

_COMMANDS = (
    ("serve", "serve:serve", _PLAYING, "Serve tables to every laptop and phone in the network."),
    ("tables", "tables:app", _KEEPING, "List them, begin one, or make a new Referee's link to one."),
    ("export", "carrying:export", _KEEPING, "Write a table to a file, to keep or to carry."),
    ("import", "carrying:bring_in", _KEEPING, "Bring in a table from such a file."),
    ("backup", "keeping:backup", _KEEPING, "Copy the whole database to a new file."),
    ("restore", "keeping:restore", _KEEPING, "Bring back such a copy; what is there now is kept."),
    ("doctor", "keeping:doctor", _KEEPING, "Look a database over: is it whole, how old is its newest copy?"),
    ("delete", "keeping:delete", _KEEPING, "Delete a table for good."),
    ("run", "run:run", _TERMINAL, "Play commands from a file or from standard input."),
    ("rules", "rules:rules", _TERMINAL, "Show the rules in force, and which of them are house rules."),
    ("odds", "odds_commands:odds", _ODDS, "The exact chances of a Check, and what each push adds."),
    ("forecast", "odds_commands:forecast", _ODDS, "How much Stamina a day leaves everyone."),
    ("advise", "odds_commands:advise", _ODDS, "When it is best to spend."),
    ("compare", "odds_commands:compare", _ODDS, "What house rules change, side by side."),
)


def _add_commands() -> None:
    for place, (name, where, group, does) in enumerate(_COMMANDS):
        app.command(f"winded.cli.{where}", name=name, group=group, help=does, sort_key=place)
    app["--help"].group = app["--version"].group = _ITSELF
    app["--help"].help = "Show this page."
    app["--version"].help = "Say which Winded this is."


_add_commands()


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments ask (those of the process by default); the exit status."""
    _mend_streams()
    try:
        status = _do(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except WindedError as no:
        status = _end(no)
    except KeyboardInterrupt:
        status = 128 + 2
    except BrokenPipeError:
        _write_no_more()
        status = 128 + 13  # nobody reads on, as behind `| head`: no reason to complain
    except OSError as wrong:
        _write_no_more()
        status = _end(
            Unavailable("A file could not be read or written: {reason}.", reason=wrong.strerror or str(wrong))
        )
    return status


def say(text: str) -> None:
    """A sentence on standard error. What would steer a terminal is made visible."""
    shown = "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)
    print(shown, file=sys.stderr, flush=True)


def _end(no: WindedError) -> int:
    say(str(no))
    return no.exit_status


def _do(arguments: list[str]) -> int:
    try:
        if arguments and arguments[0] in app and not arguments[0].startswith("-"):
            # Its own page says all that its docstring does; on the front page stands one line of it.
            app[arguments[0]].help = None
            app[arguments[0]].help_epilogue = ""
        status = app(arguments)
    except CycloptsError as wrong:
        asked = " ".join(("winded", *(wrong.command_chain or ())))
        say(f"{_reason(wrong)}\n“{asked} --help” lists what you can give.")
        return Malformed.exit_status
    return status if isinstance(status, int) else 0


def _reason(wrong: CycloptsError) -> str:
    """What is wrong with the arguments, in a sentence."""
    match wrong:
        case MissingArgumentError(argument=argument) if argument is not None:
            return (
                f"{argument.name} needs a value." if argument.name.startswith("-") else f"{argument.name} is missing."
            )
        case ValidationError(argument=argument, exception_message=reason) if argument is not None and reason:
            return f"{argument.name}: {reason}"
        case UnknownOptionError(token=token):
            return f"There is no option {token.keyword or token.value}."
        case CoercionError(argument=argument, token=token) if argument is not None and token is not None:
            return f"{token.keyword or argument.name} takes {_taken(wrong)}; it is “{token.value}”."
        case UnknownCommandError(unused_tokens=[first, *_]):
            return f"There is no {'option' if first.startswith('-') else 'command'} {_quoted(first)}."
        case UnusedCliTokensError(unused_tokens=[first, *_]):
            return f"There is no place for “{first}”."
    wrong.verbose = False
    return str(wrong)


def _taken(wrong: CoercionError) -> str:
    choices = getattr(wrong.target_type, "__args__", ())
    if choices:
        return " or ".join(str(one) for one in choices)
    return "a whole number" if wrong.target_type is int else "something else"


def _quoted(given: str) -> str:
    return given if given.startswith("-") else f"“{given}”"


def _write_no_more() -> None:
    """Let go of what standard output did not take, so that the interpreter does not try again on its way out."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _mend_streams() -> None:
    """Standard streams that can be used, whatever the process was started with."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
