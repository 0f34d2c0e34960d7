"""What a table has settled: only what is set changes, and not over what somebody else has set meanwhile."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from winded.errors import Malformed, Refused
from winded.roles import (
    PRESETS,
    Company,
    CompanyEvent,
    Freedom,
    PermissionChanges,
    Permissions,
    SetCheckDice,
    SetPermissions,
    Undoing,
    choices_of,
    company_command_from,
)
from winded.roles.command import CompanyCommand
from winded.roles.settings import AtCheckDice
from winded.rules import Table

REFEREE = "referee"
NO, ASK, FREE = Freedom.NO, Freedom.ASK, Freedom.FREE


def after(company: Company, command: CompanyCommand) -> Company:
    for event in command.decide(company, Table(), REFEREE, 1):
        assert isinstance(event, CompanyEvent)
        company = event.evolve(company)
    return company


def test_permissions_that_are_left_out_stay_as_they_are() -> None:
    company = after(Company(), SetPermissions(PermissionChanges(wounds=NO)))
    company = after(company, company_command_from({"do": "set_permissions", "permissions": {"rest": "free"}}, REFEREE))
    assert company.permissions == Permissions(wounds=NO, rest=FREE)


def test_two_forms_that_were_open_at_once_both_count() -> None:
    shown = Permissions()
    first = SetPermissions.changed(shown, Permissions(wounds=NO))
    second = SetPermissions.changed(shown, Permissions(rest=FREE))
    assert after(after(Company(), first), second).permissions == Permissions(wounds=NO, rest=FREE)


def test_an_old_form_does_not_overwrite_what_was_changed_meanwhile() -> None:
    shown = Permissions()
    company = after(Company(), SetPermissions(PermissionChanges(wounds=NO)))
    with pytest.raises(Refused) as no:
        after(company, SetPermissions.changed(shown, Permissions(wounds=FREE, rest=FREE)))
    assert no.value.rule == "not-now"
    assert str(no.value) == (
        "Somebody else has since changed “Wounds and recovering from them” to “only the Referee”. Your change was "
        "not saved."
    )


@pytest.mark.parametrize("permissions", [Permissions(), *(preset for _, preset in PRESETS.values())])
def test_setting_permissions_as_they_are_is_nothing(permissions: Permissions) -> None:
    company = Company(permissions=permissions)
    assert SetPermissions.to(permissions).decide(company, Table(), REFEREE, 1) == ()
    assert SetPermissions.changed(permissions, permissions).decide(company, Table(), REFEREE, 1) == ()
    assert SetPermissions(PermissionChanges()).decide(company, Table(), REFEREE, 1) == ()


def test_a_preset_sets_all_of_them() -> None:
    company = Company(permissions=Permissions(wounds=FREE))
    assert after(company, SetPermissions.to(PRESETS["referee"][1])).permissions == PRESETS["referee"][1]


@pytest.mark.parametrize(
    ("permissions", "field"),
    [
        ({"wounds": "maybe"}, "permissions.wounds"),
        ({"wounds": None}, "permissions.wounds"),
        ({"undoing": "ask"}, "permissions.undoing"),
        ({"nothing": "free"}, "permissions.nothing"),
        ("free", "permissions"),
    ],
)
def test_a_wrong_permission_is_named(permissions: object, field: str) -> None:
    with pytest.raises(Malformed) as wrong:
        company_command_from({"do": "set_permissions", "permissions": permissions}, REFEREE)
    assert wrong.value.field == field


def test_permissions_that_were_set_as_a_whole_load_as_they_were_meant() -> None:
    stored = b'{"do":"set_permissions","permissions":{"wounds":"no","rest":"free"}}'
    assert msgspec.json.decode(stored, type=SetPermissions).permissions == PermissionChanges(wounds=NO, rest=FREE)


def test_what_may_be_chosen_is_told_in_words() -> None:
    assert choices_of("wounds") == (FREE, ASK, NO)
    assert choices_of("undoing") == (Undoing.FREE, Undoing.NO)
    assert [str(one.told) for one in choices_of("undoing")] == ["players do it themselves", "only the Referee"]


def test_how_a_check_is_rolled_is_set_and_left_open_again() -> None:
    company = after(Company(), SetCheckDice("1d20+con"))
    assert company.check_dice == "1d20+con"
    assert SetCheckDice("1d20+con").decide(company, Table(), REFEREE, 1) == ()
    assert after(company, SetCheckDice()).check_dice is None
    assert SetCheckDice().decide(Company(), Table(), REFEREE, 1) == ()


def test_an_old_form_does_not_overwrite_how_a_check_is_rolled() -> None:
    company = Company(check_dice="1d20+con")
    assert after(company, SetCheckDice("2d6", at=AtCheckDice("1d20+con"))).check_dice == "2d6"
    with pytest.raises(Refused, match="since changed how Checks are rolled, to 1d20"):
        after(company, SetCheckDice("2d6", at=AtCheckDice(None)))
    with pytest.raises(Refused, match="since left open"):
        after(Company(), SetCheckDice("2d6", at=AtCheckDice("1d20+con")))
    # Who wants what is so already is told nothing.
    assert after(company, SetCheckDice("1d20+con", at=AtCheckDice(None))) == company


def test_the_documents_tell_of_every_permission_what_it_is_unless_it_is_changed() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "players.md").read_text()
    told = dict(re.findall(r"^\| `(\w+)` \|.*\| `(\w+)` \|$", text, re.MULTILINE))
    assert told == {name: str(value) for name, value in structs.asdict(Permissions()).items()}
