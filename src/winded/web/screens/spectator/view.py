"""The spectators' view: everyone players may see, the round, and what happened. Nothing can be done here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from markupsafe import Markup

from winded.roles import veiled
from winded.tables import Line, Snapshot
from winded.web.language import language
from winded.web.live import Rendered, Viewer, seat_id
from winded.web.screens.parts.lines import TOLD, seen
from winded.web.screens.parts.seats import moment, order, seat_of


def render(viewer: Viewer, snapshot: Snapshot, lines: Sequence[Line]) -> Rendered:
    """What every spectator of a table sees."""
    speaking = language(viewer.language)
    table = veiled(snapshot.table)
    told = islice(seen(viewer.language, lines, snapshot), TOLD)
    shared: dict[str, Any] = {
        "at": f"/tables/{snapshot.id}",
        "table_name": snapshot.name,
        "number_now": snapshot.number,
        "mark_now": snapshot.mark,
        "table": table,
    }

    def piece(template: str, kind: str, **facts: Any) -> str:
        return str(speaking.macro(template, kind)({**shared, **facts})).strip()

    pieces = {
        "moment": piece("phone/pieces.html", "moment", moment=moment(table), order=order(table, set()), newest=None)
    }
    for character in table.characters.values():
        seat = seat_of(table, snapshot.company, character)
        pieces[f"seat-{seat_id(character)}"] = piece("spectator/pieces.html", "seat", seat=seat)
    skeleton = " ".join(pieces)
    for line, html in told:
        pieces[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render("spectator/root.html", **shared, pieces=pieces)

    return Rendered(skeleton, pieces, root)


def page(viewer: Viewer, snapshot: Snapshot, rendered: Rendered) -> str:
    """The whole page of the spectators' view."""
    return language(viewer.language).render(
        "spectator/page.html", name=snapshot.name, at=f"/tables/{snapshot.id}", root=Markup(rendered.root())
    )
