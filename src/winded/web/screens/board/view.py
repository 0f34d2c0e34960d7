"""The Referee's board: everyone at a glance, the round as a line, what each may do, what was asked, what happened."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from winded.sentence import Sentence
from winded.tables import Line, Snapshot
from winded.web.language import language
from winded.web.live import Rendered, Viewer, seat_id
from winded.web.screens.board.requests import wish
from winded.web.screens.board.round import controls, line_of, sent
from winded.web.screens.board.seat import seat
from winded.web.screens.parts.lines import by_whom, first_told, line_html
from winded.web.screens.parts.offers import that_act

LINES = 20
"""So many of the newest lines of the history stand on the board, as in `table/view.js`; a sheet holds the rest."""


class Back(Struct, frozen=True):
    """What undo takes back or redo puts back, and what it sends."""

    act: Markup
    what: Sentence


def render(viewer: Viewer, snapshot: Snapshot, lines: Sequence[Line]) -> Rendered:
    """The board of every Referee of a table."""
    speaking = language(viewer.language)
    table = snapshot.table
    at = f"/tables/{snapshot.id}"
    # The party, then the enemies; those without a CON Ability Die have little to show and stand together at the end.
    sitting = sorted(table.characters.values(), key=lambda one: (one.is_enemy, one.base_con is None))
    told = [line for line in lines if line.entry.events][:LINES]

    def part(name: str, *facts: object) -> str:
        return str(speaking.macro("board/pieces.html", name)(*facts)).strip()

    undo, redo = snapshot.undo, snapshot.redo
    fragments = {
        "title": part("title", snapshot.name),
        "round": part("round", table.combat, line_of(table), controls(table), at),
        "asks": part("asks", [wish(table, snapshot.company, ask) for ask in snapshot.company.asks], at),
        "undo": part(
            "undo",
            None if undo is None else Back(sent("undo", at=that_act(undo.number)), first_told(undo)),
            None if redo is None else Back(sent("redo", at=that_act(snapshot.redo_numbers[0])), first_told(redo)),
            len(snapshot.redo_numbers) - 1,
        ),
    }
    seats = [seat_id(one) for one in sitting]
    low = [seat_id(one) for one in sitting if one.is_enemy and one.base_con is None]
    for one in sitting:
        fragments[f"seat-{seat_id(one)}"] = part("seat", seat(table, snapshot.company, one))
    history = [f"h-{line.entry.number}" for line in told]
    for line in told:
        fragments[f"h-{line.entry.number}"] = line_html(viewer.language, line, by_whom(line, snapshot.company))

    def root() -> str:
        return speaking.render(
            "board/root.html",
            fragments=fragments,
            seats=[key for key in seats if key not in low],
            low=low,
            lines=history,
            number_now=snapshot.number,
            mark_now=snapshot.mark,
            ladder=table.ruleset.ladder,
        )

    return Rendered(" ".join(seats) + f" {len(low)}", fragments, root)


def page(viewer: Viewer, snapshot: Snapshot, rendered: Rendered) -> str:
    """The whole page of the board."""
    return language(viewer.language).render(
        "board/page.html", name=snapshot.name, at=f"/tables/{snapshot.id}", root=rendered.root()
    )
