"""push.* and ruling.withdraw: Checks, and Stamina for a better chance at them."""

import pytest

from tests.rules.builders import brakka, events, fighting, refused, rule_of, said, stamina, taking_turns
from winded import DeclareCheck, ResolveCheck, Ruleset, TakeWound, WithdrawCheck
from winded.rules import STRAINS, OpenCheck
from winded.rules.checks import CheckDeclared, CheckResolved, CheckWithdrawn
from winded.rules.ruleset import Pushes

PUSHED = DeclareCheck("Brakka", push=3, strain="holding the gate", target=15)


def test_push_before_roll_what_is_pushed_is_spent_when_declared() -> None:
    assert events(brakka(), PUSHED) == (CheckDeclared("Brakka", 3, 3, 9, 3, "holding the gate", 15),)
    after = brakka().do(PUSHED).character("Brakka")
    assert (after.stamina, after.open_check) == (9, OpenCheck(3, 3, "holding the gate", 15))
    assert brakka().do(PUSHED).state()["characters"]["Brakka"]["open_check"] == {
        "push": 3,
        "strain": "holding the gate",
        "target": 15,
    }


def test_push_before_roll_one_open_check_a_character() -> None:
    table = brakka(stamina=3).do(PUSHED)
    for again in (DeclareCheck("Brakka"), DeclareCheck("Brakka", push=1), DeclareCheck("Brakka", push=1, cost=7)):
        assert rule_of(table, again) == "push.before-roll"
    assert str(refused(table, PUSHED)) == "Brakka already has an open Check: roll it or withdraw it first."


@pytest.mark.parametrize(
    ("roll", "total", "success"), [(11, 14, False), (12, 15, True), (-999, -996, False), (999, 1002, True)]
)
def test_push_bonus_and_push_lost(roll: int, total: int, success: bool) -> None:
    table = brakka().do(PUSHED)
    assert events(table, ResolveCheck("Brakka", roll)) == (CheckResolved("Brakka", roll, 3, total, 15, success),)
    after = table.do(ResolveCheck("Brakka", roll)).character("Brakka")
    assert (after.stamina, after.open_check) == (9, None)


def test_a_check_without_a_target_has_a_total_only() -> None:
    table = brakka().do(DeclareCheck("Brakka", push=1))
    assert events(table, ResolveCheck("Brakka", 9)) == (CheckResolved("Brakka", 9, 1, 10),)


def test_a_check_without_a_push_costs_nothing() -> None:
    assert stamina(brakka(stamina=0).do(DeclareCheck("Brakka", target=8), ResolveCheck("Brakka", 9))) == 0


def test_push_bonus_more_than_one_has() -> None:
    no = refused(brakka(stamina=2), PUSHED)
    assert (no.rule, no.needs, no.has) == ("push.bonus", 3, 2)


def test_push_checks_only_nothing_to_resolve_or_withdraw_without_a_check() -> None:
    for table in (brakka(), brakka().do(PUSHED, ResolveCheck("Brakka", 3))):
        assert rule_of(table, ResolveCheck("Brakka", 10)) == "not-now"
        assert rule_of(table, WithdrawCheck("Brakka")) == "not-now"
    assert rule_of(brakka(), ResolveCheck("Nobody", 10)) == "not-found"


def test_push_strain_there_are_strains_to_pick_from_and_people_write_their_own() -> None:
    assert len(STRAINS) == len({str(strain) for strain in STRAINS}) >= 14
    for strain in STRAINS:
        assert brakka().do(DeclareCheck("Brakka", push=1, strain=str(strain))).character("Brakka").open_check
    assert stamina(brakka().do(DeclareCheck("Brakka", push=1, strain="swimming in armour"))) == 11


def test_push_fiction_a_push_gives_a_bonus_and_no_success() -> None:
    (resolved,) = events(brakka().do(DeclareCheck("Brakka", push=12, target=30)), ResolveCheck("Brakka", 17))
    assert isinstance(resolved, CheckResolved)
    assert resolved.success is False


def test_ruling_withdraw_before_the_roll_the_stamina_comes_back() -> None:
    table = brakka().do(PUSHED)
    assert events(table, WithdrawCheck("Brakka", "no strain")) == (CheckWithdrawn("Brakka", 3, 12, "no strain", 3),)
    after = table.do(WithdrawCheck("Brakka"))
    assert after == brakka()


def test_ruling_withdraw_after_a_wound_only_up_to_the_maximum() -> None:
    table = brakka().do(PUSHED, TakeWound("Brakka", "ribs"))
    assert events(table, WithdrawCheck("Brakka")) == (CheckWithdrawn("Brakka", 1, 10, push=3),)
    deep = brakka().do(PUSHED, TakeWound("Brakka", "ribs", steps=3))
    assert events(deep, WithdrawCheck("Brakka")) == (CheckWithdrawn("Brakka", 0, 6, push=3),)


def test_ruling_withdraw_after_the_roll_it_never_comes_back() -> None:
    assert rule_of(brakka().do(PUSHED, ResolveCheck("Brakka", 3)), WithdrawCheck("Brakka")) == "not-now"


def test_checks_may_be_made_at_any_moment() -> None:
    for table in (brakka(), fighting(brakka()), taking_turns(brakka(), 1), taking_turns(brakka(), 2)):
        assert stamina(table.do(PUSHED, ResolveCheck("Brakka", 12))) == 9


def test_house_push_bonus() -> None:
    table = brakka(rules=Ruleset(push=Pushes(bonus=2))).do(PUSHED)
    assert table.character("Brakka").open_check == OpenCheck(3, 6, "holding the gate", 15)
    assert events(table, ResolveCheck("Brakka", 9)) == (CheckResolved("Brakka", 9, 6, 15, 15, True),)
    assert stamina(table.do(WithdrawCheck("Brakka"))) == 12


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (DeclareCheck("Brakka"), "Brakka declares a Check without a push."),
        (DeclareCheck("Brakka", target=9), "Brakka declares a Check against 9 without a push."),
        (DeclareCheck("Brakka", strain="cold"), "Brakka declares a Check (cold) without a push."),
        (
            DeclareCheck("Brakka", strain="cold", target=9),
            "Brakka declares a Check against 9 (cold) without a push.",
        ),
        (DeclareCheck("Brakka", push=2), "Brakka pushes a Check: 2 Stamina for +2, 10 left."),
        (DeclareCheck("Brakka", push=2, target=9), "Brakka pushes a Check against 9: 2 Stamina for +2, 10 left."),
        (DeclareCheck("Brakka", push=2, strain="cold"), "Brakka pushes a Check (cold): 2 Stamina for +2, 10 left."),
        (PUSHED, "Brakka pushes a Check against 15 (holding the gate): 3 Stamina for +3, 9 left."),
    ],
)
def test_a_declared_check_is_told(declared: DeclareCheck, told: str) -> None:
    assert said(brakka(), declared) == [told]


def test_a_roll_and_a_withdrawal_are_told() -> None:
    table = brakka().do(PUSHED)
    assert said(table, ResolveCheck("Brakka", 12)) == ["Brakka's Check: 12 + 3 = 15 against 15, a success."]
    assert said(table, ResolveCheck("Brakka", 11)) == ["Brakka's Check: 11 + 3 = 14 against 15, a failure."]
    assert said(brakka().do(DeclareCheck("Brakka")), ResolveCheck("Brakka", 9)) == ["Brakka's Check: 9 + 0 = 9."]
    assert said(table, WithdrawCheck("Brakka")) == ["Brakka's Check is withdrawn: 3 Stamina comes back, 12 now."]
    assert said(table, WithdrawCheck("Brakka", "no danger")) == [
        "Brakka's Check is withdrawn (no danger): 3 Stamina comes back, 12 now."
    ]


def test_a_withdrawal_after_a_wound_is_told_with_what_came_back() -> None:
    table = brakka().do(PUSHED, TakeWound("Brakka", "ribs"))
    assert said(table, WithdrawCheck("Brakka")) == [
        "Brakka's Check is withdrawn: 1 of 3 Stamina comes back, to the maximum, 10."
    ]
    assert said(table, WithdrawCheck("Brakka", "no danger")) == [
        "Brakka's Check is withdrawn (no danger): 1 of 3 Stamina comes back, to the maximum, 10."
    ]


def test_a_withdrawn_check_without_a_push() -> None:
    assert said(brakka().do(DeclareCheck("Brakka")), WithdrawCheck("Brakka")) == ["Brakka's Check is withdrawn."]
    assert said(brakka().do(DeclareCheck("Brakka")), WithdrawCheck("Brakka", "not needed")) == [
        "Brakka's Check is withdrawn (not needed)."
    ]
