"""By hand: the Referee gives or takes Stamina, with a reason, within 0 and the maximum."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Text, Who, malformed, whole_number
from winded.rules.room import Room
from winded.rules.table import Table
from winded.sentence import Sentence, sentence

Change = Annotated[
    int,
    whole_number(-99, 99, "A whole number, -99 to 99, but not 0."),
]


class StaminaAdjusted(CharacterEvent, frozen=True, tag="stamina_adjusted"):
    """The Referee gave or took Stamina by hand."""

    by: int
    stamina: int
    reason: str

    RULE: ClassVar[str] = "ruling.by-hand"

    def evolve(self, table: Table) -> Table:
        return table.with_character(replace(table.characters[self.character], stamina=self.stamina))

    def tell(self) -> Sentence:
        facts = {"name": self.character, "by": abs(self.by), "stamina": self.stamina, "reason": self.reason}
        if self.by > 0:
            return sentence("{name} is given {by} Stamina by hand ({reason}): {stamina} now.", **facts)
        return sentence("{by} Stamina is taken from {name} by hand ({reason}): {stamina} now.", **facts)


class Adjust(Command, frozen=True, tag="adjust"):
    """Stamina given (above 0) or taken (below 0) by hand, with a reason.

    Refused: "not-found", and `ruling.by-hand` past 0 or the maximum, never cut short in silence.
    """

    character: Who
    by: Change
    reason: Text

    def check_together(self) -> None:
        if self.by == 0:
            raise malformed("by", sentence("a whole number from -99 to 99, but not 0"), 0)

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        stamina = character.stamina + self.by
        if not 0 <= stamina <= character.maximum:
            raise Refused(
                "ruling.by-hand",
                "{name} has {stamina} of {maximum} Stamina; a change by {by} would go past {bound}.",
                name=character.name,
                stamina=character.stamina,
                maximum=character.maximum,
                by=f"{self.by:+d}",
                bound=0 if self.by < 0 else sentence("the maximum"),
            )
        return (StaminaAdjusted(character.name, self.by, stamina, self.reason),)

    def label(self) -> Sentence:
        return sentence("Change by hand")


RULES = (
    Rule(
        "ruling.by-hand",
        lambda _: sentence(
            "The Referee may give or take Stamina by hand, with a reason, within 0 and the maximum; the history shows "
            "it."
        ),
    ),
)


ROOM = Room(
    rules=RULES,
    commands=(Adjust,),
    events=(StaminaAdjusted,),
)
