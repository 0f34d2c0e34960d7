"""A table holds only so much, whoever fills it: what is played at it, and what is brought in."""

import pytest

from tests.tables.test_checking import played
from tests.work import lines_of_python
from winded import D8, AddAbility, AddCharacter, Malformed, Side, Table, TakeWound
from winded.errors import TooMuch
from winded.journal import MemoryJournal
from winded.roles import Role
from winded.rules import PAGE
from winded.service import Desk
from winded.service.opening import begin_table
from winded.tables import ABILITY_LIMIT, ENEMY_LIMIT, MEMBER_LIMIT, PARTY_LIMIT, WOUND_LIMIT, check_room
from winded.tables.checking import check_history

ASH = AddCharacter("Ash", con=D8)


@pytest.mark.parametrize(("side", "limit"), [(Side.PARTY, PARTY_LIMIT), (Side.ENEMY, ENEMY_LIMIT)])
def test_a_table_holds_so_many_and_says_so(side: Side, limit: int) -> None:
    table = Table().do(*(AddCharacter(f"One {number}", con=D8, side=side) for number in range(limit)))
    with pytest.raises(TooMuch) as no:
        check_room(table, AddCharacter("One more", con=D8, side=side))
    assert str(limit) in str(no.value)
    other = Side.ENEMY if side is Side.PARTY else Side.PARTY
    check_room(table, AddCharacter("Of the others", con=D8, side=other))


def test_a_character_has_so_many_abilities_and_wounds_and_says_so() -> None:
    able = Table().do(ASH, *(AddAbility("Ash", f"Trick {number}", cost=1) for number in range(ABILITY_LIMIT)))
    with pytest.raises(TooMuch, match="A character can have 40 abilities"):
        check_room(able, AddAbility("Ash", "One more", cost=1))
    check_room(able, TakeWound("Ash", "a cut"))
    hurt = Table().do(ASH, *(TakeWound("Ash", f"cut {number}") for number in range(WOUND_LIMIT)))
    with pytest.raises(TooMuch, match="A character can have 40 Wounds"):
        check_room(hurt, TakeWound("Ash", "one more"))


def test_of_somebody_who_is_not_there_the_rules_say_so() -> None:
    check_room(Table(), AddAbility("Nobody", "Trick", cost=1))


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        (
            [AddCharacter(f"One {number}", con=D8) for number in range(PARTY_LIMIT + 1)],
            "A table can have 40 player characters, and this one is full.",
        ),
        (
            [AddCharacter(f"One {number}", con=D8, side=Side.ENEMY) for number in range(ENEMY_LIMIT + 1)],
            "A table can have 100 enemies, and this one is full.",
        ),
        (
            [ASH, *(AddAbility("Ash", f"Trick {number}", cost=1) for number in range(ABILITY_LIMIT + 1))],
            "A character can have 40 abilities, and Ash already has that many.",
        ),
        (
            [ASH, *(TakeWound("Ash", f"cut {number}") for number in range(WOUND_LIMIT + 1))],
            "A character can have 40 Wounds, and Ash already has that many.",
        ),
    ],
)
def test_what_is_brought_in_holds_no_more_either(commands: list[AddCharacter], said: str) -> None:
    check_history(PAGE, played(*commands[:-1]))
    with pytest.raises(Malformed) as no:
        check_history(PAGE, played(*commands))
    assert str(no.value) == said
    assert no.value.field == f"entries[{len(commands) - 1}].events"


def test_a_history_of_very_many_characters_is_turned_away_at_the_first_too_many() -> None:
    entries = played(*(AddCharacter(f"One {number}", con=D8) for number in range(600)))
    with lines_of_python(60_000) as lines, pytest.raises(Malformed):
        check_history(PAGE, entries)
    few = lines()
    with lines_of_python(60_000) as lines, pytest.raises(Malformed):
        check_history(PAGE, entries[:100])
    # What comes after the first too many is only looked through for undos, once.
    assert few < 2 * lines()


def test_so_many_sit_at_a_table_and_its_referee_always_comes_back() -> None:
    with MemoryJournal() as journal:
        desk = Desk(journal)
        table = begin_table(desk, "The Gate", [ASH]).link.table
        invitation = desk.links.invite(table).link
        here = desk.tables.snapshot(table).company.members
        for number in range(MEMBER_LIMIT - len(here)):
            again = desk.links.join(invitation, f"Player {number}", once=f"{number:032}")
        with pytest.raises(TooMuch, match="A table can have 200 people"):
            desk.links.join(invitation, "One more")
        with pytest.raises(TooMuch):
            desk.links.give_member(table, Role.SPECTATOR, "One more")
        assert len(desk.links.of(table)) == MEMBER_LIMIT + 1
        # Who is here already may ask again, and whoever has the database lets the Referee in.
        desk.links.join(invitation, again.link.name, once=f"{number:032}")
        desk.links.give_member(table, Role.REFEREE, "Referee")
