"""hardship.spend: going on in spite of what one suffers."""

import pytest

from tests.rules.builders import brakka, events, refused, said, stamina
from winded import Hardship, Malformed, Resist, Ruleset, command_from
from winded.rules.hardship import HardshipResisted


@pytest.mark.parametrize("hardship", Hardship)
def test_hardship_spend_at_what_the_table_sets(hardship: Hardship) -> None:
    assert events(brakka(), Resist("Brakka", 2, hardship)) == (HardshipResisted("Brakka", hardship, 2, 10),)
    assert said(brakka(), Resist("Brakka", 2, hardship)) == [
        f"Brakka fights through {hardship.value}: 2 Stamina, 10 left."
    ]
    assert (
        stamina(
            brakka().do(
                command_from({"do": "resist", "character": "Brakka", "stamina": 12, "hardship": hardship.value})
            )
        )
        == 0
    )


def test_hardship_spend_the_hardships_are_the_pages() -> None:
    assert [one.value for one in Hardship] == ["fatigue", "shock", "pain", "exposure", "fear", "injury"]
    with pytest.raises(Malformed) as wrong:
        command_from({"do": "resist", "character": "Brakka", "stamina": 1, "hardship": "boredom"})
    assert wrong.value.field == "hardship"


def test_hardship_spend_some_but_too_little() -> None:
    no = refused(brakka(stamina=1), Resist("Brakka", 2, Hardship.FEAR))
    assert (no.rule, no.needs, no.has) == ("hardship.spend", 2, 1)


def test_house_without_it() -> None:
    rules = Ruleset(spends=("push", "react"))
    no = refused(brakka(stamina=0, rules=rules), Resist("Brakka", 2, Hardship.FEAR, cost=9))
    assert no.rule == "not-allowed"
    assert str(no) == "The rules at this table leave out resisting hardship."
