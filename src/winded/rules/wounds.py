"""CON Wounds: what they take from the die and the maximum, and what recovering one gives back."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Amount, Text, Who
from winded.rules.room import Room
from winded.rules.ruleset import Ruleset
from winded.rules.stamina import die_after
from winded.rules.table import AbilityDie, Character, Table, Wound
from winded.rules.term import Term
from winded.sentence import Sentence, sentence, sentences


class WoundTaken(CharacterEvent, frozen=True, tag="wound_taken"):
    """Someone took a Wound. `beyond` is by how many steps it goes past the lowest die; `cut` the Stamina it cost."""

    wound: str
    steps: int
    con: AbilityDie | None
    maximum: int
    stamina: int
    cut: int = 0
    beyond: int = 0

    @property
    def rule(self) -> str:
        if self.beyond:
            return "ruling.below-lowest"
        return "max.cut" if self.cut else "max.wound"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(
            replace(
                character,
                wounds=(*character.wounds, Wound(self.wound, self.steps)),
                con=self.con,
                maximum=self.maximum,
                stamina=self.stamina,
            )
        )

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "wound": self.wound,
            "con": self.con,
            "stamina": self.stamina,
            "maximum": self.maximum,
            "cut": self.cut,
        }
        if self.con is None:
            if self.cut:
                return sentence(
                    "{name} takes a Wound, {wound}: no CON Ability Die is left, the maximum is {maximum}, and {cut} "
                    "Stamina is cut.",
                    **facts,
                )
            return sentence(
                "{name} takes a Wound, {wound}: no CON Ability Die is left, and the maximum is {maximum}.", **facts
            )
        if self.beyond == self.steps:
            return sentence(
                "{name} takes a Wound, {wound}. The CON Ability Die is already the lowest, {con}, and the page does "
                "not say more: the Wound counts, the maximum stays {maximum}.",
                **facts,
            )
        if self.beyond and self.cut:
            return sentence(
                "{name} takes a Wound, {wound}: CON {con}, {cut} Stamina is cut, {stamina} of {maximum} left. That is "
                "the lowest die, and the page does not say more: the rest of the Wound only counts.",
                **facts,
            )
        if self.beyond:
            return sentence(
                "{name} takes a Wound, {wound}: CON {con}, {stamina} of {maximum} Stamina. That is the lowest die, and "
                "the page does not say more: the rest of the Wound only counts.",
                **facts,
            )
        if self.cut:
            return sentence(
                "{name} takes a Wound, {wound}: CON {con}, {cut} Stamina is cut, {stamina} of {maximum} left.", **facts
            )
        return sentence("{name} takes a Wound, {wound}: CON {con}, {stamina} of {maximum} Stamina.", **facts)


class WoundRecovered(CharacterEvent, frozen=True, tag="wound_recovered"):
    """Someone recovered from a Wound: the maximum may rise, Stamina does not."""

    wound: str
    con: AbilityDie | None
    maximum: int

    RULE: ClassVar[str] = "max.recover"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(
            replace(
                character,
                wounds=tuple(one for one in character.wounds if one.wound != self.wound),
                con=self.con,
                maximum=self.maximum,
            )
        )

    def tell(self) -> Sentence:
        if self.con is None:
            return sentence(
                "{name}'s Wound, {wound}, is recovered, but the others still leave no CON Ability Die.",
                name=self.character,
                wound=self.wound,
            )
        return sentence(
            "{name}'s Wound, {wound}, is recovered: CON {con}, the maximum is {maximum}. No Stamina comes back by "
            "itself.",
            name=self.character,
            wound=self.wound,
            con=self.con,
            maximum=self.maximum,
        )


_UNHEARD_OF = "\N{REPLACEMENT CHARACTER}"


class TakeWound(Command, frozen=True, tag="take_wound"):
    """A CON Wound of so many steps (1 to 99) down the ladder of dice.

    Refused: "not-found", "duplicate", "not-allowed" without a CON Ability Die, by house rule `ruling.below-lowest`.
    """

    character: Who
    wound: Text
    steps: Amount = 1

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        if character.wound(self.wound) is not None:
            raise Refused(
                "duplicate", "{name} already has a Wound called {wound}.", name=character.name, wound=self.wound
            )
        base = character.base_con
        if base is None:
            raise Refused(
                "not-allowed", "{name} has no CON Ability Die, so no CON Wound can reduce it.", name=character.name
            )
        ruleset = table.ruleset
        wounds = (*character.wounds, Wound(self.wound, self.steps))
        beyond = min(self.steps, max(0, sum(wound.steps for wound in wounds) - ruleset.ladder.index(base)))
        if beyond and ruleset.below_lowest == "refuse":
            raise Refused(
                "ruling.below-lowest",
                "{name}'s CON Ability Die is {con}; it cannot go down {steps} more.",
                name=character.name,
                con=character.con,
                steps=sentences("{n} step", "{n} steps", self.steps),
            )
        con = die_after(ruleset, base, wounds)
        maximum = ruleset.maximum(con)
        stamina = min(character.stamina, maximum)
        return (
            WoundTaken(
                character.name, self.wound, self.steps, con, maximum, stamina, character.stamina - stamina, beyond
            ),
        )

    def label(self) -> Sentence:
        return sentence("Wound: {wound}", wound=self.wound)


def wound_foreseen(table: Table, character: Character, steps: int) -> Sentence:
    """What a Wound of so many steps would do now, or why there can be none."""
    try:
        (event,) = TakeWound(character.name, _UNHEARD_OF, steps).decide(table)
    except Refused as no:
        return no.sentence
    assert isinstance(event, WoundTaken)
    before = {"con": character.con, "stamina": character.stamina}
    after = {"to": event.con, "left": event.stamina, "maximum": event.maximum}
    if event.con is None:
        return sentence("no die left, {stamina} to {left} Stamina", **before, **after)
    if event.beyond == steps:
        return sentence("counts, but stays {con}, {stamina} of {maximum} Stamina", **before, **after)
    return sentence("{con} to {to}, {stamina} to {left} of {maximum} Stamina", **before, **after)


class RecoverWound(Command, frozen=True, tag="recover_wound"):
    """A Wound is recovered and takes back exactly its own steps. Refused: "not-found"."""

    character: Who
    wound: Text

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        wound = character.wound(self.wound)
        if wound is None:
            raise Refused("not-found", "{name} has no Wound called {wound}.", name=character.name, wound=self.wound)
        left = tuple(one for one in character.wounds if one is not wound)
        con = die_after(table.ruleset, character.base_con, left)
        return (WoundRecovered(character.name, wound.wound, con, table.ruleset.maximum(con)),)

    def label(self) -> Sentence:
        return sentence("Recover from {wound}", wound=self.wound)


def lost_to_wounds(ruleset: Ruleset, character: Character) -> int:
    """The Stamina by which Wounds have lowered the maximum (`max.wound`)."""
    return ruleset.maximum(character.base_con) - character.maximum


def _below_lowest(ruleset: Ruleset) -> Sentence:
    match ruleset.below_lowest:
        case "refuse":
            return sentence(
                "A Wound that would take the CON Ability Die below {lowest} is refused.", lowest=ruleset.ladder[0]
            )
        case "zero":
            return sentence(
                "A Wound that takes the CON Ability Die below {lowest} leaves no die: the maximum is 0 until enough is "
                "recovered.",
                lowest=ruleset.ladder[0],
            )
        case _:
            return sentence(
                "Below {lowest}, a Wound is recorded and counts, but the die and the maximum stay as they are.",
                lowest=ruleset.ladder[0],
            )


RULES = (
    Rule("max.wound", lambda _: sentence("A Wound that reduces the CON Ability Die lowers the maximum at once.")),
    Rule("max.cut", lambda _: sentence("Stamina above the new maximum is cut down to it.")),
    Rule("max.recover", lambda _: sentence("When such a Wound is recovered, the maximum rises again.")),
    Rule(
        "max.no-refill",
        lambda _: sentence("Recovering a Wound raises only the maximum; the Stamina itself stays as it was."),
    ),
    Rule(
        "ruling.wound-steps",
        lambda _: sentence(
            "A CON Wound takes the die down one step unless it says more; recovering it takes back exactly its own "
            "steps."
        ),
    ),
    Rule("ruling.below-lowest", _below_lowest, ("below_lowest",)),
)


TERMS = (
    Term(
        "wound",
        sentence("Wound"),
        sentence("A CON Wound is an injury that makes the CON Ability Die smaller until it is recovered."),
        ("max.wound", "max.cut", "max.no-refill", "ruling.wound-steps", "ruling.below-lowest"),
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(TakeWound, RecoverWound),
    events=(WoundTaken, WoundRecovered),
    terms=TERMS,
)
