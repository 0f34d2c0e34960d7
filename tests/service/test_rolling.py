"""Dice that Winded rolls: thrown once for a request, told to everyone, kept for ever."""

from collections.abc import Iterator

import pytest

from winded.errors import Refused
from winded.roles import CheckRolled, RollCheck, SetCheckDice
from winded.rules import AddCharacter, DeclareCheck
from winded.rules.checks import CheckResolved
from winded.service import Desk, Visitor, desk_in_memory, seeing, visiting
from winded.service.acting import act_now
from winded.service.opening import begin_sample, begin_table


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_in_memory() as found:
        yield found


def referee(desk: Desk, *, dice: str | None = "1d20+con") -> Visitor:
    """The Referee of a new table at which Ash has an open Check."""
    given = begin_table(desk, "Dice", [AddCharacter("Ash", con="d8")], check_dice=dice)
    who = visiting.follow(desk, given.token)
    act_now(desk, who, DeclareCheck("Ash", push=2, target=18))
    return who


def test_a_roll_is_what_its_dice_show_and_the_check_is_decided_by_it(desk: Desk) -> None:
    who = referee(desk)
    acted = act_now(desk, who, RollCheck("Ash"))
    rolled, resolved = acted.events
    assert isinstance(rolled, CheckRolled)
    assert [one.faces for one in rolled.fell] == [20, 8]
    assert all(1 <= one.shows <= one.faces for one in rolled.fell)
    assert (rolled.dice, rolled.roll) == ("1d20+d8", sum(one.shows for one in rolled.fell))
    assert resolved == CheckResolved("Ash", rolled.roll, 2, rolled.roll + 2, 18, rolled.roll + 2 >= 18)


def test_asked_again_under_one_request_id_no_new_dice_fall(desk: Desk) -> None:
    who = referee(desk)
    first = act_now(desk, who, RollCheck("Ash"), request="the-first-roll")
    again = act_now(desk, who, RollCheck("Ash"), request="the-first-roll")
    assert (again.number, again.events) == (first.number, first.events)


def test_after_a_restart_the_same_request_is_still_answered_by_the_same_dice(desk: Desk) -> None:
    who = referee(desk)
    first = act_now(desk, who, RollCheck("Ash"), request="the-first-roll")
    assert act_now(Desk(desk.journal), who, RollCheck("Ash"), request="the-first-roll").events == first.events


def test_everyone_reads_each_die_in_the_history(desk: Desk) -> None:
    who = referee(desk)
    rolled, _ = act_now(desk, who, RollCheck("Ash")).events
    told = seeing.see_lines(desk, who, limit=1).lines[0].entry.told
    assert str(told[0].sentence) == str(rolled.tell())


def test_where_nobody_said_how_checks_are_rolled_none_is(desk: Desk) -> None:
    who = referee(desk, dice=None)
    with pytest.raises(Refused, match="has not said how its Checks are rolled"):
        act_now(desk, who, RollCheck("Ash"))
    act_now(desk, who, SetCheckDice("2d6"))
    assert 2 <= act_now(desk, who, RollCheck("Ash")).events[0].roll <= 12  # type: ignore[union-attr]


def test_every_face_comes_up(desk: Desk) -> None:
    given = begin_table(desk, "Dice", [AddCharacter("Ash", con="d8")], check_dice="40d2")
    who = visiting.follow(desk, given.token)
    act_now(desk, who, DeclareCheck("Ash"))
    rolled = act_now(desk, who, RollCheck("Ash")).events[0]
    assert isinstance(rolled, CheckRolled)
    # One coin in 2 to the 39th falls 40 times alike.
    assert {one.shows for one in rolled.fell} == {1, 2}


def test_the_sample_table_says_how_its_checks_are_rolled(desk: Desk) -> None:
    who = visiting.follow(desk, begin_sample(desk).token)
    assert seeing.see(desk, who).company.check_dice == "1d20+con"
