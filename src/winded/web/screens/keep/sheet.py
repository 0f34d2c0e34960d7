"""The sheet of the table as such."""

from __future__ import annotations

from winded.web.screens.parts.sheet import Asking, Facts


def table(asking: Asking) -> Facts:
    """The table as such: its name, its file, its end."""
    return {"name": asking.seen.name}
