"""Who may act for whom, where what was done is taken back."""

from collections.abc import Iterator
from typing import ClassVar

import pytest
from msgspec import structs

from winded import D8, D10, AddCharacter, DeclareCheck, EditCharacter, Forbidden, RemoveCharacter, Undo
from winded.journal import MemoryJournal
from winded.roles import Claim, CompanyEvent, Freedom, Join, Permissions, Role, authorise
from winded.rules import COMMANDS, SPENDINGS, Command, Spending, command_from
from winded.rules.characters import CharacterAdded
from winded.tables import Snapshot, Tables

KIM = "kim"
FOR_A_CHARACTER = {
    "act_early": {},
    "add_ability": {"ability": "Leap", "cost": 1},
    "adjust": {"by": -1, "reason": "the cold"},
    "bring_back": {},
    "channel": {"stamina": 1},
    "declare_check": {},
    "edit_character": {"name": "Mine"},
    "react": {},
    "recover_wound": {"wound": "a cut"},
    "remove_ability": {"ability": "Leap"},
    "remove_character": {},
    "resist": {"hardship": "pain", "stamina": 1},
    "resolve_check": {"roll": 12},
    "set_aside": {},
    "take_wound": {"wound": "a cut"},
    "use_ability": {"ability": "Leap"},
    "wait": {},
    "withdraw_check": {},
}


@pytest.fixture
def heir() -> Iterator[Snapshot]:
    """Kim claimed Bob; that he had sat down was taken back, and an enemy sits in his seat and has his id."""
    with MemoryJournal() as journal, Tables(journal) as tables:
        table = tables.create("The gate")
        tables.do(table, Join(KIM, "Kim", Role.PLAYER), who=KIM)
        tables.do(table, AddCharacter("Bob", con=D8), who=KIM)
        bob = tables.snapshot(table).table.character("Bob").id
        tables.do(table, Claim("Bob", KIM), who=KIM)
        tables.do(table, Undo(), who=KIM)
        # As tables that were played before an id was given only once still have it.
        left = tables.snapshot(table)
        orc = CharacterAdded(bob, "Orc", "enemy", D10, 10, 10)
        yield structs.replace(left, table=left.table.after(orc))


def test_every_command_for_a_character_is_here() -> None:
    assert FOR_A_CHARACTER.keys() == {do for do, made in COMMANDS.items() if "character" in made.__struct_fields__}


@pytest.mark.parametrize("do", FOR_A_CHARACTER)
def test_an_enemy_is_nobodys_to_act_for_even_under_the_id_of_one_who_was_claimed(heir: Snapshot, do: str) -> None:
    command: Command = command_from({"do": do, "character": "Orc", **FOR_A_CHARACTER[do]})
    with pytest.raises(Forbidden, match="You cannot act for"):
        authorise(heir.company, heir.table, heir.company.member(KIM), command)


def test_nobody_plays_an_enemy(heir: Snapshot) -> None:
    orc = heir.table.character("Orc")
    assert not heir.company.plays(KIM, orc)
    assert heir.company.players_of(orc) == ()
    assert heir.company.characters_of(KIM, heir.table) == ()


@pytest.mark.parametrize("one", SPENDINGS, ids=lambda one: one.word)
def test_each_way_to_spend_has_a_permission_of_its_own(one: Spending) -> None:
    class Spends(Command, frozen=True):
        SPENDING: ClassVar[Spending | None] = one

    assert Permissions().of(Spends()) == "free"
    asked = Permissions(**{one.permission: Freedom.ASK})
    assert asked.of(Spends()) == "ask"
    assert [name for name, freedom in structs.asdict(asked).items() if freedom != getattr(Permissions(), name)] == [
        one.permission
    ]


def test_what_no_permission_is_about_only_the_referee_does() -> None:
    assert Permissions().of(RemoveCharacter("Ash")) == "no"


@pytest.mark.parametrize("note", ["limps", None])
def test_notes_are_the_referees_to_write_and_to_take_away(heir: Snapshot, note: str | None) -> None:
    table = heir.table.do(AddCharacter("Ash", con=D8))
    (member,) = heir.company.players()
    claimed = Claim("Ash", KIM).decide(heir.company, table, KIM, 9)
    company = heir.company
    for event in claimed:
        assert isinstance(event, CompanyEvent)
        company = event.evolve(company)
    with pytest.raises(Forbidden, match="Only the Referee can write notes"):
        authorise(company, table, member, EditCharacter("Ash", note=note))
    assert authorise(company, table, member, EditCharacter("Ash", name="Ashe")) == "ask"


def test_a_claim_holds_again_when_its_character_is_put_back() -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        table = tables.create("The gate")
        tables.do(table, Join(KIM, "Kim", Role.PLAYER), who=KIM)
        tables.do(table, AddCharacter("Bob", con=D8), who=KIM)
        tables.do(table, Claim("Bob", KIM), who=KIM)
        tables.do(table, Undo())
        snapshot = tables.do(table, command_from({"do": "redo"})).snapshot
        member = snapshot.company.member(KIM)
        assert authorise(snapshot.company, snapshot.table, member, DeclareCheck("Bob")) == "free"
