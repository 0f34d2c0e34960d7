"""One character alone at a table: every state it can come to, found by giving real commands to real tables.

States are numbered as they are met. A decision or a command becomes an array of state numbers: where one gets from each
state, under the rules in force. Nothing here knows a cost, a rest or a maximum: the rooms of the rules are asked, once
for each state, and remembered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock, RLock
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from winded.errors import Malformed, Refused
from winded.odds.check import MOST_PUSH, CheckOdds, check
from winded.odds.forecasts.decision_tree import (
    ADVANCES,
    ANOTHER,
    SOMEONE,
    Advance,
    Chance,
    Decision,
    Forced,
    InOrder,
    Node,
    WhileFighting,
)
from winded.rules import ROOMS, Character, DeclareCheck, ResolveCheck, Ruleset, Table

Numbers = NDArray[np.intp]
Array = NDArray[np.float64]

MOST_STATES = 10_000
_KEPT = 32
"""State spaces that are kept, with all that was found out in them."""


class Decisions(NamedTuple):
    """What is chosen in each state of a decision: the option, and how much more was wanted than could be paid."""

    option: Numbers
    lacking: Numbers


class Transitions:
    """Where a decision or a command leads from each state that comes to it.

    Rows stand for the states `here`; column 0 is to spend nothing (for a command: to follow it), column k to spend
    on it (of a push: k Stamina). `to[row, k]` is the state after it, -1 where the rules refuse; `success` the chance
    that a Check comes off, 0 where no dice are known. By state: whether Stamina is `lacking` for more, what the next
    costs (`asked`), and the `odds`.
    """

    def __init__(self) -> None:
        self.rows: dict[int, list[int]] = {}
        self.lacking: dict[int, bool] = {}
        self.asked: dict[int, int] = {}
        self.odds: dict[int, CheckOdds] = {}
        self._arrays: tuple[Numbers, Numbers] | None = None
        self._success: Array | None = None
        self._place: Numbers = np.zeros(0, dtype=np.intp)
        self._placed = -1
        self._known = 0
        self.choices: dict[object, tuple[int, Decisions]] = {}

    @property
    def here(self) -> Numbers:
        return self._built()[0]

    @property
    def to(self) -> Numbers:
        return self._built()[1]

    def place(self, many: int) -> Numbers:
        """The row of each state, for all `many` states there are; 0 for those that never come here."""
        if len(self._place) != many or self._placed != len(self.rows):
            self._place = np.zeros(many, dtype=np.intp)
            self._place[self.here] = np.arange(len(self.rows))
            self._placed = len(self.rows)
        return self._place

    @property
    def success(self) -> Array:
        to = self.to
        if self._success is None or self._success.shape != to.shape:
            self._success = np.zeros(to.shape)
            for at, state in enumerate(self.rows):
                if state in self.odds:
                    for push, one in enumerate(self.odds[state].pushes):
                        self._success[at, push] = one.ways / one.of
        return self._success

    def _built(self) -> tuple[Numbers, Numbers]:
        if self._arrays is None or self._known != len(self.rows):
            wide = max(map(len, self.rows.values()), default=1)
            to = np.full((len(self.rows), wide), -1, dtype=np.intp)
            for at, row in enumerate(self.rows.values()):
                to[at, : len(row)] = row
            self._arrays = np.fromiter(self.rows, dtype=np.intp, count=len(self.rows)), to
            self._known = len(self.rows)
        return self._arrays


def _another(ruleset: Ruleset) -> Character:
    die = ruleset.ladder[-1]
    maximum = ruleset.maximum(die)
    return Character("#2", ANOTHER, "party", die, die, maximum, maximum)


class StateSpace:
    """A character alone at a table under one ruleset, and all that has been found out about it so far."""

    def __init__(self, ruleset: Ruleset, character: Character) -> None:
        self.lock: RLock = RLock()
        self.ruleset = ruleset
        self.character_at_start = character
        self.tables: list[Table] = []
        self._numbers: dict[object, int] = {}
        self._transitions: dict[object, Transitions] = {}
        nothing = np.zeros(0, np.intp)
        self._figures: tuple[int, Numbers, Numbers, NDArray[np.bool_]] = (-1, nothing, nothing, np.zeros(0, bool))
        # Whoever a way to spend may name besides: always as they came, for what befalls them is another forecast.
        self._standing_by = (_another(ruleset),) if any(room.names_another for room in ROOMS) else ()
        self.most_stamina: int = ruleset.maximum(character.base_con)
        self.starts: tuple[int, ...] = tuple(
            self.number(self._alone(replace(character, stamina=stamina))) for stamina in range(character.maximum + 1)
        )
        """The states before the first step, by Stamina."""

    def _alone(self, character: Character) -> Table:
        return Table(self.ruleset).with_characters((character, *self._standing_by), None, 1)

    def number(self, table: Table) -> int:
        """The number of a state. What can make no difference any more is forgotten: which round it is, in what order
        Wounds came, how often one rested, and, where no house rule limits it, in how many rounds one acted early."""
        character = table.characters[SOMEONE]
        if len(character.wounds) > 1:
            character = replace(character, wounds=tuple(sorted(character.wounds, key=lambda one: one.wound)))
        if character.early_rounds and self.ruleset.early.limit is None:
            character = replace(character, early_rounds=0)
        if character.rests:
            character = replace(character, rests=0)
        combat = table.combat
        if combat is not None and combat.round != 1:
            combat = replace(combat, round=1)
        key = character, combat
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.tables)
            if number >= MOST_STATES:
                raise Malformed(
                    "steps",
                    "This day is too complicated for an exact forecast: it has more than {most} states.",
                    most=MOST_STATES,
                )
            self.tables.append(table.with_characters((character, *self._standing_by), combat, 1))
        return number

    def character(self, state: int) -> Character:
        """The character in a state."""
        return self.tables[state].characters[SOMEONE]

    def figures(self) -> tuple[int, Numbers, Numbers, NDArray[np.bool_]]:
        """How many states are known, and of each: Stamina, reactions taken, and whether a fight is on."""
        many = len(self.tables)
        if self._figures[0] != many:
            people = [self.character(state) for state in range(many)]
            self._figures = (
                many,
                np.array([one.stamina for one in people], dtype=np.intp),
                np.array([one.reactions for one in people], dtype=np.intp),
                np.array([table.combat is not None for table in self.tables], dtype=bool),
            )
        return self._figures

    def transitions(self, node: Forced | Advance | Decision) -> Transitions:
        """What is known of this decision, command or move."""
        # Decisions differ in place and worth, not in what the rules say to them.
        key: object = (node.kind, node.command, node.dice, node.target) if isinstance(node, Decision) else node
        found = self._transitions.get(key)
        if found is None:
            found = self._transitions[key] = Transitions()
        return found

    def explore(self, node: Node, states: Iterable[int]) -> set[int]:
        """Follow a stage from these states, all choices open, and return every state in which it can end."""
        states = set(states)
        match node:
            case InOrder():
                for one in node.nodes:
                    states = self.explore(one, states)
                return states
            case Chance():
                return states | self.explore(node.then, states)
            case WhileFighting():
                on = {state for state in states if self.tables[state].combat is not None}
                return (states - on) | self.explore(node.then, on)
            case Decision():
                return self._explored(
                    self.transitions(node), states, lambda transitions, state: self._wanted(node, transitions, state)
                )
            case Forced():
                return self._explored(self.transitions(node), states, lambda _, state: [self._given(node, state)])
            case Advance():
                move = ADVANCES[node.to]
                return self._explored(
                    self.transitions(node), states, lambda _, state: [self.number(move(self.tables[state]))]
                )

    def _explored(
        self, transitions: Transitions, states: set[int], follow: Callable[[Transitions, int], list[int]]
    ) -> set[int]:
        ends: set[int] = set()
        for state in states:
            row = transitions.rows.get(state)
            if row is None:
                row = follow(transitions, state)
                transitions.rows[state] = row
            ends.update(row)
        return ends

    def _given(self, node: Forced, state: int) -> int:
        try:
            return self.number(self.tables[state].do(node.command))
        except Refused:
            return state

    def _wanted(self, node: Decision, transitions: Transitions, state: int) -> list[int]:
        table = self.tables[state]
        transitions.asked[state], transitions.lacking[state] = 0, False
        if node.kind == "push":
            return self._pushed(node, transitions, state, table)
        assert node.command is not None
        try:
            after = self.number(table.do(node.command))
        except Refused as no:
            transitions.lacking[state] = no.needs is not None
            transitions.asked[state] = no.needs or 0
            return [state]
        transitions.asked[state] = self.character(state).stamina - self.character(after).stamina
        return [state, after]

    def _pushed(self, node: Decision, transitions: Transitions, state: int, table: Table) -> list[int]:
        transitions.asked[state] = 1
        row: list[int] = []
        try:
            for push in range(MOST_PUSH + 1):
                after = table.do(DeclareCheck(SOMEONE, push), ResolveCheck(SOMEONE, 0))
                row.append(self.number(after))
        except Refused as no:
            transitions.lacking[state] = no.needs is not None
        con = self.character(state).con
        if node.dice is not None and node.target is not None and (con is not None or "con" not in node.dice.lower()):
            bonus = self.ruleset.push.bonus
            transitions.odds[state] = check(node.dice, node.target, len(row) - 1, con=con, push_bonus=bonus)
        return row


_spaces: OrderedDict[tuple[Ruleset, Character], StateSpace] = OrderedDict()
_keeping = Lock()


def state_space(ruleset: Ruleset, character: Character) -> StateSpace:
    """The space of a character (with full Stamina, named SOMEONE) under a ruleset; what it has found out is kept.

    A space that is half full is given up for a new one, so that one day with many turns is not in the way of the next.
    """
    key = ruleset, character
    with _keeping:
        found = _spaces.pop(key, None)
        if found is None or len(found.tables) > MOST_STATES // 2:
            found = StateSpace(ruleset, character)
        _spaces[key] = found
        if len(_spaces) > _KEPT:
            _spaces.popitem(last=False)
        return found


def anonymous(character: Character) -> Character:
    """A character as a forecast begins: out of combat, without an open Check, named SOMEONE.

    Two characters with the same dice, Wounds and abilities share one space, and so everything found out in it.
    """
    return Character(
        id="#1",
        name=SOMEONE,
        side="party",
        base_con=character.base_con,
        con=character.con,
        maximum=character.maximum,
        stamina=character.maximum,
        wounds=tuple(sorted(character.wounds, key=lambda one: one.wound)),
        abilities=character.abilities,
    )
