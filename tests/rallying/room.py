"""Rallying: someone pays for an ally, who takes heart. A room for tests, as anyone might add one to the rules."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.command import CharacterEvent, Command, Event, Option, dry_run
from winded.rules.fields import Figure, Who
from winded.rules.room import Room
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table
from winded.sentence import Sentence, sentence

RALLYING = Spending(
    "rally",
    told=sentence("rallying"),
    title=sentence("Rallying"),
    rule="reaction.cost",
    permission="rallying",
    habit="rally",
)


class Rallied(CharacterEvent, frozen=True, tag="rallied"):
    """Someone rallied an ally, at the price of the ally's next reaction."""

    ally: str
    cost: int
    leaves: int

    RULE: ClassVar[str] = "reaction.cost"
    SPENDING: ClassVar[Spending | None] = RALLYING

    def names(self) -> tuple[str, ...]:
        return self.character, self.ally

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], stamina=self.leaves))

    def tell(self) -> Sentence:
        return sentence(
            "{name} rallies {ally}: {cost} Stamina, {leaves} left.",
            name=self.character,
            ally=self.ally,
            cost=self.cost,
            leaves=self.leaves,
        )


class Rally(Command, frozen=True, tag="rally"):
    """Rally an ally, at the price of the ally's next reaction."""

    character: Who
    ally: Who
    cost: Figure | None = None

    SPENDING: ClassVar[Spending | None] = RALLYING

    def decide(self, table: Table) -> tuple[Event, ...]:
        character, ally = table.character(self.character), table.character(self.ally)
        require(table.ruleset, RALLYING)
        if ally is character:
            raise Refused("not-allowed", "{name} can rally only somebody else.", name=character.name)
        cost = table.ruleset.reactions.cost(ally.reactions)
        leaves = pay(character, cost, self.cost, "reaction.cost")
        return (Rallied(character.name, ally.name, cost, leaves),)

    def label(self) -> Sentence:
        return sentence("Rally {ally}", ally=self.ally)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Each of the others on one's own side whom everyone may see, at the price of their next reaction."""
    cost = table.ruleset.reactions.cost
    return tuple(
        dry_run(table, Rally(character.name, one.name), character.stamina, cost(one.reactions))
        for one in table.characters.values()
        if one is not character and one.side == character.side and not one.hidden
    )


ROOM = Room(
    commands=(Rally,),
    events=(Rallied,),
    options=options,
    spending=RALLYING,
    ahead=lambda who, other, what, stamina: Rally(who, other),
)
