"""Which commands there are, and how each of them ends.

Only what the front page needs is imported here; a command's own room is entered when the command is called for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from winded.cli.help_page import columns, paragraphs
from winded.errors import Malformed, Unavailable, WindedError

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

_WHAT = "Stamina at the table: who has how much, what it buys, what it leaves, live on every screen."
_ODDS = "winded.cli.odds_commands"


class Listed(NamedTuple):
    """A command on the front page, what may follow it, and where it lives: a function, or a room that registers it."""

    name: str
    takes: str
    does: str
    where: str


SHELVES: dict[str, tuple[Listed, ...]] = {
    "At the table": (
        Listed(
            "serve",
            "[--host HOST] [--port PORT] [--database PATH] [--no-qr]",
            "Serve tables to every laptop and phone in the network.",
            "winded.cli.serve:serve",
        ),
    ),
    "The tables that are kept": (
        Listed(
            "tables",
            "[new NAME | recover ID] [--database PATH] [--json]",
            "List them, begin one, or make a new Referee's link to one.",
            "winded.cli.tables:app",
        ),
        Listed(
            "export",
            "[--database PATH] [--schema | ID [FILE]]",
            "Write a table to a file, to keep or to carry.",
            "winded.cli.carrying:export",
        ),
        Listed(
            "import",
            "[--copy | --replace] [--database PATH] FILE",
            "Bring in a table from such a file.",
            "winded.cli.carrying:bring_in",
        ),
        Listed(
            "backup",
            "[--database PATH] FILE",
            "Copy the whole database to a new file.",
            "winded.cli.keeping:backup",
        ),
        Listed(
            "delete",
            "--yes [--database PATH] ID",
            "Delete a table for good.",
            "winded.cli.keeping:delete",
        ),
    ),
    "In the terminal": (
        Listed(
            "run",
            "[--rules HOUSE.toml] [--state end|each] [FILE]",
            "Play commands from a file or from standard input.",
            "winded.cli.run:run",
        ),
        Listed(
            "rules",
            "[--rules HOUSE.toml] [--json | --schema]",
            "Show the rules in force, and which of them are house rules.",
            "winded.cli.rules:rules",
        ),
    ),
    "Odds": (
        Listed("odds", "", "The exact chances of a Check, and what each push adds.", _ODDS),
        Listed("forecast", "", "How much Stamina a day leaves everyone.", _ODDS),
        Listed("advise", "", "When it is best to spend.", _ODDS),
        Listed("compare", "", "What house rules change, side by side.", _ODDS),
    ),
}


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
        status = _end(Unavailable("This could not be read or written: {reason}.", reason=wrong.strerror or str(wrong)))
    return status


def say(text: str) -> None:
    """A sentence on standard error. What would steer a terminal is made visible."""
    shown = "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)
    print(shown, file=sys.stderr, flush=True)


def _end(no: WindedError) -> int:
    say(str(no))
    return no.exit_status


def _do(arguments: list[str]) -> int:
    match arguments:
        case [] | ["--help" | "-h", *_]:
            print(_front_page())
        case ["--version", *_]:
            print(_version())
        case [name, *_]:
            return _call(name, arguments)
    return 0


def _call(name: str, arguments: list[str]) -> int:
    listed = {each.name: each for shelf in SHELVES.values() for each in shelf}
    if name not in listed:
        known = ", ".join(f"“{each}”" for each in listed)
        raise Malformed("COMMAND", "There is no command “{name}”; there are {known}.", name=name, known=known)
    from cyclopts import CycloptsError

    try:
        status = _app(listed[name])(arguments)
    except CycloptsError as wrong:
        asked = " ".join(("winded", *(wrong.command_chain or (name,))))
        say(f"{_reason(wrong)}\n“{asked} --help” says what can be given.")
        return Malformed.exit_status
    return status if isinstance(status, int) else 0


def _reason(wrong: CycloptsError) -> str:
    """What is wrong with the arguments, in a sentence."""
    from cyclopts import MissingArgumentError, UnknownOptionError, UnusedCliTokensError, ValidationError

    match wrong:
        case MissingArgumentError(argument=argument) if argument is not None:
            return (
                f"{argument.name} needs a value." if argument.name.startswith("-") else f"{argument.name} is missing."
            )
        case ValidationError(argument=argument, exception_message=reason) if argument is not None and reason:
            return f"{argument.name}: {reason}"
        case UnknownOptionError(token=token):
            return f"There is no option {token.keyword or token.value}."
        case UnusedCliTokensError(unused_tokens=[first, *_]):
            return f"There is no place for “{first}”."
    wrong.verbose = False
    return str(wrong)


def _app(listed: Listed) -> App:
    """What reads the arguments of this command. No other is imported."""
    from cyclopts import App

    from winded.cli.help_page import HelpPage

    app = App(
        name="winded",
        version=_version,
        help_format="plaintext",
        help_formatter=HelpPage(),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    if ":" in listed.where:
        app.command(listed.where, name=listed.name)
        app[listed.name].usage = f"winded {listed.name} {listed.takes}"
    else:
        import_module(listed.where).register(app)
    return app


def _front_page() -> str:
    return "\n\n".join(
        (
            "Usage: winded COMMAND",
            paragraphs(_WHAT),
            *(columns(title, [(listed.name, listed.does) for listed in shelf]) for title, shelf in SHELVES.items()),
            paragraphs("“winded COMMAND --help” says more of each, “winded --version” which Winded it is."),
        )
    )


def _version() -> str:
    from importlib.metadata import version

    return f"winded {version('winded')}"


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
