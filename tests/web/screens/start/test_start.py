"""The start page: the tables this browser holds links for, and how old their newest copy is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded import D12, AddCharacter
from winded.roles import Role
from winded.service import copies, opening


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "winded.sqlite") as running:
        yield running


def begin(inside: Inside, name: str) -> tuple[str, str]:
    given = opening.begin_table(inside.host.desk, name, [AddCharacter("Ash", con=D12)])
    return given.link.table, given.token


def start(inside: Inside, *held: tuple[str, str], language: str = "en") -> httpx.Response:
    cookies = "; ".join(f"winded-{table}={token}" for table, token in held)
    return httpx.get(inside.address, headers={"cookie": cookies, "accept-language": language}, timeout=PATIENCE)


def test_one_table_that_cannot_be_read_takes_nothing_from_the_others(inside: Inside) -> None:
    good, bad = begin(inside, "The gate"), begin(inside, "The bridge")
    with closing(sqlite3.connect(inside.journal.path)) as connection, connection:
        connection.execute(
            'UPDATE entries SET events = \'[{"event": "sang"}]\' WHERE number = 2 AND table_key ='
            " (SELECT key FROM tables WHERE id = ?)",
            (bad[0],),
        )
    inside.host.desk.refresh()
    inside.host.desk.tables._at_hand._open.clear()
    page = start(inside, good, bad)
    assert page.status_code == 200
    assert f'href="/tables/{good[0]}"' in page.text
    assert "The bridge" in page.text
    assert "This table cannot be read." in page.text
    assert f'href="/tables/{bad[0]}"' not in page.text
    # Nor are new tables held up.
    made = httpx.post(
        f"{inside.address}/tables", data={"name": "The inn"}, headers={"origin": inside.address}, timeout=PATIENCE
    )
    assert made.status_code == 303


def test_whoever_keeps_a_table_reads_how_old_its_newest_copy_is(inside: Inside) -> None:
    mine = begin(inside, "The gate")
    player = inside.host.desk.links.give_member(mine[0], Role.PLAYER, "Mia")
    assert "newest copy" not in start(inside, mine).text
    copies.make(inside.host.desk)
    assert "The newest copy of all tables is less than a minute old." in start(inside, mine).text
    inside.host.desk.clock = lambda: copies.copies_of(inside.journal.path)[0].made + 3 * 86_400
    assert "The newest copy of all tables is 3 days old." in start(inside, mine).text
    assert "Die neueste Kopie aller Tische ist 3 Tage alt." in start(inside, mine, language="de").text
    assert "newest copy" not in start(inside).text
    assert "newest copy" not in start(inside, (mine[0], player.token)).text


def test_a_database_that_is_gone_is_said_on_every_page(inside: Inside) -> None:
    mine = begin(inside, "The gate")
    for file in [*inside.journal.path.parent.glob("winded.sqlite*")]:
        file.unlink()
    for page in (
        start(inside, mine),
        httpx.post(f"{inside.address}/tables", data={"name": "The inn"}, timeout=PATIENCE),
    ):
        assert page.status_code == 503
        assert "nothing more can be saved" in page.text
