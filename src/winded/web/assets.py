"""The addresses of the files pages load: each with a mark of its content, so that browsers keep them for a year."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"

LEAN = ("winded.css", "winded.js")
"""What every first load of a table brings: served without what only its readers need."""

_FOR_READERS = re.compile(r"^\s*(?://.*\n|/\*.*?\*/\s*)?\s*", re.MULTILINE)


@cache
def asset(name: str) -> str:
    """The address of a file under `static`, such as "winded.css"."""
    mark = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={mark}"


@cache
def lean(name: str) -> bytes:
    """A style sheet or script without the comments that stand on lines of their own, and without indentation.

    For files without a template literal or comment that runs over several lines.
    """
    return _FOR_READERS.sub("", (STATIC / name).read_text(encoding="utf-8")).encode()
