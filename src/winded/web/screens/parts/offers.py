"""What a screen offers a player for a character: the rules' options, and how far the table lets players choose them."""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec import Struct

from winded.errors import Forbidden, Refused, WindedError
from winded.roles import Company, Freedom, Member, authorise
from winded.rules import (
    AtAct,
    Character,
    Command,
    DeclareCheck,
    Field,
    Hardship,
    Option,
    RestKind,
    Table,
    fields,
    options,
    rest_name,
    word_for,
)
from winded.sentence import Sentence, sentence

FIELDS: dict[str, Sentence] = {
    "what": sentence("What for"),
    "strain": sentence("What makes it hard"),
    "target": sentence("Target"),
    "roll": sentence("Roll without the push"),
    "reason": sentence("Reason"),
    "hardship": sentence("Hardship"),
    "wound": sentence("What the Wound is"),
    "steps": sentence("Steps down the dice"),
    "ability": sentence("Ability"),
    "cost": sentence("Cost in Stamina"),
    "by": sentence("Given (+) or taken (−)"),
    "name": sentence("Name"),
    "con": sentence("CON Ability Die"),
    "kind": sentence("Kind of rest"),
    "stamina": sentence("Stamina"),
    "push": sentence("Push"),
    "from": sentence("Granted by"),
    "note": sentence("Note"),
}
"""What a field of a command is called where people fill it in."""

WORDS: dict[str, Sentence] = {
    **{one.value: one.told for one in Hardship},
    **{one.value: rest_name(one) for one in RestKind},
    "class": sentence("class"),
    "tradition": sentence("tradition"),
    "rank": sentence("Rank"),
}
"""What the words of a field with a choice are called."""


class ToFillIn(Struct, frozen=True):
    """A field that people fill in, with its label and the words that may stand in it."""

    field: Field
    label: Sentence
    words: tuple[tuple[str, Sentence], ...] = ()


class Offer(Struct, frozen=True):
    """Something a player may choose, or why not.

    `values` are sent as they stand, `asked` is filled in first. `cost`, `leaves` and `next_cost` are Stamina, as in
    `Option`; where `amount` names a field, `amounts` are the figures that may stand in it, each with what it leaves.
    `asks` says that the Referee has to nod, `word` is the word of the page that explains it, "" for none.
    """

    key: str
    label: Sentence
    values: tuple[tuple[str, str], ...]
    cost: int = 0
    leaves: int = 0
    next_cost: int | None = None
    amount: str | None = None
    amounts: tuple[tuple[int, int], ...] = ()
    asked: tuple[ToFillIn, ...] = ()
    asks: bool = False
    refused: WindedError | None = None
    word: str = ""

    @property
    def do(self) -> str:
        """The word of the command."""
        return dict(self.values)["do"]

    @property
    def sent(self) -> tuple[tuple[str, str], ...]:
        """What one tap sends, but for the character."""
        return tuple((name, value) for name, value in self.values if name != "character")

    @property
    def is_quick(self) -> bool:
        """Whether one tap does it: nothing has to be filled in."""
        return self.amount is None and not any(one.field.required for one in self.asked)


def offers(table: Table, company: Company, member: Member, character: Character) -> tuple[Offer, ...]:
    """What this player may choose for this character now, in a fixed order."""
    found: list[Offer] = []
    times: Counter[str] = Counter()
    for option in options(table, character.name):
        offer = _of(option, table, company, member, character)
        times[offer.key] += 1
        if times[offer.key] > 1:
            offer = msgspec.structs.replace(offer, key=f"{offer.key}-{times[offer.key]}")
        found.append(offer)
    return tuple(found)


def freedom(table: Table, company: Company, member: Member, command: Command) -> Freedom | Forbidden | Refused:
    """How far the table lets this player go with a command, or why not at all."""
    try:
        return authorise(company, table, member, command)
    except (Forbidden, Refused) as no:
        return no


def _of(option: Option, table: Table, company: Company, member: Member, character: Character) -> Offer:
    command = option.command
    allowed = freedom(table, company, member, command)
    own = fields(type(command))
    # Who and what must be named is the option's own, such as which ability; people fill in the rest.
    given = {field.name for field in own if field.kind in {"character", "text"} and field.required}
    values = {name: str(value) for name, value in msgspec.to_builtins(command).items() if name == "do" or name in given}
    values["character"] = character.id
    if option.amount is None and any(field.name == "cost" for field in own):
        values["cost"] = str(option.cost)
    if moment := moment_of(command, table):
        values["at"] = moment
    left = {*given, "cost", option.amount}
    if isinstance(command, DeclareCheck) and (call := table.called(character)) is not None:
        # The call's target decides; where it is secret, nobody may name it.
        left.add("target")
        if call.target is not None and not call.secret:
            values["target"] = str(call.target)
    asked = tuple(to_fill_in(field) for field in own if field.name not in left and field.kind != "moment")
    return Offer(
        str(command.__struct_config__.tag) + ("" if option.amount is None else f"-{option.amount}"),
        option.label,
        tuple(values.items()),
        option.cost,
        option.leaves,
        option.next_cost,
        option.amount,
        option.amounts,
        asked,
        allowed is Freedom.ASK,
        allowed if isinstance(allowed, WindedError) else option.refused,
        word_for(command),
    )


def moment_of(command: Command, table: Table) -> str:
    """The moment a command is meant for, this one, as its form sends it in `at`; "" where it does not matter."""
    at = getattr(command.aimed(table), "at", None)
    return "" if at is None else msgspec.json.encode(at).decode()


def that_act(number: int) -> str:
    """The moment an undo or redo is meant for: the entry it would take back, or put back, first."""
    return msgspec.json.encode(AtAct(number)).decode()


def to_fill_in(field: Field) -> ToFillIn:
    """A field as people fill it in; one that nobody has named yet goes by its own name, and so do its words."""
    label = FIELDS.get(field.name, Sentence(field.name))
    return ToFillIn(field, label, tuple((word, WORDS.get(word, Sentence(word))) for word in field.choices))
