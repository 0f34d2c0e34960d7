"""Day files: a day in TOML or in JSON, read field by field; what is wrong is named with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from winded.errors import Malformed
from winded.odds.day.fields import Place, exactly
from winded.odds.day.model import (
    ALWAYS,
    ATTENTION,
    MOST_CALLS,
    MOST_CHARACTERS,
    MOST_ROUNDS,
    MOST_STEPS,
    MOST_TIMES,
    MOST_WOUNDS,
    NEVER,
    Ahead,
    CheckAhead,
    Day,
    DayCharacter,
    Fight,
    PossibleWound,
    RecoveryAhead,
    RestAhead,
    Sketch,
    SpendAhead,
    Values,
    WoundAhead,
)
from winded.odds.forecasts.decision_tree import certainly, length
from winded.odds.forecasts.habits import HABITS, Habit
from winded.rules import Hardship, RestKind
from winded.rules.toml_text import NotToml, toml_from
from winded.sentence import sentence

STEPS = ("fight", "check", "wound", "recover", "rest", "resist", "channel", "ability")
"""The kinds of step, each the field by which a step of that kind is known."""


def day_from_toml(text: str) -> Day:
    """A day from the text of a TOML file; raises Malformed that names the place and what is allowed there."""
    try:
        data = toml_from(text, exactly)
    except NotToml as wrong:
        raise Malformed("", "The day file is not TOML: {reason}.", reason=str(wrong)) from wrong
    return day_from(data)


def day_from(data: object) -> Day:
    """A day from plain data, as `day_from_toml` reads it from a file."""
    place = Place(data, "")
    people = place.listed("characters", _sitter, 1, MOST_CHARACTERS)
    names = [one.name.casefold() for one in people]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise place.wrong(f"characters[{at}].name", sentence("a name that nobody else has"), people[at].name)
    return Day(tuple(people), _sketch(place, {one.name for one in people}))


def sketch_from(data: object) -> Sketch:
    """What is ahead, from plain data: `steps`, and perhaps `check`, `values` and `title`. Raises Malformed."""
    return _sketch(Place(data, ""), None)


def _sketch(place: Place, names: set[str] | None) -> Sketch:
    check = place.dice("check")
    title = place.text("title", "", 80)
    values = _values(place.needed("values"), place.at("values")) if place.has("values") else Values()
    ahead = place.listed("steps", lambda entry, path: _step(Place(entry, path), names), 1, MOST_STEPS)
    place.done()
    for at, step in enumerate(ahead):
        if isinstance(step, CheckAhead) and step.target is not None and check is None and step.dice is None:
            raise Malformed(
                place.at(f"steps[{at}].target"),
                "“{field}” needs dice: say how Checks are rolled, such as check = “1d20+con” at the top.",
                field=place.at(f"steps[{at}].target"),
            )
    many = sum(length(step) for step in ahead)
    if many > MOST_STEPS:
        raise place.wrong("steps", sentence("no more than {most} rounds and other steps in all", most=MOST_STEPS), many)
    wounds = {one.casefold() for step in ahead if (one := _brings(step)) is not None}
    if len(wounds) > MOST_WOUNDS:
        allowed = sentence("steps that bring no more than {most} Wounds of different names", most=MOST_WOUNDS)
        raise place.wrong("steps", allowed, len(wounds))
    return Sketch(tuple(ahead), check, values, title)


def _brings(step: Ahead) -> str | None:
    mishap = step.mishap if isinstance(step, Fight | WoundAhead) else None
    return None if mishap is None else mishap.wound


def _values(data: object, path: str) -> Values:
    place = Place(data, path)
    usual = Values()
    values = Values(
        early=place.value("early", usual.early),
        reaction=place.value("reaction", usual.reaction),
        check=place.value("check", usual.check),
        spend=place.value("spend", usual.spend),
        left=place.value("left", usual.left),
        empty=place.value("empty", usual.empty),
    )
    place.done()
    return values


def _sitter(data: object, path: str) -> DayCharacter:
    place = Place(data, path)
    sitter = DayCharacter(
        name=place.text("name"),
        con=place.die("con"),
        stamina=place.whole_or_none("stamina", 0, 99),
        wounds=tuple(place.listed("wounds", _wound, 0, MOST_WOUNDS)),
        abilities=_abilities(place),
        habit=_habit(place),
    )
    place.done()
    return sitter


def _wound(data: object, path: str) -> PossibleWound:
    if isinstance(data, str):
        return PossibleWound(Place({}, path).as_text(path, data, 200))
    return _mishap(data, path)


def _mishap(data: object, path: str) -> PossibleWound:
    place = Place(data, path)
    mishap = PossibleWound(
        place.text("wound", most=200), place.whole("steps", 1, 99, 1), place.chance("chance", ALWAYS)
    )
    place.done()
    return mishap


def _abilities(place: Place) -> tuple[tuple[str, int], ...]:
    if not place.has("abilities"):
        return ()
    costs = Place(place.data["abilities"], place.at("abilities"))
    return tuple((costs.as_text(costs.at(str(name)), name), costs.whole(name, 0, 99, 0)) for name in costs.data)


def _habit(place: Place) -> Habit:
    if not place.has("habit"):
        return HABITS["freely"]
    value = place.data["habit"]
    if not isinstance(value, Mapping):
        return HABITS[place.as_word("habit", value, tuple(HABITS))]
    inside = Place(value, place.at("habit"))
    habit = Habit(
        keep=inside.whole("keep", 0, 99, 0),
        early=inside.yes_no("early", True),
        reactions=inside.whole_or_none("reactions", 0, 99),
        push=inside.whole("push", 0, 99, 3),
        aim=inside.chance("aim", ALWAYS) if "aim" in inside.data else None,
        other=inside.yes_no("other", True),
        last_fight_free=inside.yes_no("last_fight_free", False),
    )
    inside.asked.append("aim")
    inside.done()
    return habit


def _step(place: Place, names: set[str] | None) -> Ahead:
    kinds = ["fight"] if "fight" in place.data else [kind for kind in STEPS if kind in place.data]
    if len(kinds) != 1:
        raise place.wrong(
            place.path,
            sentence("a step with one of {words}", words=", ".join(f"“{kind}”" for kind in STEPS)),
            ", ".join(kinds) or "none of them",
        )
    step = _READERS[kinds[0]](place, place.who(names))
    place.done()
    return step


def _fight(place: Place, who: tuple[str, ...] | None) -> Fight:
    return Fight(
        place.text("fight", most=80),
        place.spread("rounds", 1, MOST_ROUNDS, certainly(3)),
        place.chance("early", NEVER),
        place.spread("reactions", 0, MOST_CALLS, (ALWAYS,)),
        _mishap(place.data["wound"], place.at("wound")) if place.has("wound") else None,
        place.word("attention", ATTENTION, "each"),
        place.value_or_none("early_value"),
        place.value_or_none("reaction_value"),
        who,
    )


def _check(place: Place, who: tuple[str, ...] | None) -> CheckAhead:
    return CheckAhead(
        place.text("check", most=80),
        place.whole_or_none("target", -999, 999),
        place.dice("dice"),
        place.chance("chance", ALWAYS),
        place.whole("times", 1, MOST_TIMES, 1),
        place.value_or_none("value"),
        who,
    )


def _wound_ahead(place: Place, who: tuple[str, ...] | None) -> WoundAhead:
    mishap = PossibleWound(
        place.text("wound", most=200), place.whole("steps", 1, 99, 1), place.chance("chance", ALWAYS)
    )
    return WoundAhead(mishap, who)


def _recovery(place: Place, who: tuple[str, ...] | None) -> RecoveryAhead:
    return RecoveryAhead(place.text("recover", most=200), place.chance("chance", ALWAYS), who)


def _rest(place: Place, who: tuple[str, ...] | None) -> RestAhead:
    kind = place.as_word("rest", place.needed("rest"), tuple(kind.value for kind in RestKind))
    return RestAhead(RestKind(kind), place.chance("chance", ALWAYS), who)


def _spend(spend: str) -> Callable[[Place, tuple[str, ...] | None], SpendAhead]:
    def read(place: Place, who: tuple[str, ...] | None) -> SpendAhead:
        if spend == SpendAhead.RESIST:
            what = place.as_word(spend, place.needed(spend), tuple(one.value for one in Hardship))
        else:
            what = place.text(spend, most=40 if spend == SpendAhead.ABILITY else 200)
        return SpendAhead(
            spend,
            what,
            1 if spend == SpendAhead.ABILITY else place.whole("stamina", 1, 99, 1),
            place.chance("chance", ALWAYS),
            place.whole("times", 1, MOST_TIMES, 1),
            place.value_or_none("value"),
            who,
        )

    return read


_READERS: dict[str, Callable[[Place, tuple[str, ...] | None], Ahead]] = {
    "fight": _fight,
    "check": _check,
    "wound": _wound_ahead,
    "recover": _recovery,
    "rest": _rest,
    "resist": _spend(SpendAhead.RESIST),
    "channel": _spend(SpendAhead.CHANNEL),
    "ability": _spend(SpendAhead.ABILITY),
}
