"""One character in a player's hand, with everything its screen shows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from winded.errors import WindedError
from winded.roles import Company, Freedom, Member
from winded.rules import (
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
from winded.web.live import seat_id
from winded.web.screens.parts.offers import Offer, freedom, moment_of, offers


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
    meant: str


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

    `this_turn` and `this_check` are what its acts are meant for, as their forms send it in `at`.
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
    this_turn: str
    roll: Means
    this_check: str
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
            return sentence("You go first")
        if before == 1 and combat.turn is not None:
            return sentence("Your turn is next")
        return sentences("{n} acts before you", "{n} act before you", before)
    return sentence("You have acted this round")


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
        moment_of(NextTurn(), table),
        may(ResolveCheck(name, 0)),
        moment_of(ResolveCheck(name, 0), table),
        may(WithdrawCheck(name)),
        may(TakeWound(name, "?")),
        may(RecoverWound(name, "?")),
        may(Adjust(name, 1, "?")),
        tuple(
            RestOffer(
                kind.value,
                rest_name(kind),
                recovery(table.ruleset, character, kind),
                can(Rest(kind, (name,))),
                moment_of(Rest(kind, (name,)), table),
            )
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
