"""A sketch that everyone sees: only one that can be worked out, and without what is hidden."""

import pytest

from winded.errors import Malformed
from winded.rules import AddCharacter, Table
from winded.service.sketches import UNNAMED, check_sketch, sketch_seen

LINE = "fight The ogre's cave rounds=2 wound=Ogre_bite:1/10:2; check Door target=15; rest short; wound OGRE bite"


def test_whatever_names_a_hidden_enemy_is_left_out_however_it_is_written() -> None:
    seen = sketch_seen(LINE, {"Ogre"})
    assert seen is not None
    assert "ogre" not in seen.lower()
    assert seen == f"fight {UNNAMED} rounds=2 wound={UNNAMED}:1/10:2; check Door target=15; rest short; wound {UNNAMED}"
    check_sketch(Table().do(AddCharacter("Ash", con="d12")), seen, "1d20+con")


def test_where_nothing_is_hidden_it_is_seen_as_it_was_written() -> None:
    assert sketch_seen(LINE, ()) == LINE


def test_what_can_no_longer_be_read_is_not_seen() -> None:
    assert sketch_seen("tea", {"Ogre"}) is None


@pytest.mark.parametrize("line", ["tea", "check Door target=15 dice=1d20+", "fight Mill rounds=30; " * 20])
def test_only_a_sketch_that_can_be_worked_out_is_taken(line: str) -> None:
    party = Table().do(*(AddCharacter(f"One {at}", con="d12") for at in range(12)))
    with pytest.raises(Malformed):
        check_sketch(party, line, None)
