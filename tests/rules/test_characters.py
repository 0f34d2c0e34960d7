"""Who sits at the table, and ruling.base-die, ruling.joins-late, ruling.enemies."""

import pytest

from tests.rules.builders import (
    brakka,
    company,
    events,
    fighting,
    order,
    refused,
    rule_of,
    said,
    stamina,
    taking_turns,
    turn,
    with_wolf,
)
from winded import (
    ActEarly,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    Malformed,
    NextTurn,
    React,
    RemoveCharacter,
    Reorder,
    Ruleset,
    Side,
    Table,
    TakeWound,
    UseAbility,
)
from winded.rules.characters import (
    BaseDieChanged,
    CharacterAdded,
    CharacterRemoved,
    HidingChanged,
    JoinedLate,
    NoteChanged,
    Renamed,
)
from winded.rules.combat import RoundStarted, TurnStarted
from winded.rules.reactions import ReactionsReset


@pytest.mark.parametrize("name", ["Brakka", "brakka", " BRAKKA ", "Enemy", "enemy", "ENEMY", "#1", "#2", "#99"])
def test_duplicate_a_name_that_is_taken(name: str) -> None:
    assert rule_of(brakka(), AddCharacter(name, con="d8")) == "duplicate"


@pytest.mark.parametrize("name", ["#", "#1a", "1", "Brakka 2", "#１", "Enemies"])
def test_a_name_that_is_not_taken(name: str) -> None:
    assert brakka().do(AddCharacter(name, con="d8")).character(name).id == "#2"


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Zoë", "ZOE\u0308"),
        ("Zoe\u0308", "zoë"),
        ("Groß", "GROSS"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("İpek", "i\u0307pek"),
        ("ﬁnn", "FINN"),
        ("K\u0301", "\u212a\u0301"),
        ("Ash", "  Ash\t"),
    ],
)
def test_names_are_the_same_however_they_are_written(name: str, same: str) -> None:
    table = Table().do(AddCharacter(name, con="d8"))
    assert rule_of(table, AddCharacter(same, con="d8")) == "duplicate"
    assert stamina(table.do(DeclareCheck(same, push=1)), name.strip()) == 7
    assert table.character(same.strip()) == table.character("#1")


def test_characters_are_found_by_name_or_id() -> None:
    table = company()
    assert table.character("#2") is table.character("bryn") is table.character("Bryn")
    for nobody in ("#4", "#0", "Dara", "Enemy", "#01"):
        assert rule_of(table, DeclareCheck(nobody)) == "not-found"


def test_ids_are_never_given_twice() -> None:
    table = company().do(RemoveCharacter("Cole"), AddCharacter("Dara", con="d8"))
    assert table.character("Dara").id == "#4"
    assert rule_of(table, DeclareCheck("#3")) == "not-found"


def test_malformed_comes_before_refused() -> None:
    """A die that this table does not know makes it no command, whatever else is wrong with it."""
    for command in (AddCharacter("Brakka", con="d20"), EditCharacter("Nobody", con="d20")):
        with pytest.raises(Malformed) as wrong:
            brakka().do(command)
        assert wrong.value.field == "con"
        assert str(wrong.value) == '“con” must be one of the CON Ability Dice d6, d8, d10, d12; it is "d20".'


def test_a_party_member_needs_a_con_ability_die() -> None:
    with pytest.raises(Malformed) as wrong:
        AddCharacter("Ash")
    assert wrong.value.field == "con"
    assert str(wrong.value) == "“con” is missing; only an enemy can go without a CON Ability Die."


def test_only_an_enemy_can_be_hidden() -> None:
    assert rule_of(Table(), AddCharacter("Ash", con="d8", hidden=True)) == "not-allowed"
    assert rule_of(brakka(), EditCharacter("Brakka", hidden=True)) == "not-allowed"
    assert events(brakka(), EditCharacter("Brakka", hidden=False)) == ()
    wolf = Table().do(AddCharacter("Wolf", side=Side.ENEMY, hidden=True))
    assert wolf.character("Wolf").hidden
    assert events(wolf, EditCharacter("Wolf", hidden=False)) == (HidingChanged("Wolf", hidden=False),)
    assert not wolf.do(EditCharacter("Wolf", hidden=False)).character("Wolf").hidden


def test_a_note_is_written_changed_and_taken_away() -> None:
    table = brakka().do(EditCharacter("Brakka", note="limps"))
    assert table.character("Brakka").note == "limps"
    assert events(table, EditCharacter("Brakka")) == ()
    assert events(table, EditCharacter("Brakka", note="limps")) == ()
    assert events(table, EditCharacter("Brakka", note=None)) == (NoteChanged("Brakka", None),)
    assert table.do(EditCharacter("Brakka", note=None)).character("Brakka").note is None


def test_ruling_base_die_the_maximum_follows_and_nothing_is_refilled() -> None:
    assert events(brakka("d8", 3), EditCharacter("Brakka", con="d12")) == (
        BaseDieChanged("Brakka", "d12", "d12", 12, 3),
    )
    assert events(brakka("d12", 11), EditCharacter("Brakka", con="d8")) == (
        BaseDieChanged("Brakka", "d8", "d8", 8, 8, cut=3),
    )
    assert said(brakka("d12", 11), EditCharacter("Brakka", con="d8")) == [
        "Brakka's base CON Ability Die is now d8: 3 Stamina is cut, 8 of 8 left."
    ]
    assert events(brakka("d12"), EditCharacter("Brakka", con="d12")) == ()


def test_ruling_base_die_an_enemy_may_get_its_first_die() -> None:
    table = with_wolf(Table(), con=None).do(EditCharacter("Wolf", con="d8"))
    wolf = table.character("Wolf")
    assert (wolf.con, wolf.stamina, wolf.maximum) == ("d8", 0, 8)


def test_a_renamed_character_keeps_its_place_its_id_and_all_it_has() -> None:
    table = taking_turns(with_wolf(company()).do(TakeWound("Bryn", "ribs")), turns=2)
    assert order(table) == ("Wolf", "Ash", "Bryn", "Cole")
    table = table.do(EditCharacter("Ash", name="Asha"), EditCharacter("bryn", name="Bram"))
    assert order(table) == ("Wolf", "Asha", "Bram", "Cole")
    assert turn(table) == "Asha"
    assert [*table.characters] == ["Asha", "Bram", "Cole", "Wolf"]
    assert table.character("#2").wounds == company().do(TakeWound("Bryn", "ribs")).character("Bryn").wounds
    assert rule_of(table, DeclareCheck("Bryn")) == "not-found"
    assert rule_of(table, React("Asha")) == "reaction.outside-turn"


def test_renaming_to_the_same_name_in_other_capitals_is_no_duplicate() -> None:
    assert events(brakka(), EditCharacter("brakka", name="BRAKKA")) == (Renamed("Brakka", "BRAKKA"),)
    assert events(brakka(), EditCharacter("brakka", name="Brakka")) == ()
    assert brakka().do(EditCharacter("Brakka", name="BRAKKA")).character("brakka").name == "BRAKKA"


@pytest.mark.parametrize("name", ["Bryn", "bryn", "Enemy", "#1", "#7"])
def test_renaming_to_a_taken_name_is_refused(name: str) -> None:
    assert rule_of(company(), EditCharacter("Ash", name=name)) == "duplicate"


def test_all_changes_of_one_command_happen_under_the_new_name() -> None:
    wolf = with_wolf(Table())
    assert events(wolf, EditCharacter("Wolf", name="Alpha", con="d12", hidden=True, note="scarred")) == (
        Renamed("Wolf", "Alpha"),
        BaseDieChanged("Alpha", "d12", "d12", 12, 8),
        HidingChanged("Alpha", hidden=True),
        NoteChanged("Alpha", "scarred"),
    )


def test_ruling_joins_late_whoever_joins_in_mid_round_stands_last() -> None:
    table = taking_turns(brakka(), turns=1)
    assert events(table, AddCharacter("Late", con="d8")) == (
        CharacterAdded("#2", "Late", "party", "d8", 8, 8),
        JoinedLate("Late"),
    )
    table = table.do(AddCharacter("Late", con="d8"), AddCharacter("Wolf", side=Side.ENEMY))
    assert order(table) == ("Enemy", "Brakka", "Late", "Wolf")
    next_round = table.do(*[NextTurn()] * 4, BeginTurns())
    assert order(next_round) == ("Wolf", "Brakka", "Late")


def test_whoever_joins_while_early_acts_are_declared_may_still_act_early() -> None:
    table = fighting(brakka()).do(AddCharacter("Late", con="d8"), ActEarly("Late"), BeginTurns())
    assert order(table) == ("Late", "Enemy", "Brakka")


def test_joining_after_the_last_turn_began_still_comes_before_the_next_round() -> None:
    table = taking_turns(brakka(), turns=2)
    assert turn(table) == "Brakka"
    table = table.do(AddCharacter("Late", con="d8"), NextTurn())
    assert turn(table) == "Late"


def test_removing_the_one_whose_turn_it_is_starts_the_next_turn() -> None:
    table = taking_turns(company()).do(React("Bryn"), NextTurn(), NextTurn())
    assert turn(table) == "Ash"
    assert events(table, RemoveCharacter("Ash")) == (
        CharacterRemoved("Ash"),
        TurnStarted("Bryn"),
        ReactionsReset("Bryn", 1),
    )
    after = table.do(RemoveCharacter("Ash"))
    assert (turn(after), order(after)) == ("Bryn", ("Enemy", "Bryn", "Cole"))
    assert turn(after.do(NextTurn())) == "Cole"


def test_removing_the_first_in_the_order_on_its_turn() -> None:
    table = taking_turns(with_wolf(company()), turns=1)
    after = table.do(RemoveCharacter("Wolf"))
    assert (turn(after), order(after)) == ("Ash", ("Ash", "Bryn", "Cole"))


def test_removing_the_last_in_the_order_on_its_turn_ends_the_round() -> None:
    table = taking_turns(company(), turns=4)
    assert turn(table) == "Cole"
    assert events(table, RemoveCharacter("Cole")) == (CharacterRemoved("Cole"), RoundStarted(2))
    after = table.do(RemoveCharacter("Cole"))
    assert after.combat is not None
    assert (after.combat.round, after.combat.phase, after.combat.order) == (2, "declare", ())


@pytest.mark.parametrize(("who", "expected"), [("Ash", "Bryn"), ("Bryn", "Bryn"), ("Cole", "Bryn")])
def test_removing_another_leaves_the_turn_where_it_is(who: str, expected: str) -> None:
    table = taking_turns(company(), turns=3)
    assert turn(table) == "Bryn"
    if who == "Bryn":
        assert turn(table.do(RemoveCharacter(who))) == "Cole"
    else:
        after = table.do(RemoveCharacter(who))
        assert turn(after) == expected
        assert who not in order(after)
        assert turn(after.do(NextTurn())) == ("Cole" if who == "Ash" else None)


def test_removing_before_the_first_turn_and_in_declare() -> None:
    table = taking_turns(company()).do(RemoveCharacter("Ash"))
    assert (turn(table), order(table)) == (None, ("Enemy", "Bryn", "Cole"))
    table = fighting(company()).do(ActEarly("Ash"), RemoveCharacter("Ash"), BeginTurns())
    assert order(table) == ("Enemy", "Bryn", "Cole")


def test_removing_all_leaves_a_combat_that_goes_on() -> None:
    table = taking_turns(with_wolf(brakka()), turns=1).do(RemoveCharacter("Brakka"), RemoveCharacter("Wolf"))
    assert table.combat is not None
    assert (table.combat.round, table.combat.phase) == (2, "declare")
    assert order(table.do(BeginTurns())) == ("Enemy",)


def test_a_removed_name_is_free_again() -> None:
    table = company().do(RemoveCharacter("Ash"), AddCharacter("ASH", con="d6"))
    assert table.character("ash").id == "#4"
    assert [*table.characters] == ["Bryn", "Cole", "ASH"]


def test_ruling_enemies_an_enemy_with_a_die_reacts_and_pushes_but_does_not_act_early() -> None:
    table = fighting(with_wolf(brakka()))
    assert rule_of(table, ActEarly("Wolf")) == "ruling.enemies"
    after = table.do(React("Wolf"), React("Wolf"), DeclareCheck("Wolf", push=2))
    assert stamina(after, "Wolf") == 8 - 1 - 2 - 2


def test_ruling_enemies_the_wrong_moment_comes_first() -> None:
    assert rule_of(with_wolf(brakka()), ActEarly("Wolf")) == "early.cost"
    assert rule_of(taking_turns(with_wolf(brakka())), ActEarly("Wolf")) == "early.cost"


def test_ruling_enemies_one_without_a_die_has_nothing_to_spend() -> None:
    table = fighting(with_wolf(brakka(), con=None))
    assert rule_of(table, React("Wolf")) == "reaction.needs-stamina"
    assert rule_of(table, DeclareCheck("Wolf", push=1)) == "zero.no-spending"
    assert table.do(DeclareCheck("Wolf")).character("Wolf").open_check is not None


def test_enemy_alone_in_the_order_is_nobody_at_the_table() -> None:
    table = taking_turns(brakka())
    assert order(table) == ("Enemy", "Brakka")
    assert "Enemy" not in table.state()["characters"]
    assert rule_of(table, React("Enemy")) == "not-found"
    assert rule_of(table, RemoveCharacter("enemy")) == "not-found"


def test_not_found_comes_before_every_other_refusal() -> None:
    table = taking_turns(brakka(), turns=2)
    nobody = "Nobody"
    for command in (
        ActEarly(nobody),
        React(nobody, cost=5),
        UseAbility(nobody, "x"),
        UseAbility("Brakka", "x", cost=5),
        EditCharacter(nobody, name="Brakka"),
        TakeWound(nobody, "x"),
        Reorder((nobody,), "ambush"),
    ):
        assert rule_of(table, command) == "not-found"
    assert str(refused(table, React(nobody))) == "There is nobody called Nobody at this table."


def test_a_house_with_other_dice_has_other_maxima() -> None:
    rules = Ruleset(dice={"d20": 25, "d4": 2})
    assert rules.ladder == ("d4", "d20")
    table = brakka("d20", rules=rules).do(TakeWound("Brakka", "ribs"))
    assert table.character("Brakka").maximum == 2
    with pytest.raises(Malformed, match=r"one of the CON Ability Dice d4, d20; it is \"d12\""):
        table.do(AddCharacter("Ash", con="d12"))


def test_coming_and_going_are_told() -> None:
    assert said(Table(), AddCharacter("Ash", con="d12")) == ["Ash joins with CON d12: 12 of 12 Stamina."]
    assert said(Table(), AddCharacter("Wolf", side=Side.ENEMY)) == ["Wolf joins, without a CON Ability Die."]
    assert said(brakka(), RemoveCharacter("Brakka")) == ["Brakka leaves the table."]
    assert said(brakka(), EditCharacter("Brakka", name="Bo")) == ["Brakka is now called Bo."]
