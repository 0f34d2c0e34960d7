"""A hidden enemy reaches no player's or spectator's device in any form: every byte that they receive is searched."""

import http.client
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.waiting import PATIENCE, until
from tests.web.inside import Inside
from winded.roles import Role
from winded.rules import AddCharacter, Side
from winded.service.opening import begin_table
from winded.web.screens.sheets import SHEETS

HIDDEN = "Xyzzlurk"
RENAMED = "Qwxlurker"
NOTE = "waits behind the zmfdoor"
ABILITY = "Vvnblast"
WOUND = "a pxwscratch"
SECRETS = [each.encode() for each in (HIDDEN, RENAMED, "zmfdoor", ABILITY, "pxwscratch", '"#5"', "seat-5")]


class Caller:
    """One person's device: keeps every byte it was ever sent, and where that came from."""

    def __init__(self, address: str, table: str, token: str) -> None:
        self._there = urlsplit(address)
        self.table = table
        self.token = token
        self.received: list[tuple[str, bytes]] = []

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self._there.hostname or "", self._there.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {self.token}", **headers})
            answer = connection.getresponse()
            found = answer.read()
            self.received.append((f"{answer.status} {method} {path}", str(answer.headers).encode() + found))
            return answer.status, found
        finally:
            connection.close()

    def form(self, where: str, **fields: str) -> int:
        status, _ = self.ask(
            "POST",
            f"/tables/{self.table}/{where}",
            urlencode(fields).encode(),
            **{"Content-Type": "application/x-www-form-urlencoded", "Winded-Script": "1"},
        )
        return status

    def command(self, where: str = "commands", **fields: Any) -> int:
        status, _ = self.ask(
            "POST",
            f"/api/tables/{self.table}/{where}",
            json.dumps(fields).encode(),
            **{"Content-Type": "application/json"},
        )
        return status

    @contextmanager
    def listening(self, *paths: str) -> Iterator[None]:
        """Keeps live streams open, and every byte of theirs."""
        connections = []
        for path in paths:
            connection = http.client.HTTPConnection(self._there.hostname or "", self._there.port, timeout=PATIENCE)
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            assert answer.status == 200, path
            Thread(target=self._keep, args=(path, answer), daemon=True).start()
            connections.append(connection)
        try:
            yield
        finally:
            for connection in connections:
                if connection.sock is not None:
                    connection.sock.close()

    def _keep(self, path: str, answer: http.client.HTTPResponse) -> None:
        try:
            while part := answer.read1(65536):
                self.received.append((f"stream {path}", part))
        except (OSError, ValueError, AttributeError):
            return

    def heard(self, what: bytes) -> bool:
        return any(what in part for _, part in self.received)

    def secrets(self) -> list[str]:
        return sorted({where for where, part in self.received for secret in SECRETS if secret.lower() in part.lower()})


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as running:
        yield running


def pages(table: str) -> list[str]:
    """Every address a browser might be given, or try."""
    at = f"/tables/{table}"
    return [
        "/",
        at,
        f"{at}/overlay",
        f"{at}/overlay?characters={HIDDEN},5,%235",
        f"{at}/export",
        *(f"{at}/sheet/{name}" for name in SHEETS),
        *(f"{at}/sheet/{name}?character=5&entry=5" for name in SHEETS),
        f"{at}/sheet/act?character=5&do=react",
        f"{at}/sheet/history?before=1000",
    ]


def reads(inside: Inside, table: str) -> list[str]:
    """Every address of the API that can be read, filled in for this table and its hidden enemy."""
    described = json.loads(Caller(inside.address, table, "").ask("GET", "/api/schema/openapi.json")[1])
    found = []
    for path, methods in described["paths"].items():
        if "get" not in methods or path.endswith(("/events", "/live")):
            continue
        filled = path.replace("{table}", table)
        if "{" in filled:
            place = filled[filled.index("{") : filled.index("}") + 1]
            found += [filled.replace(place, value) for value in ("%235", HIDDEN, RENAMED, "1", "12")]
        else:
            found.append(filled)
    return found


def streams(inside: Inside, table: str) -> list[str]:
    """The live streams of the API, by its own description."""
    described = json.loads(Caller(inside.address, table, "").ask("GET", "/api/schema/openapi.json")[1])
    return [
        path.replace("{table}", table)
        for path, methods in described["paths"].items()
        if "get" in methods and path.endswith(("/events", "/live"))
    ]


def play(referee: Caller, end_ashs_turn: Callable[[], None]) -> None:
    """Everything that can happen with a hidden enemy, whose turn comes after Ash's."""

    def do(**fields: Any) -> None:
        assert referee.command(**fields) == 200, fields

    do(do="edit_character", character=HIDDEN, note=NOTE)
    do(do="add_ability", character=HIDDEN, ability=ABILITY, cost=1)
    do(do="take_wound", character=HIDDEN, wound=WOUND)
    do(do="start_combat")
    do(do="react", character=HIDDEN, what="a leap")
    do(do="begin_turns")
    do(do="reorder", order=["Ash", HIDDEN, "Bryn"], reason="an ambush")
    do(do="next_turn")
    do(do="use_ability", character=HIDDEN, ability=ABILITY)
    end_ashs_turn()
    do(do="declare_check", character=HIDDEN, push=1, strain="holding its breath")
    do(do="resolve_check", character=HIDDEN, roll=9)
    do(do="adjust", character=HIDDEN, by=1, reason="a word")
    do(do="undo")
    do(do="redo")
    do(do="edit_character", character=HIDDEN, name=RENAMED)
    do(do="recover_wound", character=RENAMED, wound=WOUND)
    do(do="next_turn")


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_a_hidden_enemy_is_in_no_byte_that_players_and_spectators_receive(inside: Inside, role: str) -> None:
    host = inside.host
    commands = (
        AddCharacter("Ash", con="d12"),
        AddCharacter("Bryn", con="d8"),
        AddCharacter("Wolf", con="d8", side=Side.ENEMY),
        AddCharacter("Gnoll", side=Side.ENEMY),
        AddCharacter(HIDDEN, con="d10", side=Side.ENEMY, hidden=True),
    )
    given = begin_table(host.desk, "Thursday night", commands)
    table = given.link.table
    referee = Caller(inside.address, table, given.token)
    assert referee.command(do="remove_character", character="Wolf") == 200
    assert referee.command(do="remove_character", character="Gnoll") == 200
    if role == "player":
        mine = host.desk.links.join(host.desk.links.invite(table).link, "Mia")
        host.desk.links.claim(mine, "Ash")
    else:
        mine = host.desk.links.give_member(table, Role.SPECTATOR, "Spectators")
    device = Caller(inside.address, table, mine.token)
    at = f"/tables/{table}"
    listened = [f"{at}/live?seq=0", *streams(inside, table)]
    if role == "spectator":
        listened += [f"{at}/live?kind=overlay&seq=0&characters={HIDDEN},5", f"{at}/live?kind=overlay&seq=0"]

    def look() -> None:
        for path in (*pages(table), *reads(inside, table)):
            device.ask("GET", path)

    def end_ashs_turn() -> None:
        """The player does it, may take it back while nothing came after it, and does it again."""
        if role == "spectator":
            assert referee.command(do="next_turn") == 200
        else:
            assert device.form("do", do="next_turn") == 204
            look()
            assert device.form("do", do="undo") == 204
            assert device.form("do", do="next_turn") == 204
        look()

    with device.listening(*listened):
        look()
        play(referee, end_ashs_turn)
        look()
        # What a player tries, with the right name and the wrong one, is refused in the same words.
        for name in (HIDDEN, RENAMED, "#5", "Nobody"):
            device.form("do", do="react", character=name)
            device.form("do", do="adjust", character=name, by="1", reason="?")
            device.form("company", do="claim", character=name)
            device.command(do="react", character=name)
            device.command("company", do="claim", character=name)
            device.command("check", do="react", character=name)
        look()
        last = host.desk.tables.snapshot(table).number
        referee.command(do="end_combat")
        until(lambda: device.heard(b"Combat ends."), "no stream told of it")
    assert last > 15
    # It was looked at in earnest: pages and the API answered, before, between and after.
    assert sum(where.startswith("200 GET ") for where, _ in device.received) > 30
    # Only what a device sent itself, and was refused with, may name the enemy.
    own_words = {where for where in device.secrets() if not is_own_echo(where)}
    assert own_words == set()
    assert referee.ask("GET", f"/api/tables/{table}")[1].count(RENAMED.encode()) > 0


def is_own_echo(where: str) -> bool:
    """Whether a refusal may repeat the name that was sent with it: it is no secret to the one who sent it."""
    return where.startswith("4") and (HIDDEN in where or RENAMED in where or " POST " in where)


def test_a_revealed_enemy_is_seen_from_then_on(inside: Inside) -> None:
    host = inside.host
    commands = (AddCharacter("Ash", con="d12"), AddCharacter(HIDDEN, con="d10", side=Side.ENEMY, hidden=True))
    given = begin_table(host.desk, "Thursday night", commands)
    table = given.link.table
    referee = Caller(inside.address, table, given.token)
    device = Caller(inside.address, table, host.desk.links.give_member(table, Role.SPECTATOR, "Spectators").token)
    with device.listening(f"/tables/{table}/live?seq=0"):
        assert referee.command(do="edit_character", character=HIDDEN, hidden=False) == 200
        until(lambda: device.heard(HIDDEN.encode()), "no stream told of it")


def answers_to(inside: Inside, hidden: str, wanted: str) -> list[object]:
    """What a player hears who takes this name for characters of their own, by every door."""
    host = inside.host
    commands = (
        AddCharacter("Ash", con="d12"),
        AddCharacter(hidden, con="d10", side=Side.ENEMY, hidden=True),
    )
    given = begin_table(host.desk, "Thursday night", commands)
    table = given.link.table
    referee = Caller(inside.address, table, given.token)
    assert referee.command("company", do="set_permissions", permissions={"changing_characters": "free"}) == 200
    mine = host.desk.links.join(host.desk.links.invite(table).link, "Mia")
    host.desk.links.claim(mine, "Ash")
    device = Caller(inside.address, table, mine.token)
    device.command("check", do="add_character", name=wanted, con="d8")
    device.command("check", do="edit_character", character="Ash", name=wanted)
    device.command(do="edit_character", character="Ash", name=wanted)
    device.command(do="undo")
    device.form("do", do="add_character", name=wanted, con="d8")
    device.command(do="add_character", name=wanted, con="d8")
    for path in (f"/api/tables/{table}/state", f"/api/tables/{table}/journal?after=0"):
        device.ask("GET", path)
    assert referee.ask("GET", f"/api/tables/{table}/state")[0] == 200
    private = (
        rb'"(at|mark|revision|who|member|time)": ?"[^"]*"|[0-9]+-[0-9a-f]{8}|(?i:date|etag|set-cookie): .*|'
        + mine.link.id.encode()
    )
    return [
        (where.replace(table, ""), re.sub(private, b"", heard).replace(table.encode(), b""))
        for where, heard in device.received
    ]


def test_a_players_own_character_takes_a_hidden_enemys_name_like_a_free_one(inside: Inside) -> None:
    taken, free = (answers_to(inside, hidden, HIDDEN) for hidden in (HIDDEN, RENAMED))
    for one, other in zip(taken, free, strict=True):
        assert one == other
    assert any(where.startswith("200 POST ") for where, _ in taken)
