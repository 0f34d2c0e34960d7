"""The sheet that does one thing to several characters at once."""

from __future__ import annotations

from litestar.datastructures import FormMultiDict

from winded.errors import Malformed
from winded.rules import (
    Adjust,
    BringBack,
    Command,
    RemoveCharacter,
    SetAside,
    TakeWound,
    fields,
)
from winded.web.screens.parts.acting import command_from_form
from winded.web.screens.parts.offers import to_fill_in
from winded.web.screens.parts.sheet import Asking, Facts

FOR_EACH = tuple(str(made.__struct_config__.tag) for made in (TakeWound, Adjust, SetAside, BringBack, RemoveCharacter))
"""What may be done to several: each command names one character."""


def several(asking: Asking) -> Facts:
    """Everyone at the table, and what may be done to all who are chosen."""
    everyone = [*asking.seen.table.characters.values()]
    return {
        "first": next(iter(everyone), None),
        "groups": [
            [one for one in everyone if not one.is_enemy and not one.aside],
            [one for one in everyone if one.is_enemy and not one.aside],
            [one for one in everyone if one.aside],
        ],
        "wound": [to_fill_in(one) for one in fields(TakeWound) if one.name != "character"],
        "reason": next(to_fill_in(one) for one in fields(Adjust) if one.name == "reason"),
    }


def commands_for_each(form: FormMultiDict) -> tuple[Command, ...]:
    """The same command for each character chosen. Raises Malformed."""
    chosen = list(dict.fromkeys(str(one) for one in form.getall("characters", [])))
    if not chosen:
        raise Malformed("characters", "Choose who it is about first.")
    do = str(form.get("do", ""))
    if do not in FOR_EACH:
        raise Malformed("do", "This cannot be done to several at once.")
    said = [(name, value) for name, value in form.multi_items() if name not in ("character", "characters")]
    return tuple(command_from_form(FormMultiDict([*said, ("character", one)])) for one in chosen)
