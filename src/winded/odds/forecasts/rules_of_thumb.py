"""Advice by Stamina alone, and the rules of thumb that come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winded.odds.forecasts.decision_tree import Advance, Chance, Decision, InOrder, Node, Stage, WhileFighting
from winded.odds.forecasts.states import Array, Numbers, StateSpace
from winded.sentence import Sentence, sentence, sentences

NOT_ASKED = -1

Options = Mapping[tuple[int, int], NDArray[np.int8]]
"""What is advised at a decision, by step and place in its stage, along the rows of the decision's Transitions."""


class AdviceByStamina:
    """Advice by Stamina alone: with the Wounds of the start and no reaction taken yet."""

    def __init__(self, space: StateSpace, steps: tuple[Stage, ...], options: Options) -> None:
        self.space = space
        self.steps = steps
        self.options = options
        self.wide: int = space.most_stamina + 1
        self.many: int = space.figures()[0]

    def states(self, step: int) -> Numbers:
        """The state before a step for each Stamina."""
        starts = [*self.space.starts, *(self.space.starts[-1:] * (self.wide - len(self.space.starts)))]
        if step < len(self.steps) and self.steps[step].amid_fight:
            started = self.space.transitions(Advance("start")).rows
            starts = [started[state][0] for state in starts]
        return np.array(starts, dtype=np.intp)

    def worth(self, worths: list[Array]) -> Array:
        return np.array([worths[step][self.states(step)] for step in range(len(worths))])

    def wanted(self, kind: str) -> NDArray[np.intp]:
        """What is advised of one kind, shape (steps, Stamina)."""
        found = np.full((len(self.steps), self.wide), NOT_ASKED, dtype=np.intp)
        for step, stage in enumerate(self.steps):
            decisions = [one for one in decisions_in(stage.node) if one.kind == kind]
            if decisions:
                found[step] = [self._follow(step, decisions, int(state))[0] for state in self.states(step)]
        return found

    def could(self, step: int, kind: str) -> list[int]:
        """The most that the Stamina would allow, by Stamina."""
        decisions = [one for one in decisions_in(self.steps[step].node) if one.kind == kind]
        return [self._follow(step, decisions, int(state))[1] for state in self.states(step)]

    def _follow(self, step: int, decisions: list[Decision], state: int) -> tuple[int, int]:
        """What is advised, and what would be possible, of the decisions of one kind, each coming after the other."""
        first = decisions[0]
        if first.kind == "push":
            return self._advised_at(step, first, state), len(self.space.transitions(first).rows[state]) - 1
        advised, possible = 0, 0
        now = furthest = self._state_at(state, first)
        for decision in decisions:
            rows = self.space.transitions(decision).rows
            if now in rows and advised == decision.at - first.at and self._advised_at(step, decision, now):
                advised, now = advised + 1, rows[now][1]
            if furthest in rows and len(rows[furthest]) > 1:
                possible, furthest = possible + 1, rows[furthest][1]
        return advised, possible

    def _advised_at(self, step: int, decision: Decision, state: int) -> int:
        return int(self.options[step, decision.at][self.space.transitions(decision).place(self.many)[state]])

    def _state_at(self, state: int, decision: Decision) -> int:
        """The state at the decision itself: in combat, and for a reaction on the enemy's turn, without acting early."""
        if decision.kind in ("early", "reaction") and self.space.tables[state].combat is None:
            state = self.space.transitions(Advance("start")).rows[state][0]
        return self.space.transitions(Advance("enemy")).rows[state][0] if decision.kind == "reaction" else state


@lru_cache(maxsize=1024)
def decisions_in(node: Node) -> tuple[Decision, ...]:
    """The decisions of a stage, in the order in which they come."""
    match node:
        case InOrder():
            return tuple(decision for one in node.nodes for decision in decisions_in(one))
        case Chance() | WhileFighting():
            return decisions_in(node.then)
        case Decision():
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


def rules_of_thumb(
    steps: tuple[Stage, ...], wanted: Mapping[str, NDArray[np.intp]], shown: AdviceByStamina
) -> list[Sentence]:
    """Rules of thumb, a fight or Check after the other; rounds with the same rule are told together."""
    told: list[Sentence] = []
    runs: list[tuple[str, list[int], list[_Rule]]] = []
    for step, stage in enumerate(steps):
        rules = [
            rule for kind, found in wanted.items() if found[step, 0] != NOT_ASKED
            for rule in _rules(kind, found[step].tolist(), shown.could(step, kind))
        ]  # fmt: skip
        if not rules:
            continue
        if runs and runs[-1][0] == stage.name and runs[-1][2] == rules and steps[runs[-1][1][-1]].kind == stage.kind:
            runs[-1][1].append(step)
        else:
            runs.append((stage.name, [step], rules))
    for _, run, rules in runs:
        what = joined([_told(rule) for rule in rules])
        told.append(sentence("{where}: {what}.", where=where_told(steps[run[0]], steps[run[-1]]), what=what))
    return told


def joined(what: list[Sentence]) -> Sentence:
    """Several parts of a sentence as one."""
    whole = what[-1]
    for one in reversed(what[:-1]):
        whole = sentence("{first}; {more}", first=one, more=whole)
    return whole


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


def where_told(first: Stage, last: Stage) -> Sentence:
    """Where in a day these steps are, from the first to the last."""
    if first.kind != "fight" or (first.number == 1 and last.number == last.times):
        return sentence("{name}", name=first.name)
    if first is last:
        return sentence("{name}, round {round}", name=first.name, round=first.number)
    return sentence("{name}, rounds {first} to {last}", name=first.name, first=first.number, last=last.number)


_ORDINALS = (
    sentence("first"), sentence("second"), sentence("third"), sentence("fourth"), sentence("fifth"), sentence("sixth"),
    sentence("seventh"), sentence("eighth"), sentence("ninth"), sentence("tenth"),
)  # fmt: skip


def advised_told(kind: str, advised: int) -> Sentence:
    """What is best of one kind, as it is said to someone whose Stamina is known."""
    match kind:
        case "early":
            return sentence("act early") if advised else sentence("do not act early")
        case "reaction":
            if not advised:
                return sentence("do not react")
            return sentences("react at most {n} time", "react at most {n} times", advised)
        case "push":
            return sentence("push {push}", push=advised) if advised else sentence("do not push")
        case _:
            return sentence("spend on it") if advised else sentence("do not spend on it")


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
