"""The sheet for a way to spend where something is filled in first."""

from __future__ import annotations

from collections.abc import Mapping

from winded.errors import Refused
from winded.roles import Member, Role
from winded.rules import (
    STRAINS,
    Character,
    Table,
    lost_to_wounds,
)
from winded.sentence import sentence
from winded.web.screens.parts.offers import FIELDS, Offer, offers
from winded.web.screens.parts.sheet import Asking, Facts

_REFEREE = Member("", "", Role.REFEREE)


def act(asking: Asking) -> Facts:
    """A way to spend where something has to be filled in: an amount first of all."""
    table = asking.seen.table
    one = asking.character()
    do = asking.query.get("do", "")
    found = [offer for offer in offers(table, asking.seen.company, _REFEREE, one) if _is(offer, do, asking.query)]
    if not found:
        raise Refused("not-now", "{name} cannot do this now.", name=one.name)
    amount = next((offer for offer in found if offer.amount), None)
    bare = next((offer for offer in found if not offer.amount), None)
    amounts: list[tuple[int, int]] = []
    if bare is not None and bare.refused is None and amount is not None:
        amounts.append((0, one.stamina))
    if amount is not None and amount.refused is None:
        amounts += amount.amounts
    # What was chosen before the Stamina for it was gone is still shown: nobody declares another amount unaware.
    chosen = asking.query.get("chosen", "")
    asks_too_much = amount is not None and chosen.isdecimal() and int(chosen[:2]) not in dict(amounts)
    main = bare or found[0]
    refused = (amount or main).refused
    return {
        "one": one,
        "lost": lost_to_wounds(table.ruleset, one),
        "label": main.label,
        "do": do,
        "word": (amount or main).word,
        "given": [pair for pair in main.values if pair[0] not in ("do", "character", "cost")],
        "amounts": amounts,
        "too_much": int(chosen[:2]) if asks_too_much else None,
        "amount_name": "" if amount is None else amount.amount,
        "amount_label": FIELDS.get((amount.amount if amount else "") or "", sentence("Stamina")),
        "bonus": table.ruleset.push.bonus if amount is not None and amount.amount == "push" else 0,
        "fields": [asked for asked in main.asked if amount is None or asked.field.name != amount.amount],
        "suggestions": {"strain": STRAINS},
        "check_dice": asking.seen.company.check_dice if do == "declare_check" else None,
        "secret_target": _secret_target(table, one) if do == "declare_check" else None,
        "refused": refused,
        "possible": bool(amounts) or (amount is None and refused is None),
    }


def _secret_target(table: Table, one: Character) -> int | None:
    """The target that the Referee keeps secret: it is not sent along, but the chances are against it."""
    call = table.called(one)
    return call.target if call is not None and call.secret else None


def _is(offer: Offer, do: str, query: Mapping[str, str]) -> bool:
    values = dict(offer.values)
    given = {name: value for name, value in query.items() if name in values}
    return values["do"] == do and all(values[name] == value for name, value in given.items())
