"""The files pages load: scripts joined from their modules, thinned, at addresses that change with their content."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"

SCRIPTS = ("board.js", "phone.js", "spectator.js", "overlay.js", "start.js", "odds.js", "worker.js")
"""The scripts that pages load; what each imports is joined to it."""

STYLES = (
    "winded.css", "seats.css", "board.css", "phone.css", "joining.css", "start.css", "overlay.css", "odds.css",
)  # fmt: skip

_FOR_READERS = re.compile(r"^\s*(?://.*\n|/\*[\s\S]*?\*/\s*)?\s*", re.MULTILINE)
_SPACE_IN_STYLES = re.compile(r"\s*(\{)\s*|;\s*(\})\s*|([;,])\s+|(?<=[a-z-])(:) (?!;)")
_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|function|async function) ([\w$]+))", re.MULTILINE)


@cache
def asset(name: str) -> str:
    """The address of a file under `static`, such as "winded.css", with a mark of what is served there."""
    mark = hashlib.sha256(served(name)).hexdigest()[:10]
    return f"/static/{name}?v={mark}"


@cache
def served(name: str) -> bytes:
    """What browsers get: a script with its modules, or a style sheet, without comments on lines of their own and
    without indentation, a style sheet without the space that only readers need; any other file as it is.

    For scripts without a template literal over several lines, and styles without a text that holds ";" or ",".
    """
    if name in SCRIPTS:
        return b'"use strict";\n' + _FOR_READERS.sub("", joined(STATIC / name)).encode()
    if name in STYLES:
        thin = _FOR_READERS.sub("", (STATIC / name).read_text(encoding="utf-8"))
        return _SPACE_IN_STYLES.sub(lambda found: str(found[found.lastindex or 0]), thin).encode()
    return (STATIC / name).read_bytes()


def joined(script: Path) -> str:
    """A script after all that it imports: each module a function that runs once and gives back what it exports.

    For modules that import and export by plain names, and change nothing that they have exported.
    """
    numbers: dict[Path, int] = {}
    made: list[str] = []

    def take_in(path: Path) -> int:
        if path not in numbers:
            text = path.read_text(encoding="utf-8")
            needed = {found[2]: take_in((path.parent / found[2]).resolve()) for found in _IMPORT.finditer(text)}
            text = _IMPORT.sub(lambda found: f"const {found[1]} = m{needed[found[2]]};\n" if found[1] else "", text)
            given = ", ".join(name for _, name in _EXPORT.findall(text))
            numbers[path] = len(numbers)
            body = _EXPORT.sub(lambda found: found[1], text)
            made.append(f"const m{numbers[path]} = (() => {{\n{body}return {{ {given} }};\n}})();\n")
        return numbers[path]

    take_in(script.resolve())
    return "{\n" + "".join(made) + "}\n"
