"""A table is a value: immutable, hashable, the same whenever the same was played."""

import pytest

from tests.rules.builders import brakka, company, taking_turns, with_wolf
from winded import AddCharacter, Channel, DeclareCheck, React, Refused, RemoveCharacter, Ruleset, Table, TakeWound
from winded.rules import Character
from winded.rules.ruleset import Early


def test_do_leaves_the_table_as_it_was_and_gives_a_new_one() -> None:
    before = brakka()
    after = before.do(Channel("Brakka", 2))
    assert before.character("Brakka").stamina == 12
    assert after.character("Brakka").stamina == 10
    assert before != after
    assert before.do() is before


def test_tables_at_which_the_same_was_played_are_equal() -> None:
    one = company().do(Channel("Ash", 1), TakeWound("Bryn", "ribs"))
    other = company().do(TakeWound("#2", "ribs"), Channel("ash", 1))
    assert one == other
    assert not one != other  # noqa: SIM202 - the two are two methods
    assert hash(one) == hash(other)
    assert len({one, other, company()}) == 2
    assert one != "a table"


def test_who_sits_where_and_under_which_rules_matters() -> None:
    ash, bryn = AddCharacter("Ash", con="d12"), AddCharacter("Bryn", con="d8")
    assert Table().do(ash, bryn) != Table().do(bryn, ash)
    assert Table() != Table(Ruleset(early=Early(cost=2)))
    assert Table().under(Ruleset(early=Early(cost=2))) == Table(Ruleset(early=Early(cost=2)))
    assert company().do(RemoveCharacter("Cole")) != Table().do(ash, bryn), "the next to sit down has another id"


def test_nothing_of_a_table_can_be_changed_in_place() -> None:
    table = with_wolf(company())
    with pytest.raises(AttributeError):
        table.combat = None  # type: ignore[misc]
    with pytest.raises(AttributeError):
        table.character("Ash").stamina = 99  # type: ignore[misc]
    for mapping in (table.characters, table.names):
        with pytest.raises(TypeError):
            mapping["Ash"] = table.character("Bryn")  # type: ignore[index]
    for one in (table, table.character("Ash"), React("Ash"), *React("Ash").decide(taking_turns(company()))):
        hash(one)


def test_party_and_enemies_in_the_order_of_their_seats() -> None:
    table = with_wolf(company()).do(AddCharacter("Dara", con="d6"))
    assert [one.name for one in table.party()] == ["Ash", "Bryn", "Cole", "Dara"]
    assert [one.name for one in table.enemies()] == ["Wolf"]
    assert all(isinstance(one, Character) for one in table.party())


def test_the_state_as_plain_data() -> None:
    table = taking_turns(brakka().do(TakeWound("Brakka", "ribs"), DeclareCheck("Brakka", push=2, target=9)), 1)
    assert table.state() == {
        "characters": {
            "Brakka": {
                "id": "#1",
                "side": "party",
                "base_con": "d12",
                "con": "d10",
                "stamina": 8,
                "maximum": 10,
                "wounds": [{"wound": "ribs", "steps": 1}],
                "reaction_cost": 1,
                "acts_early": False,
                "open_check": {"push": 2, "strain": None, "target": 9},
                "abilities": {},
                "hidden": False,
                "note": None,
                "rests": 0,
            }
        },
        "combat": {"round": 1, "phase": "turns", "order": ["Enemy", "Brakka"], "turn": "Enemy"},
        "combats": 1,
    }
    assert with_wolf(Table(), con=None).state()["characters"]["Wolf"]["con"] is None
    assert Table().state() == {"characters": {}, "combat": None, "combats": 0}


def test_a_refusal_pickles_and_keeps_its_figures() -> None:
    import pickle

    for command in (Channel("Brakka", 99), React("Brakka"), DeclareCheck("Nobody")):
        with pytest.raises(Refused) as no:
            brakka().do(command)
        again = pickle.loads(pickle.dumps(no.value))
        assert again.refusal() == no.value.refusal()
        assert str(again) == str(no.value)
        assert again.as_data() == no.value.as_data() == {"error": "refused", **no.value.refusal()}


def test_what_is_no_command_is_said_to_be_none() -> None:
    for wrong in ("react", {"do": "react"}, None, 3):
        with pytest.raises(TypeError, match=r"is no command\. Make one, such as React\(\"Ash\"\)"):
            brakka().do(wrong)  # type: ignore[arg-type]
