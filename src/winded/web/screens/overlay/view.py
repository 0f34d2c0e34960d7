"""The overlay for streaming software: transparent, large, and only what players may see.

Its address says what it shows: `characters` are ids or names, set apart by commas, everyone in the party without it;
`size` is "small", "medium", "large" or "huge"; `theme` is "dark" for light writing over a dark picture, or "light".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from markupsafe import Markup

from winded.errors import Refused
from winded.rules import Character, Table
from winded.service import Seen
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer, seat_id
from winded.web.screens.parts.called import called_check
from winded.web.screens.parts.seats import moment, seat_of

OPTIONS = ("characters", "size", "theme")
"""What the address of an overlay may say."""

SIZES = ("small", "medium", "large", "huge")
THEMES = ("dark", "light")
LONGEST = 4_000
"""So much of `characters` is read; more than any table's names come to."""


MOST_SAID = 8
"""Of so many unknown names it is said at most which they are."""

MOST_PARTS = 8
"""A name with more commas than one less is not found."""


def render(viewer: Viewer, seen: Seen, kept: Kept) -> Rendered:
    """The characters that the address asks for, and whose turn it is."""
    speaking = language(viewer.language)
    table = seen.table
    shared: dict[str, Any] = {"table": table, "table_name": seen.name}
    shared |= {"number_now": seen.number, "mark_now": seen.revision.mark}

    def piece(kind: str, **facts: Any) -> str:
        return str(speaking.macro("spectator/pieces.html", kind)({**shared, **facts})).strip()

    pieces = {"moment": piece("round", moment=moment(table)), "call": piece("call", check=called_check(seen))}
    for character in chosen(table, dict(viewer.options).get("characters", "")):
        pieces[f"seat-{seat_id(character)}"] = piece("cast", seat=seat_of(table, seen.company, character))

    def root() -> str:
        return speaking.render("overlay/root.html", **shared, pieces=pieces)

    return Rendered(" ".join(pieces), pieces, root)


def chosen(table: Table, wanted: str) -> list[Character]:
    """The characters named, in that order, or all of the party who take part, without those who are not to be seen."""
    named = [*_named(table, wanted)]
    if not named:
        return [*table.taking_part()]
    return [*{one.id: one for one in named if one is not None}.values()]


def unknown(table: Table, wanted: str) -> list[int]:
    """Which of the names fit nobody who is to be seen, counted from 1.

    Not the names themselves: one may be a hidden enemy's, and viewers of the stream are not to read it.
    """
    return [place for place, one in enumerate(_named(table, wanted), 1) if one is None]


def _named(table: Table, wanted: str) -> Iterator[Character | None]:
    """Who is meant by each name, None where nobody is."""
    parts = [part.strip() for part in wanted[:LONGEST].split(",") if part.strip()]
    while parts:
        character, read = _first(table, parts)
        del parts[:read]
        yield character


def _first(table: Table, parts: list[str]) -> tuple[Character | None, int]:
    """Who is named first, and in how many parts: a name may hold commas, and the longest one that fits is meant."""
    for read in range(min(len(parts), MOST_PARTS), 0, -1):
        name = ", ".join(parts[:read])
        for written in (name, name.replace(", ", ",")):
            with suppress(Refused):
                return table.character(f"#{written}" if written.isdecimal() else written), read
    return None, 1


def page(viewer: Viewer, seen: Seen, rendered: Rendered) -> str:
    """The whole page of an overlay."""
    options = dict(viewer.options)
    size, theme = options.get("size", ""), options.get("theme", "")
    return language(viewer.language).render(
        "overlay/page.html",
        name=seen.name,
        at=f"/tables/{seen.id}",
        root=Markup(rendered.root()),
        unknown=unknown(seen.table, options.get("characters", ""))[:MOST_SAID],
        size=size if size in SIZES else "large",
        theme=theme if theme in THEMES else "dark",
    )
