"""The sheet that puts the past right: what went wrong at an entry, and what would become of all that followed."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from winded.errors import Refused
from winded.rules import (
    COMMANDS,
    ActEarly,
    Adjust,
    Channel,
    Character,
    Command,
    Correct,
    DeclareCheck,
    Event,
    React,
    RecoverWound,
    Resist,
    ResolveCheck,
    Rest,
    Table,
    TakeWound,
    UseAbility,
    fields,
)
from winded.sentence import Sentence, sentence
from winded.service import Desk, HistorySentence, Visitor, seeing
from winded.service.correcting import Place, Review
from winded.web.screens.parts.lines import telling
from winded.web.screens.parts.offers import ToFillIn, to_fill_in
from winded.web.screens.parts.sheet import Asking, Facts

FORGOTTEN: dict[type[Command], Sentence] = {
    TakeWound: sentence("A Wound"),
    Adjust: sentence("A change by hand"),
    React: sentence("A reaction"),
    ActEarly: sentence("Acting early"),
    Resist: sentence("Resisting hardship"),
    UseAbility: sentence("An ability"),
    Channel: sentence("Channel Casting"),
    DeclareCheck: sentence("A Check"),
    ResolveCheck: sentence("A roll"),
    RecoverWound: sentence("Recovering from a Wound"),
    Rest: sentence("A rest"),
}
"""What the sheet lets one put in, and what it is called there."""

_BY_WORD = {str(made.__struct_config__.tag): made for made in FORGOTTEN}
_LEFT_TO_THE_RULES = frozenset(("cost", "secret"))


class At(Struct, frozen=True):
    """The entry where the past is put right, and its sentences."""

    number: int
    told: tuple[HistorySentence, ...]
    names: tuple[str, ...]


def entry_at(desk: Desk, who: Visitor, number: int) -> At:
    """The entry of this number. Refused as "not-found" unless it is an act that still counts."""
    lines = seeing.see_lines(desk, who, number + 1, 1).lines
    if not lines or lines[0].entry.number != number or not lines[0].can_undo:
        raise Refused(
            "not-found", "Entry {number} no longer counts, so there is nothing to put right there.", number=number
        )
    events = lines[0].entry.events
    names = tuple(name for event in events if isinstance(event, Event) for name in event.names())
    return At(number, telling(lines[0], "").told, names)


def correct(asking: Asking) -> Facts:
    """What went wrong at an entry: the sheet as it opens."""
    return asked(asking.seen.table, entry_at(asking.desk, asking.visitor, asking.number("entry") or 0))


def asked(table: Table, at: At, correction: Correct | None = None) -> Facts:
    """What went wrong at this entry; with a `correction`, what happens instead of an act that it makes impossible."""
    seats = tuple(table.characters.values())
    concerned = next((one for one in seats if one.name in at.names), seats[0] if seats else None)
    return {
        "step": "asked",
        "at_entry": at,
        "seats": seats,
        "chosen": "" if concerned is None else concerned.id,
        "offered": tuple((word, FORGOTTEN[made]) for word, made in _BY_WORD.items()),
        "correction": encoded(correction),
    }


def needs_more(do: str) -> bool:
    """Whether there is more to say of what is put in, first of all."""
    return any(one.field.required or one.field.kind == "number" for one in _fields(do))


def to_fill(table: Table, at: At, place: Place, do: str, character: str, correction: Correct | None) -> Facts:
    """What is still to be said of the act that is put in."""
    one = table.character(character) if character else None
    return {
        "step": "filled",
        "at_entry": at,
        "place": place,
        "do": do,
        "label": FORGOTTEN[_BY_WORD[do]],
        "one": None if do == "rest" else one,
        "character": character,
        "fields": _fields(do),
        "suggestions": {} if one is None else _suggestions(do, one),
        "correction": encoded(correction),
    }


def reviewed(at: At, correction: Correct, review: Review) -> Facts:
    """What would become of everything since, and the correction as it can be made."""
    return {
        "step": "reviewed",
        "at_entry": at,
        "told": review.told,
        "acts": review.acts,
        "dropped": len(review.is_in_the_way),
        "after": review.told_after,
        "asked_for": encoded(correction),
        "correction": encoded(review.without_what_is_in_the_way(correction)),
        "expect": review.revision.number,
    }


def encoded(correction: Correct | None) -> str:
    """A correction as the sheet carries it along."""
    return "" if correction is None else msgspec.json.encode(correction).decode()


def is_offered(do: str) -> bool:
    """Whether the sheet lets one put this in."""
    return do in _BY_WORD


def _fields(do: str) -> tuple[ToFillIn, ...]:
    return tuple(
        to_fill_in(one)
        for one in fields(COMMANDS[do])
        if one.kind not in ("character", "names", "moment", "list", "yes-no") and one.name not in _LEFT_TO_THE_RULES
    )


def _suggestions(do: str, one: Character) -> dict[str, tuple[Sentence, ...]]:
    match do:
        case "use_ability":
            return {"ability": tuple(Sentence(ability.name) for ability in one.abilities)}
        case "recover_wound":
            return {"wound": tuple(Sentence(wound.wound) for wound in one.wounds)}
        case _:
            return {}
