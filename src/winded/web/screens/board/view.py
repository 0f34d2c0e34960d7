"""The Referee's board: everyone at a glance, the round as a line, what each may do, what was asked, what happened."""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from winded.roles import deciding
from winded.rules import Table, moment_told
from winded.rules.table import ENEMY_SIDE
from winded.sentence import Sentence
from winded.service import Seen
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer, seat_id
from winded.web.screens.board.inviting import inviting
from winded.web.screens.board.pane import pane
from winded.web.screens.board.requests import wish
from winded.web.screens.board.round import controls, line_of, sent
from winded.web.screens.board.seat import seat
from winded.web.screens.parts.called import called_check
from winded.web.screens.parts.lines import all_told, newest_lines
from winded.web.screens.parts.offers import that_act
from winded.web.screens.parts.seats import moment


class Back(Struct, frozen=True):
    """What undo takes back or redo puts back, and what it sends."""

    act: Markup
    what: Sentence


def render(viewer: Viewer, seen: Seen, kept: Kept) -> Rendered:
    """The board of every Referee of a table."""
    speaking = language(viewer.language)
    table, company = seen.table, seen.company
    at = f"/tables/{seen.id}"
    told = [*newest_lines(viewer.language, seen, kept)]
    groups = _groups(table)

    def part(name: str, *facts: object) -> str:
        return str(speaking.macro("board/pieces.html", name)(*facts)).strip()

    undo, redo, choosing = seen.undo, seen.redo, deciding(company, table)
    stops = line_of(table, choosing.undecided)
    coming = inviting(table, company)
    invitation = "" if coming is None else speaking.macro("board/inviting.html", "inviting")(coming)
    fragments = {
        "title": part("title", seen.name),
        "round": part("round", table.combat, moment(table), moment_told(table), stops, controls(table), at),
        "pane": part("pane", pane(table, company, choosing), invitation, called_check(seen)),
        "asks": part("asks", [wish(table, company, ask) for ask in company.asks], at),
        "foes": part("foes", len([*table.taking_part(ENEMY_SIDE)]), table.combat is None, at),
        "undo": part(
            "undo",
            None if undo is None else Back(sent("undo", at=that_act(undo.number)), all_told(undo)),
            None if redo is None else Back(sent("redo", at=that_act(seen.redo_numbers[0])), all_told(redo)),
            len(seen.redo_numbers) - 1,
        ),
    }
    for one in table.characters.values():
        fragments[f"seat-{seat_id(one)}"] = part("seat", seat(table, company, one))
    history = [f"h-{line.number}" for line, _ in told]
    for line, html in told:
        fragments[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render(
            "board/root.html",
            fragments=fragments,
            **groups,
            lines=history,
            number_now=seen.number,
            mark_now=seen.revision.mark,
            ladder=table.ruleset.ladder,
        )

    return Rendered(";".join(" ".join(keys) for keys in groups.values()), fragments, root)


def _groups(table: Table) -> dict[str, list[str]]:
    """Who stands where: the party, the enemies, those of them without a CON Ability Die, and whoever is set aside."""
    groups: dict[str, list[str]] = {"party": [], "foes": [], "low": [], "aside": []}
    for one in table.characters.values():
        here = "party" if not one.is_enemy else "low" if one.base_con is None else "foes"
        groups["aside" if one.aside else here].append(seat_id(one))
    return groups


def page(viewer: Viewer, seen: Seen, rendered: Rendered) -> str:
    """The whole page of the board."""
    return language(viewer.language).render(
        "board/page.html", name=seen.name, at=f"/tables/{seen.id}", root=rendered.root()
    )
