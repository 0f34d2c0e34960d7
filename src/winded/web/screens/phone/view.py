"""The player's phone: what I have, what I can do now, what each costs and leaves, and when my turn comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from winded.errors import WindedError
from winded.roles import Answer, Company, Freedom, Member, Permissions, Role, veiled
from winded.rules import (
    ENEMY,
    STRAINS,
    AddCharacter,
    Adjust,
    Character,
    Command,
    NextTurn,
    OpenCheck,
    RecoverWound,
    Recovery,
    ResolveCheck,
    Rest,
    RestKind,
    Table,
    TakeWound,
    WithdrawCheck,
    dry_run,
    lost_to_wounds,
    recovery,
    rest_name,
)
from winded.sentence import Sentence, sentence, sentences
from winded.tables import Line, Snapshot
from winded.web.language import language
from winded.web.live import Rendered, Viewer, seat_id
from winded.web.screens.parts.lines import Told, seen, told_to_all
from winded.web.screens.parts.offers import Offer, freedom, offers

TOLD = 20
"""So many of the newest lines of the history stand on a phone."""

ANSWER_KEPT = 15
"""An answer of the Referee's is shown until so many more entries have been made since it was asked for."""


class Means(Struct, frozen=True):
    """How far the table lets a player do something that is no option of the rules: at once, by asking, or why not."""

    asks: bool = False
    refused: WindedError | None = None


class RestOffer(Struct, frozen=True):
    """A rest a player may take or ask for, and what it would do."""

    kind: str
    name: Sentence
    recovery: Recovery
    means: Means


class Tile(Struct, frozen=True):
    """A way to act, as one tile: one tap, or what is filled in first.

    Where the same is offered with an amount and without one, such as a Check with a push and without, `plain` is the
    one without, and stands first among the amounts.
    """

    offer: Offer
    plain: Offer | None = None

    @property
    def key(self) -> str:
        """What tells this tile from the others of its character."""
        return self.offer.key

    @property
    def opens(self) -> bool:
        """Whether something is filled in, or an amount chosen, before it is done."""
        return not self.offer.is_quick

    @property
    def refused(self) -> WindedError | None:
        """Why none of it is possible, or None."""
        return self.offer.refused if self.plain is None or self.plain.refused else None


class Hand(Struct, frozen=True):
    """One character in a player's hand, with everything its screen shows.

    `prime` is what this moment most likely calls for, shown by the thumb: a tile's key, "end-turn", "roll" or "".
    """

    id: str
    character: Character
    lost: int
    reaction_cost: int
    when: Sentence | None
    is_turn: bool
    tiles: tuple[Tile, ...]
    prime: str
    end_turn: Means
    roll: Means
    withdraw: Means
    wound: Means
    recover: Means
    by_hand: Means
    rests: tuple[RestOffer, ...]
    shared_with: tuple[str, ...]

    @property
    def check(self) -> OpenCheck | None:
        """The open Check, if there is one."""
        return self.character.open_check


class Seat(Struct, frozen=True):
    """Someone else at the table, as players see them."""

    id: str
    character: Character
    lost: int
    players: tuple[str, ...]
    is_turn: bool


def moment(table: Table) -> Sentence:
    """Where the combat is: whose turn, or what everyone decides now."""
    combat = table.combat
    if combat is None:
        return sentence("No combat")
    if combat.phase == "declare":
        return sentence("Round {round}: who acts early?", round=combat.round)
    if combat.turn is None:
        return sentence("Round {round}: the order is fixed", round=combat.round)
    if combat.turn == ENEMY:
        return sentence("Round {round}: the enemy's turn", round=combat.round)
    return sentence("Round {round}: {name}'s turn", round=combat.round, name=combat.turn)


def when_it_comes(table: Table, character: Character) -> Sentence | None:
    """When this character's turn comes: how many act before it."""
    combat = table.combat
    if combat is None:
        return None
    if combat.phase == "declare":
        return sentence("Acts before the enemy") if character.acts_early else sentence("Acts after the enemy")
    if combat.turn == character.name:
        return sentence("Your turn")
    if character.name in combat.to_come:
        before = combat.to_come.index(character.name) + (combat.turn is not None)
        if before == 0:
            return sentence("Your turn comes first")
        if before == 1 and combat.turn is not None:
            return sentence("Your turn is next")
        return sentences("{n} acts before you", "{n} act before you", before)
    return sentence("You have acted in this round")


def hand(table: Table, company: Company, member: Member, character: Character) -> Hand:
    """Everything a player's screen shows for one character."""

    def may(command: Command) -> Means:
        allowed = freedom(table, company, member, command)
        return Means(refused=allowed) if isinstance(allowed, WindedError) else Means(allowed is Freedom.ASK)

    def can(command: Command) -> Means:
        allowed = may(command)
        return Means(allowed.asks, allowed.refused or dry_run(table, command, 0, 0).refused)

    name = character.name
    combat = table.combat
    is_turn = combat is not None and combat.turn == name
    return Hand(
        seat_id(character),
        character,
        lost_to_wounds(table.ruleset, character),
        table.ruleset.reactions.cost(character.reactions),
        when_it_comes(table, character),
        is_turn,
        tiles(offers(table, company, member, character)),
        _prime(table, character),
        may(NextTurn()),
        may(ResolveCheck(name, 0)),
        may(WithdrawCheck(name)),
        may(TakeWound(name, "?")),
        may(RecoverWound(name, "?")),
        may(Adjust(name, 1, "?")),
        tuple(
            RestOffer(kind.value, rest_name(kind), recovery(table.ruleset, character, kind), can(Rest(kind, (name,))))
            for kind in RestKind
        ),
        tuple(one.name for one in company.players_of(character) if one.id != member.id),
    )


def tiles(found: Sequence[Offer]) -> tuple[Tile, ...]:
    """These offers as tiles, but for what belongs to an open Check, which has a place of its own."""
    shown = [one for one in found if one.do not in ("resolve_check", "withdraw_check")]
    with_amount = {one.do for one in shown if one.amount}
    plain = {one.do: one for one in shown if one.amount is None and one.do in with_amount}
    return tuple(Tile(one, plain.get(one.do)) for one in shown if one not in plain.values())


def _prime(table: Table, character: Character) -> str:
    combat = table.combat
    if character.open_check is not None:
        return "roll"
    if combat is None:
        return ""
    if combat.phase == "declare":
        return "" if character.acts_early else "act_early"
    return "end-turn" if combat.turn == character.name else "react"


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
    permissions: Permissions,
    check_dice: str | None,
    member: Member,
    others: tuple[Member, ...],
) -> Dealt:
    """The pieces of one hand, kept while nothing changes that they depend on.

    `table` is the table with only this character at it, for the others make no difference; `others` play it as well.
    """
    (character,) = table.characters.values()
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
            table.with_characters((one,), table.combat, 0),
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
            answers=_answers(company, member, table, snapshot.number),
        ),
        "tabs": piece("tabs"),
        "back": piece("back", undo=_own_undo(snapshot, member)),
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
            strains=STRAINS,
            pieces=pieces,
        )

    return Rendered(skeleton, pieces, root)


def page(viewer: Viewer, snapshot: Snapshot, rendered: Rendered) -> str:
    """The whole page of a player's phone."""
    return language(viewer.language).render(
        "phone/page.html", name=snapshot.name, at=f"/tables/{snapshot.id}", root=Markup(rendered.root())
    )


def seat_of(table: Table, company: Company, character: Character) -> Seat:
    """What everyone sees of one character."""
    return Seat(
        seat_id(character),
        character,
        lost_to_wounds(table.ruleset, character),
        tuple(one.name for one in company.players_of(character)),
        table.combat is not None and table.combat.turn == character.name,
    )


def order(table: Table, own: set[str]) -> list[tuple[str, str, bool, bool]]:
    """The order of this round: name, side, whether it has acted, whether it is the player's own."""
    combat = table.combat
    if combat is None:
        return []
    if combat.phase == "declare":
        early = [one.name for one in table.party() if one.acts_early]
        return [(name, "early", False, name in own) for name in early]
    found = []
    for at, name in enumerate(combat.order):
        character = table.characters.get(name)
        if character is None or character.is_enemy:
            side = "enemy"
        else:
            side = "early" if character.acts_early else "late"
        found.append((name, side, at < combat.acting, name in own))
    return found


def _answers(company: Company, member: Member, table: Table, number: int) -> list[tuple[Answer, WindedError | None]]:
    """The newest answers to this player, each with the rules' own no where it still stands as it was told."""
    newest = [
        answer
        for answer in company.answers
        if answer.ask.member == member.id and answer.ask.number > number - ANSWER_KEPT
    ]
    return [(answer, _same_no(answer, table)) for answer in newest[-1:-3:-1]]


def _same_no(answer: Answer, table: Table) -> WindedError | None:
    """The rules' no to what was asked, if it is the one that was kept in English: it can be said in any language."""
    if answer.refusal is None:
        return None
    try:
        answer.ask.command.decide(table)
    except WindedError as no:
        return no if str(no) == answer.refusal else None
    return None


def _own_undo(snapshot: Snapshot, member: Member) -> tuple[Told, ...] | None:
    """What the newest act did, as far as players may know, if it is this player's own and may be taken back."""
    entry = snapshot.undo
    return None if entry is None or entry.who != member.id else told_to_all(entry, snapshot.table)
