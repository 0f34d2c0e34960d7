"""A secret target is in no byte that players and spectators receive, and nothing that they receive depends on it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import until
from tests.web.inside import Inside
from tests.web.screens.test_hidden_enemies import Caller, pages, reads, streams
from winded.roles import Role, SetCheckDice
from winded.rules import AddCharacter
from winded.service.opening import begin_table

# Times, and what is drawn at random: the marks of entries, ids of links and tables, tokens.
PRIVATE = re.compile(
    rb'"(at|mark|revision|who|member|time|id)": ?"[^"]*"|\b[0-9a-f]{8}\b|(?i:date|etag|set-cookie|content-length): .*|'
    rb"<time [^>]*>[^<]*|nonce-[^']*|nonce=\"[^\"]*\""
)


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as running:
        yield running


def received(inside: Inside, target: int, role: Role) -> list[tuple[str, bytes]]:
    """All that a player or a spectator ever receives while two are called, roll, and one of them tries to find out."""
    desk = inside.host.desk
    given = begin_table(desk, "Thursday night", (AddCharacter("Ash", con="d12"), AddCharacter("Bryn", con="d8")))
    table = given.link.table
    referee = Caller(inside.address, table, given.token)
    if role is Role.PLAYER:
        mine = desk.links.join(desk.links.invite(table).link, "Mia")
        desk.links.claim(mine, "Ash")
    else:
        mine = desk.links.give_member(table, role, "Spectators")
    device = Caller(inside.address, table, mine.token)

    def look() -> None:
        chances = [f"/tables/{table}/chances?character=Ash&as={how}" for how in ("figures", "")]
        for path in (*pages(table), *reads(inside, table), *chances):
            device.ask("GET", path)

    desk.tables.do(table, SetCheckDice("1d20+con"), who=given.link.id)
    with device.listening(f"/tables/{table}/live?seq=0", *streams(inside, table)):
        assert referee.command(do="call_check", target=target, secret=True, what="the climb") == 200
        look()
        for tried in (target, 5):
            device.command(do="declare_check", character="Ash", target=tried)
        for _ in ("beforehand", "really"):
            device.command("check", do="declare_check", character="Ash", push=1)
        assert (device if role is Role.PLAYER else referee).command(do="declare_check", character="Ash", push=1) == 200
        for roll in (-999, -500, 0, 999):
            device.command("check", do="resolve_check", character="Ash", roll=roll)
        device.command("chances", character="Ash")
        assert (device if role is Role.PLAYER else referee).command(do="resolve_check", character="Ash", roll=12) == 200
        look()
        for command in ({"do": "undo"}, {"do": "redo"}, {"do": "declare_check", "character": "Bryn"}):
            assert referee.command(**command) == 200
        assert referee.command(do="resolve_check", character="Bryn", roll=3) == 200
        look()
        assert referee.command(do="adjust", character="Ash", by=-1, reason="the end of it") == 200
        until(lambda: device.heard(b"the end of it"), "no stream told of it")
    assert referee.ask("GET", f"/api/tables/{table}/journal")[1].count(str(target).encode()) > 0
    own = mine.link.id.encode()
    return [
        (where.replace(table, ""), PRIVATE.sub(b"", heard.replace(own, b"").replace(table.encode(), b"")))
        for where, heard in device.received
    ]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_ruling_call_a_secret_target_cannot_be_told_by_anything_that_is_sent(inside: Inside, role: Role) -> None:
    # Every roll is a success against either, and what is sent is otherwise the same.
    one, other = (received(inside, target, role) for target in (-713, -829))
    for heard, target in ((one, "713"), (other, "829")):
        assert [where for where, part in heard if re.search(rb"[-\xe2\x88\x92]" + target.encode(), part)] == []
    answers = [[part for part in heard if not part[0].startswith("stream ")] for heard in (one, other)]
    assert len(answers[0]) == len(answers[1]) > 100
    for (where, this), (_, that) in zip(*answers, strict=True):
        at = next((at for at, (a, b) in enumerate(zip(this, that, strict=False)) if a != b), None)
        assert this == that, (where, at, this[at - 80 : at + 80], that[at - 80 : at + 80])
    assert any(b"the climb" in part for _, part in one)
    assert any(b"a success" in part for _, part in one)
