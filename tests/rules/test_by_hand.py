"""ruling.by-hand: the Referee gives or takes Stamina, with a reason."""

import pytest

from tests.rules.builders import brakka, events, fighting, refused, rule_of, said, with_wolf
from winded import Adjust, Malformed, Table, TakeWound
from winded.rules.by_hand import StaminaAdjusted


def test_ruling_by_hand_gives_and_takes_with_a_reason() -> None:
    assert events(brakka(stamina=5), Adjust("Brakka", 7, "a draught")) == (
        StaminaAdjusted("Brakka", 7, 12, "a draught"),
    )
    assert events(fighting(brakka(stamina=5)), Adjust("Brakka", -5, "a curse")) == (
        StaminaAdjusted("Brakka", -5, 0, "a curse"),
    )
    assert said(brakka(stamina=5), Adjust("Brakka", 2, "a draught")) == [
        "Brakka is given 2 Stamina by hand (a draught): 7 now."
    ]
    assert said(brakka(stamina=5), Adjust("Brakka", -2, "a curse")) == [
        "2 Stamina is taken from Brakka by hand (a curse): 3 now."
    ]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (8, "Brakka has 5 of 12 Stamina; a change by +8 would go past the maximum."),
        (99, "Brakka has 5 of 12 Stamina; a change by +99 would go past the maximum."),
        (-6, "Brakka has 5 of 12 Stamina; a change by -6 would go past 0."),
    ],
)
def test_ruling_by_hand_past_0_or_the_maximum_is_refused_never_cut_short(by: int, message: str) -> None:
    no = refused(brakka(stamina=5), Adjust("Brakka", by, "because"))
    assert (no.rule, no.needs, no.has, str(no)) == ("ruling.by-hand", None, None, message)


def test_ruling_by_hand_goes_by_the_wounded_maximum() -> None:
    table = brakka(stamina=10).do(TakeWound("Brakka", "ribs"))
    assert rule_of(table, Adjust("Brakka", 1, "because")) == "ruling.by-hand"
    assert rule_of(with_wolf(Table(), con=None), Adjust("Wolf", 1, "because")) == "ruling.by-hand"


def test_a_change_by_0_is_none() -> None:
    with pytest.raises(Malformed) as wrong:
        Adjust("Brakka", 0, "because")
    assert wrong.value.field == "by"
    assert str(wrong.value) == "“by” must be a whole number from -99 to 99, but not 0; it is 0."
