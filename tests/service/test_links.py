"""Links to a table: what each is good for, kept as hashes only, renewed and revoked at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.waiting import PATIENCE
from winded import D8, AddCharacter, Side
from winded.errors import Forbidden, Malformed, Refused, Unknown
from winded.journal import Journal, Link, MemoryJournal, SqliteJournal
from winded.roles import Role
from winded.service import Desk, linking, visiting
from winded.service.links import CODE_LIFE, INVITATION, KNOWN_FOR, Links, a_secret, code_hash, token_hash
from winded.service.opening import begin_table
from winded.tables import Tables


class Clock:
    """The time of day, as a test wants it."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> Iterator[Desk]:
    with MemoryJournal() as journal:
        yield Desk(journal, clock)


@pytest.fixture
def tables(desk: Desk) -> Tables:
    return desk.tables


@pytest.fixture
def links(desk: Desk) -> Links:
    return desk.links


@pytest.fixture
def table(desk: Desk, tables: Tables, links: Links) -> str:
    given = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8), AddCharacter("Wolf", side=Side.ENEMY)])
    return given.link.table


def test_a_new_table_gives_its_first_referees_link(desk: Desk, tables: Tables, links: Links) -> None:
    given = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8)])
    assert given.link.role == Role.REFEREE
    assert links.holder(given.token) == given.link
    member = tables.snapshot(given.link.table).company.members[given.link.id]
    assert member.role is Role.REFEREE


def test_a_table_whose_first_commands_are_refused_does_not_begin(desk: Desk, tables: Tables, links: Links) -> None:
    with pytest.raises(Refused):
        begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8), AddCharacter("ash", con=D8)])
    assert tables.records() == []


def test_each_who_follows_an_invitation_gets_a_link_of_their_own(tables: Tables, links: Links, table: str) -> None:
    invitation = links.holder(links.invite(table).token)
    assert invitation.role == INVITATION
    first, second = links.join(invitation, "Pip"), links.join(invitation, "Quin")
    assert first.token != second.token
    assert links.holder(first.token).role == Role.PLAYER
    names = [member.name for member in tables.snapshot(table).company.players()]
    assert names == ["Pip", "Quin"]
    links.claim(first, "ash")
    assert tables.snapshot(table).company.plays(first.link.id, tables.snapshot(table).table.character("Ash"))


def test_whoever_sends_the_same_secret_again_has_joined_once(tables: Tables, links: Links, table: str) -> None:
    invitation, once = links.invite(table).link, a_secret()
    first = links.join(invitation, "Pip", once)
    assert links.join(invitation, " Pip ", once) == first
    assert [member.name for member in tables.snapshot(table).company.players()] == ["Pip"]
    # Somebody else at the same device, who went back a page.
    second = links.join(invitation, "Quin", once)
    assert second.token != first.token
    assert [member.name for member in tables.snapshot(table).company.players()] == ["Pip", "Quin"]


def test_the_same_secret_joins_somebody_else_at_another_table(
    desk: Desk, tables: Tables, links: Links, table: str
) -> None:
    once = a_secret()
    other = begin_table(desk, "The Mill").link.table
    first, second = links.join(links.invite(table).link, "Pip", once), links.join(links.invite(other).link, "Pip", once)
    assert first.token != second.token
    assert (first.link.table, second.link.table) == (table, other)


def test_whoever_was_sent_away_does_not_come_back_by_the_same_secret(tables: Tables, links: Links, table: str) -> None:
    invitation, once = links.invite(table).link, a_secret()
    links.revoke(table, links.join(invitation, "Pip", once).link.id)
    with pytest.raises(Unknown):
        links.join(invitation, "Pip", once)
    assert tables.snapshot(table).company.players() == ()


@pytest.mark.parametrize("once", ["", "short", "x" * 33, "\0" * 32, "é" * 32])
def test_what_is_no_secret_makes_no_two_the_same(links: Links, table: str, once: str) -> None:
    invitation = links.invite(table).link
    assert links.join(invitation, "Pip", once).token != links.join(invitation, "Pip", once).token


@pytest.mark.parametrize("typed", ["{}", " {} ", "{} {}", "{}-{}", "{}.{}"])
def test_a_code_is_found_however_it_is_typed(links: Links, table: str, typed: str) -> None:
    given = links.invite(table)
    assert given.code is not None
    first, _, last = given.code.partition("-")
    for written in (str.lower, str.upper):
        asked = typed.format(written(first), written(last)) if typed.count("{}") == 2 else written(given.code)
        assert links.invitation_by_code(asked) == given.link


def test_a_code_holds_for_one_evening_and_the_invitation_itself_on(links: Links, clock: Clock, table: str) -> None:
    given = links.invite(table)
    assert given.code is not None
    clock.now += CODE_LIFE
    assert links.invitation_by_code(given.code) == given.link
    clock.now += 1
    with pytest.raises(Unknown):
        links.invitation_by_code(given.code)
    assert links.holder(given.token) == given.link


def test_a_new_invitation_takes_the_place_of_the_one_before(links: Links, table: str) -> None:
    old, new = links.invite(table), links.invite(table)
    assert old.code is not None
    assert new.code is not None
    with pytest.raises(Unknown):
        links.holder(old.token)
    with pytest.raises(Unknown):
        links.invitation_by_code(old.code)
    assert links.invitation_by_code(new.code).id == new.link.id
    assert [link.role for link in links.of(table)] == [Role.REFEREE, INVITATION]


def test_a_renewed_link_is_the_same_member_by_another_token(tables: Tables, links: Links, table: str) -> None:
    old = links.join(links.invite(table).link, "Pip")
    assert links.holder(old.token) == old.link
    new = links.renew(table, old.link.id)
    with pytest.raises(Unknown):
        links.holder(old.token)
    assert links.holder(new.token).id == old.link.id
    assert old.link.id in tables.snapshot(table).company.members


def test_whoever_held_a_revoked_link_is_no_longer_at_the_table(tables: Tables, links: Links, table: str) -> None:
    given = links.join(links.invite(table).link, "Pip")
    assert links.holder(given.token) == given.link
    links.revoke(table, given.link.id)
    with pytest.raises(Unknown):
        links.holder(given.token)
    assert given.link.id not in tables.snapshot(table).company.members
    with pytest.raises(Unknown):
        links.revoke(table, given.link.id)
    with pytest.raises(Unknown):
        links.renew(table, given.link.id)


def test_the_last_referees_link_stays(links: Links, table: str) -> None:
    (first,) = links.of(table)
    with pytest.raises(Forbidden):
        links.revoke(table, first.id)
    second = links.give_member(table, Role.REFEREE, "Rika")
    links.revoke(table, first.id)
    assert [link.id for link in links.of(table)] == [second.link.id]


def test_of_two_last_referees_who_send_each_other_away_at_once_one_stays(tmp_path: Path) -> None:
    database = tmp_path / "winded.sqlite"
    for _ in range(10):
        with SqliteJournal(database) as here, SqliteJournal(database) as there, ThreadPoolExecutor(2) as pool:
            desks = Desk(here), Desk(there)
            first = begin_table(desks[0], "The Gate").link
            second = desks[0].links.give_member(first.table, Role.REFEREE, "Rika").link
            both_are_ready = Barrier(2)

            def send_away(desk: Desk, link: Link, together: Barrier = both_are_ready) -> bool:
                together.wait(PATIENCE)
                try:
                    desk.links.revoke(link.table, link.id)
                except Forbidden:
                    return False
                return True

            assert sorted(pool.map(send_away, desks, (second, first))) == [False, True]
            left = [link.role for link in Desk(here).links.of(first.table)]
            assert left == [Role.REFEREE]


def test_the_link_of_another_table_is_unknown_here(desk: Desk, tables: Tables, links: Links, table: str) -> None:
    other = begin_table(desk, "The Bridge")
    for attempt in (links.renew, links.revoke):
        with pytest.raises(Unknown):
            attempt(table, other.link.id)
    assert links.holder(other.token) == other.link


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb"])
def test_a_name_that_is_none_joins_nobody_and_leaves_no_link(links: Links, table: str, name: str) -> None:
    invitation = links.invite(table).link
    before = links.of(table)
    with pytest.raises(Malformed):
        links.join(invitation, name)
    assert links.of(table) == before


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000, "\x00", "é"])
def test_what_is_no_token_is_unknown(links: Links, table: str, token: str) -> None:
    with pytest.raises(Unknown):
        links.holder(token)
    with pytest.raises(Unknown):
        links.invitation_by_code(token)


def test_tokens_and_codes_cannot_be_guessed_and_never_come_twice(links: Links, table: str) -> None:
    given = [links.invite(table) for _ in range(20)]
    assert len({one.token for one in given}) == len({one.code for one in given}) == 20
    assert all(len(one.token) == 32 for one in given)
    assert all(one.code is not None and len(one.code) == 9 for one in given)


def test_only_hashes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "winded.sqlite"
    with SqliteJournal(path) as journal:
        desk = Desk(journal)
        links = desk.links
        given = begin_table(desk, "The Gate")
        invitation = links.invite(given.link.table)
        renewed = links.renew(given.link.table, given.link.id)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    code = str(invitation.code)
    for secret in (given.token, invitation.token, renewed.token, code, code.replace("-", "")):
        assert secret.encode() not in kept
    assert token_hash(renewed.token) in kept
    assert code_hash(code) in kept


def journal_at(path: Path) -> Journal:
    return SqliteJournal(path)


def test_what_another_process_revokes_is_noticed_within_a_second(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "winded.sqlite"
    now = 1000.0
    monkeypatch.setattr("winded.service.links.time.monotonic", lambda: now)
    with journal_at(path) as here, journal_at(path) as there:
        desk, others = Desk(here), Desk(there)
        links = desk.links
        given = begin_table(desk, "The Gate")
        player = links.join(links.invite(given.link.table).link, "Pip")
        assert links.holder(player.token) == player.link
        others.links.revoke(given.link.table, player.link.id)
        now += KNOWN_FOR
        with pytest.raises(Unknown):
            links.holder(player.token)


def test_an_invitation_is_shown_again_while_it_holds_by_the_process_that_gave_it_out(
    desk: Desk, links: Links, table: str, clock: Clock
) -> None:
    assert links.invitation(table) is None
    first = links.invite(table)
    assert links.invitation(table) == first
    second = links.invite(table)
    assert links.invitation(table) == second != first
    assert Links(desk.tables).invitation(table) is None, "only hashes are kept"
    clock.now += CODE_LIFE + 1
    shown = links.invitation(table)
    assert shown is not None
    assert (shown.token, shown.code) == (second.token, None)
    links.revoke(table, second.link.id)
    assert links.invitation(table) is None


def test_a_table_may_begin_with_its_invitation_which_the_referee_alone_sees(desk: Desk, links: Links) -> None:
    given = begin_table(desk, "The Gate", [AddCharacter("Ash", con=D8)], invites=True)
    shown = linking.invitation_of(desk, visiting.follow(desk, given.token))
    assert shown is not None
    assert links.holder(shown.token) == shown.link
    player = links.join(shown.link, "Mia")
    with pytest.raises(Forbidden):
        linking.invitation_of(desk, visiting.follow(desk, player.token))


def test_dice_that_cannot_be_rolled_begin_no_table(desk: Desk, tables: Tables) -> None:
    with pytest.raises(Malformed) as wrong:
        begin_table(desk, "The Gate", check_dice="1d20+what")
    assert wrong.value.field == "check_dice"
    assert tables.records() == []
