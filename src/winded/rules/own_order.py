"""Arranging oneself: where a house rule lets players do so, someone waits and lets the next of the party go first."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused, RefusedTo
from winded.rules.aim import AtMoment, check_moment
from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Who
from winded.rules.room import Room
from winded.rules.table import Character, Table, is_aside
from winded.sentence import Sentence, sentence


class Waited(CharacterEvent, frozen=True, tag="waited"):
    """Someone let the next in the order go first."""

    behind: str

    RULE: ClassVar[str] = "ruling.own-order"

    def names(self) -> tuple[str, ...]:
        return self.character, self.behind

    def evolve(self, table: Table) -> Table:
        combat = table.combat
        assert combat is not None
        changed = {self.character: self.behind, self.behind: self.character}
        return table.with_combat(replace(combat, order=tuple(changed.get(name, name) for name in combat.order)))

    def tell(self) -> Sentence:
        return sentence("{name} waits: {behind} goes first.", name=self.character, behind=self.behind)


class Wait(Command, frozen=True, tag="wait"):
    """Someone changes places with the next in the order, where that one is of the party too (`ruling.own-order`).

    Refused: "not-found", "not-allowed" where the table does not have it so, `ruling.aside`, "not-now".
    """

    character: Who
    at: AtMoment | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.character(self.character)
        name = character.name
        if not table.ruleset.own_order:
            raise Refused("not-allowed", "At this table the seats and the Referee decide who goes first.")
        if character.aside:
            raise is_aside(name)
        if self.at is not None:
            check_moment(self.at, table)
        if character.is_enemy:
            raise RefusedTo("not-now", "{name} is an enemy; only the party can change its own order.", name)
        combat = table.combat
        if combat is None or combat.phase != "turns":
            raise RefusedTo("not-now", "{name} can wait only once the order of the round is fixed.", name)
        to_come = combat.to_come
        if name not in to_come:
            raise RefusedTo("not-now", "{name} has no turn to come in this round.", name)
        behind = table.characters.get(next(iter(to_come[to_come.index(name) + 1 :]), ""))
        if behind is None or behind.is_enemy:
            raise RefusedTo("not-now", "Nobody in {name}'s group comes next who could go first.", name)
        return (Waited(name, behind.name),)

    def aimed(self, table: Table) -> Wait:
        return replace(self, at=AtMoment(table.combats, None if table.combat is None else table.combat.round))

    def label(self) -> Sentence:
        return sentence("I wait")


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """Letting the next go first, while there is an order to arrange."""
    combat = table.combat
    if character.is_enemy or not table.ruleset.own_order or combat is None or character.name not in combat.to_come:
        return ()
    return (dry_run(table, Wait(character.name), character.stamina, 0),)


ROOM = Room(
    rules=(
        Rule(
            "ruling.own-order",
            lambda ruleset: (
                sentence(
                    "Those who act early, and those after the enemy, may change places within their group: anyone who "
                    "has not yet acted may let the next one go first. The Referee overrules."
                )
                if ruleset.own_order
                else sentence("Players cannot change their place in the order; the Referee may move them.")
            ),
            ("own_order",),
        ),
    ),
    commands=(Wait,),
    events=(Waited,),
    options=options,
)
