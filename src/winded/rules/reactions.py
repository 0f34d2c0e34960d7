"""Reactions: sudden acts in answer to danger, outside one's own turn, each dearer than the last."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from winded.errors import RefusedTo
from winded.rules.aim import AtMoment, check_moment
from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Figure, Text, Who
from winded.rules.room import Room
from winded.rules.ruleset import Ruleset
from winded.rules.spending import Spending
from winded.rules.stamina import pay, require
from winded.rules.table import Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

REACTIONS = Spending(
    "react",
    told=sentence("reactions"),
    title=sentence("Reactions"),
    rule="reaction.cost",
    permission="reactions",
    habit="reaction",
)


class Reacted(CharacterEvent, frozen=True, tag="reacted"):
    """Someone took a reaction: what it cost, what is left, and how many that makes since the cost last went back."""

    cost: int
    leaves: int
    taken: int
    what: str | None = None

    RULE: ClassVar[str] = "reaction.cost"
    SPENDING: ClassVar[Spending | None] = REACTIONS

    def evolve(self, table: Table) -> Table:
        return table.with_character(
            replace(table.characters[self.character], stamina=self.leaves, reactions=self.taken)
        )

    def tell(self) -> Sentence:
        if self.what is None:
            return sentence(
                "{name} reacts: {cost} Stamina, {leaves} left.", name=self.character, cost=self.cost, leaves=self.leaves
            )
        return sentence(
            "{name} reacts ({what}): {cost} Stamina, {leaves} left.",
            name=self.character,
            what=self.what,
            cost=self.cost,
            leaves=self.leaves,
        )


class ReactionsReset(CharacterEvent, frozen=True, tag="reactions_reset"):
    """Someone's next reaction costs the first figure again."""

    cost: int

    RULE: ClassVar[str] = "reaction.reset"

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], reactions=0))

    def tell(self) -> Sentence:
        return sentence("{name}'s next reaction costs {cost} again.", name=self.character, cost=self.cost)


def _reset(table: Table, character: Character) -> ReactionsReset:
    return ReactionsReset(character.name, table.ruleset.reactions.cost(0))


def resets_at_turn(table: Table, character: Character) -> tuple[Event, ...]:
    """What the start of the own turn of someone who has reacted takes back (`reaction.reset`)."""
    return (_reset(table, character),) if table.ruleset.reactions.resets == "own-turn" else ()


def resets_at_round(table: Table) -> tuple[Event, ...]:
    """What the start of a round takes back: nothing, unless a house rule says so (`ruling.reaction-window`)."""
    if table.ruleset.reactions.resets != "round":
        return ()
    return tuple(_reset(table, one) for one in table.characters.values() if one.reactions and not one.aside)


class React(Command, frozen=True, tag="react"):
    """A reaction at the current cost, shown in `cost`.

    Refused: "not-found", "not-allowed", `ruling.aside`, `reaction.combat`, `reaction.outside-turn`, "cost-changed",
    `reaction.needs-stamina`, `reaction.cost`.
    """

    character: Who
    what: Text | None = None
    cost: Figure | None = None
    at: AtMoment | None = None

    SPENDING: ClassVar[Spending | None] = REACTIONS

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        ruleset = table.ruleset
        if ruleset.spends is not None:
            require(ruleset, REACTIONS)
        if character.aside:
            raise is_aside(character.name)
        combat = table.combat
        if combat is None:
            raise RefusedTo("reaction.combat", "{name} can react only in combat.", character.name)
        if table.is_turn_of(character):
            raise RefusedTo("reaction.outside-turn", "{name} cannot react on their own turn.", character.name)
        if self.at is not None:
            check_moment(self.at, table)
        taken = character.reactions
        cost = ruleset.reactions.cost(taken)
        leaves = pay(character, cost, self.cost, "reaction.cost", "reaction.needs-stamina")
        return (Reacted(character.name, cost, leaves, taken + 1, self.what),)

    def aimed(self, table: Table) -> React:
        return replace(self, at=AtMoment(table.combats))

    def label(self) -> Sentence:
        return sentence("React")


def _ladder(ruleset: Ruleset) -> Sentence:
    reactions = ruleset.reactions
    first = ", ".join(str(reactions.cost(taken)) for taken in range(max(3, len(reactions.costs))))
    if not reactions.further:
        return sentence("Reactions cost {first} Stamina in turn, each further one as much as the last.", first=first)
    return sentence(
        "Reactions cost {first} Stamina in turn, each further one {further} more than the last.",
        first=first,
        further=reactions.further,
    )


def _reset_rule(ruleset: Ruleset) -> Sentence:
    first = ruleset.reactions.cost(0)
    match ruleset.reactions.resets:
        case "round":
            return sentence("The cost of reactions goes back to {first} at the start of each round.", first=first)
        case "never":
            return sentence("The cost of reactions goes back to {first} only when combat ends.", first=first)
        case _:
            return sentence(
                "The cost of reactions goes back to {first} when the character's own turn starts.", first=first
            )


RULES = (
    Rule(
        "reaction.combat",
        lambda _: sentence(
            "In combat a character may answer danger with a sudden act, paid for in Stamina: a reaction."
        ),
        ("spends.react",),
    ),
    Rule(
        "reaction.outside-turn",
        lambda _: sentence("A reaction comes outside the character's own turn, if the fiction allows it."),
        ("spends.react",),
    ),
    Rule("reaction.cost", _ladder, ("reactions.costs", "reactions.further", "spends.react")),
    Rule("reaction.reset", _reset_rule, ("reactions.resets", "spends.react")),
    Rule(
        "reaction.needs-stamina",
        lambda _: sentence("Without Stamina a character cannot pay for a reaction."),
        ("spends.react",),
    ),
    Rule(
        "ruling.reaction-window",
        lambda _: sentence(
            "Reactions are counted from the start of a character's own turn to the start of the next. A new round "
            "alone resets nothing; combat starts and ends with the count at 0."
        ),
        ("reactions.resets", "spends.react"),
        lambda ruleset: ruleset.reactions.resets == "own-turn",
    ),
)

_react = lru_cache(maxsize=4096)(React)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """The next reaction, and what it makes the one after it cost."""
    cost = table.ruleset.reactions.cost
    taken = character.reactions
    return (dry_run(table, _react(character.name), character.stamina, cost(taken), cost(taken + 1)),)


TERMS = (
    Term(
        "reaction",
        REACTIONS.title,
        sentence("Something sudden, done in answer to danger while it is somebody else's turn."),
        ("reaction.cost", "reaction.reset", "reaction.needs-stamina"),
        REACTIONS,
    ),
)

MOST_COUNTED = 99
"""House rules may make reactions cost nothing: then so many are counted and no more."""


def reactions_for(ruleset: Ruleset, made: int, stamina: int) -> int:
    """How many more reactions so much Stamina pays for before one's next own turn, `made` having been made already."""
    count = 0
    while count < MOST_COUNTED and (cost := ruleset.reactions.cost(made + count)) <= stamina:
        stamina -= cost
        count += 1
    return count


ROOM = Room(
    rules=RULES,
    commands=(React,),
    events=(Reacted, ReactionsReset),
    options=options,
    spending=REACTIONS,
    terms=TERMS,
)
