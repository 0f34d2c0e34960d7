"""Channel Casting: it needs Stamina, and the caster states how much."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Amount, Figure, Text, Who
from winded.rules.room import Room
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

CHANNEL_CASTING = Spending(
    "channel",
    told=sentence("Channel Casting"),
    title=sentence("Channel Casting"),
    rule="channel.needs-stamina",
    permission="channel_casting",
    habit="channel",
)


class Channelled(CharacterEvent, frozen=True, tag="channelled"):
    """Someone used Channel Casting and paid for it."""

    cost: int
    leaves: int
    what: str | None = None

    RULE: ClassVar[str] = "channel.needs-stamina"
    SPENDING: ClassVar[Spending | None] = CHANNEL_CASTING

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

    Refused: "not-found", "not-allowed", `ruling.aside`, "cost-changed", `zero.no-spending`, `channel.needs-stamina`.
    """

    character: Who
    stamina: Amount
    what: Text | None = None
    cost: Figure | None = None

    SPENDING: ClassVar[Spending | None] = CHANNEL_CASTING

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        if table.ruleset.spends is not None:
            require(table.ruleset, CHANNEL_CASTING)
        if character.aside:
            raise is_aside(character.name)
        leaves = pay(character, self.stamina, self.cost, "channel.needs-stamina")
        return (Channelled(character.name, self.stamina, leaves, self.what),)

    def label(self) -> Sentence:
        return sentence("Channel Casting")


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


TERMS = (
    Term(
        "channel",
        CHANNEL_CASTING.title,
        sentence("Casting that the caster pays for in Stamina."),
        ("channel.needs-stamina",),
        CHANNEL_CASTING,
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(Channel,),
    events=(Channelled,),
    options=options,
    spending=CHANNEL_CASTING,
    ahead=lambda who, other, what, stamina: Channel(who, stamina),
    terms=TERMS,
)
