"""What an act was aimed at, in the words of the table's state, and the kind refusal where that has passed.

Two people press at once, or a tap arrives late: what was meant for one moment must not happen at another. Whoever sends
a command may say in `at` what they saw. Only what is said is compared, when the command is decided; without it a
command is taken as it comes.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from winded.errors import Refused, RefusedTo
from winded.rules.fields import Checked, Count, Die, Figure, Name, Text, Total, Who
from winded.rules.table import ENEMY, Call, Character, OpenCheck, Table, same
from winded.sentence import Sentence, sentence


class AtMoment(Checked, frozen=True, gc=False, omit_defaults=True):
    """The moment of a combat that an act was aimed at: as much of this as matters to it.

    `combats` is how many combats have begun at the table; `turn` who is acting, by name, id or "Enemy", and null where
    it is nobody's turn.
    """

    combats: Count | None = None
    round: Count | None = None
    phase: Literal["declare", "turns"] | None = None
    turn: Who | UnsetType | None = UNSET


class TheCheck(Checked, frozen=True, gc=False, omit_defaults=True):
    """An open Check as the state shows it; what is left out is not compared."""

    push: Figure | None = None
    strain: Text | UnsetType | None = UNSET
    target: Total | UnsetType | None = UNSET


class AtCheck(Checked, frozen=True, gc=False):
    """The open Check that a roll, or its withdrawal, was aimed at."""

    check: TheCheck


class AtCall(Checked, frozen=True, gc=False):
    """The number of the call that a Check was declared for; null where it was for none."""

    call: Count | UnsetType | None = UNSET


class AtRests(Checked, frozen=True, gc=False):
    """How many rests those who would rest had taken so far, all together."""

    rests: Count


class AtAct(Checked, frozen=True, gc=False):
    """The number of the entry of the history that would be taken back, or put back, first."""

    act: Count


class TheCharacter(Checked, frozen=True, gc=False, omit_defaults=True):
    """A character as the state shows it, `con` being its base CON Ability Die; what is left out is not compared."""

    name: Name | None = None
    con: Die | UnsetType | None = UNSET
    hidden: bool | None = None
    note: Text | UnsetType | None = UNSET


class AtCharacter(Checked, frozen=True, gc=False):
    """The character as it was seen by whoever edits it."""

    character: TheCharacter


def check_moment(at: AtMoment, table: Table) -> None:
    """Refuse, as "not-now", what was aimed at another moment of combat than this."""
    if at.combats is not None and at.combats != table.combats:
        raise Refused("not-now", "This was meant for another combat. Nothing has changed.")
    combat = table.combat
    if combat is None:
        return
    if (
        (at.round is None or at.round == combat.round)
        and (at.phase is None or at.phase == combat.phase)
        and (at.turn is UNSET or _is_acting(at.turn, table))
    ):
        return
    now = AtMoment(None, combat.round, "declare" if combat.phase == "declare" else "turns", combat.turn)
    raise Refused(
        "not-now",
        "This was meant for {then}; it is now {now}. Nothing has changed.",
        then=_then(at, table),
        now=_then(now, table),
    )


def _is_acting(who: str | None, table: Table) -> bool:
    combat = table.combat
    turn = None if combat is None else combat.turn
    if who is None or turn is None:
        return who is turn
    acting = table.characters.get(turn)
    # Players see a hidden enemy's turn as that of "Enemy".
    if same(who) == same(ENEMY) and (acting is None or acting.hidden):
        return True
    return table.names.get(same(who), who) == turn


def _then(at: AtMoment, table: Table) -> Sentence:
    if at.phase == "declare":
        if at.round is None:
            return sentence("the declare phase")
        return sentence("the declare phase of round {round}", round=at.round)
    if at.turn is None:
        if at.round is None:
            return sentence("the moment before the first turn")
        return sentence("round {round} before the first turn", round=at.round)
    if at.turn is UNSET:
        if at.round is None:
            return sentence("the turns")
        return sentence("round {round}", round=at.round)
    name = table.names.get(same(at.turn), at.turn)
    if name in table.characters and table.characters[name].hidden:
        name = ENEMY
    if at.round is None:
        return sentence("{name}'s turn", name=name)
    return sentence("{name}'s turn in round {round}", name=name, round=at.round)


def the_check(check: OpenCheck) -> AtCheck:
    """What is said of this open Check by whoever aims at it."""
    return AtCheck(TheCheck(check.push, check.strain, check.target))


def check_the_check(at: AtCheck, character: Character, check: OpenCheck) -> None:
    """Refuse, as "not-now", what was aimed at another Check than the one that is open."""
    meant = at.check
    if (
        meant.push in (None, check.push)
        and meant.strain in (UNSET, check.strain)
        and meant.target in (UNSET, check.target)
    ):
        return
    raise Refused(
        "not-now",
        "This was meant for a different Check than {name}'s open one. Nothing has changed.",
        name=character.name,
    )


def check_the_call(at: AtCall, character: Character, call: Call | None) -> None:
    """Refuse, as "not-now", a Check that was meant for another call than this, or for none."""
    now = None if call is None else call.number
    if at.call is UNSET or at.call == now:
        return
    if call is None:
        raise RefusedTo("not-now", "{name} is no longer called for the Check that this was meant for.", character.name)
    raise RefusedTo("not-now", "{name} has been called for another Check since. Nothing has changed.", character.name)


def the_character(character: Character) -> AtCharacter:
    """What is said of this character by whoever edits it."""
    return AtCharacter(TheCharacter(character.name, character.base_con, character.hidden, character.note))


def check_the_character(at: AtCharacter, character: Character, edited: frozenset[str]) -> None:
    """Refuse, as "not-now", an edit of something that is no longer as it was seen; what is not edited may be."""
    seen = at.character
    differs = {
        "name": seen.name not in (None, character.name),
        "con": seen.con not in (UNSET, character.base_con),
        "hidden": seen.hidden not in (None, character.hidden),
        "note": seen.note not in (UNSET, character.note),
    }
    what = {
        "name": sentence("the name"),
        "con": sentence("the CON Ability Die"),
        "hidden": sentence("who may see this enemy"),
        "note": sentence("the note"),
    }
    for field, is_another in differs.items():
        if is_another and field in edited:
            raise Refused(
                "not-now",
                "Somebody else has changed {what} of {name} since you opened this. Your change was not saved.",
                what=what[field],
                name=character.name,
            )


def rests_of(resting: tuple[Character, ...]) -> int:
    """The rests that these have taken so far, all together."""
    return sum(one.rests for one in resting)


def check_rests(at: AtRests, resting: tuple[Character, ...]) -> None:
    """Refuse, as "not-now", a rest that was asked for before someone of these last rested."""
    if at.rests != rests_of(resting):
        raise Refused("not-now", "There has been another rest since you chose this. Nothing has changed.")


def check_act(at: AtAct | None, number: int) -> None:
    """Refuse, as "not-now", to take back or put back another entry first than was meant."""
    if at is not None and at.act != number:
        raise Refused(
            "not-now",
            "This was meant for entry {meant}; it would now be entry {number}. Nothing has changed.",
            meant=at.act,
            number=number,
        )
