"""The command line, `winded`."""

from winded.cli.program import main

__all__ = ["main"]
