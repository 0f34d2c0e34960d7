"""rest.* and ruling.rest-in-combat: what each rest brings back."""

import pytest

from tests.rules.builders import brakka, company, events, fighting, refused, rule_of, said, stamina, with_wolf
from winded import DeclareCheck, Rest, RestKind, Ruleset, Table, TakeWound, rest_options
from winded.rules import ruleset_from
from winded.rules.rest import Recovery, Rested, recovery
from winded.rules.ruleset import Rests

DICE = ("d12", "d10", "d8", "d6")


def gained(kind: RestKind) -> tuple[int, ...]:
    """What a rest from 0 brings back with each CON Ability Die, largest first."""
    return tuple(stamina(brakka(con, stamina=0).do(Rest(kind))) for con in DICE)


def test_rest_short_brings_back_1() -> None:
    assert gained(RestKind.SHORT) == (1, 1, 1, 1)


def test_rest_unsafe_long_brings_back_a_third() -> None:
    assert gained(RestKind.UNSAFE_LONG) == (4, 3, 2, 2)


def test_rest_safe_long_brings_back_two_thirds() -> None:
    assert gained(RestKind.SAFE_LONG) == (8, 6, 5, 4)


def test_rest_respite_brings_back_all() -> None:
    assert gained(RestKind.RESPITE) == (12, 10, 8, 6)


def test_rest_rounding_down_and_at_least_1() -> None:
    small = Ruleset(dice={"d6": 1, "d8": 2, "d10": 4, "d12": 5})
    brought = [
        [stamina(brakka(con, 0, small).do(Rest(kind))) for con in ("d6", "d8", "d10", "d12")]
        for kind in (RestKind.UNSAFE_LONG, RestKind.SAFE_LONG)
    ]
    assert brought == [[1, 1, 1, 1], [1, 1, 2, 3]]


def test_rest_cap_nothing_above_the_maximum() -> None:
    assert events(brakka(stamina=9), Rest(RestKind.SAFE_LONG)) == (Rested("Brakka", RestKind.SAFE_LONG, 8, 3, 12, 12),)
    (capped,) = events(brakka(stamina=9), Rest(RestKind.SAFE_LONG))
    (whole,) = events(brakka(stamina=1), Rest(RestKind.SAFE_LONG))
    assert (capped.rule, whole.rule) == ("rest.cap", "rest.safe-long")
    assert stamina(brakka().do(Rest(RestKind.RESPITE))) == 12


def test_rest_goes_by_the_current_maximum_and_heals_no_wound() -> None:
    table = brakka(stamina=0).do(TakeWound("Brakka", "ribs"))
    for kind, gained in zip(RestKind, (1, 3, 6, 10), strict=True):
        after = table.do(Rest(kind)).character("Brakka")
        assert (after.stamina, len(after.wounds), after.con) == (gained, 1, "d10")


def test_rest_is_for_the_whole_party_or_those_who_are_named() -> None:
    table = with_wolf(company()).do(*[DeclareCheck(name, push=6) for name in ("Ash", "Bryn", "Cole", "Wolf")])
    everyone = table.do(Rest(RestKind.SHORT))
    assert [stamina(everyone, name) for name in table.characters] == [7, 3, 1, 2]
    some = table.do(Rest(RestKind.SHORT, ("cole", "Wolf", "#3", "COLE")))
    assert [stamina(some, name) for name in table.characters] == [6, 2, 1, 3]


def test_rest_of_one_without_a_con_ability_die_brings_nothing() -> None:
    assert stamina(with_wolf(brakka(), con=None).do(Rest(RestKind.RESPITE, ("Wolf",))), "Wolf") == 0


def test_ruling_rest_in_combat_and_the_order_of_refusals() -> None:
    assert rule_of(fighting(company()), Rest(RestKind.SHORT, ("Nobody",))) == "not-found"
    assert rule_of(fighting(company()), Rest(RestKind.SHORT, ("Ash",))) == "ruling.rest-in-combat"
    assert rule_of(fighting(Table()), Rest(RestKind.SHORT)) == "ruling.rest-in-combat"
    assert rule_of(Table(), Rest(RestKind.SHORT)) == "not-now"
    assert rule_of(with_wolf(Table()), Rest(RestKind.SHORT)) == "not-now"
    assert str(refused(fighting(company()), Rest(RestKind.SHORT))) == (
        "Nobody can rest in combat: end the combat first."
    )


def test_rest_leaves_an_open_check_alone() -> None:
    table = brakka().do(DeclareCheck("Brakka", push=4))
    assert table.do(Rest(RestKind.RESPITE)).character("Brakka").open_check is not None


def test_rest_is_told() -> None:
    assert said(brakka(stamina=2), Rest(RestKind.UNSAFE_LONG)) == [
        "Brakka rests (Unsafe Long Rest): 4 Stamina comes back, 6 of 12 now."
    ]
    assert said(brakka(stamina=11), Rest(RestKind.SAFE_LONG)) == [
        "Brakka rests (Safe Long Rest): 1 of 8 Stamina comes back, up to the maximum: 12 of 12 now."
    ]
    assert said(brakka(), Rest(RestKind.SHORT)) == ["Brakka rests (Short Rest) and already has all Stamina: 12 of 12."]


def test_what_a_rest_would_do_is_what_it_does() -> None:
    table = company().do(DeclareCheck("Ash", push=7), TakeWound("Ash", "ribs"))
    for kind in RestKind:
        for character in table.characters.values():
            would = recovery(table.ruleset, character, kind)
            assert would == Recovery(
                character.name, would.offered, would.stamina - character.stamina, would.stamina, character.maximum
            )
            assert stamina(table.do(Rest(kind)), character.name) == would.stamina


def test_the_rests_that_are_offered() -> None:
    assert [(option.command, option.refusal) for option in rest_options(company())] == [
        (Rest(kind), None) for kind in RestKind
    ]
    assert {option.refusal.rule for option in rest_options(fighting(company())) if option.refusal} == {
        "ruling.rest-in-combat"
    }


@pytest.mark.parametrize(
    ("rest", "kind", "con", "gained"),
    [
        ({"short": 3}, RestKind.SHORT, "d12", 3),
        ({"short": "1/4"}, RestKind.SHORT, "d10", 2),
        ({"short": "all"}, RestKind.SHORT, "d10", 10),
        ({"unsafe_long": "1/2"}, RestKind.UNSAFE_LONG, "d12", 6),
        ({"safe_long": "3/4"}, RestKind.SAFE_LONG, "d10", 7),
        ({"safe_long": "1/1"}, RestKind.SAFE_LONG, "d10", 10),
        ({"respite": "5/6"}, RestKind.RESPITE, "d6", 5),
        ({"rounding": "up"}, RestKind.UNSAFE_LONG, "d10", 4),
        ({"rounding": "up"}, RestKind.UNSAFE_LONG, "d12", 4),
        ({"rounding": "nearest"}, RestKind.UNSAFE_LONG, "d10", 3),
        ({"rounding": "nearest"}, RestKind.UNSAFE_LONG, "d8", 3),
        ({"rounding": "nearest", "short": "1/4"}, RestKind.SHORT, "d10", 3),
        ({"minimum": 3}, RestKind.SHORT, "d12", 3),
        ({"minimum": 0, "short": 0}, RestKind.SHORT, "d12", 0),
        ({"short": 99}, RestKind.SHORT, "d6", 6),
    ],
)
def test_house_rests(rest: dict[str, object], kind: RestKind, con: str, gained: int) -> None:
    table = brakka(con, 0, ruleset_from({"rest": rest}))
    assert stamina(table.do(Rest(kind))) == gained


def test_house_rest_that_brings_nothing_is_told_as_it_is() -> None:
    table = brakka(stamina=3, rules=Ruleset(rest=Rests(short=0, minimum=0)))
    assert said(table, Rest(RestKind.SHORT)) == ["Brakka rests (Short Rest): 0 Stamina comes back, 3 of 12 now."]
