"""What waits for the Referee is for whom it was asked, at the price and the moment for which it was asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.roles.evening import PIP, QUIN, REFEREE, Evening
from winded import (
    D8,
    D10,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    EndCombat,
    NextTurn,
    React,
    Refused,
    RemoveCharacter,
    Rest,
    RestKind,
    Side,
    StartCombat,
    Undo,
)
from winded.journal import MemoryJournal, codec
from winded.roles import (
    Accept,
    Ask,
    AskAnswer,
    Asked,
    AskFor,
    Claim,
    Company,
    Freedom,
    Join,
    Leave,
    Member,
    Release,
    Role,
    TakeBackAsk,
)
from winded.roles.asks import ASKS_AT_ONCE
from winded.rules import Table
from winded.tables import Tables


@pytest.fixture
def evening() -> Iterator[Evening]:
    with MemoryJournal() as journal, Tables(journal) as tables:
        evening = Evening(tables)
        evening.set(reactions=Freedom.ASK, ending_own_turn=Freedom.ASK, rest=Freedom.ASK)
        yield evening


def answer(evening: Evening) -> AskAnswer:
    """The newest answer."""
    return evening.now.company.answers[-1]


def test_who_was_given_to_somebody_else_does_not_pay_for_what_was_asked_before(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    (ask,) = evening.now.company.asks
    evening.by(REFEREE, Release("Ash", PIP), Claim("Ash", QUIN))
    # It fell away as Pip no longer plays Ash, and Pip hears why.
    assert evening.now.company.asks == ()
    assert answer(evening) == AskAnswer(ask, False, None, "You cannot act for Ash, Pip.")
    with pytest.raises(Refused) as no:
        evening.by(REFEREE, Accept(ask.number))
    assert no.value.rule == "not-found"
    assert evening.stamina("Ash") == 10


def test_who_bears_the_name_by_now_does_not_pay_for_another(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    evening.by(REFEREE, EditCharacter("Ash", name="Cinder"), EditCharacter("Bryn", name="Ash"))
    evening.by(REFEREE, Accept(evening.asked))
    assert answer(evening).refusal is None
    assert (evening.stamina("Cinder"), evening.stamina("Ash")) == (9, 8)


def test_who_sits_down_later_does_not_pay_for_one_whose_joining_was_taken_back(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat(), AddCharacter("Orla", con=D8))
    evening.by(PIP, Claim("Orla", PIP), React("Orla"))
    number = evening.asked
    evening.by(REFEREE, Undo(), AddCharacter("Orla", con=D8))
    evening.by(PIP, Claim("Orla", PIP))
    # Whether it fell away or is refused: the new Orla is another, even by the same name and player.
    if evening.now.company.asks:
        evening.by(REFEREE, Accept(number))
    assert answer(evening).refusal is not None
    assert evening.stamina("Orla") == 8


def test_a_character_who_is_gone_is_named_as_it_was_asked(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    evening.by(REFEREE, RemoveCharacter("Ash"), Accept(evening.asked))
    assert answer(evening).refusal == "There is nobody called Ash at this table."


def test_nobody_pays_another_price_than_was_asked_for(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    first = evening.asked
    evening.by(PIP, React("Ash"))
    evening.by(REFEREE, Accept(first))
    assert evening.stamina("Ash") == 9
    evening.by(REFEREE, Accept(evening.asked))
    assert answer(evening).refusal == "This now costs 2 Stamina, not 1. Nothing was spent."
    assert evening.stamina("Ash") == 9


def test_a_reaction_that_was_asked_for_in_one_combat_is_none_in_the_next(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    evening.by(REFEREE, EndCombat(), StartCombat(), Accept(evening.asked))
    assert answer(evening).refusal == "This was meant for another combat. Nothing has changed."
    assert evening.stamina("Ash") == 10


def test_only_the_turn_that_one_asked_to_end_is_ended(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat(), BeginTurns(), NextTurn(), NextTurn())
    assert evening.now.table.combat.turn == "Ash"
    evening.by(PIP, NextTurn())
    asked = evening.asked
    evening.by(REFEREE, NextTurn(), Accept(asked))
    assert answer(evening).refusal is not None
    assert evening.now.table.combat.turn == "Bryn"


def test_the_end_of_a_turn_is_for_whose_turn_it_was_whatever_they_are_called(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat(), BeginTurns(), NextTurn(), NextTurn())
    evening.by(PIP, NextTurn())
    evening.by(REFEREE, EditCharacter("Ash", name="Cinder"), Accept(evening.asked))
    assert answer(evening).refusal is None
    assert evening.now.table.combat.turn == "Bryn"


def test_a_rest_that_was_taken_meanwhile_is_not_taken_twice(evening: Evening) -> None:
    evening.by(PIP, DeclareCheck("Ash", push=3), Rest(RestKind.SHORT, ("Ash",)))
    evening.by(REFEREE, Rest(RestKind.SHORT), Accept(evening.asked))
    assert answer(evening).refusal is not None
    assert evening.stamina("Ash") == 8


def test_what_was_asked_does_not_tell_whose_turn_it_was_while_a_hidden_enemy_acted(evening: Evening) -> None:
    evening.by(REFEREE, AddCharacter("Shade", con=D8, side=Side.ENEMY, hidden=True), StartCombat(), BeginTurns())
    evening.by(REFEREE, NextTurn())
    assert evening.now.table.combat.turn == "Shade"
    for command in (React("Ash"), Rest(RestKind.SHORT, ("Ash",))):
        try:
            evening.by(PIP, command)
        except Refused:
            continue
    assert evening.now.company.asks
    assert "Shade" not in str(evening.now.company.asks)


def test_whoever_leaves_leaves_nothing_behind_that_could_be_accepted(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    number = evening.asked
    evening.by(REFEREE, Leave(PIP))
    with pytest.raises(Refused):
        evening.by(REFEREE, Accept(number))


def test_a_request_of_before_ids_were_kept_is_for_one_whom_the_asker_plays_now() -> None:
    (asked,) = codec.decode_events(
        b'[{"event":"asked","number":5,"member":"pip","name":"Pip","command":{"do":"react","character":"Ash"},"cost":1}]'
    )
    assert isinstance(asked, Asked)
    table = Table().do(AddCharacter("Ash", con=D10), StartCombat())
    company = asked.evolve(Company(members={"pip": Member("pip", "Pip", Role.PLAYER)}))
    assert company.asks == (Ask(5, "pip", React("Ash"), 1),)
    (no,) = Accept(5).decide(company, table, REFEREE, 6)
    assert no.refusal == "You cannot act for Ash, Pip."
    (claimed,) = Claim("Ash", "pip").decide(company, table, "pip", 6)
    yes, reacted = Accept(5).decide(claimed.evolve(company), table, REFEREE, 7)
    assert yes.refusal is None
    assert reacted.spent == 1


def test_an_ask_is_made_of_a_command_that_has_checked_itself(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    asked = AskFor(React("  Ash "), reason="  a leap ")
    assert (asked.command, asked.reason) == (React("Ash"), "a leap")
    evening.tables.do(evening.id, asked, who=PIP)
    assert evening.now.company.asks[0].reason == "a leap"


def test_a_new_player_of_the_same_name_is_not_the_one_who_asked(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"))
    evening.by(REFEREE, Leave(PIP))
    evening.tables.do(evening.id, Join("pip2", "Pip", Role.PLAYER), who="pip2")
    assert evening.now.company.asks == ()


def test_a_player_has_only_so_many_requests_waiting(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, *[React("Ash")] * ASKS_AT_ONCE)
    with pytest.raises(Refused) as no:
        evening.by(PIP, React("Ash"))
    assert str(no.value) == "You have 20 requests waiting, Pip: take one back, or wait for an answer."
    evening.by(QUIN, React("Bryn"))
    evening.by(PIP, TakeBackAsk(evening.now.company.asks[0].number), React("Ash"))
