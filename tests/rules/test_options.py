"""What one may ask for now, what it costs and leaves, and why not where it is refused."""

import pytest

from tests.rules.builders import brakka, company, fighting, taking_turns, with_wolf
from winded import (
    AddAbility,
    Channel,
    DeclareCheck,
    Option,
    React,
    Refused,
    ResolveCheck,
    RestKind,
    Ruleset,
    Table,
    WithdrawCheck,
    combat_options,
    options,
    rest_options,
)
from winded.rules import SPENDINGS, Refusal


def shown(table: Table, who: str = "Brakka") -> dict[str, tuple[int, int, str | None]]:
    """Each option's label with its cost, what it leaves and the rule it is refused under."""
    return {
        str(option.label): (option.cost, option.leaves, option.refusal and option.refusal.rule)
        for option in options(table, who)
    }


def option(table: Table, label: str, who: str = "Brakka") -> Option:
    """The option with this label."""
    (found,) = (one for one in options(table, who) if str(one.label) == label)
    return found


def test_out_of_combat() -> None:
    assert shown(brakka()) == {
        "Act early": (1, 12, "early.cost"),
        "React": (1, 12, "reaction.combat"),
        "Check": (0, 12, None),
        "Push a Check": (1, 11, None),
        "Resist hardship": (1, 11, None),
        "Channel Casting": (1, 11, None),
    }


def test_in_the_declare_phase_and_on_ones_own_turn() -> None:
    declare = shown(fighting(brakka()))
    assert (declare["Act early"], declare["React"]) == ((1, 11, None), (1, 11, None))
    mine = shown(taking_turns(brakka(), 2))
    assert (mine["Act early"][2], mine["React"][2]) == ("early.cost", "reaction.outside-turn")


def test_the_next_reaction_and_the_one_after_it() -> None:
    table = fighting(brakka()).do(React("Brakka"))
    react = option(table, "React")
    assert (react.cost, react.leaves, react.next_cost) == (2, 9, 3)
    too_dear = option(fighting(brakka(stamina=2)).do(React("Brakka")), "React")
    assert too_dear.refusal == Refusal("reaction.cost", "Brakka has 1 Stamina; this costs 2.", 2, 1)
    assert (too_dear.cost, too_dear.leaves) == (2, 1)


def test_an_amount_goes_from_the_least_to_what_one_has() -> None:
    for label, field in (("Push a Check", "push"), ("Resist hardship", "stamina"), ("Channel Casting", "stamina")):
        one = option(brakka(stamina=7), label)
        assert (one.amount, one.most) == (field, 7)
        assert one.amounts == ((1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1), (7, 0))
        assert option(brakka(stamina=0), label).amounts == ()
    assert option(fighting(brakka()), "React").amounts == ()


def test_with_0_stamina_what_is_free_is_left() -> None:
    assert shown(brakka(stamina=0).do(AddAbility("Brakka", "Battle Cry", cost=0))) == {
        "Act early": (1, 0, "early.cost"),
        "React": (1, 0, "reaction.combat"),
        "Check": (0, 0, None),
        "Push a Check": (1, 0, "zero.no-spending"),
        "Resist hardship": (1, 0, "zero.no-spending"),
        "Use Battle Cry": (0, 0, None),
        "Channel Casting": (1, 0, "zero.no-spending"),
    }


def test_an_open_check_can_be_rolled_or_withdrawn_and_no_other_declared() -> None:
    table = brakka().do(DeclareCheck("Brakka", push=4))
    seen = shown(table)
    assert seen["Check"][2] == seen["Push a Check"][2] == "push.before-roll"
    assert seen["Enter the roll"] == (0, 8, None)
    assert seen["Withdraw the Check"] == (0, 12, None)
    rolled, withdrawn = option(table, "Enter the roll"), option(table, "Withdraw the Check")
    assert (type(rolled.command), type(withdrawn.command)) == (ResolveCheck, WithdrawCheck)


def test_abilities_each_at_its_own_cost() -> None:
    table = brakka(stamina=2).do(AddAbility("Brakka", "Shield Wall", cost=3), AddAbility("Brakka", "Sprint", cost=2))
    seen = shown(table)
    assert (seen["Use Shield Wall"], seen["Use Sprint"]) == ((3, 2, "ability.spend"), (2, 0, None))


def test_an_enemy_does_not_act_early() -> None:
    assert shown(fighting(with_wolf(brakka())), "Wolf")["Act early"] == (1, 8, "ruling.enemies")


def test_by_name_or_id_and_nobody_else() -> None:
    table = company()
    assert shown(table, "#2") == shown(table, "BRYN") == shown(table, "Bryn") != shown(table, "Ash")
    with pytest.raises(Refused) as no:
        options(table, "Nobody")
    assert no.value.rule == "not-found"


@pytest.mark.parametrize(
    ("spend", "label"),
    [
        ("act_early", "Act early"),
        ("react", "React"),
        ("push", "Push a Check"),
        ("resist", "Resist hardship"),
        ("ability", "Use Sprint"),
        ("channel", "Channel Casting"),
    ],
)
def test_house_what_the_rules_leave_out_is_not_offered(spend: str, label: str) -> None:
    table = brakka(rules=Ruleset(spends=tuple(one.word for one in SPENDINGS if one.word != spend))).do(
        AddAbility("Brakka", "Sprint", cost=1)
    )
    with_all = brakka().do(AddAbility("Brakka", "Sprint", cost=1))
    assert shown(with_all).keys() - shown(table).keys() == {label}


def test_an_option_keeps_no_frames_of_its_dry_run() -> None:
    found = (*options(brakka(), "Brakka"), *combat_options(brakka()), *rest_options(fighting(brakka())))
    refused = [one.refused for one in found if one.refused is not None]
    assert len(refused) > len(RestKind)
    assert all(no.__traceback__ is None for no in refused)


def test_options_are_values() -> None:
    assert option(brakka(), "Channel Casting") == Option(Channel("Brakka", 1), 1, 11, None, "stamina", 12)
