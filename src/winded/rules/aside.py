"""Set aside: someone who is away, has fled or waits in reserve takes part in nothing, and keeps everything."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.combat import next_in_order
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Text, Who
from winded.rules.room import Room
from winded.rules.table import Table
from winded.sentence import Sentence, sentence


class CharacterSetAside(CharacterEvent, frozen=True, tag="character_set_aside"):
    """Someone takes part in nothing from now on, and has left the order and a call for a Check."""

    reason: str | None = None

    RULE: ClassVar[str] = "ruling.aside"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        call = table.called(character)
        table = table.with_character(replace(character, aside=True))
        if call is not None:
            table = table.with_call(call.without(character.id))
        combat = table.combat
        return table if combat is None else table.with_combat(combat.without(character.name, character.id))

    def tell(self) -> Sentence:
        if self.reason is None:
            return sentence("{name} is set aside.", name=self.character)
        return sentence("{name} is set aside ({reason}).", name=self.character, reason=self.reason)


class CharacterBroughtBack(CharacterEvent, frozen=True, tag="character_brought_back"):
    """Someone takes part again, and while turns are under way may stand `last` in their order."""

    last: bool = False

    RULE: ClassVar[str] = "ruling.aside"

    def evolve(self, table: Table) -> Table:
        table = table.with_character(replace(table.characters[self.character], aside=False))
        if not self.last:
            return table
        combat = table.combat
        assert combat is not None
        return table.with_combat(replace(combat, order=(*combat.order, self.character)))

    def tell(self) -> Sentence:
        if self.last:
            return sentence("{name} is back, and acts last in this round.", name=self.character)
        return sentence("{name} is back.", name=self.character)


class SetAside(Command, frozen=True, tag="set_aside"):
    """Someone takes part in nothing until brought back; on their own turn, the next one's begins.

    Refused: "not-found", `push.before-roll` with an open Check, "not-now".
    """

    character: Who
    reason: Text | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        name = character.name
        if character.open_check is not None:
            raise Refused("push.before-roll", "{name} has an open Check: roll it or withdraw it first.", name=name)
        if character.aside:
            raise Refused("not-now", "{name} is already set aside.", name=name)
        aside = CharacterSetAside(name, self.reason)
        if table.combat is not None and table.combat.turn == name:
            after = aside.evolve(table)
            assert after.combat is not None
            return aside, *next_in_order(after, after.combat)
        return (aside,)

    def label(self) -> Sentence:
        return sentence("Set {name} aside", name=self.character)


class BringBack(Command, frozen=True, tag="bring_back"):
    """Someone set aside takes part again: last in a round whose turns are under way, unless they acted in it before.

    Refused: "not-found", "not-now".
    """

    character: Who

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        if not character.aside:
            raise Refused("not-now", "{name} is not set aside.", name=character.name)
        combat = table.combat
        shares_a_turn = character.is_enemy and table.ruleset.enemies == "together"
        last = combat is not None and combat.phase == "turns" and character.id not in combat.acted and not shares_a_turn
        return (CharacterBroughtBack(character.name, last),)

    def label(self) -> Sentence:
        return sentence("Bring {name} back", name=self.character)


ROOM = Room(
    rules=(
        Rule(
            "ruling.aside",
            lambda _: sentence(
                "A character who is set aside has no turn, does not rest and spends nothing, and keeps everything as "
                "it is. One who comes back during the turns acts last in that round, and only once in it."
            ),
        ),
    ),
    commands=(SetAside, BringBack),
    events=(CharacterSetAside, CharacterBroughtBack),
)
