"""One character in a player's hand, with everything its screen shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from winded.errors import WindedError
from winded.roles import Company, Freedom, Member
from winded.rules import (
    ActEarly,
    Adjust,
    Call,
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
    reactions_for,
    recovery,
    rest_name,
    when_it_comes,
)
from winded.sentence import Sentence
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
    one without, and stands first among the amounts. `reactions` are how many reactions each Stamina it may leave pays
    for afterwards, where the rules in force have reactions.
    """

    offer: Offer
    plain: Offer | None = None
    reactions: Mapping[int, int] = MappingProxyType({})

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
    `fights` says that what is done most in combat stands by the thumb: `prime` is what this moment most likely calls
    for, a tile's key, "end-turn", "roll" or ""; `decides` that acting early is still to be decided.
    `dice` are those of an open Check, where Winded may roll them; `undecided` says that one may still decide about
    acting early in this round, and has not said no to it: saying so is meant for `this_round`. `call` is the call for a
    Check for which this character has still to roll.
    """

    id: str
    character: Character
    lost: int
    when: Sentence | None
    is_turn: bool
    fights: bool
    decides: bool
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
    dice: str = ""
    undecided: bool = False
    this_round: str = ""
    call: Call | None = None

    @property
    def call_told(self) -> bool:
        """Whether there is more to say of the call than that there is one."""
        call = self.call
        return call is not None and bool(
            call.what or call.strain or call.secret or call.target is not None or not call.pushable
        )

    @property
    def check_tile(self) -> Tile | None:
        """The tile by which a Check is declared."""
        return next((one for one in self.tiles if one.offer.do == "declare_check"), None)

    @property
    def may_say_no(self) -> bool:
        """Whether acting early is possible, so that "not this round" is worth saying."""
        early = self.tile("act_early")
        return self.decides and early is not None and early.offer.refused is None

    def tile(self, key: str) -> Tile | None:
        """The tile with this key, if there is one."""
        return next((one for one in self.tiles if one.key == key), None)

    @property
    def check(self) -> OpenCheck | None:
        """The open Check, if there is one."""
        return self.character.open_check


def hand(
    table: Table, company: Company, member: Member, character: Character, dice: str = "", *, undecided: bool = False
) -> Hand:
    """Everything a player's screen shows for one character; `dice` are those that Winded may roll for a Check of it."""

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
        when_it_comes(table, character),
        is_turn,
        combat is not None and not character.aside,
        combat is not None and combat.phase == "declare" and not character.acts_early,
        tuple(_with_reactions(one, table, character) for one in tiles(offers(table, company, member, character))),
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
        dice,
        undecided,
        moment_of(ActEarly(name), table),
        table.called(character),
    )


def _with_reactions(tile: Tile, table: Table, character: Character) -> Tile:
    """The tile, with what each Stamina that a push leaves still pays for."""
    if tile.offer.amount != "push" or table.ruleset.leaves_out("react"):
        return tile
    every = {leaves for _, leaves in tile.offer.amounts} | {character.stamina}
    counted = {left: reactions_for(table.ruleset, character.reactions, left) for left in every}
    return Tile(tile.offer, tile.plain, MappingProxyType(counted))


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
