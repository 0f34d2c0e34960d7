"""What goes to standard output: JSON, and rows in columns within a terminal's width, or whole for another program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDEST = 110
_WHOLE = 10_000


def print_json(data: object) -> None:
    """Print anything that goes into JSON, indented."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def console() -> Console:
    """Standard output. Into a pipe each row goes whole, on one line, so that it can be searched for."""
    from rich.console import Console

    made = Console(highlight=False, markup=False, emoji=False)
    made.width = min(made.width, _WIDEST) if made.is_terminal else _WHOLE
    return made


def print_columns(out: Console, columns: Table) -> None:
    """Print these columns, without white space at the end of their lines."""
    with out.capture() as drawn:
        out.print(columns)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())
