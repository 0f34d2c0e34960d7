"""Advice: when it is best to spend, given what a table holds things worth, by working backwards from the day's end.

Before each step every state is worth the most that can still come of it: the best of spending and of keeping, averaged
over what may happen. That is exact for the day as described. Of equals, what gains something now is advised before what
gains it later, and a smaller push before a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from winded.odds.course import ByHabit, Chooser
from winded.odds.day import Day, Sketch, Values
from winded.odds.forecasts import refuse_entangled, sit
from winded.odds.habits import KINDS, HabitLike
from winded.odds.plans import Fighting, Give, Maybe, Move, Node, Plan, Then, Want, plans
from winded.odds.seat import Array, Choices, Numbers, Seat, Ways, seat, seated
from winded.rules import PAGE, Character, Ruleset
from winded.sentence import Sentence, sentence

NOT_ASKED = -1
_AS_GOOD = 1e-9
"""Worths that differ by less than this are the same."""


class Advised:
    """The best habit for one seat and one day, as a Chooser: what to do at each want, by state.

    `options[step, at]` goes by the rows of the want's Ways at this seat. Rows are only ever added: what came later is
    not advised on.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat: Seat | None = seat
        self.options: dict[tuple[int, int], NDArray[np.int8]] = {}

    def key(self, plan: Plan, step: int) -> object:
        """Advice may differ from step to step."""
        return self, step

    def choices(self, seat: Seat, want: Want, ways: Ways, plan: Plan, step: int) -> Choices:
        advised = self.options[step, want.at]
        option = np.zeros(len(ways.rows), dtype=np.intp)
        option[: len(advised)] = advised
        return Choices(option, np.zeros(len(ways.rows), dtype=bool))


class CharacterAdviceData(Struct, frozen=True):
    """One character's advice in JSON: `wanted[kind][step][stamina]`, -1 where the step does not ask."""

    name: str
    steps: tuple[str, ...]
    worth: tuple[tuple[float, ...], ...]
    wanted: dict[str, tuple[tuple[int, ...], ...]]
    best: float
    usual: float
    thumb: tuple[str, ...]


class AdviceData(Struct, frozen=True):
    """A party's advice in JSON."""

    title: str
    rules: str
    characters: tuple[CharacterAdviceData, ...]


class CharacterAdvice(Struct, frozen=True, eq=False):
    """One character's advice. T steps, M the maximum of the unwounded die.

    `worth[t, s]`, shape (T + 1, M + 1): what the rest of the day is worth with s Stamina before step t + 1, with the
    Wounds of the start and no reaction taken; row T is the end of the day. `wanted[kind][t, s]`, shape (T, M + 1): what
    is best in step t + 1 with s Stamina: 1 or 0 for acting early, how many reactions, how much of a push; NOT_ASKED
    where the step does not ask. Above the present maximum both repeat what holds at it. `best` is the worth of the day
    with this advice, `usual` that with the character's own habit.
    """

    name: str
    plans: tuple[Plan, ...]
    worth: NDArray[np.float64]
    wanted: dict[str, NDArray[np.intp]]
    best: float
    usual: float
    habit: Advised
    thumb: tuple[Sentence, ...]

    @property
    def last_stamina(self) -> NDArray[np.float64]:
        """What the last Stamina is worth: of s rather than s - 1, shape (T + 1, M); column 0 is the first Stamina."""
        last: NDArray[np.float64] = np.diff(self.worth, axis=1)
        return last

    def data(self) -> CharacterAdviceData:
        """The same in JSON's terms."""
        return CharacterAdviceData(
            self.name,
            tuple(str(plan.title) for plan in self.plans),
            tuple(tuple(row) for row in self.worth.tolist()),
            {kind: tuple(tuple(row) for row in wanted.tolist()) for kind, wanted in self.wanted.items()},
            self.best,
            self.usual,
            tuple(map(str, self.thumb)),
        )


class Advice(Struct, frozen=True, eq=False):
    """Everyone's advice for one day under one ruleset."""

    title: str
    ruleset: Ruleset
    characters: tuple[CharacterAdvice, ...]

    def data(self) -> AdviceData:
        """The same in JSON's terms."""
        return AdviceData(self.title, self.ruleset.name, tuple(one.data() for one in self.characters))


def advise(day: Day, ruleset: Ruleset = PAGE, *, habits: Mapping[str, HabitLike] | None = None) -> Advice:
    """The best habit for everyone, given the day's values, and the rules of thumb that come out of it.

    Each character's own habit (or the one in `habits`) is valued beside it. Raises Malformed as `forecast` does.
    """
    refuse_entangled(day.sketch)
    people = [sit(ruleset, sitter) for sitter in day.characters]
    own = [(habits or {}).get(sitter.name, sitter.habit) for sitter in day.characters]
    return Advice(
        day.title,
        ruleset,
        tuple(
            advice_for(person, day.sketch, ruleset, habit, len(people))
            for person, habit in zip(people, own, strict=True)
        ),
    )


def advice_for(character: Character, sketch: Sketch, ruleset: Ruleset, habit: HabitLike, party: int) -> CharacterAdvice:
    """One character's advice from its present Stamina, Wounds and abilities on."""
    steps = plans(sketch, character.name, party)
    place = seat(ruleset, seated(character))
    with place.lock:
        _follow_from_any_stamina(place, steps)
        best = _Backwards(place, sketch.values, None)
        worths = best.through(steps)
        usual = _Backwards(place, sketch.values, ByHabit(habit, character.name)).through(steps)
        start = place.starts[character.stamina]
        shown = _Shown(place, steps, best.advised)
        wanted = {kind: found for kind in KINDS if (found := shown.wanted(kind)).max(initial=-1) >= 0}
        return CharacterAdvice(
            character.name,
            steps,
            shown.worth(worths),
            wanted,
            float(worths[0][start]),
            float(usual[0][start]),
            best.advised,
            tuple(_thumb(steps, wanted, shown)),
        )


def _follow_from_any_stamina(place: Seat, steps: tuple[Plan, ...]) -> None:
    """Explore the day, and before each step also from every Stamina: advice is given for all of them."""
    starts = set(place.starts)
    fighting = place.explore(Move("start"), starts)
    states = starts
    for plan in steps:
        states = place.explore(plan.node, states | (fighting if plan.round > 1 else starts))


class _Backwards:
    """From the end of the day to its start: the worth of each state before each step."""

    def __init__(self, seat: Seat, values: Values, chooser: Chooser | None) -> None:
        self.seat = seat
        self.values = values
        self.chooser = chooser
        self.advised = Advised(seat)
        self.many, self.stamina, _, self.fighting = seat.figures()
        self.step = 0
        self.plan: Plan

    def through(self, steps: tuple[Plan, ...]) -> list[Array]:
        """The worth of all states before each step and, last, at the day's end."""
        end = float(self.values.left) * self.stamina + float(self.values.empty) * (self.stamina > 0)
        worths = [end.astype(float)]
        for step in range(len(steps) - 1, -1, -1):
            self.step, self.plan = step, steps[step]
            worths.append(self.before(self.plan.node, worths[-1]))
        return worths[::-1]

    def before(self, node: Node, after: Array) -> Array:
        """The worth before a plan, given the worth after it."""
        match node:
            case Then():
                for one in reversed(node.nodes):
                    after = self.before(one, after)
                return after
            case Maybe():
                chance = float(node.chance)
                return (1 - chance) * after + chance * self.before(node.then, after)
            case Fighting():
                return np.where(self.fighting, self.before(node.then, after), after)
            case Give() | Move():
                ways = self.seat.ways(node)
                worth = after.copy()
                worth[ways.here] = after[ways.to[:, 0]]
                return worth
            case Want():
                return self._choose(node, after)

    def _choose(self, want: Want, after: Array) -> Array:
        ways = self.seat.ways(want)
        to = ways.to
        gained = float(want.value) * (ways.success if want.kind == "push" else np.arange(to.shape[1]) > 0)
        worths = np.where(to >= 0, after[to] + gained, -np.inf)
        if self.chooser is None:
            as_good = worths >= worths.max(axis=1, keepdims=True) - _AS_GOOD
            sooner = want.kind != "push" and want.value > 0
            option = to.shape[1] - 1 - np.argmax(as_good[:, ::-1], axis=1) if sooner else np.argmax(as_good, axis=1)
            self.advised.options[self.step, want.at] = option.astype(np.int8)
        else:
            option = self.chooser.choices(self.seat, want, ways, self.plan, self.step).option
        worth = after.copy()
        worth[ways.here] = worths[np.arange(len(option)), option]
        return worth


class _Shown:
    """Advice by Stamina alone: with the Wounds of the start and no reaction taken yet."""

    def __init__(self, seat: Seat, steps: tuple[Plan, ...], advised: Advised) -> None:
        self.seat = seat
        self.steps = steps
        self.advised = advised
        self.wide = seat.most_stamina + 1
        self.many = seat.figures()[0]

    def states(self, step: int) -> Numbers:
        """The state before a step for each Stamina."""
        starts = [*self.seat.starts, *(self.seat.starts[-1:] * (self.wide - len(self.seat.starts)))]
        if step < len(self.steps) and self.steps[step].round > 1:
            started = self.seat.ways(Move("start")).rows
            starts = [started[state][0] for state in starts]
        return np.array(starts, dtype=np.intp)

    def worth(self, worths: list[Array]) -> Array:
        return np.array([worths[step][self.states(step)] for step in range(len(worths))])

    def wanted(self, kind: str) -> NDArray[np.intp]:
        """What is advised of one kind, shape (steps, Stamina)."""
        found = np.full((len(self.steps), self.wide), NOT_ASKED, dtype=np.intp)
        for step, plan in enumerate(self.steps):
            wants = [one for one in wants_in(plan.node) if one.kind == kind]
            if wants:
                found[step] = [self._follow(step, wants, int(state))[0] for state in self.states(step)]
        return found

    def could(self, step: int, kind: str) -> list[int]:
        """The most that the Stamina would allow, by Stamina."""
        wants = [one for one in wants_in(self.steps[step].node) if one.kind == kind]
        return [self._follow(step, wants, int(state))[1] for state in self.states(step)]

    def _follow(self, step: int, wants: list[Want], state: int) -> tuple[int, int]:
        """What is advised, and what would be possible, of the wants of one kind, each coming after the other."""
        if wants[0].kind == "push":
            return self._advised(step, wants[0], state), len(self.seat.ways(wants[0]).rows[state]) - 1
        advised, possible, now, furthest = 0, 0, self._at_want(state, wants[0]), self._at_want(state, wants[0])
        for want in wants:
            rows = self.seat.ways(want).rows
            if now in rows and advised == want.at - wants[0].at and self._advised(step, want, now):
                advised, now = advised + 1, rows[now][1]
            if furthest in rows and len(rows[furthest]) > 1:
                possible, furthest = possible + 1, rows[furthest][1]
        return advised, possible

    def _advised(self, step: int, want: Want, state: int) -> int:
        return int(self.advised.options[step, want.at][self.seat.ways(want).place(self.many)[state]])

    def _at_want(self, state: int, want: Want) -> int:
        """The state at the want itself: combat on, and for a reaction the enemy's turn come, without acting early."""
        if want.kind in ("early", "reaction") and self.seat.tables[state].combat is None:
            state = self.seat.ways(Move("start")).rows[state][0]
        return self.seat.ways(Move("enemy")).rows[state][0] if want.kind == "reaction" else state


@lru_cache(maxsize=1024)
def wants_in(node: Node) -> tuple[Want, ...]:
    """The wants of a plan, in the order in which they come."""
    match node:
        case Then():
            return tuple(want for one in node.nodes for want in wants_in(one))
        case Maybe() | Fighting():
            return wants_in(node.then)
        case Want():
            return (node,)
        case _:
            return ()


class _Rule(NamedTuple):
    """Of `which` (a reaction's place in the ladder, an amount to push): advised with these amounts of Stamina.

    `always`: whenever there is enough for it. `upwards`: with the least of them and with all there are above it.
    """

    kind: str
    which: int
    amounts: tuple[int, ...]
    always: bool
    upwards: bool


def _thumb(steps: tuple[Plan, ...], wanted: Mapping[str, NDArray[np.intp]], shown: _Shown) -> list[Sentence]:
    """Rules of thumb, a fight or Check after the other; rounds with the same rule are told together."""
    told: list[Sentence] = []
    runs: list[tuple[str, list[int], list[_Rule]]] = []
    for step, plan in enumerate(steps):
        rules = [
            rule for kind, found in wanted.items() if found[step, 0] != NOT_ASKED
            for rule in _rules(kind, found[step].tolist(), shown.could(step, kind))
        ]  # fmt: skip
        if not rules:
            continue
        if runs and runs[-1][0] == plan.name and runs[-1][2] == rules and steps[runs[-1][1][-1]].kind == plan.kind:
            runs[-1][1].append(step)
        else:
            runs.append((plan.name, [step], rules))
    for _, run, rules in runs:
        what = [_told(rule) for rule in rules]
        joined = what[-1]
        for one in reversed(what[:-1]):
            joined = sentence("{first}; {more}", first=one, more=joined)
        told.append(sentence("{where}: {what}.", where=_where(steps[run[0]], steps[run[-1]]), what=joined))
    return told


def _rules(kind: str, advised: list[int], could: list[int]) -> list[_Rule]:
    """What is advised of one kind in a step, given what is advised and what is possible by Stamina."""
    if kind == "push":
        return [
            _rule(kind, push, advised, [most >= push for most in could], exactly=True)
            for push in sorted(set(advised) - {0} or {0})
        ]
    rules = []
    for which in range(1, max(could, default=0) + 1):
        rules.append(_rule(kind, which, advised, [most >= which for most in could]))
        if not rules[-1].amounts:
            break
    return rules


def _rule(kind: str, which: int, advised: list[int], able: list[bool], *, exactly: bool = False) -> _Rule:
    does = [one == which if exactly else one >= which for one in advised]
    amounts = tuple(stamina for stamina, yes in enumerate(does) if yes)
    return _Rule(kind, which, amounts, does == able, bool(amounts) and all(does[amounts[0] :]))


def _ranges(amounts: tuple[int, ...]) -> str:
    """Numbers as one writes them: "2, 4-6"."""
    parts: list[list[int]] = []
    for amount in amounts:
        if parts and amount == parts[-1][-1] + 1:
            parts[-1].append(amount)
        else:
            parts.append([amount])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _where(first: Plan, last: Plan) -> Sentence:
    if first.kind != "fight" or (first.number == 1 and last.number == last.times):
        return sentence("{name}", name=first.name)
    if first is last:
        return sentence("{name}, round {round}", name=first.name, round=first.number)
    return sentence("{name}, rounds {first} to {last}", name=first.name, first=first.number, last=last.number)


_ORDINALS = (
    sentence("first"), sentence("second"), sentence("third"), sentence("fourth"), sentence("fifth"), sentence("sixth"),
    sentence("seventh"), sentence("eighth"), sentence("ninth"), sentence("tenth"),
)  # fmt: skip


def _told(rule: _Rule) -> Sentence:
    some, ordinal = _ranges(rule.amounts), _ORDINALS[max(0, rule.which - 1)] if rule.kind == "reaction" else ""
    least = rule.amounts[0] if rule.amounts else 0
    match rule.kind:
        case "early":
            if not rule.amounts:
                return sentence("do not act early")
            if rule.always:
                return sentence("act early whenever you can")
            if rule.upwards:
                return sentence("act early with {least} Stamina or more", least=least)
            return sentence("act early with {some} Stamina", some=some)
        case "reaction":
            if not rule.amounts:
                return sentence("no {ordinal} reaction", ordinal=ordinal)
            if rule.always:
                return sentence("a {ordinal} reaction whenever you can", ordinal=ordinal)
            if rule.upwards:
                return sentence("with {less} or less, no {ordinal} reaction", less=least - 1, ordinal=ordinal)
            return sentence("a {ordinal} reaction with {some} Stamina", some=some, ordinal=ordinal)
        case "push":
            if not rule.which:
                return sentence("do not push")
            if rule.always:
                return sentence("push {push} whenever you can", push=rule.which)
            if rule.upwards:
                return sentence("push {push} with {least} Stamina or more", push=rule.which, least=least)
            return sentence("push {push} with {some} Stamina", push=rule.which, some=some)
        case _:
            if not rule.amounts:
                return sentence("do not spend on it")
            if rule.always:
                return sentence("spend on it whenever you can")
            if rule.upwards:
                return sentence("spend on it with {least} Stamina or more", least=least)
            return sentence("spend on it with {some} Stamina", some=some)
