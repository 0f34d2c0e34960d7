"""Channel Casting: it needs Stamina, and the caster states how much."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, TypeAlias

from msgspec.structs import replace

from winded.rules.command import Command, Event, Option, Rule, dry_run
from winded.rules.fields import Amount, Figure, Name, Text
from winded.rules.ruleset import Spend
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table
from winded.sentence import Sentence, sentence


class Channelled(Event, frozen=True, tag="channelled"):
    """Someone used Channel Casting and paid for it."""

    character: str
    cost: int
    leaves: int
    what: str | None = None

    RULE: ClassVar[str] = "channel.needs-stamina"

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], stamina=self.leaves))

    def tell(self) -> Sentence:
        if self.what is None:
            return sentence(
                "{name} uses Channel Casting: {cost} Stamina, {leaves} left.",
                name=self.character,
                cost=self.cost,
                leaves=self.leaves,
            )
        return sentence(
            "{name} uses Channel Casting ({what}): {cost} Stamina, {leaves} left.",
            name=self.character,
            what=self.what,
            cost=self.cost,
            leaves=self.leaves,
        )


class Channel(Command, frozen=True, tag="channel"):
    """Channel Casting for as much Stamina as the caster states (1 to 99).

    Refused: "not-found", "not-allowed", "cost-changed", `zero.no-spending`, `channel.needs-stamina`.
    """

    character: Name
    stamina: Amount
    what: Text | None = None
    cost: Figure | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        if table.ruleset.left_out:
            require(table.ruleset, Spend.CHANNEL)
        leaves = pay(character, self.stamina, self.cost, "channel.needs-stamina")
        return (Channelled(character.name, self.stamina, leaves, self.what),)

    def label(self) -> Sentence:
        return sentence("Channel Casting")


Commands: TypeAlias = Channel
Events: TypeAlias = Channelled

RULES = (
    Rule(
        "channel.needs-stamina",
        lambda _: sentence("Channel Casting needs Stamina: the caster states how much, 1 or more."),
        ("spends.channel",),
    ),
)


@lru_cache(maxsize=4096)
def _least(name: str) -> Channel:
    return Channel(name, 1)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Channel Casting, for 1 Stamina or more."""
    stamina = character.stamina
    return (dry_run(table, _least(character.name), stamina, 1, None, "stamina", stamina),)
