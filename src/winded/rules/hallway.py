"""The hallway: one line a room, and all that is made of them: the closed unions, the list of rules, the options.

A new way to spend Stamina is one new file beside these rooms and its line below.
"""

# ruff: noqa: F401, I001  The rooms stand in the order in which rules are told and options are offered.

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from winded.rules import correcting
from winded.rules.combat import table_commands
from winded.rules.command import Command, Event, Option, Rule, dry_run
from winded.rules.rest import Rest
from winded.rules.room import Options, Room
from winded.rules.ruleset import RestKind, Ruleset
from winded.rules.spending import Spending
from winded.rules.table import Table
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

from winded.rules.stamina import ROOM as STAMINA
from winded.rules.wounds import ROOM as WOUNDS
from winded.rules.acting_early import ROOM as ACTING_EARLY
from winded.rules.combat import ROOM as COMBAT
from winded.rules.own_order import ROOM as OWN_ORDER
from winded.rules.reactions import ROOM as REACTIONS
from winded.rules.checks import ROOM as CHECKS
from winded.rules.call import ROOM as CALL
from winded.rules.hardship import ROOM as HARDSHIP
from winded.rules.abilities import ROOM as ABILITIES
from winded.rules.channel_casting import ROOM as CHANNEL_CASTING
from winded.rules.stamina import ROOM_AT_ZERO as NO_STAMINA
from winded.rules.rest import ROOM as REST
from winded.rules.characters import ROOM as CHARACTERS
from winded.rules.aside import ROOM as ASIDE
from winded.rules.by_hand import ROOM as BY_HAND
from winded.rules.undoing import ROOM as UNDOING
from winded.rules.correcting import ROOM as CORRECTING

ROOMS: tuple[Room, ...] = tuple(room for room in list(vars().values()) if isinstance(room, Room))
"""Every room above, in that order."""

if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
    AnyEvent: TypeAlias = Event
else:
    AnyCommand = reduce(or_, (command for room in ROOMS for command in room.commands))
    """Every command there is, as it stands in JSON."""

    AnyEvent = reduce(or_, (event for room in ROOMS for event in room.events))
    """Every event there is, as it stands in JSON."""

    # What a correction puts in: anything but what is about the history itself.
    _PLAYED = [room for room in ROOMS if room not in (UNDOING, CORRECTING)]
    correcting.SomePlayed = reduce(or_, (command for room in _PLAYED for command in room.commands))
    correcting.SomeTold = reduce(or_, (event for room in _PLAYED for event in room.events))

COMMANDS: dict[str, type[Command]] = {
    str(command.__struct_config__.tag): command for room in ROOMS for command in room.commands
}
"""Every kind of command by its word in `do`."""

EVENTS: dict[str, type[Event]] = {str(event.__struct_config__.tag): event for room in ROOMS for event in room.events}
"""Every kind of event by its word in `event`."""

RULES: tuple[Rule, ...] = tuple(
    sorted((rule for room in ROOMS for rule in room.rules), key=lambda rule: rule.is_ruling)
)
"""Every rule and ruling: the page's first, then ours."""

SPENDINGS: tuple[Spending, ...] = tuple(room.spending for room in ROOMS if room.spending is not None)
"""Every way to spend Stamina."""

TERMS: tuple[Term, ...] = tuple(term for room in ROOMS for term in room.terms)
"""The words of the page that explain themselves."""

_OPTIONS: tuple[Options, ...] = tuple(room.options for room in ROOMS if room.options is not None)


def options(table: Table, who: str) -> tuple[Option, ...]:
    """What this character may ask for now, each with its cost, what it leaves, and why not where it is refused.

    Each option is a dry run of the command's own `decide`; a way of spending that the rules in force do not have is
    left out. Refused: "not-found".
    """
    character = table.character(who)
    found: list[Option] = []
    for offered in _OPTIONS:
        found += offered(table, character)
    if table.ruleset.spends is None:
        return tuple(found)
    return tuple(option for option in found if option.refused is None or option.refused.rule != "not-allowed")


def combat_options(table: Table) -> tuple[Option, ...]:
    """What moves the combat on, from starting one to ending it, and why not where it is refused."""
    return tuple(dry_run(table, command, 0, 0) for command in table_commands())


def rest_options(table: Table) -> tuple[Option, ...]:
    """The rests the whole party may take, and why not where one is refused; `recovery` says what each would do."""
    return tuple(dry_run(table, Rest(kind), 0, 0) for kind in RestKind)


def explained(word: str, ruleset: Ruleset) -> tuple[Sentence, ...]:
    """What a word of the page means, and what holds for it under this ruleset. Raises KeyError.

    Of a way of spending that the house rules leave out, only that is said.
    """
    term = _BY_WORD[word]
    if term.spending is not None and ruleset.leaves_out(term.spending.word):
        return (term.meaning, sentence("The house rules leave this out."))
    rules = (_RULE_BY_ID[rule] for rule in term.rules)
    return (term.meaning, *(rule.told(ruleset) for rule in rules if rule.is_in_force(ruleset)))


def title_of(word: str) -> Sentence:
    """How people read a word of the page. Raises KeyError."""
    return _BY_WORD[word].title


def word_for(command: Command) -> str:
    """The word of the page that explains what a command spends Stamina on; "" where it spends none, or no word does."""
    return "" if command.spending is None else _BY_SPENDING.get(command.spending.word, "")


def room_of(habit: str) -> Room:
    """The room with the way of spending that forecasts call this. Raises KeyError."""
    return _BY_HABIT[habit]


_BY_WORD = {term.word: term for term in TERMS}
_BY_SPENDING = {term.spending.word: term.word for term in TERMS if term.spending is not None}
_RULE_BY_ID = {rule.id: rule for rule in RULES}
_BY_HABIT = {room.spending.habit: room for room in ROOMS if room.spending is not None}
