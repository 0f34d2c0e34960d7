"""Rest: what each kind brings back, rounded, never above the maximum, and not in combat."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.aim import AtRests, check_rests, rests_of
from winded.rules.command import CharacterEvent, Command, Event, Rule
from winded.rules.fields import Who, several
from winded.rules.room import Room
from winded.rules.ruleset import RestKind, Ruleset
from winded.rules.table import Character, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

_NAMES = {
    RestKind.SHORT: sentence("Short Rest"),
    RestKind.UNSAFE_LONG: sentence("Unsafe Long Rest"),
    RestKind.SAFE_LONG: sentence("Safe Long Rest"),
    RestKind.RESPITE: sentence("Respite"),
}
_RULE_OF = {
    RestKind.SHORT: "rest.short",
    RestKind.UNSAFE_LONG: "rest.unsafe-long",
    RestKind.SAFE_LONG: "rest.safe-long",
    RestKind.RESPITE: "rest.respite",
}


def rest_name(kind: RestKind) -> Sentence:
    """What this kind of rest is called."""
    return _NAMES[kind]


class Recovery(Struct, frozen=True):
    """What a rest would do for one character: offered before the cap, gained after it, and the Stamina that makes."""

    character: str
    offered: int
    gained: int
    stamina: int
    maximum: int


def recovery(ruleset: Ruleset, character: Character, kind: RestKind) -> Recovery:
    """What a rest does for a character at its current maximum (`rest.rounding`, `rest.cap`)."""
    maximum = character.maximum
    offered = ruleset.rest.offered(kind, maximum)
    stamina = max(character.stamina, min(character.stamina + offered, maximum))
    return Recovery(character.name, offered, stamina - character.stamina, stamina, maximum)


class Rested(CharacterEvent, frozen=True, tag="rested"):
    """Someone rested: what the rest offered, what was gained within the maximum, and the Stamina now."""

    kind: RestKind
    offered: int
    gained: int
    stamina: int
    maximum: int

    @property
    def rule(self) -> str:
        return "rest.cap" if self.gained < self.offered else _RULE_OF[self.kind]

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        return table.with_character(replace(character, stamina=self.stamina, rests=character.rests + 1))

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "kind": rest_name(self.kind),
            "offered": self.offered,
            "gained": self.gained,
            "stamina": self.stamina,
            "maximum": self.maximum,
        }
        if self.offered and not self.gained:
            return sentence("{name} rests ({kind}) and already has all Stamina: {stamina} of {maximum}.", **facts)
        if self.gained < self.offered:
            return sentence(
                "{name} rests ({kind}): {gained} of {offered} Stamina comes back, up to the maximum: {stamina} of "
                "{maximum} now.",
                **facts,
            )
        return sentence("{name} rests ({kind}): {gained} Stamina comes back, {stamina} of {maximum} now.", **facts)


class Rest(Command, frozen=True, tag="rest"):
    """A rest for all of the party who take part, or for `characters` only.

    Refused: "not-found", `ruling.aside`, `ruling.rest-in-combat`, "not-now".
    """

    kind: RestKind
    characters: Annotated[tuple[Who, ...], several(1, 200)] | None = None
    at: AtRests | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        resting = self._resting(table)
        for one in resting:
            if one.aside:
                raise is_aside(one.name)
        if table.combat is not None:
            raise Refused("ruling.rest-in-combat", "Nobody can rest in combat: end the combat first.")
        if not resting:
            raise Refused("not-now", "There is nobody to rest.")
        if self.at is not None:
            check_rests(self.at, resting)
        kind = self.kind
        ruleset = table.ruleset
        rests = [recovery(ruleset, one, kind) for one in resting]
        return tuple([Rested(one.character, kind, one.offered, one.gained, one.stamina, one.maximum) for one in rests])

    def _resting(self, table: Table) -> tuple[Character, ...]:
        if self.characters is None:
            return tuple(table.taking_part())
        return tuple({one.id: one for one in map(table.character, self.characters)}.values())

    def aimed(self, table: Table) -> Rest:
        return replace(self, at=AtRests(rests_of(self._resting(table))))

    def label(self) -> Sentence:
        return rest_name(self.kind)


def _recovers(kind: RestKind) -> Rule:
    def told(ruleset: Ruleset) -> Sentence:
        share = getattr(ruleset.rest, kind.value)
        if share == "all":
            return sentence("{kind}: all Stamina comes back.", kind=rest_name(kind))
        if isinstance(share, int):
            return sentence("{kind}: {share} Stamina comes back.", kind=rest_name(kind), share=share)
        return sentence("{kind}: {share} of maximum Stamina comes back.", kind=rest_name(kind), share=share)

    return Rule(_RULE_OF[kind], told, (f"rest.{kind.value}",))


def _rounding(ruleset: Ruleset) -> Sentence:
    minimum = ruleset.rest.minimum
    match ruleset.rest.rounding:
        case "up":
            return sentence("Recovery is rounded up and is never less than {minimum}.", minimum=minimum)
        case "nearest":
            return sentence("Recovery is rounded to the nearest and is never less than {minimum}.", minimum=minimum)
        case _:
            return sentence("Recovery is rounded down and is never less than {minimum}.", minimum=minimum)


RULES = (
    *(_recovers(kind) for kind in RestKind),
    Rule("rest.rounding", _rounding, ("rest.rounding", "rest.minimum")),
    Rule("rest.cap", lambda _: sentence("Recovery stops at the maximum.")),
    Rule("ruling.rest-in-combat", lambda _: sentence("Nobody can rest during combat.")),
)


TERMS = tuple(
    Term(
        kind.value,
        rest_name(kind),
        sentence("One of four rests that give Stamina back. The Referee says when there is time and place for it."),
        (_RULE_OF[kind], "rest.rounding", "rest.cap", "ruling.rest-in-combat"),
    )
    for kind in RestKind
)

ROOM = Room(
    rules=RULES,
    commands=(Rest,),
    events=(Rested,),
    terms=TERMS,
)
