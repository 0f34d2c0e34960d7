"""The sheet on what players may do sends what was chosen otherwise, and sets nothing over another change."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.roles import PERMISSION_NAMES, Freedom, choices_of
from winded.rules import AddCharacter
from winded.service.opening import begin_table


class Sheet:
    """A Referee's browser with the sheet open, as it was when it was opened."""

    def __init__(self, inside: Inside) -> None:
        self.host = inside.host
        given = begin_table(self.host.desk, "Tuesday", [AddCharacter("Ash", con="d10")])
        self.id = given.link.table
        self.client = httpx.Client(
            base_url=inside.address, headers={"Authorization": f"Bearer {given.token}"}, timeout=PATIENCE
        )

    def open(self, form: str) -> dict[str, str]:
        """The fields of the form that has this field, filled in as they are shown."""
        page = self.client.get(f"/tables/{self.id}/sheet/people").text
        (found,) = (one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'name="{form}"' in one)
        inputs = re.findall(r'<input[^>]*? name="(\w+)"[^>]* value="(.*?)"', found)
        fields = {name: html.unescape(value) for name, value in inputs}
        for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', found, re.DOTALL):
            assert re.findall(r'<option value="(\w+)"', options) == [one.value for one in choices_of(name)]
            fields[name] = re.findall(r'<option value="(\w+)" selected', options)[0]
        return fields

    def save(self, fields: dict[str, str]) -> httpx.Response:
        return self.client.post(f"/tables/{self.id}/company", data=fields, headers={"HX-Request": "true"})

    @property
    def number(self) -> int:
        return self.host.desk.tables.snapshot(self.id).number

    def may(self, name: str) -> str:
        return str(getattr(self.host.desk.tables.snapshot(self.id).company.permissions, name))


@pytest.fixture
def sheet(tmp_path: Path) -> Iterator[Sheet]:
    with Inside(tmp_path / "winded.sqlite") as inside:
        sheet = Sheet(inside)
        with sheet.client:
            yield sheet


def test_every_permission_stands_on_the_sheet_with_what_may_be_chosen(sheet: Sheet) -> None:
    assert set(PERMISSION_NAMES) == sheet.open("undoing").keys() - {"do", "at"}


def test_two_sheets_that_are_open_at_once_both_count(sheet: Sheet) -> None:
    mine, yours = sheet.open("rest"), sheet.open("rest")
    assert sheet.save({**yours, "wounds": "no"}).status_code == 204
    assert sheet.save({**mine, "rest": "free", "undoing": "no"}).status_code == 204
    assert (sheet.may("wounds"), sheet.may("rest"), sheet.may("undoing")) == ("no", "free", "no")


def test_an_old_sheet_sets_nothing_over_what_was_changed_since(sheet: Sheet) -> None:
    mine, yours = sheet.open("rest"), sheet.open("rest")
    assert sheet.save({**yours, "rest": "no"}).status_code == 204
    refused = sheet.save({**mine, "rest": "free", "wounds": "free"})
    assert refused.status_code == 422
    assert "Somebody else has since changed" in refused.text
    assert (sheet.may("rest"), sheet.may("wounds")) == ("no", "ask")


def test_saving_a_sheet_as_it_is_makes_no_entry(sheet: Sheet) -> None:
    before = sheet.number
    for form in ("rest", "dice"):
        assert sheet.save(sheet.open(form)).status_code == 204
    assert sheet.number == before


def test_an_old_sheet_does_not_overwrite_how_checks_are_rolled(sheet: Sheet) -> None:
    mine, yours = sheet.open("dice"), sheet.open("dice")
    assert sheet.save({**yours, "dice": "1d20+con"}).status_code == 204
    assert sheet.save({**mine, "dice": "2d6"}).status_code == 422
    assert sheet.host.desk.tables.snapshot(sheet.id).company.check_dice == "1d20+con"
    assert sheet.save({**sheet.open("dice"), "dice": ""}).status_code == 204
    assert sheet.host.desk.tables.snapshot(sheet.id).company.check_dice is None


@pytest.mark.parametrize("at", ["[1", "[]", '{"permissions": {"rest": "maybe"}}'])
def test_what_a_form_repeats_of_what_it_showed_is_checked(sheet: Sheet, at: str) -> None:
    fields = sheet.open("rest") | {"at": at}
    assert sheet.save(fields).status_code == 400
    assert sheet.may("rest") == Freedom.ASK
