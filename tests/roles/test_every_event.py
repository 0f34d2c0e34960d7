"""Every kind of event says whom it names, and tells players of no hidden enemy in whatever field its name stands."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import UNSET, inspect

from winded import D8, AddCharacter, Side, Table
from winded.roles import AnyCompanyEvent, CompanyEvent, hidden_id, seen_events
from winded.rules import EVENTS, Event, React

UNSEEN = "Zzyzx"
EVERY: tuple[type[Event] | type[CompanyEvent], ...] = (*EVENTS.values(), *get_args(AnyCompanyEvent))

NOT_CHARACTERS: dict[str, set[str]] = {
    # Texts that tell of somebody or something else than who sits at the table, or that are only the writer's own words.
    "*": {"event", "id", "note", "reason", "what", "strain", "wound", "ability", "con", "base_con", "side", "source"},
    "joined": {"member", "name"},
    "left": {"member", "name"},
    "claimed": {"member", "name"},
    "released": {"member", "name"},
    "asked": {"member", "name"},
    "answered": {"name", "refusal"},
    "ask_taken_back": {"name"},
    "check_dice_set": {"dice"},
    "check_rolled": {"dice"},
    "sketch_shared": {"sketch"},
    # What a hidden enemy is called from now on goes with what it was called before.
    "renamed": {"name"},
}

BESIDE: dict[str, str] = {"put_right": "concerns"}
"""The field that says whom the others of an event concern; who stands in no other is the Referee's to know."""


def tag(made: type[Any]) -> str:
    return str(made.__struct_config__.tag)


def value(kind: inspect.Type, named: bool) -> Any:
    """What may stand in a field of this kind: the hidden enemy's name wherever a character may be named."""
    match kind:
        case inspect.Metadata():
            return value(kind.type, named)
        case inspect.UnionType():
            return value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), named)
        case inspect.StrType():
            return UNSEEN if named else "d8"
        case inspect.IntType():
            return 1
        case inspect.BoolType():
            return True
        case inspect.EnumType():
            return next(iter(kind.cls))
        case inspect.VarTupleType():
            return (value(kind.item_type, named),)
        case inspect.StructType() if issubclass(kind.cls, msgspec.Struct):
            if kind.cls.__struct_config__.tag_field == "do":
                return React(UNSEEN)
            return kind.cls(**{field.name: value(field.type, named) for field in kind.fields if field.required})
        case _:
            return UNSET


def examples() -> list[Any]:
    """Each kind of event once for each of its fields that may name a character, with the hidden enemy in it."""
    found = []
    for made in EVERY:
        info = inspect.type_info(made)
        assert isinstance(info, inspect.StructType)
        others = NOT_CHARACTERS["*"] | NOT_CHARACTERS.get(tag(made), set())
        naming = [
            field.name
            for field in info.fields
            if field.name not in others and (field.name == "command" or UNSEEN in str(value(field.type, True)))
        ]
        for one in naming or [""]:
            given = {
                field.name: React(UNSEEN) if field.name == "command" else value(field.type, field.name == one)
                for field in info.fields
            }
            if one and (beside := BESIDE.get(tag(made))):
                given[beside] = (UNSEEN,)
            event = made(**{name: given for name, given in given.items() if given is not UNSET})
            found.append(pytest.param(event, one, id=f"{tag(made)}-{one or 'nobody'}"))
    return found


@pytest.mark.parametrize(("event", "field"), examples())
def test_an_event_says_whom_it_names_and_tells_players_of_no_hidden_enemy(event: Any, field: str) -> None:
    assert (UNSEEN in event.names()) == bool(field), f"{field} is named by names(), or is no character's name"
    if not field:
        return
    table = Table().do(AddCharacter("Ash", con=D8), AddCharacter(UNSEEN, con=D8, side=Side.ENEMY, hidden=True))
    unseen = table.character(UNSEEN).id
    ids = {UNSEEN: unseen, "d8": "#1"}
    about = tuple(dict.fromkeys(ids[name] for name in event.names() if name in ids))
    for told in (
        # It was hidden then, or is so only now; and as entries once said it.
        seen_events((event,), [hidden_id(one) if one == unseen else one for one in about], True, table),
        seen_events((event,), about, False, table),
        seen_events((event,), about, True, table),
    ):
        heard = [(msgspec.json.encode(one), str(one.tell())) for one in told]
        assert UNSEEN not in str(heard)


def test_every_kind_of_event_with_a_character_is_among_the_examples() -> None:
    named = {param.id.partition("-")[0] for param in examples() if not str(param.id).endswith("-nobody")}
    assert {tag(made) for made in EVERY if "character" in made.__struct_fields__} <= named
    assert {"turns_begun", "reordered", "asked"} <= named
