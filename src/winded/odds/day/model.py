"""A day or an evening: who is there and what comes, with chances where one cannot know.

Each struct is the only account of its fields: day files, JSON, the line of words in an address, the form on a page and
the JSON Schema are all read and written by their annotations (see `fields`). Chances are fractions, so that nothing is
lost: 0.25 in a day file is 1/4 here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias, cast

from msgspec import Meta, Struct, defstruct

from winded.odds.check import FURTHEST_TARGET
from winded.odds.day.fields import (
    A_TABLE,
    ALWAYS,
    NEVER,
    Chance,
    Dice,
    Die,
    Distribution,
    Name,
    Spelling,
    Value,
    Who,
    certainly,
    chances_by_number,
    checked,
    custom,
    data_of,
    listed,
    parts,
    plain_number,
    quoted,
    text_field,
    text_schema,
    unquoted,
    whole_from,
    wrong,
)
from winded.odds.forecasts.habits import HABITS, USUAL, Habit
from winded.rules import RestKind
from winded.rules.fields import fields, read
from winded.rules.hallway import ROOMS
from winded.rules.room import Room
from winded.sentence import sentence

MOST_CHARACTERS = 12
MOST_STEPS = 300
"""Steps of a day, each round of each fight being one."""
MOST_ROUNDS = 30
MOST_CALLS = 10
"""Reactions that one round may call for."""
MOST_TIMES = 50
MOST_WOUNDS = 4
"""CON Wounds of different names that a day may bring, over those that a character begins with."""

Times = Annotated[int, Meta(ge=1, le=MOST_TIMES)]
DieSteps = Annotated[int, Meta(ge=1, le=99)]
Cost = Annotated[int, Meta(ge=1, le=99)]
StepName = Annotated[str, text_field(80, "What it is called.")]
WoundName = Annotated[str, text_field(200)]


class PossibleWound(Struct, frozen=True):
    """A CON Wound that may come: its steps down the ladder of dice, and its chance."""

    wound: WoundName
    steps: DieSteps = 1
    chance: Chance = ALWAYS


def _wound_from(text: str) -> object:
    name, *more = parts(text, ":")
    data: dict[str, object] = {"wound": unquoted(name) if name.startswith('"') else name.replace("_", " ")}
    return (
        data
        | ({"chance": more[0]} if more else {})
        | ({"steps": whole_from(more[1])} if len(more) > 1 else {})
        | ({"chance": text} if len(more) > 2 else {})
    )


def _wound_text(wound: PossibleWound) -> str:
    name = quoted(wound.wound, "_")
    steps = "" if wound.steps == 1 else f":{wound.steps}"
    written = name if name.startswith('"') else name.replace(" ", "_")
    return f"{written}:{wound.chance}{steps}"


def _wound_data(wound: PossibleWound) -> dict[str, object]:
    return (
        {"wound": wound.wound}
        | ({} if wound.steps == 1 else {"steps": wound.steps})
        | ({} if wound.chance == ALWAYS else {"chance": plain_number(wound.chance)})
    )


def _wound_check(value: object, path: str) -> PossibleWound:
    if not isinstance(value, Mapping):
        raise wrong(path, A_TABLE, value)
    return read(PossibleWound, value, path)


RoundsWound = Annotated[
    PossibleWound,
    custom(_wound_check, A_TABLE, Spelling(_wound_from, _wound_text, _wound_data, {"$ref": "Wound"})),
]
"""A Wound that a round of a fight may bring; in a line of words `bite:1/10`, with steps `bite:1/10:2`."""


class Step(Struct, frozen=True, tag_field="step"):
    """One entry of what is ahead."""

    @property
    def kind(self) -> str:
        """The word by which a step of this kind is known in a day file."""
        return word_of_step(type(self))


def word_of_step(made: type[Step]) -> str:
    """The word by which steps of this class are known."""
    return str(made.__struct_config__.tag)


class Fight(Step, frozen=True, tag="fight", rename={"name": "fight"}):
    """A fight: how many rounds, and what a round calls for.

    `early` is the chance that acting early matters in a round; `reactions` how many reactions a round calls for;
    `wound` a Wound that each round may bring. `attention` says whom the calls fall on: "each" of the characters has
    its own, or they share them: "spread" at random, or on the "weakest" or the "freshest", those with the least or the
    most Stamina at that moment. `early_value` and `reaction_value` are what acting early and a reaction are worth here,
    where that differs from the day's.
    """

    name: StepName
    rounds: Annotated[Distribution, chances_by_number(1, MOST_ROUNDS, "How many rounds; 3, if it is left out.")] = (
        certainly(3)
    )
    early: Chance = NEVER
    reactions: Annotated[
        Distribution,
        chances_by_number(0, MOST_CALLS, "How many reactions a round calls for; none, if it is left out."),
    ] = certainly(0)
    wound: RoundsWound | None = None
    attention: Literal["each", "spread", "weakest", "freshest"] = "each"
    early_value: Value | None = None
    reaction_value: Value | None = None
    who: Who | None = None


class CheckAhead(Step, frozen=True, tag="check", rename={"name": "check"}):
    """A Check that may be pushed: its target, if one is known, its dice, if they differ from the day's, its chance."""

    name: StepName
    target: (
        Annotated[
            int,
            Meta(ge=-FURTHEST_TARGET, le=FURTHEST_TARGET, description="Needs dice: its own, or the day's."),
        ]
        | None
    ) = None
    dice: Dice | None = None
    chance: Chance = ALWAYS
    times: Times = 1
    value: Value | None = None
    who: Who | None = None


class WoundAhead(Step, frozen=True, tag="wound", rename={"name": "wound"}):
    """A CON Wound that may come outside a fight: its steps down the ladder of dice, and its chance."""

    name: WoundName
    steps: DieSteps = 1
    chance: Chance = ALWAYS
    who: Who | None = None


class RecoveryAhead(Step, frozen=True, tag="recover", rename={"name": "recover"}):
    """A Wound that may be recovered; for whoever does not have it nothing happens."""

    name: WoundName
    chance: Chance = ALWAYS
    who: Who | None = None


class RestAhead(Step, frozen=True, tag="rest"):
    """A rest, with the chance that it comes about."""

    rest: RestKind
    chance: Chance = ALWAYS
    who: Who | None = None

    @property
    def name(self) -> str:
        return self.rest.value


class SpendAhead(Step, frozen=True, tag="spend"):
    """Another spend that may be called for: resisting a hardship, Channel Casting, an ability.

    Each way to spend has a class of its own (`SPENDS`). `what` is the hardship, the casting or the ability; `stamina`
    what it takes, where the day says so (an ability has its own cost).
    """

    what: str
    chance: Chance = ALWAYS
    times: Times = 1
    value: Value | None = None
    who: Who | None = None

    @property
    def name(self) -> str:
        return self.what

    @property
    def stamina(self) -> int:
        """What it takes; 1 where the day does not say it."""
        return 1


def _spend(room: Room) -> type[SpendAhead]:
    """The step of one way to spend, made of what its own command asks for."""
    assert room.spending is not None
    word = room.spending.habit
    asked = fields(next(one for one in room.commands if one.SPENDING is room.spending))
    chosen = next((one.choices for one in asked if one.kind == "choice" and one.required), None)
    named = next((one.most for one in asked if one.kind == "text" and one.required), None) or 200
    what = Annotated[str, text_field(named)] if chosen is None else Literal[chosen]
    priced = any(one.kind == "number" and one.name == "stamina" for one in asked)
    made = defstruct(
        f"{word.title().replace('_', '')}Ahead",
        [("what", what), *([("stamina", Cost, 1)] if priced else [])],
        bases=(SpendAhead,),
        tag=word,
        rename={"what": word},
        frozen=True,
        module=__name__,
        namespace={"__doc__": f"{room.spending.title}, where something calls for it."},
    )
    globals()[made.__name__] = made  # where pickle looks for it
    return cast("type[SpendAhead]", made)


SPENDS: Mapping[str, type[SpendAhead]] = {
    word_of_step(made): made for made in (_spend(room) for room in ROOMS if room.ahead is not None)
}
"""The steps of those ways to spend that a day may call for by themselves, by the word that begins them."""

Ahead: TypeAlias = Fight | CheckAhead | WoundAhead | RecoveryAhead | RestAhead | SpendAhead

_ALL: tuple[type[Ahead], ...] = (Fight, CheckAhead, WoundAhead, RecoveryAhead, RestAhead, *SPENDS.values())
STEPS: Mapping[str, type[Ahead]] = {word_of_step(made): made for made in _ALL}
"""The kinds of step, by the field by which a step of that kind is known."""


def step_from(data: object, path: str) -> Ahead:
    """One step, known by the field that names it. Raises Malformed."""
    if not isinstance(data, Mapping):
        raise wrong(path, A_TABLE, data)
    # “wound” also stands in a fight, which may bring one.
    kinds = ["fight"] if "fight" in data else [kind for kind in STEPS if kind in data]
    if len(kinds) != 1:
        allowed = sentence("a step with one of {words}", words=", ".join(f"“{kind}”" for kind in STEPS))
        raise wrong(path, allowed, ", ".join(kinds) or "none of them")
    return read(STEPS[kinds[0]], data, path)


def length(ahead: Ahead) -> int:
    """How many steps one entry of a sketch makes: a fight one for each round there may be."""
    match ahead:
        case Fight():
            return len(ahead.rounds) - 1
        case CheckAhead() | SpendAhead():
            return ahead.times
        case _:
            return 1


class Values(Struct, frozen=True):
    """What a table holds things worth, all on one scale of its own: used for advice only.

    `left` is the worth of each Stamina left at the end, `empty` that of not being at 0 then.
    """

    early: Value = Fraction(1)
    reaction: Value = Fraction(1)
    check: Value = Fraction(2)
    spend: Value = Fraction(1)
    left: Value = Fraction(1, 4)
    empty: Value = Fraction(0)


def _values(value: object, path: str) -> Values:
    if not isinstance(value, Mapping):
        raise wrong(path, A_TABLE, value)
    return read(Values, value, path)


class Sketch(Struct, frozen=True, cache_hash=True, rename={"ahead": "steps"}):
    """What is ahead, for whoever sits at the table: steps in order, how Checks are rolled, what things are worth."""

    ahead: Annotated[tuple[Ahead, ...], listed(step_from, 1, MOST_STEPS, {"$ref": "Step"}, data_of)]
    check: Dice | None = None
    values: Annotated[Values, custom(_values, A_TABLE, Spelling(str, str, data_of, {"$ref": "Values"}))] = Values()
    title: Annotated[str, text_field(80)] = ""


def _wound_or_name(value: object, path: str) -> PossibleWound:
    if isinstance(value, str):
        return PossibleWound(checked(WoundName, value, path))
    return _wound_check(value, path)


MOST_ABILITIES = 40


def _costs(value: object, path: str) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, Mapping):
        raise wrong(path, A_TABLE, value)
    if len(value) > MOST_ABILITIES:
        allowed = sentence("a table of {least} to {most} entries", least=0, most=MOST_ABILITIES)
        raise wrong(path, allowed, len(value))
    found = []
    for name, cost in value.items():
        at = f"{path}.{name}"[:80]
        if type(cost) is not int or not 0 <= cost <= 99:
            raise wrong(at, sentence("a whole number from {least} to {most}", least=0, most=99), cost)
        found.append((checked(Name, name, at), cost))
    return tuple(found)


_COSTS = Spelling(
    str,
    str,
    dict,
    {
        "type": "object",
        "description": "The cost in Stamina of each ability, by name.",
        "maxProperties": MOST_ABILITIES,
        "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 99},
    },
)


def _habit(value: object, path: str) -> Habit:
    if isinstance(value, Mapping):
        return read(Habit, value, path)
    if not isinstance(value, str) or value not in HABITS:
        raise wrong(path, _A_HABIT, value)
    return HABITS[value]


def _habit_data(habit: Habit) -> object:
    named = next((name for name, one in HABITS.items() if one == habit), None)
    return data_of(habit) if named is None else named


_A_HABIT = sentence("one of {words}", words=", ".join(f"“{word}”" for word in HABITS))


class DayCharacter(Struct, frozen=True, cache_hash=True):
    """A character of a day: base CON Ability Die, Stamina (None for the maximum), Wounds, abilities, and a habit."""

    name: Name
    con: Die
    stamina: Annotated[int, Meta(ge=0, le=99, description="Stamina at the start; the maximum, if left out.")] | None = (
        None
    )
    wounds: Annotated[
        tuple[PossibleWound, ...],
        listed(_wound_or_name, 0, MOST_WOUNDS, {"anyOf": [text_schema(200), {"$ref": "Wound"}]}, _wound_data),
    ] = ()
    abilities: Annotated[tuple[tuple[str, int], ...], custom(_costs, A_TABLE, _COSTS)] = ()
    habit: Annotated[Habit, custom(_habit, _A_HABIT, Spelling(str, str, _habit_data, {"$ref": "Habit"}))] = HABITS[
        USUAL
    ]


def _character(value: object, path: str) -> DayCharacter:
    if not isinstance(value, Mapping):
        raise wrong(path, A_TABLE, value)
    return read(DayCharacter, value, path)


class DayFile(Sketch, frozen=True, kw_only=True):
    """A day or an evening: who is there, and what comes, with chances where one cannot know."""

    characters: Annotated[
        tuple[DayCharacter, ...], listed(_character, 1, MOST_CHARACTERS, {"$ref": "Character"}, data_of)
    ]


class Day(Struct, frozen=True, cache_hash=True):
    """A sketch of what is ahead, and who goes through it."""

    characters: tuple[DayCharacter, ...]
    sketch: Sketch

    @property
    def title(self) -> str:
        return self.sketch.title
