"""How one stands, in sentences: the Stamina, the next reaction's cost, and when the turn comes."""

from winded import D8, D12, ActEarly, AddCharacter, BeginTurns, NextTurn, React, Side, StartCombat, Table
from winded.rules import SetAside, party_told, standing_told

PARTY = Table().do(AddCharacter("Ash", con=D12), AddCharacter("Bryn", con=D8))


def standing(table: Table, name: str) -> list[str]:
    return [str(told) for told in standing_told(table, table.character(name))]


def test_out_of_combat_it_is_the_stamina() -> None:
    assert standing(PARTY, "Ash") == ["Ash has 12 of 12 Stamina."]


def test_in_combat_the_next_reaction_s_cost_and_when_the_turn_comes() -> None:
    table = PARTY.do(AddCharacter("Ogre", con=D12, side=Side.ENEMY), StartCombat(), ActEarly("Ash"), BeginTurns())
    assert standing(table, "Ash") == ["Ash has 11 of 12 Stamina; the next reaction costs 1.", "You go first."]
    table = table.do(NextTurn(), React("Bryn"))
    assert standing(table, "Ash") == ["Ash has 11 of 12 Stamina; the next reaction costs 1.", "Your turn."]
    assert standing(table, "Bryn") == [
        "Bryn has 7 of 8 Stamina; the next reaction costs 2.",
        "2 act before you.",
    ]


def test_whoever_is_set_aside_has_no_turn_and_no_reaction() -> None:
    table = PARTY.do(StartCombat(), SetAside("Bryn"))
    assert standing(table, "Bryn") == ["Bryn is set aside, with 8 of 8 Stamina."]


def test_the_party_is_everyone_who_takes_part_and_whose_turn_it_is() -> None:
    table = PARTY.do(SetAside("Bryn"), StartCombat(), BeginTurns(), NextTurn())
    assert [str(told) for told in party_told(table)] == [
        "Ash has 12 of 12 Stamina; the next reaction costs 1.",
        "It's the enemy's turn. Anyone may react to danger.",
    ]
