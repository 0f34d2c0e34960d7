"""A table in one file: identical when it comes back, without what lets people in, and checked before it is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import validator_for

from tests.rules.strategies import lines, rulesets
from winded import D8, D12, AddCharacter, Malformed, Refused, Ruleset, Side, Stale, StartCombat, TakeWound, Undo
from winded.journal import MemoryJournal
from winded.roles import AskFor, Leave, Role
from winded.rules.command import Command
from winded.service import Desk, open_desk
from winded.service.carrying import BroughtIn, Here, bring_in, is_here
from winded.service.links import INVITATION, Links
from winded.service.opening import begin_table
from winded.service.table_file import FORMAT, carried_from, carry_out, schema
from winded.tables import Tables


@pytest.fixture
def desk() -> Iterator[Desk]:
    with MemoryJournal() as journal:
        yield Desk(journal)


@pytest.fixture
def tables(desk: Desk) -> Tables:
    return desk.tables


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Desk]:
    """Another machine, with a database on its disk."""
    with open_desk(tmp_path / "elsewhere.sqlite") as there:
        yield there


@pytest.fixture
def thursday(desk: Desk, tables: Tables) -> str:
    """A Referee, a player with Ash, a spectator, one who left; a hidden enemy; something asked, something undone."""
    links = Links(tables)
    referee = begin_table(desk, "Thursday", [AddCharacter("Ash", con=D12), AddCharacter("Bo", con=D8)])
    table = referee.link.table
    invitation = links.invite(table).link
    mia, tom = links.join(invitation, "Mia"), links.join(invitation, "Tom")
    links.claim(mia, "Ash")
    links.give_member(table, Role.SPECTATOR, "Spectators")
    tables.do(table, AddCharacter("Wolf", con=D8, side=Side.ENEMY, hidden=True), who=referee.link.id, request="r1")
    tables.do(table, TakeWound("Ash", wound="cracked ribs"), who=referee.link.id)
    tables.do(table, Undo(), who=referee.link.id)
    tables.do(table, StartCombat(), who=referee.link.id)
    tables.do(table, AskFor(TakeWound("Bo", wound="a limp")), who=mia.link.id)
    links.revoke(table, tom.link.id)
    return table


REACTED = [{"event": "reacted", "character": "Nobody", "cost": 1, "leaves": 1, "taken": 1}]


def changed(file: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file with something in it changed."""
    data = json.loads(file)
    change(data)
    return json.dumps(data).encode()


# -- out


def test_a_file_holds_the_whole_history_a_line_each(tables: Tables, thursday: str) -> None:
    file = carry_out(tables, thursday)
    data = json.loads(file)
    assert (data["winded"], data["format"], data["id"], data["name"]) == ("table", FORMAT, thursday, "Thursday")
    assert [entry["number"] for entry in data["entries"]] == [*range(1, tables.snapshot(thursday).number + 1)]
    assert sum(line.startswith(b'{"number":') for line in file.splitlines()) == len(data["entries"])
    assert data["state"] == tables.snapshot(thursday).table.state()
    assert [(one["name"], one["role"], one["plays"]) for one in data["people"]] == [
        ("Referee", "referee", []),
        ("Mia", "player", ["Ash"]),
        ("Spectators", "spectator", []),
    ]


def test_a_file_holds_nothing_that_lets_anyone_in(desk: Desk, tables: Tables) -> None:
    links = Links(tables)
    referee = begin_table(desk, "Thursday")
    invitation = links.invite(referee.link.table)
    player = links.join(invitation.link, "Mia")
    file = carry_out(tables, referee.link.table).decode()
    for given_out in (referee, invitation, player):
        assert given_out.token not in file
        assert given_out.link.token_hash.hex() not in file
    assert (invitation.code or "") not in file


def test_the_schema_describes_the_file(tables: Tables, thursday: str) -> None:
    validator = validator_for(schema())
    file = carry_out(tables, thursday)
    validator.validate(json.loads(file))
    assert not validator.is_valid(json.loads(changed(file, lambda data: data.pop("entries"))))
    assert not validator.is_valid(
        json.loads(changed(file, lambda data: data["entries"][1]["command"].update(do="dance")))
    )


# -- in


def test_elsewhere_it_is_the_same_table_under_new_links(tables: Tables, elsewhere: Desk, thursday: str) -> None:
    file = carry_out(tables, thursday)
    brought = bring_in(elsewhere, carried_from(file))
    assert brought.table == thursday
    assert elsewhere.tables.snapshot(thursday) == tables.snapshot(thursday)
    assert carry_out(elsewhere.tables, thursday) == file
    assert [(one.link.name, one.link.role) for one in brought.links] == [
        ("Referee", Role.REFEREE),
        ("Mia", Role.PLAYER),
        ("Spectators", Role.SPECTATOR),
    ]
    for one in brought.links:
        link = elsewhere.links.holder(one.token)
        assert elsewhere.tables.snapshot(thursday).company.member(link.id).name == one.link.name


def test_there_it_goes_on_with_undo_and_request_ids_as_here(tables: Tables, elsewhere: Desk, thursday: str) -> None:
    bring_in(elsewhere, carried_from(carry_out(tables, thursday)))
    first = tables.journal.find(thursday, "r1")
    assert first is not None
    for one in (tables, elsewhere.tables):
        assert one.do(thursday, first.command, who=first.who, request="r1").entry == first, "done before, not again"
        one.do(thursday, Undo())
    assert elsewhere.tables.snapshot(thursday).table == tables.snapshot(thursday).table
    assert elsewhere.tables.snapshot(thursday).table.combat is None


def test_twice_is_once_too_often_unless_one_says_what_is_meant(desk: Desk, tables: Tables, thursday: str) -> None:
    carried = carried_from(carry_out(tables, thursday))
    assert is_here(desk, carried)
    before = tables.snapshot(thursday)
    with pytest.raises(Stale):
        bring_in(desk, carried)
    assert tables.snapshot(thursday) == before


def test_a_copy_stands_beside_the_first_and_has_people_of_its_own(desk: Desk, tables: Tables, thursday: str) -> None:
    before = carry_out(tables, thursday)
    brought = bring_in(desk, carried_from(before), Here.COPY)
    assert carry_out(tables, thursday) == before
    first, copy = tables.snapshot(thursday), tables.snapshot(brought.table)
    assert (copy.name, copy.table, copy.number) == (f"Copy of {first.name}", first.table, first.number)
    assert not set(copy.company.members) & set(first.company.members)
    assert [one.name for one in copy.company.members.values()] == [one.name for one in first.company.members.values()]
    mia = copy.company.member(brought.links[1].link.id)
    assert [one.name for one in copy.company.characters_of(mia.id, copy.table)] == ["Ash"]
    assert [ask.member for ask in copy.company.asks] == [mia.id]


def test_replacing_takes_the_table_back_and_keeps_every_link_to_it(desk: Desk, tables: Tables, thursday: str) -> None:
    links = Links(tables)
    file = carry_out(tables, thursday)
    tables.do(thursday, AddCharacter("Late", con=D12))
    late = links.join(next(link for link in links.of(thursday) if link.role == INVITATION), "Lou")
    before = links.of(thursday)
    brought = bring_in(desk, carried_from(file), Here.REPLACE, may_replace=True)
    snapshot = tables.snapshot(thursday)
    assert "Late" not in snapshot.table.characters
    assert brought == BroughtIn(thursday, snapshot.name, brought.revision, ())
    assert links.of(thursday) == before
    assert snapshot.company.member(late.link.id).name == "Lou", "who came later is not locked out"


def test_who_has_no_link_here_gets_one(desk: Desk, tables: Tables, thursday: str) -> None:
    links = Links(tables)
    file = carry_out(tables, thursday)
    mia = next(link for link in links.of(thursday) if link.name == "Mia")
    links.revoke(thursday, mia.id)
    (again,) = bring_in(desk, carried_from(file), Here.REPLACE, may_replace=True).links
    assert (again.link.id, again.link.name) == (mia.id, "Mia")
    assert links.holder(again.token).id == mia.id


def test_a_table_without_a_referee_gets_one(tables: Tables, elsewhere: Desk, thursday: str) -> None:
    for member in tuple(tables.snapshot(thursday).company.members):
        tables.do(thursday, Leave(member))
    (referee,) = bring_in(elsewhere, carried_from(carry_out(tables, thursday))).links
    assert referee.link.role == Role.REFEREE


@settings(max_examples=40)
@given(lines, rulesets, st.booleans())
def test_whatever_was_played_comes_back_the_same(played: tuple[Command, ...], ruleset: Ruleset, copying: bool) -> None:
    with MemoryJournal() as here, MemoryJournal() as there:
        desk, elsewhere = Desk(here), Desk(there)
        tables = desk.tables
        table = begin_table(desk, "Thursday", ruleset=ruleset).link.table
        for command in played:
            try:
                tables.do(table, command)
            except (Refused, Malformed):
                continue
        file = carry_out(tables, table)
        validator_for(schema()).validate(json.loads(file))
        brought = bring_in(elsewhere, carried_from(file), Here.COPY if copying else Here.REFUSE)
        was, now = tables.snapshot(table), elsewhere.tables.snapshot(brought.table)
        assert now.table == was.table
        assert (now.number, now.redo_numbers) == (was.number, was.redo_numbers)
        if not copying:
            assert now == was
            assert carry_out(elsewhere.tables, table) == file


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_a_byte_order_mark_before_a_file_changes_nothing(tables: Tables, thursday: str, mark: bytes) -> None:
    file = carry_out(tables, thursday)
    assert carried_from(mark + file) == carried_from(file)


# -- what is no such file


@pytest.mark.parametrize(
    "file",
    [b"", b"{}", b"[]", b"null", b"not a file", b"\xff\xfe", b'{"winded": "day"}', b"[" * 100_000, b'{"format": 1}'],
)
def test_what_is_no_table_is_said_to_be_none(file: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        carried_from(file)
    assert str(caught.value).startswith("This is not a table file from Winded")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda data: data.pop("name"), ""),
        (lambda data: data.update(name=""), "name"),
        (lambda data: data.update(name="\x1b[2J"), "name"),
        (lambda data: data.update(name=4), "name"),
        (lambda data: data.update(id="../../etc"), "id"),
        (lambda data: data.update(created=1e300), "created"),
        (lambda data: data["ruleset"].update(dice={}), "ruleset"),
        (lambda data: data["ruleset"].update(dice={"con": 3}), "ruleset"),
        (lambda data: data["entries"].pop(3), "entries[3].number"),
        (lambda data: data["entries"].pop(0), "entries[0].number"),
        (lambda data: data["entries"][2].update(number="3"), "entries[2].number"),
        (lambda data: data["entries"][2].update(at=-1), "entries[2].at"),
        (lambda data: data["entries"][2].update(who="<script>"), "entries[2].who"),
        (lambda data: data["entries"][0]["events"][0].update(member="../x"), "entries[0].who"),
        (lambda data: data["entries"][2].update(name="x" * 2000), "entries[2].name"),
        (lambda data: data["entries"][2]["events"][0].update(character="x" * 41), "entries[2].events"),
        (lambda data: data["entries"][2]["command"].update(do="dance"), "entries[2].command"),
        (lambda data: data["entries"][2]["command"].update(do={}), "entries[2].command"),
        (lambda data: data["entries"][2]["events"][0].update(event={}), "entries[2].events"),
        (lambda data: data["entries"][2].update(mark="none"), "entries[2].mark"),
        (lambda data: data["entries"][2]["command"].update(name=41), "entries[2].command"),
        (lambda data: data["entries"][2]["events"][0].update(event="danced"), "entries[2].events"),
        (lambda data: data["entries"][2]["events"][0].update(character="\u2028"), "entries[2].events"),
        (lambda data: data["entries"][2]["events"][0].update(stamina=10**30), "entries[2].events"),
        (lambda data: data["entries"][2]["events"][0].update(stamina=-5), "entries[2].events"),
        (lambda data: data["entries"][2]["events"][0].update(stamina=13), "entries[2].events"),
        (lambda data: data["entries"][2].update(events=[{"event": "combat_ended"}, *REACTED]), "entries[2].events"),
        (lambda data: data["entries"][2].update(request="r1"), "entries[7].request"),
        (lambda data: data.update(created=253_402_300_000), "created"),
        (lambda data: data["entries"][2].update(at=253_402_300_000), "entries[2].at"),
    ],
)
def test_a_file_that_was_tampered_with_names_the_place(
    tables: Tables, elsewhere: Desk, thursday: str, change: Callable[[dict[str, Any]], object], field: str
) -> None:
    file = changed(carry_out(tables, thursday), change)
    with pytest.raises(Malformed) as caught:
        bring_in(elsewhere, carried_from(file))
    assert caught.value.field == field
    assert elsewhere.tables.records() == []


def test_a_newer_format_is_left_alone(tables: Tables, thursday: str) -> None:
    file = changed(carry_out(tables, thursday), lambda data: data.update(format=FORMAT + 1, entries="something new"))
    with pytest.raises(Stale) as caught:
        carried_from(file)
    assert str(caught.value) == "This file has format 2, from a newer Winded; this one reads formats up to 1."


def test_what_a_file_says_beside_its_entries_is_for_readers_only(tables: Tables, thursday: str) -> None:
    file = carry_out(tables, thursday)
    assert carried_from(changed(file, lambda data: data.update(people=[], state={}, comment="ours"))) == carried_from(
        file
    )
