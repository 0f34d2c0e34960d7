"""ability.spend: abilities the table brings, each at its own cost."""

import pytest

from tests.rules.builders import brakka, events, refused, rule_of, said, stamina
from winded import AbilitySource, AddAbility, RemoveAbility, Ruleset, UseAbility, command_from
from winded.rules import Ability
from winded.rules.abilities import AbilityAdded, AbilityRemoved, AbilityUsed

WALL = AddAbility("Brakka", "Shield Wall", cost=3, source=AbilitySource.CLASS, note="holds a line")


def test_ability_spend_at_the_abilitys_own_cost() -> None:
    table = brakka().do(WALL)
    assert events(table, UseAbility("brakka", "shield wall")) == (AbilityUsed("Brakka", "Shield Wall", 3, 9),)
    assert said(table, UseAbility("Brakka", "Shield Wall")) == ["Brakka uses Shield Wall: 3 Stamina, 9 left."]
    assert said(table, UseAbility("Brakka", "Shield Wall", what="at the door")) == [
        "Brakka uses Shield Wall (at the door): 3 Stamina, 9 left."
    ]


def test_ability_spend_some_but_too_little() -> None:
    no = refused(brakka(stamina=2).do(WALL), UseAbility("Brakka", "Shield Wall"))
    assert (no.rule, no.needs, no.has) == ("ability.spend", 3, 2)


def test_an_ability_of_cost_0_needs_no_stamina() -> None:
    table = brakka(stamina=0).do(AddAbility("Brakka", "Battle Cry", cost=0))
    assert events(table, UseAbility("Brakka", "Battle Cry")) == (AbilityUsed("Brakka", "Battle Cry", 0, 0),)


def test_the_table_brings_abilities_and_takes_them_away() -> None:
    assert brakka().character("Brakka").abilities == ()
    assert events(brakka(), WALL) == (AbilityAdded("Brakka", "Shield Wall", 3, "class", "holds a line"),)
    table = brakka().do(WALL)
    assert table.character("Brakka").abilities == (Ability("Shield Wall", 3, "class", "holds a line"),)
    assert table.state()["characters"]["Brakka"]["abilities"] == {
        "Shield Wall": {"cost": 3, "from": "class", "note": "holds a line"}
    }
    assert events(table, RemoveAbility("Brakka", "SHIELD WALL")) == (AbilityRemoved("Brakka", "Shield Wall"),)
    assert table.do(RemoveAbility("Brakka", "Shield Wall")) == brakka()
    assert said(brakka(), WALL) == ["Brakka gets the ability Shield Wall (3 Stamina)."]
    assert said(table, RemoveAbility("Brakka", "Shield Wall")) == ["Brakka no longer has the ability Shield Wall."]


@pytest.mark.parametrize("source", ["class", "tradition", "rank"])
def test_ability_spend_where_it_comes_from(source: str) -> None:
    data = {"do": "add_ability", "character": "Brakka", "ability": "Stand Fast", "cost": 1, "from": source}
    assert brakka().do(command_from(data)).character("Brakka").abilities[0].source == source


def test_abilities_have_unique_names_without_case() -> None:
    table = brakka().do(WALL)
    assert rule_of(table, AddAbility("Brakka", "shield WALL", cost=1)) == "duplicate"
    assert rule_of(table, UseAbility("Brakka", "Shield")) == "not-found"
    assert rule_of(table, RemoveAbility("Brakka", "Shield")) == "not-found"


def test_house_without_costly_abilities_still_has_free_ones() -> None:
    rules = Ruleset(spends=("push",))
    table = brakka(rules=rules).do(WALL, AddAbility("Brakka", "Battle Cry", cost=0))
    assert rule_of(table, UseAbility("Brakka", "Shield Wall")) == "not-allowed"
    assert rule_of(table, UseAbility("Brakka", "No Such Thing")) == "not-found"
    assert stamina(table.do(UseAbility("Brakka", "Battle Cry"))) == 12
