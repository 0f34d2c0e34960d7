"""The pane that is always there: the one who acts, or what everyone decides as a round begins."""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from winded.roles import Company, Deciding
from winded.rules import ActEarly, Table
from winded.sentence import Sentence, sentence
from winded.web.live import seat_id
from winded.web.screens.board.round import sent
from winded.web.screens.board.seat import CharacterCard, seat
from winded.web.screens.parts.offers import moment_of


class Decision(Struct, frozen=True):
    """Whether one of the party acts early: "early", "late" or "open", and then `act` says not this round."""

    key: str
    name: str
    state: str
    act: Markup = Markup("")


class Pane(Struct, frozen=True):
    """The one who acts (`seat`), or the `decisions` of the party, under a `heading`."""

    heading: Sentence
    seat: CharacterCard | None = None
    decisions: tuple[Decision, ...] = ()


def pane(table: Table, company: Company, deciding: Deciding) -> Pane:
    """What the pane shows now."""
    combat = table.combat
    if combat is None or (combat.turn is None and combat.phase == "turns"):
        return Pane(sentence("Nobody's turn"))
    if combat.turn is None:
        told = sentence("{decided} of {party} decided", decided=deciding.decided, party=deciding.party)
        return Pane(told, decisions=_decisions(table, deciding))
    character = table.characters.get(combat.turn)
    if character is None:
        return Pane(sentence("The enemy"))
    return Pane(sentence("{name}", name=character.name), seat(table, company, character))


def _decisions(table: Table, deciding: Deciding) -> tuple[Decision, ...]:
    found = []
    for one in table.taking_part():
        key = seat_id(one)
        if one.acts_early:
            found.append(Decision(key, one.name, "early"))
        elif one in deciding.undecided:
            act = sent("not_early", character=one.id, at=moment_of(ActEarly(one.name), table))
            found.append(Decision(key, one.name, "open", act))
        else:
            found.append(Decision(key, one.name, "late"))
    return tuple(found)
