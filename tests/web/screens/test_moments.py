"""An act is done in the moment it was meant for, or not at all: what the screens' buttons and forms send says which."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.web.inside import Inside
from tests.web.screens.board.test_handlers import Table
from winded.roles import Claimed
from winded.rules import AddCharacter, BeginTurns, DeclareCheck, NextTurn, ResolveCheck, Side, StartCombat
from winded.rules.table import Table as State
from winded.service.links import Given


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Inside(tmp_path / "winded.sqlite") as inside:
        yield Table(inside)


def state(table: Table) -> State:
    return table.tables.snapshot(table.id).table


def button(shown: str, do: str) -> dict[str, str]:
    """What the button for this sends that stands on a screen."""
    found = re.search(rf"value='(do={do}\b[^']*)'", shown)
    assert found, do
    return dict(parse_qsl(html.unescape(found[1])))


def form(shown: str, do: str) -> dict[str, str]:
    """What the form for this sends, as it was opened, but for what is chosen and typed."""
    [inside] = [one for one in re.findall(r"<form.*?</form>", shown, re.DOTALL) if f'value="{do}"' in one]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside)
    return {name: html.unescape(value) for name, value in fields}


def board(table: Table) -> str:
    return table.ask(table.referee, "")[1]


def phone(table: Table, who: Given) -> str:
    return html.unescape(table.ask(who, "")[1])


def test_two_referees_who_press_next_at_once_advance_once(table: Table) -> None:
    for command in (AddCharacter("Wolf", side=Side.ENEMY), StartCombat(), BeginTurns(), NextTurn()):
        table.tables.do(table.id, command)
    pressed = button(board(table), "next_turn")
    now = state(table).combat
    assert now is not None
    assert table.ask(table.referee, "do", pressed)[0] == 204
    status, said = table.ask(table.referee, "do", pressed)
    assert status == 422
    assert "Nothing has changed" in said
    after = state(table).combat
    assert after is not None
    assert after.acting == now.acting + 1


def test_a_player_s_end_of_turn_and_the_referee_s_next_skip_nobody(table: Table) -> None:
    for command in (AddCharacter("Bryn", con="d8"), StartCombat(), BeginTurns(), NextTurn(), NextTurn()):
        table.tables.do(table.id, command)
    while state(table).combat.turn != "Ash":  # type: ignore[union-attr]
        table.tables.do(table.id, NextTurn() if state(table).combat.phase == "turns" else BeginTurns())  # type: ignore[union-attr]
    theirs, mine = button(board(table), "next_turn"), button(phone(table, table.player), "next_turn")
    assert table.ask(table.player, "do", mine)[0] == 204
    turn = state(table).combat.turn  # type: ignore[union-attr]
    assert table.ask(table.referee, "do", theirs)[0] == 422
    assert state(table).combat.turn == turn  # type: ignore[union-attr]


@pytest.mark.parametrize("do", ["start_combat", "begin_turns", "end_combat"])
def test_what_moves_a_combat_on_is_done_once(table: Table, do: str) -> None:
    for command in {"start_combat": [], "begin_turns": [StartCombat()], "end_combat": [StartCombat()]}[do]:
        table.tables.do(table.id, command)
    pressed = button(board(table), do)
    assert table.ask(table.referee, "do", pressed)[0] == 204
    number = table.tables.snapshot(table.id).number
    assert table.ask(table.referee, "do", pressed)[0] == 422
    assert table.tables.snapshot(table.id).number == number


def test_a_rest_that_two_referees_give_at_once_is_given_once(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Bryn", con="d10", stamina=3))
    sent = form(table.ask(table.referee, "sheet/rest")[1], "rest") | {"kind": "short", "characters": "#2"}
    assert table.ask(table.referee, "do", sent)[0] == 204
    status, said = table.ask(table.referee, "do", sent)
    assert status == 422
    assert "Nothing has changed" in said
    assert state(table).character("Bryn").stamina == 4


def test_a_rest_of_others_does_not_refuse_this_one(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Bryn", con="d10", stamina=3))
    opened = form(table.ask(table.referee, "sheet/rest")[1], "rest") | {"kind": "short"}
    assert table.ask(table.referee, "do", opened | {"characters": "#1"})[0] == 204
    assert table.ask(table.referee, "do", opened | {"characters": "#2"})[0] == 204


def test_a_rest_of_nobody_is_refused_and_not_everyone_s(table: Table) -> None:
    sent = form(table.ask(table.referee, "sheet/rest")[1], "rest") | {"kind": "short"}
    status, said = table.ask(table.referee, "do", sent)
    assert (status, "Select who rests" in said) == (400, True)


def test_a_roll_for_a_check_that_is_over_is_not_the_next_one_s(table: Table) -> None:
    table.tables.do(table.id, DeclareCheck("Ash", push=1, strain="the gate"))
    opened = table.ask(table.referee, "sheet/act?of=1&do=resolve_check")[1]
    [seen] = re.findall(r'name="at" value="([^"]*)"', opened)
    rolled = {"do": "resolve_check", "character": "#1", "at": html.unescape(seen), "roll": "12"}
    table.tables.do(table.id, ResolveCheck("Ash", 9))
    table.tables.do(table.id, DeclareCheck("Ash", push=2, strain="the fall"))
    status, said = table.ask(table.referee, "do", rolled)
    assert status == 422
    assert "Nothing has changed" in said
    assert state(table).character("Ash").open_check is not None


def test_undo_takes_back_what_it_named_and_a_newcomer_s_claim_does_not_stop_it(table: Table) -> None:
    table.tables.do(table.id, AddCharacter("Wolf", side=Side.ENEMY))
    pressed = button(board(table), "undo")
    joined = table.links.join(table.links.invite(table.id).link, "Pip")
    table.links.claim(joined, "Ash")
    assert isinstance(table.tables.lines(table.id, limit=1)[0].entry.events[-1], Claimed)
    assert table.ask(table.referee, "do", pressed)[0] == 204
    assert table.names == ["Ash"]
    assert table.ask(table.referee, "do", pressed)[0] == 422
    again = button(board(table), "redo")
    assert table.ask(table.referee, "do", again)[0] == 204
    assert table.ask(table.referee, "do", again)[0] == 422


def test_what_a_form_says_of_its_moment_is_checked_like_every_field(table: Table) -> None:
    for at in ("soon", "[]", '{"moon": 1}', "{"):
        status, said = table.ask(table.referee, "do", {"do": "start_combat", "at": at})
        assert status == 400, at
        assert "at" in said
