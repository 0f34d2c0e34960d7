"""Hardship: Stamina spent to go on in spite of what one suffers."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Amount, Figure, Who
from winded.rules.room import Room
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

HARDSHIP = Spending(
    "resist",
    told=sentence("resisting hardship"),
    title=sentence("Resisting hardship"),
    rule="hardship.spend",
    permission="hardship",
    habit="resist",
)


class Hardship(StrEnum):
    """What there is to resist."""

    FATIGUE = "fatigue"
    SHOCK = "shock"
    PAIN = "pain"
    EXPOSURE = "exposure"
    FEAR = "fear"
    INJURY = "injury"

    @property
    def told(self) -> Sentence:
        """The hardship as people read it."""
        return _TOLD[self]


_TOLD = {
    Hardship.FATIGUE: sentence("fatigue"),
    Hardship.SHOCK: sentence("shock"),
    Hardship.PAIN: sentence("pain"),
    Hardship.EXPOSURE: sentence("exposure"),
    Hardship.FEAR: sentence("fear"),
    Hardship.INJURY: sentence("injury"),
}


class HardshipResisted(CharacterEvent, frozen=True, tag="hardship_resisted"):
    """Someone spent Stamina to go on in spite of something."""

    hardship: Hardship
    cost: int
    leaves: int

    RULE: ClassVar[str] = "hardship.spend"
    SPENDING: ClassVar[Spending | None] = HARDSHIP

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], stamina=self.leaves))

    def tell(self) -> Sentence:
        return sentence(
            "{name} fights through {hardship}: {cost} Stamina, {leaves} left.",
            name=self.character,
            hardship=self.hardship.told,
            cost=self.cost,
            leaves=self.leaves,
        )


class Resist(Command, frozen=True, tag="resist"):
    """Spend Stamina (1 to 99, as the table sets it) to fight through a hardship.

    Refused: "not-found", "not-allowed", `ruling.aside`, "cost-changed", `zero.no-spending`, `hardship.spend`.
    """

    character: Who
    stamina: Amount
    hardship: Hardship
    cost: Figure | None = None

    SPENDING: ClassVar[Spending | None] = HARDSHIP

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        if table.ruleset.spends is not None:
            require(table.ruleset, HARDSHIP)
        if character.aside:
            raise is_aside(character.name)
        leaves = pay(character, self.stamina, self.cost, "hardship.spend")
        return (HardshipResisted(character.name, self.hardship, self.stamina, leaves),)

    def label(self) -> Sentence:
        return sentence("Resist hardship")


RULES = (
    Rule(
        "hardship.spend",
        lambda _: sentence(
            "Stamina may be spent to carry on despite pain, fear, shock, injury, fatigue or exposure. The table sets "
            "the cost; if a Check is rolled for it, that is a push."
        ),
        ("spends.resist",),
    ),
)


@lru_cache(maxsize=4096)
def _least(name: str) -> Resist:
    return Resist(name, 1, Hardship.FATIGUE)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Resisting a hardship, for 1 Stamina or more."""
    stamina = character.stamina
    return (dry_run(table, _least(character.name), stamina, 1, None, "stamina", stamina),)


TERMS = (
    Term(
        "hardship",
        HARDSHIP.title,
        sentence("What wears a body down: fatigue, shock, pain, exposure, fear, injury."),
        ("hardship.spend",),
        HARDSHIP,
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(Resist,),
    events=(HardshipResisted,),
    options=options,
    spending=HARDSHIP,
    ahead=lambda who, other, what, stamina: Resist(who, stamina, Hardship(what)),
    terms=TERMS,
)
