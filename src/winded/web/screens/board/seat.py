"""One character on the Referee's board, and everything it may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from msgspec import Struct

from winded.errors import Refused
from winded.roles import Company, Member, Role
from winded.rules import (
    Character,
    OpenCheck,
    Table,
    is_still_early,
    lost_to_wounds,
)
from winded.sentence import Sentence, sentence
from winded.web.live import seat_id
from winded.web.screens.board.round import Drive, in_quotes, sent
from winded.web.screens.parts.offers import Offer, ToFillIn, offers

_REFEREE = Member("", "", Role.REFEREE)


class Button(Struct, frozen=True):
    """An offer on the board: `act` is what one tap sends, `sheet` what is opened where something is filled in first.

    `says` stands in place of the price where one button is for several offers.
    """

    offer: Offer
    act: Markup = Markup("")
    sheet: Markup = Markup("")
    says: Sentence | None = None

    @property
    def is_refused(self) -> bool:
        """Whether nothing of it can be now."""
        return not self.act and not self.sheet


class CharacterCard(Struct, frozen=True):
    """One character on the board. `lost` is the Stamina by which Wounds have lowered the maximum; `players` play it.

    `early` says that this one acts early in this round, and has not yet had the turn. With an open Check, what needs
    one number only (`inline`) and what gives Stamina back (`beside`) stand with it; without one, `checks` declare it.
    `buttons` are all else. `likeliest` are the two things that this moment most likely calls for, each in a place of
    its own: what is paid at once on the left, Checks on the right.
    """

    key: str
    character: Character
    lost: int
    looks: str
    on_turn: bool
    early: bool
    reaction: int | None
    check: Sentence | None
    this_check: Markup
    inline: tuple[tuple[Drive, ToFillIn], ...]
    beside: tuple[Button, ...]
    checks: tuple[Button, ...]
    buttons: tuple[Button, ...]
    likeliest: tuple[Button | None, Button | None]
    players: tuple[str, ...]


def seat(table: Table, company: Company, character: Character) -> CharacterCard:
    """What the board shows of one character."""
    combat = table.combat
    on_turn = table.is_turn_of(character)
    early = is_still_early(table, character)
    check = character.open_check
    found = [one for one in _offers(table, company, character) if not is_shown_by_check(one, character)]
    alone = [] if check is None else [one for one in found if _only_number(one) is not None]
    others = [*buttons(character, [one for one in found if one not in alone])]
    possible = tuple(button for button in others if not gives_back(button.offer, character))
    left = _likeliest(possible, on_turn=on_turn)
    # Where one may react on the card, the button says the price.
    tells_price = combat is not None and character.base_con is not None and (left is None or left.offer.do != "react")
    looks = {" foe": character.is_enemy, " turn": on_turn, " early": early, " secret": character.hidden}
    return CharacterCard(
        seat_id(character),
        character,
        lost_to_wounds(table.ruleset, character),
        "".join(look for look, holds in looks.items() if holds),
        on_turn,
        early,
        table.ruleset.reactions.cost(character.reactions) if tells_price else None,
        None if check is None else open_check(check),
        Markup("") if check is None else _this_check(check),
        tuple((Drive(one.do, _act(one), one.label), field) for one in alone if (field := _only_number(one))),
        tuple(button for button in others if gives_back(button.offer, character)),
        tuple(button for button in possible if button.offer.do == _CHECK),
        tuple(button for button in possible if button.offer.do != _CHECK),
        (left, _check_button(character, possible, alone)),
        tuple(company.called(player) for player in company.players_of(character)),
    )


_LIKELY = ("act_early", "react", "use_ability")
"""What is done most, by the words of the commands; whatever else there is comes after it."""

_CHECK = "declare_check"


def _likeliest(found: Sequence[Button], *, on_turn: bool) -> Button | None:
    """What one most likely pays for now, besides Checks; where nothing can be, the first thing, which says why not.

    On one's own turn that is an ability or nothing: a turn is for Checks, and what is rarer stands in the pane.
    """
    others = [one for one in found if (one.offer.do == "use_ability" if on_turn else one.offer.do != _CHECK)]
    others.sort(key=lambda one: (*_LIKELY, one.offer.do).index(one.offer.do))
    lacking = [one for one in others if isinstance(one.offer.refused, Refused) and one.offer.refused.needs is not None]
    return next((one for one in others if not one.is_refused), next(iter([*lacking, *others]), None))


def _check_button(character: Character, found: Sequence[Button], alone: Sequence[Offer]) -> Button | None:
    """What is to be done about Checks: the roll of the open one, or declaring one."""
    if alone:
        offer = alone[0]
        says = None if character.open_check is None else sentence("+{bonus}", bonus=character.open_check.bonus)
        return Button(offer, sheet=in_quotes(f"act?of={seat_id(character)}&{_deed(offer)}"), says=says)
    return next((one for one in found if one.offer.do == _CHECK), None)


def is_shown_by_check(offer: Offer, character: Character) -> bool:
    """Whether the open Check, which stands on the board with its roll, already says why this cannot be."""
    return character.open_check is not None and offer.do == "declare_check" and offer.refused is not None


def gives_back(offer: Offer, character: Character) -> bool:
    """Whether this takes back what an open Check was pushed with."""
    return character.open_check is not None and offer.do == "withdraw_check" and offer.refused is None


def open_check(check: OpenCheck) -> Sentence:
    """An open Check: what it is for, and what the push adds."""
    facts = {"bonus": check.bonus, "strain": check.strain, "target": check.target}
    if check.strain is None:
        if check.target is None:
            return sentence("Open Check: +{bonus}", **facts)
        return sentence("Open Check against {target}: +{bonus}", **facts)
    if check.target is None:
        return sentence("Open Check ({strain}): +{bonus}", **facts)
    return sentence("Open Check ({strain}) against {target}: +{bonus}", **facts)


def buttons(character: Character, found: Sequence[Offer]) -> Iterator[Button]:
    """One button for each thing one may do; a thing that is offered with and without an amount has one sheet."""
    by_deed: dict[str, list[Offer]] = {}
    for offer in found:
        by_deed.setdefault(_deed(offer), []).append(offer)
    for deed, several in by_deed.items():
        possible = [offer for offer in several if offer.refused is None]
        offer = next((one for one in several if one.amount), several[0])
        if not possible:
            yield Button(several[0])
        elif len(several) == 1 and offer.is_quick:
            yield Button(offer, act=_act(offer))
        else:
            says = None
            if len(several) > 1:
                free = sentence("without Stamina")
                says = sentence("push up to {most}", most=offer.amounts[-1][0]) if offer.refused is None else free
            yield Button(possible[0], sheet=in_quotes(f"act?of={seat_id(character)}&{deed}"), says=says)


def _deed(offer: Offer) -> str:
    return urlencode(
        {"do": offer.do, **{name: value for name, value in _filled(offer).items() if name not in ("cost", "at")}}
    )


def _act(offer: Offer) -> Markup:
    # The form of an open Check says itself which one it is: each update is that much smaller.
    known = ("at",) if offer.do in ("resolve_check", "withdraw_check") else ()
    return sent(offer.do, **{name: value for name, value in _filled(offer).items() if name not in known})


def _this_check(check: OpenCheck) -> Markup:
    """The open Check that its acts are meant for, between single quotes. What makes it hard is in its name already."""
    return in_quotes(msgspec.json.encode({"check": {"push": check.push, "target": check.target}}).decode())


def _filled(offer: Offer) -> dict[str, str]:
    return {name: value for name, value in offer.values if name not in ("do", "character")}


def _only_number(offer: Offer) -> ToFillIn | None:
    """The field of an offer that needs nothing but one number, such as a roll."""
    needed = [one for one in offer.asked if one.field.required]
    return needed[0] if offer.amount is None and len(needed) == 1 and needed[0].field.kind == "number" else None


def _offers(table: Table, company: Company, character: Character) -> tuple[Offer, ...]:
    if character.base_con is None and character.is_enemy:
        return ()
    return offers(table, company, _REFEREE, character)
