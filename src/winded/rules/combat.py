"""Combat: its start and end, the rounds, the order of turns, and the Referee's changes to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.aim import AtMoment, check_moment
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Text, Who, several
from winded.rules.reactions import resets_at_round, resets_at_turn
from winded.rules.room import Room
from winded.rules.table import ENEMY, ENEMY_SIDE, Character, Combat, Table, same
from winded.rules.term import Term
from winded.sentence import Sentence, sentence


def _combat(table: Table) -> Combat:
    if table.combat is None:
        raise Refused("not-now", "There is no combat now.")
    return table.combat


def _now(table: Table, *what: str) -> AtMoment:
    """What is said of this moment by whoever aims at it."""
    combat = table.combat
    seen: dict[str, Any] = {} if combat is None else {name: getattr(combat, name) for name in what}
    if seen.get("turn") in table.characters:
        seen["turn"] = table.characters[seen["turn"]].id
    return AtMoment(table.combats, **seen)


def _afresh(one: Character) -> Character:
    """Someone as combats begin and end: no reaction taken, no round acted early in."""
    if one.reactions or one.early_rounds:
        return replace(one, reactions=0, acts_early=False, early_rounds=0)
    return one


def _not_early(one: Character) -> Character:
    return replace(one, acts_early=False) if one.acts_early else one


class CombatStarted(Event, frozen=True, tag="combat_started"):
    """Round 1 began; everyone's reactions cost the first figure."""

    RULE: ClassVar[str] = "early.cost"

    def names(self) -> tuple[str, ...]:
        return ()

    def evolve(self, table: Table) -> Table:
        return replace(table.with_everyone(_afresh, Combat()), combats=table.combats + 1)

    def tell(self) -> Sentence:
        return sentence("Combat begins: round 1. Who acts early?")


class CombatEnded(Event, frozen=True, tag="combat_ended"):
    """The combat is over."""

    RULE: ClassVar[str] = "ruling.reaction-window"

    def names(self) -> tuple[str, ...]:
        return ()

    def evolve(self, table: Table) -> Table:
        return table.with_everyone(_afresh, None)

    def tell(self) -> Sentence:
        return sentence("Combat ends.")


class TurnsBegun(Event, frozen=True, tag="turns_begun"):
    """The order of this round is fixed; nobody's turn has come yet."""

    order: tuple[str, ...]

    RULE: ClassVar[str] = "early.before"

    def names(self) -> tuple[str, ...]:
        return self.order

    def known_without(self, hidden: Collection[str]) -> TurnsBegun:
        return replace(self, order=tuple(name for name in self.order if name not in hidden))

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        assert combat is not None
        return table.with_combat(Combat(combat.round, "turns", self.order))

    def tell(self) -> Sentence:
        return sentence("The order is fixed: {order}.", order=self.order)


class TurnStarted(CharacterEvent, frozen=True, tag="turn_started"):
    """The turn of the next in the order began."""

    RULE: ClassVar[str] = "early.before"

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        assert combat is not None
        return table.with_combat(Combat(combat.round, combat.phase, combat.order, combat.acting + 1, combat.acted))

    def tell(self) -> Sentence:
        return sentence("{name}'s turn begins.", name=self.character)


class RoundStarted(Event, frozen=True, tag="round_started"):
    """A new round began, in its declare phase; whoever acted early in the last one no longer does."""

    round: int

    RULE: ClassVar[str] = "early.cost"

    def names(self) -> tuple[str, ...]:
        return ()

    def evolve(self, table: Table) -> Table:
        combat = Combat(self.round)
        if any(one.acts_early for one in table.characters.values()):
            return table.with_everyone(_not_early, combat)
        return table.with_combat(combat)

    def tell(self) -> Sentence:
        return sentence("Round {round} begins. Who acts early?", round=self.round)


class Reordered(Event, frozen=True, tag="reordered"):
    """The Referee changed the order of those who have not yet acted."""

    order: tuple[str, ...]
    reason: str

    RULE: ClassVar[str] = "early.referee"

    def names(self) -> tuple[str, ...]:
        return self.order

    def known_without(self, hidden: Collection[str]) -> Reordered:
        return replace(self, order=tuple(name for name in self.order if name not in hidden))

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        assert combat is not None
        return table.with_combat(replace(combat, order=combat.order[: combat.acting + 1] + self.order))

    def tell(self) -> Sentence:
        return sentence("The Referee changes the order to {order} ({reason}).", order=self.order, reason=self.reason)


def _is_the_enemy(table: Table, who: str) -> bool:
    """Whether this names the one who stands in the order where no enemy takes part."""
    return same(who) == same(ENEMY) and (
        not any(table.taking_part(ENEMY_SIDE)) or (table.combat is not None and ENEMY in table.combat.order)
    )


def next_in_order(table: Table, combat: Combat) -> tuple[Event, ...]:
    """The events that start the next turn of this combat, or the next round where everyone has acted."""
    order, at = combat.order, combat.acting + 1
    if at < len(order):
        name = order[at]
        character = table.characters.get(name)
        if character is not None and character.reactions:
            return TurnStarted(name), *resets_at_turn(table, character)
        if character is None and table.ruleset.enemies == "together":
            reacted = (one for one in table.taking_part(ENEMY_SIDE) if one.reactions)
            return TurnStarted(name), *(reset for one in reacted for reset in resets_at_turn(table, one))
        return (TurnStarted(name),)
    return RoundStarted(combat.round + 1), *resets_at_round(table)


def next_turn_told(table: Table) -> Sentence:
    """What the next turn is, as the button that begins it says: whose turn ends, and who comes then."""
    combat = _combat(table)
    to_come, turn = combat.to_come, combat.turn
    if turn is None:
        if not to_come:
            return sentence("Begin round {round}", round=combat.round + 1)
        if to_come[0] == ENEMY:
            return sentence("Start the enemy's turn")
        return sentence("Start {name}'s turn", name=to_come[0])
    if not to_come:
        if turn == ENEMY:
            return sentence("The enemy is done: round {round}", round=combat.round + 1)
        return sentence("{name} is done: round {round}", name=turn, round=combat.round + 1)
    if to_come[0] == ENEMY:
        return sentence("{name} is done: the enemy", name=turn)
    if turn == ENEMY:
        return sentence("The enemy is done: {next}", next=to_come[0])
    return sentence("{name} is done: {next}", name=turn, next=to_come[0])


def is_still_early(table: Table, character: Character) -> bool:
    """Whether this one's acting early is still to come, or under way: it ends with the turn."""
    combat = table.combat
    if combat is None or not character.acts_early:
        return False
    return combat.phase == "declare" or character.name in combat.order[max(combat.acting, 0) :]


class StartCombat(Command, frozen=True, tag="start_combat"):
    """Round 1 begins, in its declare phase. Refused: "not-now"."""

    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        if table.combat is not None:
            raise Refused("not-now", "Combat is already under way, in round {round}.", round=table.combat.round)
        if self.at is not None:
            check_moment(self.at, table)
        return (CombatStarted(),)

    def aimed(self, table: Table) -> StartCombat:
        return replace(self, at=AtMoment(table.combats))

    def label(self) -> Sentence:
        return sentence("Start combat")


class BeginTurns(Command, frozen=True, tag="begin_turns"):
    """Ends the declare phase and fixes the order.

    See `early.before`, `early.after`, `ruling.group-order` and `ruling.enemies-together`.

    Refused: "not-now".
    """

    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        combat = _combat(table)
        if combat.phase != "declare":
            raise Refused("not-now", "The turns of round {round} have already begun.", round=combat.round)
        if self.at is not None:
            check_moment(self.at, table)
        early: list[str] = []
        enemies: list[str] = []
        late: list[str] = []
        for one in table.characters.values():
            if not one.aside:
                group = enemies if one.is_enemy else early if one.acts_early else late
                group.append(one.name)
        if not enemies or table.ruleset.enemies == "together":
            enemies = [ENEMY]
        return (TurnsBegun((*early, *enemies, *late)),)

    def aimed(self, table: Table) -> BeginTurns:
        return replace(self, at=_now(table, "round"))

    def label(self) -> Sentence:
        return sentence("Begin turns")


class NextTurn(Command, frozen=True, tag="next_turn"):
    """The next in the order starts its turn; after the last, the next round's declare phase begins.

    Refused: "not-now".
    """

    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        combat = _combat(table)
        if self.at is not None:
            check_moment(self.at, table)
        if combat.phase != "turns":
            raise Refused(
                "not-now", "Round {round} is still in its declare phase: begin turns first.", round=combat.round
            )
        return next_in_order(table, combat)

    def aimed(self, table: Table) -> NextTurn:
        return replace(self, at=_now(table, "round", "phase", "turn"))

    def label(self) -> Sentence:
        return sentence("Next turn")


class Reorder(Command, frozen=True, tag="reorder"):
    """The Referee puts everyone who has not yet acted in a new order, with a reason (`early.referee`).

    Refused: "not-found", and "not-now" outside the turns or for an order that is not exactly those.
    """

    order: Annotated[tuple[Who, ...], several(1, 200)]
    reason: Text
    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        named = tuple(ENEMY if _is_the_enemy(table, one) else table.character(one).name for one in self.order)
        combat = _combat(table)
        if self.at is not None:
            check_moment(self.at, table)
        if combat.phase != "turns":
            raise Refused("not-now", "Round {round} has no order yet: begin turns first.", round=combat.round)
        if len(named) != len(combat.to_come) or set(named) != set(combat.to_come):
            raise Refused(
                "not-now",
                "The new order must hold exactly those who have not yet acted: {to_come}.",
                to_come=combat.to_come or sentence("nobody"),
            )
        return (Reordered(named, self.reason),)

    def aimed(self, table: Table) -> Reorder:
        return replace(self, at=_now(table, "round"))

    def label(self) -> Sentence:
        return sentence("Change the order")


class EndCombat(Command, frozen=True, tag="end_combat"):
    """The combat is over; reaction costs go back to the first. Refused: "not-now"."""

    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        _combat(table)
        if self.at is not None:
            check_moment(self.at, table)
        return (CombatEnded(),)

    def aimed(self, table: Table) -> EndCombat:
        return replace(self, at=AtMoment(table.combats))

    def label(self) -> Sentence:
        return sentence("End combat")


RULES = (
    Rule(
        "early.before",
        lambda _: sentence("Those who paid to act early come before the enemy."),
        ("spends.act_early",),
    ),
    Rule("early.after", lambda _: sentence("Those who did not pay, or had nothing to pay with, come after the enemy.")),
    Rule(
        "early.referee",
        lambda _: sentence(
            "When someone is surprised or ambushed, hesitates, is prepared, is well placed or has an obvious "
            "advantage, the Referee may change the order."
        ),
    ),
    Rule(
        "ruling.group-order",
        lambda _: sentence(
            "Within each group, characters act in the order they sit at the table, unless the Referee moves someone."
        ),
    ),
    Rule(
        "ruling.enemies-together",
        lambda ruleset: (
            sentence(
                "All enemies act together in one turn, the enemy's place in the order; when it starts, the cost of "
                "their reactions goes back."
            )
            if ruleset.enemies == "together"
            else sentence("Each enemy has a turn of its own.")
        ),
        ("enemies",),
    ),
    Rule(
        "ruling.no-refund",
        lambda _: sentence(
            "Stamina paid to act early does not come back when the Referee changes the order; the Referee may give "
            "it back by hand."
        ),
        ("spends.act_early",),
    ),
)


def table_commands() -> Iterator[Command]:
    """The commands that move a combat on, from its start to its end."""
    yield StartCombat()
    yield BeginTurns()
    yield NextTurn()
    yield EndCombat()


TERMS = (
    Term(
        "referee",
        sentence("Referee"),
        sentence("The person who runs the game, plays the enemies and decides what the rules leave open."),
        ("early.referee", "push.strain", "ruling.by-hand"),
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(StartCombat, BeginTurns, NextTurn, Reorder, EndCombat),
    events=(CombatStarted, CombatEnded, TurnsBegun, TurnStarted, RoundStarted, Reordered),
    terms=TERMS,
)
