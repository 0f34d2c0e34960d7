"""max.wound, max.cut, max.recover, max.no-refill, ruling.wound-steps, ruling.below-lowest: CON Wounds."""

import pytest

from tests.rules.builders import brakka, events, refused, rule_of, said, with_wolf
from winded import EditCharacter, RecoverWound, Rest, RestKind, Ruleset, Table, TakeWound
from winded.rules import Character, lost_to_wounds, wound_foreseen
from winded.rules.wounds import WoundRecovered, WoundTaken

RIBS = "cracked ribs"


def figures(table: Table) -> tuple[str | None, int, int]:
    """CON, Stamina and maximum of Brakka."""
    one: Character = table.character("Brakka")
    return one.con, one.stamina, one.maximum


def test_max_wound_what_wounds_have_taken_is_the_difference_of_the_dice() -> None:
    table = brakka()
    assert lost_to_wounds(table.ruleset, table.character("Brakka")) == 0
    table = table.do(TakeWound("Brakka", RIBS, steps=2))
    assert lost_to_wounds(table.ruleset, table.character("Brakka")) == 4


@pytest.mark.parametrize(("con", "after", "maximum"), [("d12", "d10", 10), ("d10", "d8", 8), ("d8", "d6", 6)])
def test_max_wound_lowers_the_maximum_at_once(con: str, after: str, maximum: int) -> None:
    table = brakka(con, stamina=1).do(TakeWound("Brakka", RIBS))
    assert figures(table) == (after, 1, maximum)
    assert table.character("Brakka").base_con == con


def test_max_cut_stamina_above_the_new_maximum_is_cut_to_it() -> None:
    (taken,) = events(brakka(stamina=11), TakeWound("Brakka", RIBS))
    assert taken == WoundTaken("Brakka", RIBS, 1, "d10", 10, 10, cut=1)
    assert taken.rule == "max.cut"
    (harmless,) = events(brakka(stamina=10), TakeWound("Brakka", RIBS))
    assert harmless == WoundTaken("Brakka", RIBS, 1, "d10", 10, 10)
    assert harmless.rule == "max.wound"


def test_max_recover_and_max_no_refill_only_the_maximum_rises() -> None:
    hurt = brakka().do(TakeWound("Brakka", RIBS))
    assert events(hurt, RecoverWound("Brakka", RIBS)) == (WoundRecovered("Brakka", RIBS, "d12", 12),)
    healed = hurt.do(RecoverWound("Brakka", RIBS))
    assert figures(healed) == ("d12", 10, 12)
    assert healed.character("Brakka").wounds == ()


@pytest.mark.parametrize(("steps", "con"), [(1, "d10"), (2, "d8"), (3, "d6")])
def test_ruling_wound_steps_a_wound_goes_as_far_down_as_it_says(steps: int, con: str) -> None:
    table = brakka().do(TakeWound("Brakka", RIBS, steps=steps))
    assert table.character("Brakka").con == con
    assert table.do(RecoverWound("Brakka", RIBS)).character("Brakka").con == "d12"


def test_ruling_wound_steps_each_recovery_takes_back_its_own_steps_in_any_order() -> None:
    table = brakka().do(TakeWound("Brakka", "fever", steps=2), TakeWound("Brakka", RIBS))
    assert figures(table.do(RecoverWound("Brakka", "fever"))) == ("d10", 6, 10)
    assert figures(table.do(RecoverWound("Brakka", RIBS))) == ("d8", 6, 8)


def test_wounds_at_one_character_have_unique_names_without_case() -> None:
    table = brakka().do(TakeWound("Brakka", "Großer Schnitt"))
    assert rule_of(table, TakeWound("Brakka", "GROSSER SCHNITT")) == "duplicate"
    assert rule_of(table, RecoverWound("Brakka", "ribs")) == "not-found"
    assert table.do(RecoverWound("brakka", "grosser schnitt")).character("Brakka").wounds == ()
    assert with_wolf(table).do(TakeWound("Wolf", "Großer Schnitt")).character("Wolf").con == "d6"


def test_a_wound_without_a_con_ability_die_is_not_allowed() -> None:
    table = with_wolf(Table(), con=None)
    assert rule_of(table, TakeWound("Wolf", RIBS)) == "not-allowed"
    assert rule_of(table, RecoverWound("Wolf", RIBS)) == "not-found"


def test_ruling_below_lowest_stay_counts_every_wound_and_says_so() -> None:
    table = brakka("d8").do(TakeWound("Brakka", "a"))
    (at_the_end,) = events(table, TakeWound("Brakka", "b"))
    assert at_the_end == WoundTaken("Brakka", "b", 1, "d6", 6, 6, beyond=1)
    assert at_the_end.rule == "ruling.below-lowest"
    assert "the page does not say more" in str(at_the_end.tell())
    table = table.do(TakeWound("Brakka", "b"), TakeWound("Brakka", "c"))
    for wound, con in (("a", "d6"), ("b", "d6"), ("c", "d8")):
        table = table.do(RecoverWound("Brakka", wound))
        assert table.character("Brakka").con == con
    assert figures(table) == ("d8", 6, 8)


def test_ruling_below_lowest_stay_a_wound_that_goes_part_of_the_way() -> None:
    (taken,) = events(brakka("d10"), TakeWound("Brakka", RIBS, steps=5))
    assert taken == WoundTaken("Brakka", RIBS, 5, "d6", 6, 6, cut=4, beyond=3)
    rest = "That is the lowest die, and the page does not say more: the rest of the Wound only counts."
    assert said(brakka("d10"), TakeWound("Brakka", RIBS, steps=5)) == [
        f"Brakka takes a Wound, cracked ribs: CON d6, 4 Stamina is cut, 6 of 6 left. {rest}"
    ]
    assert said(brakka("d10", stamina=2), TakeWound("Brakka", RIBS, steps=5)) == [
        f"Brakka takes a Wound, cracked ribs: CON d6, 2 of 6 Stamina. {rest}"
    ]


def test_ruling_below_lowest_refuse_takes_no_wound_past_the_lowest_die() -> None:
    table = brakka("d8", rules=Ruleset(below_lowest="refuse"))
    assert rule_of(table, TakeWound("Brakka", RIBS, steps=2)) == "ruling.below-lowest"
    table = table.do(TakeWound("Brakka", RIBS))
    no = refused(table, TakeWound("Brakka", "fever"))
    assert str(no) == "Brakka's CON Ability Die is d6; it cannot go down 1 step more."


def test_ruling_below_lowest_zero_leaves_neither_die_nor_maximum() -> None:
    rules = Ruleset(below_lowest="zero")
    table = brakka("d8", rules=rules).do(TakeWound("Brakka", RIBS))
    assert figures(table) == ("d6", 6, 6)
    (taken,) = events(table, TakeWound("Brakka", "fever"))
    assert taken == WoundTaken("Brakka", "fever", 1, None, 0, 0, cut=6, beyond=1)
    assert str(taken.tell()) == (
        "Brakka takes a Wound, fever: no CON Ability Die is left, the maximum is 0, and 6 Stamina is cut."
    )
    table = table.do(TakeWound("Brakka", "fever"), TakeWound("Brakka", "burns"))
    assert figures(table) == (None, 0, 0)
    assert table.character("Brakka").base_con == "d8"
    assert said(table, RecoverWound("Brakka", RIBS)) == [
        "Brakka's Wound, cracked ribs, is recovered, but the others still leave no CON Ability Die."
    ]
    table = table.do(RecoverWound("Brakka", RIBS), Rest(RestKind.RESPITE))
    assert figures(table) == (None, 0, 0)
    assert figures(table.do(RecoverWound("Brakka", "fever"))) == ("d6", 0, 6)


def test_a_wound_keeps_its_steps_when_the_base_die_changes() -> None:
    table = brakka("d8").do(TakeWound("Brakka", RIBS, steps=2), EditCharacter("Brakka", con="d12"))
    assert figures(table) == ("d8", 6, 8)
    assert figures(table.do(RecoverWound("Brakka", RIBS))) == ("d12", 6, 12)


def test_max_recover_is_told_with_the_new_figures() -> None:
    table = brakka("d12").do(TakeWound("Brakka", RIBS))
    assert said(table, RecoverWound("Brakka", RIBS)) == [
        "Brakka's Wound, cracked ribs, is recovered: CON d12, the maximum is 12. No Stamina comes back by itself."
    ]


@pytest.mark.parametrize(
    ("con", "steps", "told"),
    [
        ("d12", 1, "d12 to d10, 12 to 10 of 10 Stamina"),
        ("d12", 2, "d12 to d8, 12 to 8 of 8 Stamina"),
        ("d12", 5, "d12 to d6, 12 to 6 of 6 Stamina"),
        ("d6", 1, "counts, but stays d6, 6 of 6 Stamina"),
    ],
)
def test_a_wound_says_in_advance_what_it_would_do(con: str, steps: int, told: str) -> None:
    table = brakka(con)
    assert str(wound_foreseen(table, table.character("Brakka"), steps)) == told


def test_a_wound_that_the_house_refuses_says_so_in_advance() -> None:
    table = brakka("d6", rules=Ruleset(below_lowest="refuse"))
    assert "cannot go down 1 step more" in str(wound_foreseen(table, table.character("Brakka"), 1))
    zero = brakka("d6", rules=Ruleset(below_lowest="zero"))
    assert str(wound_foreseen(zero, zero.character("Brakka"), 1)) == "no die left, 6 to 0 Stamina"
