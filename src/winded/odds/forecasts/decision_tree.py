"""The steps of a day as decision trees for one character: what must happen, what may, where Stamina could be spent.

A fight becomes a stage a round. The trees hold the commands that are given to the table; what these cost and bring,
only the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from winded.odds.day.fields import NEVER, Distribution
from winded.odds.day.model import (
    Ahead,
    CheckAhead,
    Fight,
    RecoveryAhead,
    RestAhead,
    Sketch,
    SpendAhead,
    Values,
    WoundAhead,
    length,
)
from winded.rules import (
    ActEarly,
    BeginTurns,
    Command,
    EndCombat,
    NextTurn,
    React,
    RecoverWound,
    Rest,
    RestKind,
    StartCombat,
    Table,
    TakeWound,
    rest_name,
)
from winded.rules.hallway import room_of
from winded.sentence import Sentence, sentence

SOMEONE = "Someone"
"""The name of the character at the table of its own where all this is played."""

ANOTHER = "Another"
"""The name of the one who stands by there, for ways to spend that name another character."""

_ACT_EARLY, _REACT = ActEarly(SOMEONE), React(SOMEONE)


class Forced(Struct, frozen=True):
    """A command that is given; where the rules refuse it, nothing happens."""

    command: Command


class Advance(Struct, frozen=True):
    """The combat moves on: "start", "enemy" (to the enemy's turn), "round" (to the next round), or "end"."""

    to: str


class Decision(Struct, frozen=True, cache_hash=True):
    """A moment at which Stamina could be spent on `kind`; `command` is what is asked (for a push, nothing: see `dice`).

    `at` tells the decisions of one stage apart; `value` is what it is worth where it comes off.
    """

    kind: str
    at: int
    value: Fraction
    command: Command | None = None
    dice: str | None = None
    target: int | None = None


class Chance(Struct, frozen=True, cache_hash=True):
    """With this chance, `then`; otherwise nothing."""

    chance: Fraction
    then: Node


class InOrder(Struct, frozen=True, cache_hash=True):
    """One after the other."""

    nodes: tuple[Node, ...]


class WhileFighting(Struct, frozen=True, cache_hash=True):
    """Only while the fight is still on."""

    then: Node


Node = Forced | Advance | Decision | Chance | InOrder | WhileFighting

NOTHING = InOrder(())


class Stage(Struct, frozen=True, cache_hash=True):
    """One step for one character. `kind` is that of the step in the day file; it is `number` of `times` alike.

    `at` is the place of its step in the sketch.
    """

    node: Node
    kind: str
    name: str
    number: int = 1
    times: int = 1
    last_fight: bool = False
    at: int = 0

    @property
    def round(self) -> int:
        """The round of the fight, 0 outside one."""
        return self.number if self.kind == "fight" else 0

    @property
    def amid_fight(self) -> bool:
        """Whether a fight may be on before it: a later round of a fight in which this character takes part."""
        return isinstance(self.node, WhileFighting)

    @property
    def title(self) -> Sentence:
        """What it is called."""
        match self.kind:
            case "fight":
                return sentence("{name}, round {round}", name=self.name, round=self.number)
            case "wound":
                return sentence("Wound: {wound}", wound=self.name)
            case "recover":
                return sentence("Recover from {wound}", wound=self.name)
            case "rest":
                return rest_name(RestKind(self.name))
            case _ if self.times > 1:
                return sentence("{name} ({number} of {times})", name=self.name, number=self.number, times=self.times)
            case _:
                return sentence("{name}", name=self.name)


def maybe(chance: Fraction, then: Node) -> Node:
    """With this chance, `then`; what is certain either way is no chance."""
    return then if chance == 1 else Chance(chance, then) if chance else NOTHING


def stages(sketch: Sketch, who: str, party: int = 1) -> tuple[Stage, ...]:
    """The stages of a sketch for one character of a party of so many, a step or a round each, in order."""
    return _stages(sketch, who.casefold() if _names_anyone(sketch) else "", party)


def _names_anyone(sketch: Sketch) -> bool:
    return any(one.who is not None for one in sketch.ahead)


@lru_cache(maxsize=256)
def _stages(sketch: Sketch, who: str, party: int) -> tuple[Stage, ...]:
    last = last_fight(sketch)
    made: list[Stage] = []
    for at, ahead in enumerate(sketch.ahead):
        there = takes_part(ahead, who)
        calls = _calls_on_one(ahead, party) if isinstance(ahead, Fight) else ()
        for number in range(1, length(ahead) + 1):
            node = _node(ahead, sketch, number, calls) if there else NOTHING
            made.append(Stage(node, ahead.kind, ahead.name, number, length(ahead), at == last, at))
    return tuple(made)


def last_fight(sketch: Sketch) -> int:
    """The place of the last fight in a sketch, -1 without one."""
    return max((at for at, one in enumerate(sketch.ahead) if isinstance(one, Fight)), default=-1)


def takes_part(ahead: Ahead, who: str) -> bool:
    """Whether a step concerns this character."""
    return ahead.who is None or who.casefold() in {name.casefold() for name in ahead.who}


def _calls_on_one(fight: Fight, party: int) -> Distribution:
    if fight.attention == "each":
        return fight.reactions
    return shared_out(fight.reactions, party if fight.who is None else len(fight.who))


def _node(ahead: Ahead, sketch: Sketch, number: int, calls: Distribution) -> Node:
    values = sketch.values
    match ahead:
        case Fight():
            return round_tree(ahead, values, number, calls, ahead.early, going_on(ahead, number))
        case CheckAhead():
            dice = None if ahead.target is None else ahead.dice or sketch.check
            return maybe(ahead.chance, Decision("push", 0, _or(ahead.value, values.check), None, dice, ahead.target))
        case SpendAhead():
            return maybe(ahead.chance, Decision(ahead.kind, 0, _or(ahead.value, values.spend), _spending(ahead)))
        case WoundAhead():
            return _hit(ahead.name, ahead.steps, ahead.chance)
        case RecoveryAhead():
            return maybe(ahead.chance, Forced(RecoverWound(SOMEONE, ahead.name)))
        case RestAhead():
            return rest_tree(ahead, ahead.chance)


def rest_tree(ahead: RestAhead, chance: Fraction) -> Node:
    """A rest that comes about with this chance."""
    return maybe(chance, Forced(Rest(ahead.rest)))


def _or(value: Fraction | None, usual: Fraction) -> Fraction:
    return usual if value is None else value


def _spending(ahead: SpendAhead) -> Command:
    room = room_of(ahead.kind)
    assert room.ahead is not None
    return room.ahead(SOMEONE, ANOTHER, ahead.what, ahead.stamina)


def _hit(wound: str, steps: int, chance: Fraction) -> Node:
    return maybe(chance, Forced(TakeWound(SOMEONE, wound, steps)))


def round_tree(fight: Fight, values: Values, number: int, calls: Distribution, early: Fraction, more: Fraction) -> Node:
    """One round of a fight: declaring, the enemy's turn and what it calls for, one's own turn, and perhaps the end.

    Acting early matters with the chance `early`; another round comes with the chance `more`.
    """
    body = InOrder((_declaring(fight, values, early), *_turns(fight, values, calls, more)))
    return InOrder((Advance("start"), body)) if number == 1 else WhileFighting(body)


def declaring_tree(fight: Fight, values: Values, number: int, early: Fraction) -> Node:
    """The first part of a round: the fight begins, or goes on, and acting early is decided and paid."""
    declaring = _declaring(fight, values, early)
    return InOrder((Advance("start"), declaring)) if number == 1 else WhileFighting(declaring)


def turns_tree(fight: Fight, values: Values, calls: Distribution, more: Fraction) -> Node:
    """The other part of a round: everyone's turns, what the enemy's calls for, and perhaps the end."""
    return WhileFighting(InOrder(_turns(fight, values, calls, more)))


def _declaring(fight: Fight, values: Values, early: Fraction) -> Node:
    return maybe(early, Decision("early", 0, _or(fight.early_value, values.early), _ACT_EARLY))


def _turns(fight: Fight, values: Values, calls: Distribution, more: Fraction) -> tuple[Node, ...]:
    return (
        Advance("enemy"),
        _calls(_at_least(calls), _or(fight.reaction_value, values.reaction), 1),
        NOTHING if (wound := fight.wound) is None else _hit(wound.wound, wound.steps, wound.chance),
        Advance("round"),
        maybe(1 - more, Advance("end")),
    )


def going_on(fight: Fight, number: int) -> Fraction:
    """The chance of another round after this one, given that this one is fought."""
    at_least = _at_least(fight.rounds)
    return at_least[number + 1] / at_least[number] if number + 1 < len(at_least) else NEVER


def _calls(at_least: Sequence[Fraction], value: Fraction, number: int) -> Node:
    """Call after call: nobody knows whether another one comes."""
    if number >= len(at_least) or not at_least[number]:
        return NOTHING
    chance = at_least[number] / at_least[number - 1]
    return maybe(chance, InOrder((Decision("reaction", number, value, _REACT), _calls(at_least, value, number + 1))))


def _at_least(spread: Distribution) -> list[Fraction]:
    return [sum(spread[number:], start=Fraction(0)) for number in range(len(spread))]


def shared_out(calls: Distribution, among: int) -> Distribution:
    """How many calls fall on one of several characters, if each call falls on any of them alike."""
    share = Fraction(1, among)
    mine = [Fraction(0)] * len(calls)
    for many, chance in enumerate(calls):
        for hits in range(many + 1):
            mine[hits] += chance * comb(many, hits) * share**hits * (1 - share) ** (many - hits)
    return tuple(mine)


def _to_enemy(table: Table) -> Table:
    table = table.do(BeginTurns())
    while table.combat is not None and table.combat.turn in (None, SOMEONE, ANOTHER):
        table = table.do(NextTurn())
    return table


def _to_round(table: Table) -> Table:
    while table.combat is not None and table.combat.phase != "declare":
        table = table.do(NextTurn())
    return table


ADVANCES: dict[str, Callable[[Table], Table]] = {
    "start": lambda table: table.do(StartCombat()),
    "enemy": _to_enemy,
    "round": _to_round,
    "end": lambda table: table.do(EndCombat()),
}
"""How each Advance is made, in commands."""
