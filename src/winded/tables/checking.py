"""Check that Winded could have written the history of a table that comes from elsewhere.

Nothing that reads the journal checks it again. So every state of the history is checked here, even those that only an
undo would bring back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from winded.errors import Malformed, Refused, TooMuch
from winded.journal.codec import kind_of
from winded.journal.contract import Entry, check_whole
from winded.roles import CompanyEvent
from winded.rules import ENEMY, Character, Event, Redo, Redone, Ruleset, Side, Table, Undo, Undone
from winded.rules.characters import CharacterAdded, Renamed
from winded.tables.capacity import check_character_holds, check_holds

MOST = 99
"""The largest maximum Stamina."""

_CHARACTER_ID = re.compile(r"#[1-9][0-9]{0,15}")
_SIDES = frozenset(side.value for side in Side)
_DOES_NOT_FOLLOW = (LookupError, AssertionError, AttributeError, TypeError, ValueError, Refused)


def check_history(ruleset: Ruleset, entries: Sequence[Entry]) -> None:
    """Raises Malformed, naming the place, for an entry that cannot follow those before it."""
    check_whole(entries)
    history = _History(ruleset, entries)
    for entry in entries:
        place = f"entries[{entry.number - 1}].events"
        try:
            follows = history.goes_on_with(entry)
            wrong = history.wrong()
        except TooMuch as more:
            raise Malformed(place, more.text, **more.facts) from more
        except _DOES_NOT_FOLLOW as error:
            raise Malformed(place, "These entries do not fit together: {reason}.", reason=repr(error)) from error
        if not follows:
            raise Malformed(place, "Winded cannot have written “{field}”.", field=place)
        if wrong is not None:
            raise Malformed(
                place,
                "This history would leave {name} with {stamina} of {maximum} Stamina.",
                name=wrong.name,
                stamina=wrong.stamina,
                maximum=wrong.maximum,
            )


class _History:
    """A history retraced entry by entry: the state, what undo would take back, what redo would put back."""

    def __init__(self, ruleset: Ruleset, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._table = self._checked = Table(ruleset)
        self._acts: list[int] = []
        self._taken: list[tuple[int, ...]] = []
        # Keep only the states that some undo goes back to.
        self._wanted = {
            min(event.numbers)
            for entry in entries
            for event in entry.events
            if isinstance(event, Undone) and event.numbers
        }
        self._before: dict[int, Table] = {}

    def goes_on_with(self, entry: Entry) -> bool:
        """Follow the next entry; False if its undo or redo names the wrong entries."""
        if isinstance(entry.command, Undo | Redo):
            event, *following = entry.events
            if not all(isinstance(one, CompanyEvent) for one in following):
                return False
            if isinstance(entry.command, Undo):
                return isinstance(event, Undone) and self._take_back(event.numbers)
            return isinstance(event, Redone) and self._put_back(event.numbers)
        if any(isinstance(event, Undone | Redone) for event in entry.events):
            return False
        if kind_of(entry.command, entry.events).is_act:
            self._taken.clear()
            self._act(entry)
        return True

    def wrong(self) -> Character | None:
        """A character, of those that changed last, with Stamina out of range. Raises ValueError for other faults."""
        before, table = self._checked, self._table
        self._checked = table
        if table is before:
            return None
        if table.characters is not before.characters:
            if len(table.names) < 2 * len(table.characters):
                raise ValueError("one name or id for two")
            check_holds(table)
            for name, one in table.characters.items():
                if before.characters.get(name) is one:
                    continue
                if not 0 <= one.stamina <= one.maximum <= MOST:
                    return one
                _check_character(table, one)
        combat = table.combat
        if combat is not None and combat is not before.combat:
            order = combat.order
            if not -1 <= combat.acting < len(order) or len(set(order)) < len(order):
                raise ValueError("no such turn")
            if any(name != ENEMY and name not in table.characters for name in order):
                raise LookupError("no such turn")
        return None

    def _act(self, entry: Entry) -> None:
        if entry.number in self._wanted:
            self._before[entry.number] = self._table
        self._acts.append(entry.number)
        for event in entry.events:
            if isinstance(event, Event):
                before = self._table
                self._table = event.evolve(before)
                if isinstance(event, CharacterAdded | Renamed):
                    joined = isinstance(event, CharacterAdded)
                    if len(self._table.characters) != len(before.characters) + joined:
                        raise ValueError("one name for two")

    def _take_back(self, numbers: tuple[int, ...]) -> bool:
        """Take back acts, newest first; False if they are not the newest."""
        if not numbers or tuple(self._acts[-len(numbers) :]) != numbers[::-1]:
            return False
        del self._acts[-len(numbers) :]
        self._table = self._before.pop(numbers[-1])
        self._taken.append(numbers[::-1])
        return True

    def _put_back(self, numbers: tuple[int, ...]) -> bool:
        """Put back acts, oldest first; False if they are not what the last undo took."""
        if not self._taken or self._taken.pop() != numbers:
            return False
        for number in numbers:
            self._act(self._entries[number - 1])
        return True


def _check_character(table: Table, one: Character) -> None:
    check_character_holds(one)
    dice = table.ruleset.dice
    if any(die is not None and die not in dice for die in (one.base_con, one.con)):
        raise LookupError("no such die")
    if not one.name or one.name == ENEMY or _CHARACTER_ID.fullmatch(one.id) is None or one.side not in _SIDES:
        raise ValueError("no such character")
    if one.hidden and not one.is_enemy:
        raise ValueError("only enemies can be hidden")
