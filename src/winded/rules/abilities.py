"""Class abilities: the table brings its own, each with its cost."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from msgspec import field
from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Figure, Name, Text, Who
from winded.rules.room import Room
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Ability, Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

ABILITIES = Spending(
    "ability",
    told=sentence("class abilities"),
    title=sentence("Abilities"),
    rule="ability.spend",
    permission="abilities",
    habit="ability",
)


class AbilitySource(StrEnum):
    """What grants an ability."""

    CLASS = "class"
    TRADITION = "tradition"
    RANK = "rank"


def _ability(character: Character, name: str) -> Ability:
    found = character.ability(name)
    if found is None:
        raise Refused("not-found", "{name} has no ability called {ability}.", name=character.name, ability=name)
    return found


class AbilityAdded(CharacterEvent, frozen=True, tag="ability_added"):
    """Someone has an ability more."""

    ability: str
    cost: int
    source: str | None = field(name="from", default=None)
    note: str | None = None

    RULE: ClassVar[str] = "ability.spend"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        ability = Ability(self.ability, self.cost, self.source, self.note)
        return table.with_character(replace(character, abilities=(*character.abilities, ability)))

    def tell(self) -> Sentence:
        return sentence(
            "{name} gets the ability {ability} ({cost} Stamina).",
            name=self.character,
            ability=self.ability,
            cost=self.cost,
        )


class AbilityRemoved(CharacterEvent, frozen=True, tag="ability_removed"):
    """Someone has an ability less."""

    ability: str

    RULE: ClassVar[str] = "ability.spend"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(
            replace(character, abilities=tuple(one for one in character.abilities if one.name != self.ability))
        )

    def tell(self) -> Sentence:
        return sentence("{name} no longer has the ability {ability}.", name=self.character, ability=self.ability)


class AbilityUsed(CharacterEvent, frozen=True, tag="ability_used"):
    """Someone used an ability and paid for it."""

    ability: str
    cost: int
    leaves: int
    what: str | None = None

    RULE: ClassVar[str] = "ability.spend"
    SPENDING: ClassVar[Spending | None] = ABILITIES

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], stamina=self.leaves))

    def tell(self) -> Sentence:
        if self.what is None:
            return sentence(
                "{name} uses {ability}: {cost} Stamina, {leaves} left.",
                name=self.character,
                ability=self.ability,
                cost=self.cost,
                leaves=self.leaves,
            )
        return sentence(
            "{name} uses {ability} ({what}): {cost} Stamina, {leaves} left.",
            name=self.character,
            ability=self.ability,
            what=self.what,
            cost=self.cost,
            leaves=self.leaves,
        )


class AddAbility(Command, frozen=True, tag="add_ability"):
    """An ability the table brings, at its own cost (0 to 99 Stamina). Refused: "not-found", "duplicate"."""

    character: Who
    ability: Name
    cost: Figure
    source: AbilitySource | None = field(name="from", default=None)
    note: Text | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        if character.ability(self.ability) is not None:
            raise Refused(
                "duplicate",
                "{name} already has an ability called {ability}.",
                name=character.name,
                ability=self.ability,
            )
        source = None if self.source is None else self.source.value
        return (AbilityAdded(character.name, self.ability, self.cost, source, self.note),)

    def label(self) -> Sentence:
        return sentence("Add the ability {ability}", ability=self.ability)


class RemoveAbility(Command, frozen=True, tag="remove_ability"):
    """An ability is taken away. Refused: "not-found"."""

    character: Who
    ability: Name

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        return (AbilityRemoved(character.name, _ability(character, self.ability).name),)

    def label(self) -> Sentence:
        return sentence("Remove the ability {ability}", ability=self.ability)


class UseAbility(Command, frozen=True, tag="use_ability"):
    """Use an ability at its cost; one of cost 0 needs no Stamina.

    Refused: "not-found", "not-allowed", `ruling.aside`, "cost-changed", `zero.no-spending`, `ability.spend`.
    """

    character: Who
    ability: Name
    what: Text | None = None
    cost: Figure | None = None

    SPENDING: ClassVar[Spending | None] = ABILITIES

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        ability = _ability(character, self.ability)
        if ability.cost and table.ruleset.spends is not None:
            require(table.ruleset, ABILITIES)
        if character.aside:
            raise is_aside(character.name)
        leaves = pay(character, ability.cost, self.cost, "ability.spend")
        return (AbilityUsed(character.name, ability.name, ability.cost, leaves, self.what),)

    def label(self) -> Sentence:
        return sentence("Use {ability}", ability=self.ability)


RULES = (
    Rule(
        "ability.spend",
        lambda _: sentence(
            "Class abilities from class, tradition or Rank may cost Stamina. The table says which there are and what "
            "they cost."
        ),
        ("spends.ability",),
    ),
)

_use = lru_cache(maxsize=4096)(UseAbility)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Each ability the character has, at its cost."""
    if not character.abilities:
        return ()
    name, stamina = character.name, character.stamina
    return tuple([dry_run(table, _use(name, one.name), stamina, one.cost) for one in character.abilities])


TERMS = (
    Term(
        "ability",
        sentence("Class ability"),
        sentence("Something that a character's class, tradition or Rank lets them do."),
        ("ability.spend",),
        ABILITIES,
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(AddAbility, RemoveAbility, UseAbility),
    events=(AbilityAdded, AbilityRemoved, AbilityUsed),
    options=options,
    spending=ABILITIES,
    ahead=lambda who, other, what, stamina: UseAbility(who, what),
    terms=TERMS,
)
