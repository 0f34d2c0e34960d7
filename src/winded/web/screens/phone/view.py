"""The player's phone: what I have, what I can do now, what each costs and leaves, and when my turn comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from winded.roles import Company, Freedom, Member, Permissions, Role, may_undo, veiled
from winded.rules import (
    ROOMS,
    STRAINS,
    AddCharacter,
    Character,
    Table,
)
from winded.tables import Line, Snapshot
from winded.web.language import language
from winded.web.live import Rendered, Viewer, seat_id
from winded.web.screens.parts.lines import TOLD, Told, seen, told_to_all
from winded.web.screens.parts.offers import freedom, that_act
from winded.web.screens.parts.seats import Seat, moment, order, seat_of
from winded.web.screens.phone.hand import hand
from winded.web.screens.phone.requests import answers_to

OTHERS_MATTER = any(room.names_another for room in ROOMS)
"""Whether what one may do depends on who else is there."""


class Dealt(Struct, frozen=True):
    """One character in a player's hand as HTML: its pieces by the ids of their elements, and its tiles' keys."""

    id: str
    character: Character
    is_turn: bool
    tiles: tuple[str, ...]
    pieces: Mapping[str, str]


@lru_cache(maxsize=512)
def deal(
    code: str,
    at: str,
    table: Table,
    who: str,
    permissions: Permissions,
    check_dice: str | None,
    member: Member,
    others: tuple[Member, ...],
) -> Dealt:
    """The pieces of one hand, kept while nothing changes that they depend on.

    At `table` there sits only this character, unless the others make a difference; `others` play it as well.
    """
    character = table.characters[who]
    players = (member, *others)
    company = Company(
        MappingProxyType({one.id: one for one in players}),
        MappingProxyType({character.id: tuple(one.id for one in players)}),
        permissions,
    )
    one = hand(table, company, member, character)
    macros = {kind: language(code).macro("phone/pieces.html", kind) for kind in ("have", "bar", "more", "can")}
    facts = {"at": at, "table": table, "check_dice": check_dice, "hand": one}
    pieces = {f"{kind}-{one.id}": str(macros[kind](facts)).strip() for kind in ("have", "bar", "more")}
    for tile in one.tiles:
        pieces[f"can-{one.id}-{tile.key}"] = str(macros["can"]({**facts, "tile": tile})).strip()
    return Dealt(one.id, character, one.is_turn, tuple(tile.key for tile in one.tiles), pieces)


@lru_cache(maxsize=2048)
def _seat(code: str, seat: Seat) -> str:
    return str(language(code).macro("phone/pieces.html", "seat")({"seat": seat})).strip()


def render(viewer: Viewer, snapshot: Snapshot, lines: Sequence[Line]) -> Rendered:
    """The phone of one player."""
    speaking = language(viewer.language)
    company = snapshot.company
    member = company.members.get(viewer.member) or Member(viewer.member, "", Role.PLAYER)
    table = veiled(snapshot.table)
    own = [one for one in company.characters_of(member.id, table) if not one.is_enemy]
    at = f"/tables/{snapshot.id}"
    hands = [
        deal(
            viewer.language,
            at,
            table if OTHERS_MATTER else table.with_characters((one,), table.combat, 0),
            one.name,
            company.permissions,
            company.check_dice,
            member,
            tuple(other for other in company.players_of(one) if other.id != member.id),
        )
        for one in own
    ]
    told = list(islice(seen(viewer.language, lines, snapshot), TOLD))
    shared: dict[str, Any] = {"at": at, "table": table, "hands": hands}

    def piece(kind: str, **facts: Any) -> str:
        return str(speaking.macro("phone/pieces.html", kind)({**shared, **facts})).strip()

    making = freedom(table, company, member, AddCharacter("?", table.ruleset.ladder[0]))
    pieces = {
        "moment": piece(
            "moment",
            moment=moment(table),
            order=order(table, {one.name for one in own}),
            newest=told[0][0] if told else None,
        ),
        "asks": piece(
            "asks",
            asks=[ask for ask in company.asks if ask.member == member.id],
            answers=answers_to(company, member, table, snapshot.number),
        ),
        "tabs": piece("tabs"),
        "back": piece(
            "back",
            undo=_own_undo(snapshot, member),
            meant="" if snapshot.undo is None else that_act(snapshot.undo.number),
        ),
        "mine": piece(
            "mine",
            own=own,
            free=[one for one in table.party() if not company.players_of(one)],
            taken=[
                (one, company.players_of(one))
                for one in table.party()
                if company.players_of(one) and not company.plays(member.id, one)
            ],
            making=making.value if isinstance(making, Freedom) else "",
            dice=tuple(reversed(table.ruleset.ladder)),
        ),
    }
    for dealt in hands:
        pieces.update(dealt.pieces)
    for character in table.characters.values():
        pieces[f"seat-{seat_id(character)}"] = _seat(viewer.language, seat_of(table, company, character))
    # Lines of the history come and go at its ends without anything else moving.
    skeleton = " ".join(pieces)
    for line, html in told:
        pieces[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render(
            "phone/root.html",
            **shared,
            table_name=snapshot.name,
            number_now=snapshot.number,
            mark_now=snapshot.mark,
            strains=STRAINS,
            pieces=pieces,
        )

    return Rendered(skeleton, pieces, root)


def page(viewer: Viewer, snapshot: Snapshot, rendered: Rendered) -> str:
    """The whole page of a player's phone."""
    return language(viewer.language).render(
        "phone/page.html", name=snapshot.name, at=f"/tables/{snapshot.id}", root=Markup(rendered.root())
    )


def _own_undo(snapshot: Snapshot, member: Member) -> tuple[Told, ...] | None:
    """What the newest act did, as far as players may know, if it is this player's own and may be taken back."""
    entry = snapshot.undo
    if entry is None or not may_undo(snapshot.company, snapshot.table, member, snapshot.last_act):
        return None
    return told_to_all(entry, snapshot.table)
