"""The addresses of the files pages load: each with a mark of its content, so that browsers keep them for a year."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"


@cache
def asset(name: str) -> str:
    """The address of a file under `static`, such as "winded.css"."""
    mark = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={mark}"
