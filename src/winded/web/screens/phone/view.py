"""The player's phone: what I have, what I can do now, what each costs and leaves, and when my turn comes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from winded.odds import BadExpression, dice_for
from winded.roles import Company, Freedom, Member, Permissions, deciding
from winded.rules import (
    ROOMS,
    STRAINS,
    AddCharacter,
    Character,
    Table,
    moment_told,
)
from winded.service import Seen
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer, seat_id
from winded.web.screens.parts.called import called_check
from winded.web.screens.parts.lines import newest_lines, newest_result
from winded.web.screens.parts.offers import freedom, that_act
from winded.web.screens.parts.seats import Seat, moment, next_turn, order, seat_of
from winded.web.screens.phone.hand import hand
from winded.web.screens.phone.requests import answers_to

OTHERS_MATTER = any(room.names_another for room in ROOMS)
"""Whether what one may do depends on who else is there."""

_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder(dict[str, str]).decode


BY_THE_THUMB = frozenset({"act_early", "react"})
"""The tiles that stand by the thumb in combat, and nowhere else: out of combat nobody can do what they say."""


class Dealt(Struct, frozen=True):
    """One character in a player's hand as HTML: its pieces by the ids of their elements, and its tiles' keys.

    The pieces are packed: a fifth of the memory, for much less time than it takes to make them.
    """

    id: str
    character: Character
    is_turn: bool
    tiles: tuple[str, ...]
    packed: bytes

    @property
    def pieces(self) -> Mapping[str, str]:
        """The HTML of each piece."""
        return _unpack(zlib.decompress(self.packed))


def deal(
    code: str,
    at: str,
    table: Table,
    who: str,
    permissions: Permissions,
    check_dice: str | None,
    has_sketch: bool,
    member: Member,
    others: tuple[Member, ...],
    undecided: bool,
    told: str,
) -> Dealt:
    """The pieces of one hand.

    At `table` there sits only this character, unless the others make a difference; `others` play it as well. `told` is
    what there is to decide now.
    """
    character = table.characters[who]
    players = (member, *others)
    company = Company(
        MappingProxyType({one.id: one for one in players}),
        MappingProxyType({character.id: tuple(one.id for one in players)}),
        permissions,
    )
    dice = "" if check_dice is None or character.open_check is None else _dice_of(check_dice, character)
    one = hand(table, company, member, character, dice, undecided=undecided)
    macros = {kind: language(code).macro("phone/pieces.html", kind) for kind in ("have", "bar", "more", "can")}
    facts = {
        "at": at,
        "table": table,
        "check_dice": check_dice,
        "has_sketch": has_sketch,
        "hand": one,
        "told": Markup(told),
    }
    pieces = {f"{kind}-{one.id}": str(macros[kind](facts)).strip() for kind in ("have", "bar", "more")}
    tiles = tuple(tile for tile in one.tiles if tile.key not in BY_THE_THUMB)
    for tile in tiles:
        pieces[f"can-{one.id}-{tile.key}"] = str(macros["can"]({**facts, "tile": tile})).strip()
    packed = zlib.compress(_pack(pieces), level=1)
    return Dealt(one.id, character, one.is_turn, tuple(tile.key for tile in tiles), packed)


def _dice_of(check_dice: str, character: Character) -> str:
    """The dice of this character's Checks as one would say them; "" where this character cannot roll them."""
    try:
        return dice_for(check_dice, character.con)
    except BadExpression:
        return ""


def _seat(code: str, seat: Seat) -> str:
    return str(language(code).macro("phone/pieces.html", "seat")({"seat": seat})).strip()


def _kept_deal(kept: Kept, *facts: Any) -> Dealt:
    """The same, kept while nothing changes that they depend on."""
    return kept.get(("hand", *facts), lambda: deal(*facts))


def _kept_seat(kept: Kept, code: str, seat: Seat) -> str:
    return kept.get(("seat", code, seat), lambda: _seat(code, seat))


def render(viewer: Viewer, seen: Seen, kept: Kept) -> Rendered:
    """The phone of one player."""
    speaking = language(viewer.language)
    company, member, table = seen.company, seen.member, seen.table
    own = [one for one in company.characters_of(member.id, table) if not one.is_enemy]
    at = f"/tables/{seen.id}"
    undecided = {one.id for one in deciding(company, table).undecided}
    hands = [
        _kept_deal(
            kept,
            viewer.language,
            at,
            table if OTHERS_MATTER else table.with_characters((one,), table.combat, 0),
            one.name,
            company.permissions,
            company.check_dice,
            company.sketch is not None,
            member,
            tuple(other for other in company.players_of(one) if other.id != member.id),
            one.id in undecided,
            str(speaking.say(moment_told(table, one))),
        )
        for one in own
    ]
    told = [*newest_lines(viewer.language, seen, kept)]
    shared: dict[str, Any] = {"at": at, "table": table, "table_name": seen.name, "hands": hands}

    def piece(kind: str, **facts: Any) -> str:
        return str(speaking.macro("phone/pieces.html", kind)({**shared, **facts})).strip()

    making = freedom(table, company, member, AddCharacter("?", table.ruleset.ladder[0]))
    pieces = {
        "moment": piece(
            "moment",
            moment=moment(table),
            told=None if own else moment_told(table),
            yours=next((one.name for one in own if table.combat and table.combat.turn == one.name), None),
            next=next_turn(table),
            order=order(table, {one.name for one in own}),
            newest=told[0][0] if told else None,
            result=newest_result(seen),
        ),
        "asks": piece(
            "asks",
            asks=company.asks,
            answers=answers_to(company, member, table, seen.number),
        ),
        "call": piece("call", check=called_check(seen)),
        "tabs": piece("tabs"),
        "back": piece(
            "back",
            undo=seen.undo.told if seen.may_undo and seen.undo is not None else None,
            meant="" if seen.undo is None else that_act(seen.undo.number),
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
        pieces[f"seat-{seat_id(character)}"] = _kept_seat(kept, viewer.language, seat_of(table, company, character))
    # Lines of the history come and go at its ends without anything else moving.
    skeleton = " ".join(pieces)
    for line, html in told:
        pieces[f"h-{line.number}"] = html

    def root() -> str:
        return speaking.render(
            "phone/root.html",
            **shared,
            number_now=seen.number,
            mark_now=seen.revision.mark,
            strains=STRAINS,
            pieces=pieces,
        )

    return Rendered(skeleton, pieces, root)


def page(viewer: Viewer, seen: Seen, rendered: Rendered) -> str:
    """The whole page of a player's phone."""
    return language(viewer.language).render(
        "phone/page.html", name=seen.name, at=f"/tables/{seen.id}", root=Markup(rendered.root())
    )
