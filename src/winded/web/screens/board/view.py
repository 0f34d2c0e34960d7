"""The Referee's board: everyone at a glance, the round as a line, what each may do, what was asked, what happened."""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from winded.sentence import Sentence
from winded.service import Seen
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer, seat_id
from winded.web.screens.board.requests import wish
from winded.web.screens.board.round import controls, line_of, sent
from winded.web.screens.board.seat import seat
from winded.web.screens.parts.lines import all_told, newest_lines
from winded.web.screens.parts.offers import that_act


class Back(Struct, frozen=True):
    """What undo takes back or redo puts back, and what it sends."""

    act: Markup
    what: Sentence


def render(viewer: Viewer, seen: Seen, kept: Kept) -> Rendered:
    """The board of every Referee of a table."""
    speaking = language(viewer.language)
    table = seen.table
    at = f"/tables/{seen.id}"
    # The party, then the enemies; those without a CON Ability Die have little to show and stand together at the end.
    sitting = sorted(table.characters.values(), key=lambda one: (one.is_enemy, one.base_con is None))
    told = [*newest_lines(viewer.language, seen, kept)]

    def part(name: str, *facts: object) -> str:
        return str(speaking.macro("board/pieces.html", name)(*facts)).strip()

    undo, redo = seen.undo, seen.redo
    fragments = {
        "title": part("title", seen.name),
        "round": part("round", table.combat, line_of(table), controls(table), at),
        "asks": part("asks", [wish(table, seen.company, ask) for ask in seen.company.asks], at),
        "undo": part(
            "undo",
            None if undo is None else Back(sent("undo", at=that_act(undo.number)), all_told(undo)),
            None if redo is None else Back(sent("redo", at=that_act(seen.redo_numbers[0])), all_told(redo)),
            len(seen.redo_numbers) - 1,
        ),
    }
    seats = [seat_id(one) for one in sitting]
    low = [seat_id(one) for one in sitting if one.is_enemy and one.base_con is None]
    for one in sitting:
        fragments[f"seat-{seat_id(one)}"] = part("seat", seat(table, seen.company, one))
    history = [f"h-{line.number}" for line, _ in told]
    for line, html in told:
        fragments[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render(
            "board/root.html",
            fragments=fragments,
            seats=[key for key in seats if key not in low],
            low=low,
            lines=history,
            number_now=seen.number,
            mark_now=seen.revision.mark,
            ladder=table.ruleset.ladder,
        )

    return Rendered(" ".join(seats) + f" {len(low)}", fragments, root)


def page(viewer: Viewer, seen: Seen, rendered: Rendered) -> str:
    """The whole page of the board."""
    return language(viewer.language).render(
        "board/page.html", name=seen.name, at=f"/tables/{seen.id}", root=rendered.root()
    )
