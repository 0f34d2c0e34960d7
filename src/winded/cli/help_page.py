"""How every help page looks: plain lines in two columns, without frames, no wider than one reads well."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

_WIDEST = 100
_LEFT = 24


def paragraphs(text: str) -> str:
    """A text with each paragraph wrapped; what is indented stays as it is."""
    width = _width()
    return "\n\n".join(
        part if part.startswith(" ") else textwrap.fill(part, width) for part in text.strip().split("\n\n")
    )


def columns(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """A heading, and under it what can be given with what it means."""
    left = min(max((len(name) for name, _ in rows), default=0), _LEFT)
    width = _width() - left - 4
    lines = [f"{title}:"]
    for name, meaning in rows:
        first, *further = textwrap.wrap(meaning, max(width, 20)) or [""]
        if len(name) > left:
            lines += [f"  {name}", f"  {'':<{left}}  {first}".rstrip()]
        else:
            lines.append(f"  {name:<{left}}  {first}".rstrip())
        lines += [f"  {'':<{left}}  {line}" for line in further]
    return "\n".join(lines)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST)


class HelpPage:
    """What cyclopts hands over of a command, written as above."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """One group of parameters or commands."""
        if panel.entries:
            _write(console, columns(_plain(panel.title), [_row(entry) for entry in panel.entries]))

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """The first line."""
        line = f"Usage: {_plain(usage).removeprefix('Usage:').strip()}"
        _write(console, textwrap.fill(line, _width(), subsequent_indent=" " * 8, break_on_hyphens=False))

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """What the command is for."""
        _write(console, paragraphs(_plain(description)))


def _row(entry: HelpEntry) -> tuple[str, str]:
    return ", ".join(entry.display_labels_with_metavar), " ".join(_meaning(entry))


def _meaning(entry: HelpEntry) -> Iterable[str]:
    if entry.description is not None:
        yield _plain(entry.description)
    if entry.choices:
        yield f"One of: {', '.join(entry.choices)}."
    if entry.default is not None and entry.metavar is not None:
        yield f"Default: {entry.default}."
    if entry.required:
        yield "Required."


def _plain(text: Any) -> str:
    """The text of whatever cyclopts wraps it in."""
    for inner in ("primary_renderable", "plain"):
        text = getattr(text, inner, text)
    return str(text).strip()


def _write(console: Console, text: str) -> None:
    if text:
        console.file.write(f"{text}\n\n")
