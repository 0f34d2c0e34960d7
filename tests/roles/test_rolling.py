"""A Check rolled by Winded: the dice that fell are kept, and nobody gets a second roll."""

import pytest

from tests.roles.test_company import PIP, QUIN, REFEREE, done, evening
from winded import DeclareCheck, Table, Undo
from winded.errors import Forbidden, Refused
from winded.roles import (
    AskFor,
    CheckRolled,
    Company,
    FallenDie,
    Freedom,
    LastAct,
    PermissionChanges,
    RollCheck,
    RolledCheck,
    SetPermissions,
    authorise,
    what_follows,
)
from winded.rules import ResolveCheck
from winded.rules.checks import CheckResolved

FELL = (FallenDie(20, 14), FallenDie(10, 3))


def declared() -> tuple[Company, Table]:
    """Ash has an open Check, pushed with 2 against 18."""
    company, table = evening()
    return company, table.do(DeclareCheck("Ash", push=2, target=18))


def rolled(table: Table, who: str = "Ash") -> RolledCheck:
    """What fell for the Check that is open now."""
    return RolledCheck(RollCheck(who).aimed(table), "1d20+d10", FELL, 17)


def test_the_roll_is_what_the_dice_come_to_and_each_die_is_told() -> None:
    company, table = declared()
    told, resolved = rolled(table).decide(company, table, PIP, 9)
    assert told == CheckRolled("#1", "Ash", "1d20+d10", FELL, 17)
    assert str(told.tell()) == "Winded rolls 1d20+d10 for Ash: 17 (d20: 14, d10: 3)."
    assert resolved == CheckResolved("Ash", 17, 2, 19, 18, True)


def test_a_player_has_rolls_made_for_own_characters_the_referee_for_anyone() -> None:
    company, table = declared()
    with pytest.raises(Forbidden, match="You cannot act for Ash, Quin"):
        rolled(table).decide(company, table, QUIN, 9)
    company, table = done(company, table, rolled(table), REFEREE)
    assert table.character("Ash").open_check is None


def test_without_an_open_check_nothing_is_rolled() -> None:
    company, table = evening()
    with pytest.raises(Refused) as no:
        rolled(table).decide(company, table, PIP, 9)
    assert no.value.rule == "not-now"


def test_a_roll_meant_for_another_check_is_refused() -> None:
    company, table = declared()
    meant = rolled(table)
    table = table.do(ResolveCheck("Ash", 5), DeclareCheck("Ash", push=1))
    with pytest.raises(Refused) as no:
        meant.decide(company, table, PIP, 9)
    assert no.value.rule == "not-now"


def test_where_only_the_referee_enters_rolls_a_player_has_none_made() -> None:
    company, table = declared()
    company, table = done(company, table, SetPermissions(PermissionChanges(checks=Freedom.NO)), REFEREE)
    with pytest.raises(Forbidden, match="only the Referee does this: Enter the roll"):
        rolled(table).decide(company, table, PIP, 9)


def test_dice_that_winded_rolled_need_no_nod() -> None:
    company, table = declared()
    company, table = done(company, table, SetPermissions(PermissionChanges(checks=Freedom.ASK)), REFEREE)
    assert authorise(company, table, company.member(PIP), RollCheck("Ash")) is Freedom.FREE
    assert len(rolled(table).decide(company, table, PIP, 9)) == 2


def test_whoever_knows_their_roll_gets_no_other() -> None:
    company, table = declared()
    company, table = done(company, table, SetPermissions(PermissionChanges(checks=Freedom.ASK)), REFEREE)
    asked = AskFor(ResolveCheck("Ash", 2)).decide(company, table, PIP, 9)
    for event in (*asked, *what_follows(company, table, table, asked)):
        company = event.evolve(company)  # type: ignore[union-attr]
    with pytest.raises(Forbidden, match="The roll of Ash's Check is known"):
        rolled(table).decide(company, table, PIP, 10)
    assert len(rolled(table).decide(company, table, REFEREE, 10)) == 2


def test_a_player_does_not_take_back_what_winded_rolled() -> None:
    company, table = declared()
    command = rolled(table)
    events = command.decide(company, table, PIP, 9)
    with pytest.raises(Forbidden, match="Ash's roll is known"):
        authorise(company, table, company.member(PIP), Undo(), LastAct(PIP, (command,), events, table))


def test_no_roll_is_made_without_dice() -> None:
    company, table = declared()
    with pytest.raises(Refused, match="No dice have been rolled for Ash's Check"):
        RollCheck("Ash").decide(company, table, PIP, 9)
