"""The state of a table, immutable and hashable: who sits there, how they are, and the combat if one is on.

A `Table` knows no rule and no room: it asks a command to decide and its events to evolve.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Refused, RefusedTo
from winded.rules.fields import bare
from winded.rules.ruleset import PAGE, Ruleset

if TYPE_CHECKING:
    from winded.rules.command import Command, Event

AbilityDie = str
"""A CON Ability Die by its name, "d12"; which ones there are, the ruleset says."""

D6: AbilityDie = "d6"
D8: AbilityDie = "d8"
D10: AbilityDie = "d10"
D12: AbilityDie = "d12"

ENEMY = "Enemy"
"""Who stands in the order where no enemy was added. The name is taken at every table."""

PARTY_SIDE = "party"
ENEMY_SIDE = "enemy"


def same(name: str) -> str:
    """What all ways to write a name have in common: only what is seen of it counts, and no capitals.

    Unicode's canonical caseless matching: "Zoë", "ZOE\u0308" and "zoë" are one name, and so are "Groß" and "GROSS".
    Invisible signs, which names written by older versions may hold, and the number of spaces make no difference.
    """
    if name.isascii():
        return name.lower() if "  " not in name else bare(name).lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", bare(name)).casefold())


def nobody(who: str) -> Refused:
    """What is said of a name that nobody bears, and to players of whom they may not see."""
    return Refused("not-found", "There is nobody called {name} at this table.", name=who)


def is_aside(name: str) -> Refused:
    """What is said to someone set aside, whatever it is that they would do."""
    return RefusedTo("ruling.aside", "{name} is set aside and takes part in nothing until brought back.", name)


class Wound(Struct, frozen=True, gc=False):
    """A CON Wound: what it is, and how many steps down the ladder of dice it takes its bearer (1 to 99)."""

    wound: str
    steps: int


class Ability(Struct, frozen=True, gc=False):
    """A class ability a table has brought: its cost in Stamina (0 to 99) and where it comes from."""

    name: str
    cost: int
    source: str | None = None
    note: str | None = None


class OpenCheck(Struct, frozen=True, gc=False):
    """A declared Check that is not yet rolled: the Stamina pushed, the bonus that gives, and what it is for."""

    push: int
    bonus: int
    strain: str | None = None
    target: int | None = None


class CalledRoll(Struct, frozen=True, gc=False):
    """What the character with this `id` rolled when called: the total with the push and, with a target, the success."""

    id: str
    total: int
    success: bool | None = None


class Call(Struct, frozen=True, gc=False):
    """The newest call of the Referee for a Check (`ruling.call`), under way as long as somebody has still to roll.

    `number` counts the calls at the table, from 1. `waiting` are the ids of those who have still to roll, `rolled` what
    the others rolled. `target` decides for all; where it is `secret` only the Referee knows it, and no Check that is
    declared holds it. Without `pushable` the Referee grants no strain or danger. Once `closed`, only those who had
    declared may still roll.
    """

    number: int
    waiting: tuple[str, ...]
    target: int | None = None
    secret: bool = False
    strain: str | None = None
    pushable: bool = True
    what: str | None = None
    closed: bool = False
    rolled: tuple[CalledRoll, ...] = ()

    def without(self, *ids: str) -> Call:
        """The call for all but these, who have nothing more to do with it."""
        return replace(self, waiting=tuple(one for one in self.waiting if one not in ids))

    def among(self, ids: Collection[str]) -> Call | None:
        """As much of the call as concerns these characters."""
        waiting = tuple(one for one in self.waiting if one in ids)
        rolled = tuple(one for one in self.rolled if one.id in ids)
        if not waiting and not rolled:
            return None
        return replace(self, waiting=waiting, rolled=rolled)


class Character(Struct, frozen=True, gc=False):
    """Someone at the table, to be read from it: whoever makes one by hand answers for its figures.

    `stamina` is 0 to `maximum`; `con` is the CON Ability Die after Wounds, `base_con` before them, None for an enemy
    without one (maximum 0) and, by house rule, for a die lost to Wounds. `reactions` counts those taken since the
    cost last went back; `early_rounds` the rounds of this combat in which the character acted early; `rests` the rests
    taken so far; `aside` says that the character takes part in nothing for now.
    """

    id: str
    name: str
    side: str
    base_con: AbilityDie | None
    con: AbilityDie | None
    maximum: int
    stamina: int
    reactions: int = 0
    acts_early: bool = False
    early_rounds: int = 0
    open_check: OpenCheck | None = None
    wounds: tuple[Wound, ...] = ()
    abilities: tuple[Ability, ...] = ()
    hidden: bool = False
    note: str | None = None
    rests: int = 0
    aside: bool = False

    @property
    def is_enemy(self) -> bool:
        """Whether this is one of those the party faces."""
        return self.side == ENEMY_SIDE

    def wound(self, name: str) -> Wound | None:
        """The Wound of this name, compared without case."""
        sought = same(name)
        for wound in self.wounds:
            if same(wound.wound) == sought:
                return wound
        return None

    def ability(self, name: str) -> Ability | None:
        """The ability of this name, compared without case."""
        for ability in self.abilities:
            if ability.name == name:
                return ability
        sought = same(name)
        for ability in self.abilities:
            if same(ability.name) == sought:
                return ability
        return None


class Combat(Struct, frozen=True, gc=False):
    """A combat: its round (1 or more), its phase ("declare" or "turns"), the order, and how far along it the turns are.

    `acting` is the place in `order` of the one whose turn it is, -1 before the first turn of a round. `acted` are the
    ids of those who have had their turn in this round and no longer stand in the order.
    """

    round: int = 1
    phase: str = "declare"
    order: tuple[str, ...] = ()
    acting: int = -1
    acted: tuple[str, ...] = ()

    @property
    def turn(self) -> str | None:
        """The name of the one whose turn it is, if anyone's."""
        acting = self.acting
        return self.order[acting] if acting >= 0 else None

    @property
    def to_come(self) -> tuple[str, ...]:
        """Those who have not yet acted in this round, in order."""
        return self.order[self.acting + 1 :]

    def without(self, name: str, id: str | None = None) -> Combat:  # noqa: A002
        """The combat without this one in the order; with the `id` of one who may come back, who acted is kept."""
        if name not in self.order:
            return self
        at = self.order.index(name)
        has_acted = at <= self.acting
        return replace(
            self,
            order=self.order[:at] + self.order[at + 1 :],
            acting=self.acting - has_acted,
            acted=(*self.acted, id) if has_acted and id is not None else self.acted,
        )


_NOBODY: Mapping[str, Any] = MappingProxyType({})


class Table(Struct, frozen=True, gc=False, eq=False):
    """Everyone at a table and the combat they are in, under one ruleset.

    A table begins as `Table()` or `Table(ruleset)` and goes on by `do`, which checks every command. Whatever else makes
    one, a constructor with more arguments, `after` and the `with_…` methods, takes what it is given and holds no rule
    against it: these are for events, for a history read again, and for asking what if.

    `characters` are by name, in the order in which they sit; `names` leads from an id, or from what is the `same` in
    all ways to write a name, to the name as written; `seated` counts everyone who ever sat down and so gives the next
    id, which nobody has had before; `combats` counts the combats that have begun, `calls` the calls for a Check, and
    `call` is the newest of these until the combat moves on.
    """

    ruleset: Ruleset = PAGE
    characters: Mapping[str, Character] = _NOBODY
    combat: Combat | None = None
    names: Mapping[str, str] = _NOBODY
    seated: int = 0
    combats: int = 0
    call: Call | None = None
    calls: int = 0

    def do(self, *commands: Command) -> Table:
        """The table after these commands, in order; raises Refused, and then none of them has happened.

        Raises TypeError for what is no command.
        """
        table = self
        try:
            for command in commands:
                for event in command.decide(table):
                    table = event.evolve(table)
        except AttributeError:
            for command in commands:
                if not hasattr(command, "decide"):
                    raise TypeError(
                        f'{command!r} is no command. Make one, such as React("Ash"), or read one with command_from.'
                    ) from None
            raise
        return table

    def after(self, *events: Event) -> Table:
        """The table after these events, which are taken as they are: nothing is decided and nothing checked."""
        table = self
        for event in events:
            table = event.evolve(table)
        return table

    def character(self, who: str) -> Character:
        """The character of this name (compared without case) or id; refused as "not-found".

        What is decided thousands of times looks into `characters` first, where a name is as written.
        """
        found = self.characters.get(who)
        if found is None:
            name = self.names.get(same(who))
            if name is None:
                raise nobody(who)
            found = self.characters[name]
        return found

    def party(self) -> Iterable[Character]:
        """The player characters, in the order in which they sit."""
        return (one for one in self.characters.values() if one.side == PARTY_SIDE)

    def enemies(self) -> Iterable[Character]:
        """The enemies that were added, in the order in which they were."""
        return (one for one in self.characters.values() if one.side == ENEMY_SIDE)

    def taking_part(self, side: str = PARTY_SIDE) -> Iterable[Character]:
        """Those of the party, or of the enemies, who are not set aside, in the same order (`ruling.aside`)."""
        return (one for one in self.characters.values() if one.side == side and not one.aside)

    def is_turn_of(self, character: Character) -> bool:
        """Whether this one is acting: alone, or as one of the enemies where they act together."""
        combat = self.combat
        if combat is None or combat.acting < 0:
            return False
        turn = combat.order[combat.acting]
        return turn == character.name or (
            turn == ENEMY and self.ruleset.enemies == "together" and character.is_enemy and not character.aside
        )

    def with_character(self, character: Character) -> Table:
        """The table with this character in its own seat, as it now is."""
        characters = self.characters.copy()  # type: ignore[attr-defined]
        characters[character.name] = character
        return replace(self, characters=MappingProxyType(characters))

    def with_everyone(self, as_they_are: Callable[[Character], Character], combat: Combat | None) -> Table:
        """The table with everyone in the same seats, as they now are, and this combat."""
        characters = {name: as_they_are(one) for name, one in self.characters.items()}
        return replace(self, characters=MappingProxyType(characters), combat=combat, call=self._call_under_way())

    def with_characters(
        self, characters: Iterable[Character], combat: Combat | None, seated: int | None = None
    ) -> Table:
        """The table with just these characters, in this order, and this combat."""
        sitting = {one.name: one for one in characters}
        names = {same(one.name): one.name for one in sitting.values()} | {one.id: one.name for one in sitting.values()}
        call = self.call
        return Table(
            self.ruleset,
            MappingProxyType(sitting),
            combat,
            MappingProxyType(names),
            self.seated if seated is None else seated,
            self.combats,
            None if call is None else call.among(names),
            self.calls,
        )

    def with_combat(self, combat: Combat | None) -> Table:
        """The table with its combat as it now is."""
        if self.call is None:
            return replace(self, combat=combat)
        return replace(self, combat=combat, call=self._call_under_way())

    def called(self, character: Character) -> Call | None:
        """The call for which this character has still to roll, if there is one."""
        call = self.call
        return call if call is not None and character.id in call.waiting else None

    def with_call(self, call: Call | None) -> Table:
        """The table with its newest call as it now is, without one for which nobody rolled or will roll."""
        return replace(self, call=call if call is not None and (call.waiting or call.rolled) else None)

    def _call_under_way(self) -> Call | None:
        return self.call if self.call is not None and self.call.waiting else None

    def under(self, ruleset: Ruleset) -> Table:
        """The same people under another ruleset; for a table at which nobody sits yet, or for asking what if."""
        return replace(self, ruleset=ruleset)

    def state(self) -> dict[str, Any]:
        """The state as plain data, ready for JSON."""
        ruleset = self.ruleset
        combat = self.combat
        return {
            "characters": {one.name: character_state(one, ruleset) for one in self.characters.values()},
            "combat": None
            if combat is None
            else {"round": combat.round, "phase": combat.phase, "order": list(combat.order), "turn": combat.turn},
            "combats": self.combats,
            **self._call_state(),
        }

    def _call_state(self) -> dict[str, Any]:
        call = self._call_under_way()
        if call is None:
            return {}
        names = self.names
        return {
            "call": {
                "number": call.number,
                "characters": [names[one] for one in call.waiting],
                "target": call.target,
                "secret": call.secret,
                "strain": call.strain,
                "pushable": call.pushable,
                "what": call.what,
                "closed": call.closed,
                "rolled": [
                    {"character": names[one.id], "total": one.total, "success": one.success} for one in call.rolled
                ],
            }
        }

    def _key(self) -> tuple[object, ...]:
        characters = tuple(self.characters.values())
        return self.ruleset, characters, self.combat, self.seated, self.combats, self.call, self.calls

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Table) and self._key() == other._key())

    def __ne__(self, other: object) -> bool:
        # A struct brings one of its own, which goes by identity.
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return _table, self._key()


def _table(
    ruleset: Ruleset,
    characters: tuple[Character, ...],
    combat: Combat | None,
    seated: int,
    combats: int,
    call: Call | None,
    calls: int,
) -> Table:
    table = Table(ruleset).with_characters(characters, combat, seated)
    return replace(table, combats=combats, call=call, calls=calls)


def character_state(character: Character, ruleset: Ruleset) -> dict[str, Any]:
    """One character as plain data, ready for JSON."""
    check = character.open_check
    aside = {"aside": True} if character.aside else {}
    return {
        "id": character.id,
        "side": character.side,
        "base_con": character.base_con,
        "con": character.con,
        "stamina": character.stamina,
        "maximum": character.maximum,
        "wounds": [{"wound": wound.wound, "steps": wound.steps} for wound in character.wounds],
        "reaction_cost": ruleset.reactions.cost(character.reactions),
        "acts_early": character.acts_early,
        "open_check": None if check is None else {"push": check.push, "strain": check.strain, "target": check.target},
        "abilities": {
            ability.name: {"cost": ability.cost, "from": ability.source, "note": ability.note}
            for ability in character.abilities
        },
        "hidden": character.hidden,
        "note": character.note,
        "rests": character.rests,
        **aside,
    }
