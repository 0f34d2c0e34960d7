"""What the board opens and sends is the Referee's alone, and everything in it is checked like any command."""

import http.client
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.roles import Role
from winded.rules import AddCharacter, EndCombat, SetAside, Side, StartCombat, Undo
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.web.screens.sheets import SHEETS

FORMS = {
    "add": {"name": "Wolf", "side": "enemy"},
    "put-away": {},
    "several": {"do": "remove_character", "characters": "#1"},
    "correction": {"entry": "2", "place": "left_out"},
    "correct": {"correction": '{"do":"correct","after":1,"without":[2]}'},
    "links": {"do": "invite"},
    "name": {"name": "Mine now"},
    "delete": {"sure": "on"},
}


class Table:
    """A table with a link for each role."""

    def __init__(self, inside: Inside) -> None:
        self._there = urlsplit(inside.address)
        self.host = inside.host
        self.tables, self.links = inside.host.desk.tables, inside.host.desk.links
        self.referee = begin_table(inside.host.desk, "Tuesday", [AddCharacter("Ash", con="d10")])
        self.id = self.referee.link.table
        self.player = self.links.join(self.links.invite(self.id).link, "Mia")
        self.links.claim(self.player, "Ash")
        self.spectator = self.links.give_member(self.id, Role.SPECTATOR, "Spectators")

    def ask(
        self,
        who: Given | None,
        path: str,
        form: Mapping[str, str | Sequence[str]] | None = None,
        key: str | None = None,
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self._there.hostname or "", self._there.port, timeout=PATIENCE)
        headers = {} if who is None else {"Authorization": f"Bearer {who.token}"}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Winded-Script": "1"}
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            body = None if form is None else urlencode(form, doseq=True)
            connection.request("GET" if form is None else "POST", f"/tables/{self.id}/{path}", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    @property
    def names(self) -> list[str]:
        return [*self.tables.snapshot(self.id).table.characters]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Inside(tmp_path / "winded.sqlite") as inside:
        yield Table(inside)


def test_sheets_and_forms_of_the_board_are_the_referee_s_alone(table: Table) -> None:
    for who in (table.player, table.spectator, None):
        for name in SHEETS:
            assert table.ask(who, f"sheet/{name}?of=1&through=1")[0] == 403, name
        for path, form in FORMS.items():
            assert table.ask(who, path, form)[0] == 403, path
    assert table.names == ["Ash"]
    assert table.tables.snapshot(table.id).name == "Tuesday"


def test_every_sheet_opens_for_the_referee(table: Table) -> None:
    for name in SHEETS:
        status, html = table.ask(table.referee, f"sheet/{name}?of=1&do=resist&through=1&entry=2")
        assert status == 200, name
        assert 'id="sheet-title"' in html


def test_a_sheet_that_is_not_there_and_one_about_nobody(table: Table) -> None:
    assert table.ask(table.referee, "sheet/nothing")[0] == 404
    assert table.ask(table.referee, "sheet/who?of=99")[0] == 422
    assert table.ask(table.referee, "sheet/act?of=1&do=juggle")[0] == 422


def test_several_of_a_kind_get_numbers_that_go_on_from_those_there(table: Table) -> None:
    assert table.ask(table.referee, "add", {"name": "Wolf", "side": "enemy", "count": "2"})[0] == 200
    assert table.ask(table.referee, "add", {"name": "3 Wolf", "side": "enemy", "count": "1", "hidden": "on"})[0] == 200
    assert table.names == ["Ash", "Wolf 1", "Wolf 2", "Wolf 3", "Wolf 4", "Wolf 5"]
    assert table.tables.snapshot(table.id).table.character("Wolf 5").hidden


def test_several_are_added_all_or_none_and_once_however_often_it_is_sent(table: Table) -> None:
    status, said = table.ask(table.referee, "add", {"name": "x" * 39, "side": "enemy", "count": "3"})
    assert (status, "41 characters" in said) == (400, True)
    assert table.names == ["Ash"]
    for _ in range(2):
        form = {"name": "Wolf", "side": "enemy", "count": "3"}
        assert table.ask(table.referee, "add", form, key="the-same-key")[0] == 200
    assert table.names == ["Ash", "Wolf 1", "Wolf 2", "Wolf 3"]


def test_several_are_one_entry_and_one_undo(table: Table) -> None:
    before = table.tables.snapshot(table.id).number
    assert table.ask(table.referee, "add", {"name": "3 Wolf", "side": "enemy"})[0] == 200
    assert table.tables.snapshot(table.id).number == before + 1
    table.tables.do(table.id, Undo(), who=table.referee.link.id)
    assert table.names == ["Ash"]


def test_after_combat_one_act_puts_all_enemies_away_and_one_undo_brings_them_back(table: Table) -> None:
    table.ask(table.referee, "add", {"name": "3 Wolf", "side": "enemy"})
    table.ask(table.referee, "add", {"name": "Ogre", "side": "enemy", "hidden": "on"})
    table.ask(table.referee, "add", {"name": "Reserve", "side": "enemy"})
    table.tables.do(table.id, SetAside("Reserve"))
    table.tables.do(table.id, StartCombat())
    status, said = table.ask(table.referee, "put-away", {})
    assert (status, "End the combat" in said) == (422, True)
    table.tables.do(table.id, EndCombat())
    for _ in range(2):
        assert table.ask(table.referee, "put-away", {}, key="the-same-key")[0] == 204
    assert table.names == ["Ash", "Reserve"]
    status, said = table.ask(table.referee, "put-away", {})
    assert (status, "no enemies" in said) == (422, True)
    table.tables.do(table.id, Undo(), who=table.referee.link.id)
    assert sorted(table.names) == ["Ash", "Ogre", "Reserve", "Wolf 1", "Wolf 2", "Wolf 3"]


def test_one_is_added_once_however_often_it_is_sent(table: Table) -> None:
    for _ in range(2):
        assert table.ask(table.referee, "add", {"name": "Wolf", "side": "enemy"}, key="the-same-key")[0] == 200
    assert table.names == ["Ash", "Wolf"]


def test_numbers_go_on_however_a_letter_is_composed(table: Table) -> None:
    for name in ("W\u00f6lfe", "Wo\u0308lfe", "W\u00d6LFE"):
        assert table.ask(table.referee, "add", {"name": name, "side": "enemy", "count": "2"})[0] == 200
    assert [name.casefold()[-1] for name in table.names[1:]] == ["1", "2", "3", "4", "5", "6"]


def test_where_only_one_more_has_room_three_are_none(table: Table) -> None:
    for _ in range(4):
        assert table.ask(table.referee, "add", {"name": "Rat", "side": "enemy", "count": "20"})[0] == 200
    assert table.ask(table.referee, "add", {"name": "Rat", "side": "enemy", "count": "19"})[0] == 200
    before = table.tables.snapshot(table.id).number
    status, said = table.ask(table.referee, "add", {"name": "Wolf", "side": "enemy", "count": "3"})
    assert (status, "100 enemies" in said) == (429, True)
    assert table.tables.snapshot(table.id).number == before


@pytest.mark.parametrize("count", ["0", "21", "many", "-1", "1.5", "9" * 5000])
def test_how_many_is_a_whole_number_up_to_twenty(table: Table, count: str) -> None:
    status, said = table.ask(table.referee, "add", {"name": "Wolf", "side": "enemy", "count": count})
    assert status == 400
    assert "1 to 20" in said


def test_a_table_is_not_deleted_by_a_form_that_does_not_mean_it(table: Table) -> None:
    assert table.ask(table.referee, "delete", {})[0] == 400
    assert table.ask(table.referee, "delete", {"sure": "on"})[0] == 303
    assert table.ask(table.referee, "sheet/keys")[0] == 403


def test_a_table_s_name_has_1_to_40_characters(table: Table) -> None:
    assert table.ask(table.referee, "name", {"name": " "})[0] == 400
    assert table.ask(table.referee, "name", {"name": "x" * 41})[0] == 400
    assert table.ask(table.referee, "name", {"name": "  The last night "})[0] == 204
    assert table.tables.snapshot(table.id).name == "The last night"


def test_a_link_is_given_out_once_renewed_and_ended(table: Table) -> None:
    status, html = table.ask(table.referee, "links", {"do": "spectator"})
    assert status == 200
    assert "/overlay?key=" in html
    status, html = table.ask(table.referee, "links", {"do": "renew", "link": table.player.link.id})
    assert status == 200
    assert "/l/" in html
    assert table.ask(table.player, "sheet/keys")[0] == 403
    assert table.ask(table.referee, "links", {"do": "revoke", "link": table.player.link.id}) == (200, "")
    assert [one.name for one in table.tables.snapshot(table.id).company.players()] == []
    status, said = table.ask(table.referee, "links", {"do": "revoke", "link": table.referee.link.id})
    assert status == 403
    assert "only Referee" in said
    assert table.ask(table.referee, "links", {"do": "steal"})[0] == 400


def test_undo_that_expects_another_newest_entry_takes_nothing_back(table: Table) -> None:
    number = table.tables.snapshot(table.id).number
    table.tables.do(table.id, AddCharacter("Wolf", side=Side.ENEMY))
    status, said = table.ask(table.referee, "do", {"do": "undo", "expect": str(number)})
    assert status == 409
    assert "acted first" in said
    assert table.names == ["Ash", "Wolf"]


def several(table: Table, do: str, *names: str, **fields: str) -> tuple[int, str]:
    there = table.tables.snapshot(table.id).table
    form = {"do": do, "characters": [there.character(name).id for name in names], **fields}
    return table.ask(table.referee, "several", form, key=fields.pop("key", None))


def test_one_act_on_several_is_one_entry_and_one_undo(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Bryn", con="d8"))
    before = table.tables.snapshot(table.id)
    assert several(table, "take_wound", "Ash", "Bryn", wound="burned")[0] == 204
    after = table.tables.snapshot(table.id)
    assert after.number == before.number + 1
    assert [one.wounds[0].wound for one in after.table.characters.values()] == ["burned", "burned"]
    table.tables.do(table.id, Undo(), who=table.referee.link.id)
    assert table.tables.snapshot(table.id).table.state() == before.table.state()


def test_one_act_on_several_is_done_to_all_or_none_and_names_everyone_in_the_way(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Bryn", con="d8"))
    table.tables.do(table.id, AddCharacter("Cato", con="d12"))
    before = table.tables.snapshot(table.id)
    status, said = several(table, "adjust", "Ash", "Bryn", "Cato", by="11", sign="-", reason="the flood")
    assert status == 422
    assert "Ash" in said
    assert "Bryn" in said
    assert "Cato" not in said
    assert table.tables.snapshot(table.id) == before


def test_everyone_who_may_be_chosen_can_be_set_aside_brought_back_and_removed_together(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Bryn", con="d8"))
    assert several(table, "set_aside", "Ash", "Bryn")[0] == 204
    assert [one.aside for one in table.tables.snapshot(table.id).table.characters.values()] == [True, True]
    assert several(table, "bring_back", "Ash", "Bryn")[0] == 204
    assert several(table, "remove_character", "Ash", "Bryn")[0] == 204
    assert table.names == []


def test_nobody_chosen_and_what_cannot_be_done_to_several_are_said_in_words(table: Table) -> None:
    assert table.ask(table.referee, "several", {"do": "take_wound"})[0] == 400
    assert several(table, "start_combat", "Ash")[0] == 400
