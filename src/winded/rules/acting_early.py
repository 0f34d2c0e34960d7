"""Acting early: paying, as a round of combat begins, to act before the enemy."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused, RefusedTo
from winded.rules.aim import AtMoment, check_moment
from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Figure, Who
from winded.rules.room import Room
from winded.rules.ruleset import Ruleset
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence, sentences

ACTING_EARLY = Spending(
    "act_early",
    told=sentence("acting early"),
    title=sentence("Acting early"),
    rule="early.cost",
    permission="acting_early",
    habit="early",
)


class ActedEarly(CharacterEvent, frozen=True, tag="acted_early"):
    """Someone paid to act before the enemy in this round."""

    cost: int
    leaves: int

    RULE: ClassVar[str] = "early.cost"
    SPENDING: ClassVar[Spending | None] = ACTING_EARLY

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(
            replace(character, stamina=self.leaves, acts_early=True, early_rounds=character.early_rounds + 1)
        )

    def tell(self) -> Sentence:
        return sentence(
            "{name} will act early: {cost} Stamina, {leaves} left.",
            name=self.character,
            cost=self.cost,
            leaves=self.leaves,
        )


class ActEarly(Command, frozen=True, tag="act_early"):
    """Pay to act early in this round; in its declare phase, once a round.

    Refused: "not-found", "not-allowed", `ruling.aside`, `early.cost`, `ruling.enemies`, "cost-changed",
    `zero.no-spending`.
    """

    character: Who
    cost: Figure | None = None
    at: AtMoment | None = None

    SPENDING: ClassVar[Spending | None] = ACTING_EARLY

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        ruleset = table.ruleset
        if ruleset.spends is not None:
            require(ruleset, ACTING_EARLY)
        if character.aside:
            raise is_aside(character.name)
        combat = table.combat
        if combat is None or combat.phase != "declare":
            raise RefusedTo(
                "early.cost", "{name} can choose to act early only as a round of combat begins.", character.name
            )
        if character.acts_early:
            raise RefusedTo("early.cost", "{name} already acts early this round.", character.name)
        early = ruleset.early
        if early.limit is not None and character.early_rounds >= early.limit:
            raise Refused(
                "early.cost",
                "{name} has acted early in {rounds} of this combat; the house rules allow no more.",
                name=character.name,
                rounds=sentences("{n} round", "{n} rounds", character.early_rounds),
            )
        if character.is_enemy:
            raise RefusedTo(
                "ruling.enemies", "{name} is an enemy; only those who face the enemy can act early.", character.name
            )
        if self.at is not None:
            check_moment(self.at, table)
        leaves = pay(character, early.cost, self.cost, "early.cost")
        return (ActedEarly(character.name, early.cost, leaves),)

    def aimed(self, table: Table) -> ActEarly:
        return replace(self, at=AtMoment(table.combats, None if table.combat is None else table.combat.round))

    def label(self) -> Sentence:
        return sentence("Act early")


def _cost(ruleset: Ruleset) -> Sentence:
    early = ruleset.early
    if early.limit is None:
        return sentence(
            "As a round of combat begins, {cost} Stamina lets a character act early in it.", cost=early.cost
        )
    return sentence(
        "As a round of combat begins, {cost} Stamina lets a character act early in it, in {rounds} of one combat.",
        cost=early.cost,
        rounds=sentences("{n} round", "{n} rounds", early.limit),
    )


RULES = (Rule("early.cost", _cost, ("early.cost", "early.limit", "spends.act_early")),)

_act_early = lru_cache(maxsize=4096)(ActEarly)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Acting early in this round."""
    return (dry_run(table, _act_early(character.name), character.stamina, table.ruleset.early.cost),)


TERMS = (
    Term(
        "early",
        ACTING_EARLY.title,
        sentence("Being faster than the enemy for one round, at a price."),
        ("early.cost", "early.before", "early.after"),
        ACTING_EARLY,
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(ActEarly,),
    events=(ActedEarly,),
    options=options,
    spending=ACTING_EARLY,
    terms=TERMS,
)
