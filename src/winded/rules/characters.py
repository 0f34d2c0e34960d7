"""Who sits at the table: joining, changing, leaving."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import count
from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from winded.errors import Malformed, Refused
from winded.rules.aim import AtCharacter, check_the_character, the_character
from winded.rules.combat import next_in_order
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Die, Figure, Name, Text, Who, malformed
from winded.rules.room import Room
from winded.rules.stamina import die_after
from winded.rules.table import ENEMY, PARTY_SIDE, AbilityDie, Character, Table, same
from winded.sentence import Sentence, sentence

_AN_ID = re.compile(r"#[0-9]+")
_LONGEST_NAME = 40


class Side(StrEnum):
    """Whose side someone is on."""

    PARTY = "party"
    ENEMY = "enemy"


def _check_die(table: Table, die: AbilityDie | None) -> None:
    """No command at all, at this table, with a CON Ability Die that its ruleset does not know: before any refusal."""
    if die is not None and die not in table.ruleset.dice:
        raise malformed(
            "con", sentence("one of the CON Ability Dice {dice}", dice=", ".join(table.ruleset.ladder)), die
        )


class CharacterAdded(Event, frozen=True, tag="character_added"):
    """Someone sat down."""

    id: str
    character: str
    side: str
    con: AbilityDie | None
    maximum: int
    stamina: int
    hidden: bool = False
    note: str | None = None

    RULE: ClassVar[str] = "max.die"

    def names(self) -> tuple[str, ...]:
        return (self.character,)

    def without_secrets(self) -> CharacterAdded:
        return self if self.note is None else replace(self, note=None)

    def evolve(self, table: Table) -> Table:
        joining = Character(
            self.id,
            self.character,
            self.side,
            self.con,
            self.con,
            self.maximum,
            self.stamina,
            hidden=self.hidden,
            note=self.note,
        )
        # Whoever sat here before, also where that was taken back, keeps the id: the next one gets another.
        seated = max(table.seated, int(self.id[1:])) if _AN_ID.fullmatch(self.id) else table.seated + 1
        return table.with_characters((*table.characters.values(), joining), table.combat, seated)

    def tell(self) -> Sentence:
        if self.con is None:
            return sentence("{name} joins, without a CON Ability Die.", name=self.character)
        return sentence(
            "{name} joins with CON {con}: {stamina} of {maximum} Stamina.",
            name=self.character,
            con=self.con,
            stamina=self.stamina,
            maximum=self.maximum,
        )


class JoinedLate(CharacterEvent, frozen=True, tag="joined_late"):
    """Someone who sat down in mid-round stands last in its order."""

    RULE: ClassVar[str] = "ruling.joins-late"

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        assert combat is not None
        return table.with_combat(replace(combat, order=(*combat.order, self.character)))

    def tell(self) -> Sentence:
        return sentence("{name} joins in mid-round and acts last this round.", name=self.character)


class Renamed(CharacterEvent, frozen=True, tag="renamed"):
    """Someone is called something else from now on."""

    name: str

    RULE: ClassVar[str] = "table"

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        if combat is not None:
            combat = replace(combat, order=tuple(self.name if one == self.character else one for one in combat.order))
        return table.with_characters(
            (replace(one, name=self.name) if one.name == self.character else one for one in table.characters.values()),
            combat,
        )

    def tell(self) -> Sentence:
        return sentence("{name} is now called {new}.", name=self.character, new=self.name)


class BaseDieChanged(CharacterEvent, frozen=True, tag="base_die_changed"):
    """Someone's base CON Ability Die changed, and what follows from it. `cut` is the Stamina it cost, where it says."""

    base_con: AbilityDie
    con: AbilityDie | None
    maximum: int
    stamina: int
    cut: int = 0

    RULE: ClassVar[str] = "ruling.base-die"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(
            replace(character, base_con=self.base_con, con=self.con, maximum=self.maximum, stamina=self.stamina)
        )

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "con": self.base_con,
            "stamina": self.stamina,
            "maximum": self.maximum,
            "cut": self.cut,
        }
        if self.cut:
            return sentence(
                "{name}'s base CON Ability Die is now {con}: {cut} Stamina is cut, {stamina} of {maximum} left.",
                **facts,
            )
        return sentence("{name}'s base CON Ability Die is now {con}: {stamina} of {maximum} Stamina.", **facts)


class HidingChanged(CharacterEvent, frozen=True, tag="hiding_changed"):
    """An enemy is revealed to the players, or hidden from them."""

    hidden: bool

    RULE: ClassVar[str] = "ruling.enemies"

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], hidden=self.hidden))

    def tell(self) -> Sentence:
        if self.hidden:
            return sentence("{name} is hidden from the players.", name=self.character)
        return sentence("{name} is revealed.", name=self.character)


class NoteChanged(CharacterEvent, frozen=True, tag="note_changed"):
    """The note on someone says something else, or nothing."""

    note: str | None

    RULE: ClassVar[str] = "table"

    def without_secrets(self) -> None:
        return None

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], note=self.note))

    def tell(self) -> Sentence:
        if self.note is None:
            return sentence("The note on {name} is removed.", name=self.character)
        return sentence("A note on {name}: {note}", name=self.character, note=self.note)


class CharacterRemoved(CharacterEvent, frozen=True, tag="character_removed"):
    """Someone left the table."""

    RULE: ClassVar[str] = "table"

    def evolve(self, table: Table) -> Table:
        return table.with_characters(
            (one for one in table.characters.values() if one.name != self.character),
            None if table.combat is None else table.combat.without(self.character),
        )

    def tell(self) -> Sentence:
        return sentence("{name} leaves the table.", name=self.character)


BaseDie = Annotated[Die, Meta(description='A CON Ability Die, such as "d10". Only an enemy may do without.')]


def _free(table: Table, name: str, side: str, but: str | None = None) -> tuple[Renamed, ...]:
    """What must happen before someone of this side may be called so; refused as "duplicate" where nobody may.

    Players must not learn which names hidden enemies bear: one of the party takes such a name like a free one, and the
    hidden enemy is called something else.
    """
    if _AN_ID.fullmatch(name):
        raise Refused("duplicate", "{name} is written like an id: please choose another name.", name=name)
    holder = table.names.get(same(name))
    if same(name) != same(ENEMY):
        if holder is None or holder == but:
            return ()
        if side == PARTY_SIDE and table.characters[holder].hidden:
            return (Renamed(holder, _another_name(table, holder)),)
    raise Refused("duplicate", "The name {name} is taken at this table.", name=name)


def _another_name(table: Table, name: str) -> str:
    """A name that nobody bears, made of this one and a number."""
    for number in count(2):
        another = f"{name[: _LONGEST_NAME - len(f' {number}')].rstrip()} {number}"
        if same(another) not in table.names:
            break
    return another


class AddCharacter(Command, frozen=True, tag="add_character"):
    """Someone sits down at the table, at maximum Stamina unless `stamina` (0 to maximum) says otherwise.

    `con` may be left out for an enemy only; only an enemy may be `hidden`.
    Refused: "duplicate", "not-allowed", `max.die`.
    """

    name: Name
    con: BaseDie | None = None
    side: Side = Side.PARTY
    stamina: Figure | None = None
    hidden: bool = False
    note: Text | None = None

    def check_together(self) -> None:
        if self.con is None and self.side is Side.PARTY:
            raise Malformed("con", "“{field}” is missing; only an enemy can go without a CON Ability Die.", field="con")

    def decide(self, table: Table) -> tuple[Event, ...]:
        _check_die(table, self.con)
        aside = _free(table, self.name, self.side.value)
        if self.hidden and self.side is Side.PARTY:
            raise Refused("not-allowed", "{name} is not an enemy; only enemies can be hidden.", name=self.name)
        maximum = table.ruleset.maximum(self.con)
        stamina = maximum if self.stamina is None else self.stamina
        if stamina > maximum:
            raise Refused(
                "max.die",
                "{name} cannot begin with {stamina} Stamina; the maximum is {maximum}.",
                name=self.name,
                stamina=stamina,
                maximum=maximum,
            )
        added = CharacterAdded(
            f"#{table.seated + 1}", self.name, self.side.value, self.con, maximum, stamina, self.hidden, self.note
        )
        shares_a_turn = self.side is Side.ENEMY and table.ruleset.enemies == "together"
        if table.combat is not None and table.combat.phase == "turns" and not shares_a_turn:
            return *aside, added, JoinedLate(self.name)
        return *aside, added

    def label(self) -> Sentence:
        return sentence("Add {name}", name=self.name)


class EditCharacter(Command, frozen=True, tag="edit_character"):
    """A new name, a new base CON Ability Die, hidden or revealed, another note (null takes it away).

    Refused: "not-found", "duplicate", "not-allowed"; "not-now" where what is edited is not as `at` says it was seen.
    """

    character: Who
    name: Name | None = None
    con: Die | None = None
    hidden: bool | None = None
    note: Text | UnsetType | None = UNSET
    at: AtCharacter | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        _check_die(table, self.con)
        character = table.character(self.character)
        events: list[Event] = []
        if self.name is not None:
            events += _free(table, self.name, character.side, but=character.name)
        if self.hidden and not character.is_enemy:
            raise Refused("not-allowed", "{name} is not an enemy; only enemies can be hidden.", name=character.name)
        if self.at is not None:
            check_the_character(self.at, character, self._edited(character))
        name = character.name
        if self.name is not None and self.name != name:
            events.append(Renamed(name, self.name))
            name = self.name
        if self.con is not None and self.con != character.base_con:
            con = die_after(table.ruleset, self.con, character.wounds)
            maximum = table.ruleset.maximum(con)
            stamina = min(character.stamina, maximum)
            events.append(BaseDieChanged(name, self.con, con, maximum, stamina, character.stamina - stamina))
        if self.hidden is not None and self.hidden != character.hidden:
            events.append(HidingChanged(name, self.hidden))
        if self.note is not UNSET and self.note != character.note:
            events.append(NoteChanged(name, self.note))
        return tuple(events)

    def _edited(self, character: Character) -> frozenset[str]:
        """The fields that would be another than they are now."""
        edited = {
            "name": self.name not in (None, character.name),
            "con": self.con not in (None, character.base_con),
            "hidden": self.hidden not in (None, character.hidden),
            "note": self.note not in (UNSET, character.note),
        }
        return frozenset(field for field in edited if edited[field])

    def aimed(self, table: Table) -> EditCharacter:
        return replace(self, at=the_character(table.character(self.character)))

    def label(self) -> Sentence:
        return sentence("Change {name}", name=self.character)


class RemoveCharacter(Command, frozen=True, tag="remove_character"):
    """Someone leaves the table; on their own turn, the next one's begins. Refused: "not-found"."""

    character: Who

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        removed = CharacterRemoved(character.name)
        if table.combat is not None and table.combat.turn == character.name:
            after = removed.evolve(table)
            assert after.combat is not None
            return removed, *next_in_order(after, after.combat)
        return (removed,)

    def label(self) -> Sentence:
        return sentence("Remove {name}", name=self.character)


RULES = (
    Rule(
        "ruling.base-die",
        lambda _: sentence(
            "When the base CON Ability Die changes, the maximum follows at once; Stamina above it is cut, and none "
            "comes back."
        ),
    ),
    Rule(
        "ruling.joins-late",
        lambda _: sentence("A character who joins in mid-round acts last in that round, after the enemy."),
    ),
    Rule(
        "ruling.enemies",
        lambda _: sentence(
            "An enemy may have a CON Ability Die and then spends Stamina like anyone; only those who face the enemy "
            "can act early."
        ),
    ),
)


ROOM = Room(
    rules=RULES,
    commands=(AddCharacter, EditCharacter, RemoveCharacter),
    events=(CharacterAdded, JoinedLate, Renamed, BaseDieChanged, HidingChanged, NoteChanged, CharacterRemoved),
)
