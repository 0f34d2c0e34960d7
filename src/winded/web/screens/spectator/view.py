"""The spectators' view: everyone players may see, the round, and what happened. Nothing can be done here."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from winded.rules import moment_told
from winded.service import Seen
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer, seat_id
from winded.web.screens.parts.called import called_check
from winded.web.screens.parts.lines import newest_lines, newest_result
from winded.web.screens.parts.seats import moment, next_turn, order, seat_of


def render(viewer: Viewer, seen: Seen, kept: Kept) -> Rendered:
    """What every spectator of a table sees."""
    speaking = language(viewer.language)
    table = seen.table
    told = newest_lines(viewer.language, seen, kept)
    shared: dict[str, Any] = {
        "at": f"/tables/{seen.id}",
        "table_name": seen.name,
        "number_now": seen.number,
        "mark_now": seen.revision.mark,
        "table": table,
    }

    def piece(template: str, kind: str, **facts: Any) -> str:
        return str(speaking.macro(template, kind)({**shared, **facts})).strip()

    check = called_check(seen)
    pieces = {
        "moment": piece(
            "phone/pieces.html",
            "moment",
            moment=moment(table),
            told=moment_told(table),
            yours=None,
            next=next_turn(table),
            order=order(table, set()),
            newest=None,
            result=None if check else newest_result(seen),
        ),
        "call": piece("spectator/pieces.html", "call", check=check),
    }
    for character in table.characters.values():
        seat = seat_of(table, seen.company, character)
        pieces[f"seat-{seat_id(character)}"] = piece("spectator/pieces.html", "seat", seat=seat)
    skeleton = " ".join(pieces)
    for line, html in told:
        pieces[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render("spectator/root.html", **shared, pieces=pieces)

    return Rendered(skeleton, pieces, root)


def page(viewer: Viewer, seen: Seen, rendered: Rendered) -> str:
    """The whole page of the spectators' view."""
    return language(viewer.language).render(
        "spectator/page.html", name=seen.name, at=f"/tables/{seen.id}", root=Markup(rendered.root())
    )
