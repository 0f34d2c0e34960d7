"""One table of what may be asked of Winded, driven through every door that has it: each refuses, limits, names copies,
closes streams and answers alike. A door reads a request and shows an answer; what is decided is decided once.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import Struct

from tests.service.doors import DOORS, HIDDEN, Laid, Said, lay
from tests.waiting import PATIENCE, until
from tests.web.api.operations import OPERATIONS as OF_API
from tests.web.inside import Inside, NoLimits
from winded.cli.program import app as of_command_line
from winded.rules import AddCharacter, Command, Side
from winded.service import Given, carrying, linking, opening, seeing, visiting
from winded.service.acting import act_now
from winded.service.limits import ACTS, AT_ONCE, Limits
from winded.tables import ENEMY_LIMIT, PARTY_LIMIT
from winded.web.app import create_app

NEVER = 3_600.0
"""A beat so long that whatever a stream is told within a test, no beat brought it."""

ONLY_THE_REFEREE = "Only the Referee can do this."
ONLY_THE_REFEREE_EXPORTS = "Only the Referee can export the whole table: it holds the hidden enemies too."
GONE = "This link is invalid or has expired. Ask the Referee for a new one."
ELSEWHERE = "This link is for another table."


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Stream:
    """A live stream that is read to its end by a thread of its own."""

    def __init__(self, address: str, path: str, token: str) -> None:
        self.heard = b""
        self.over = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(f"{address}{path}", token), daemon=True)
        self._thread.start()
        until(lambda: b"event: beat" in self.heard or b"event: view" in self.heard, "the stream says nothing")

    def _read(self, address: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.stream("GET", address, headers=headers, timeout=PATIENCE) as answer:
            for part in answer.iter_raw():
                self.heard += part
        self.over.set()


class House(Struct):
    """A server over a database, its doors, and a table in it."""

    inside: Inside
    doors: dict[str, Any]
    clock: Clock
    table: Laid

    @property
    def desk(self) -> Any:
        return self.inside.host.desk

    def now(self, table: str = "") -> seeing.Seen:
        """All there is to see of a table."""
        return seeing.see(self.desk, visiting.keeper(self.desk, table or self.table.id), with_lines=True)

    def all_of_it(self) -> tuple[object, ...]:
        """Everything about the table that anyone could have changed, links included; and which tables there are."""
        seen = self.now()
        links = linking.links_of(self.desk, visiting.keeper(self.desk, self.table.id))
        return seen.name, seen.number, seen.table, seen.company, links, opening.list_tables(self.desk)

    def copies(self) -> list[opening.Listing]:
        """The other tables that are called after this one."""
        name = f"Copy of {self.table.name}"[:40]
        return [one for one in opening.list_tables(self.desk) if one.name == name]

    def carried(self, table: Laid | None = None) -> bytes:
        """The file of a table."""
        return carrying.carry_out(self.desk, visiting.keeper(self.desk, (table or self.table).id))

    def watching(self, door: str, who: Given) -> Stream:
        """The live stream of one who watches by this door."""
        return Stream(self.inside.address, self.doors[door].streams(who), who.token)

    def as_referee(self, command: Command) -> None:
        act_now(self.desk, visiting.keeper(self.desk, self.table.id), command)


Server = tuple[Inside, dict[str, Any], Clock]


def serve(path: Path, limits: Callable[[Clock], Limits]) -> Iterator[Server]:
    clock = Clock()
    database = path / "winded.sqlite"
    with Inside(database, limits(clock), beat=NEVER) as inside:
        doors = {name: door(inside.address, database) for name, door in DOORS.items()}
        yield inside, doors, clock
        for door in doors.values():
            door.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from serve(tmp_path_factory.mktemp("free"), NoLimits)


@pytest.fixture(scope="module")
def limiting_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from serve(tmp_path_factory.mktemp("limited"), Limits)


_NUMBERS = count(1)


def house_in(server: Server) -> House:
    # A name of its own, by which its copies are known.
    return House(*server, lay(server[0].host.desk, f"The Gate {next(_NUMBERS)}"))


@pytest.fixture
def house(server: Server) -> House:
    return house_in(server)


@pytest.fixture
def limited(limiting_server: Server) -> House:
    """The same with its real limits, on a clock that stands still."""
    return house_in(limiting_server)


def doors_to(*operations: str, by_link: bool = False) -> tuple[str, ...]:
    """The doors that have all of these operations; `by_link`, those of them that ask whose link one comes by."""
    return tuple(
        name
        for name, door in DOORS.items()
        if all(hasattr(door, one) for one in operations) and (door.by_link or not by_link)
    )


def at_each_door_to(*operations: str, by_link: bool = False) -> pytest.MarkDecorator:
    """For each of these doors."""
    return pytest.mark.parametrize("door", doors_to(*operations, by_link=by_link))


WATCHED = doors_to("streams")


# What every door has in common: the operations, and where each is found. `test_nothing_is_left_out` holds it complete.

OPERATIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "begin": {
        "pages": ("POST /tables", "POST /tables/sample"),
        "API": ("begin_table",),
        "command line": ("tables new",),
    },
    "see": {
        "pages": (
            "GET /tables/{table}",
            "GET /tables/{table}/arrivals",
            "GET /tables/{table}/invitation",
            "GET /tables/{table}/overlay",
            "GET /tables/{table}/sheet/{name}",
            "GET /tables/{table}/sheet/words",
            "GET /tables/{table}/standing",
            "GET /tables/{table}/words",
        ),
        "API": ("see_table", "see_standing", "see_state", "see_journal", "see_options", "see_links", "see_table_rules"),
        "command line": ("tables", "tables standing"),
    },
    "watch": {"pages": ("GET /tables/{table}/live",), "API": ("follow_journal",)},
    "act": {
        "pages": ("POST /tables/{table}/do", "POST /tables/{table}/correct", "POST /tables/{table}/several"),
        "API": ("play", "play_together"),
        "command line": ("run",),
    },
    "check": {"pages": ("POST /tables/{table}/correction",), "API": ("check_command", "review_correction")},
    "act in company": {"pages": ("POST /tables/{table}/company",), "API": ("act_in_company",)},
    "add many": {"pages": ("POST /tables/{table}/add",)},
    "put all enemies away": {"pages": ("POST /tables/{table}/put-away",)},
    "join": {"pages": ("GET /join/{token}", "POST /join/{token}", "POST /join", "GET /join"), "API": ("join",)},
    "follow a link": {"pages": ("GET /l/{token}", "POST /l/{token}")},
    "give, renew and revoke": {
        "pages": ("POST /tables/{table}/links",),
        "API": ("give_link", "renew_link", "revoke_link"),
        "command line": ("tables recover",),
    },
    "rename": {"pages": ("POST /tables/{table}/name",), "API": ("rename_table",)},
    "delete": {"pages": ("POST /tables/{table}/delete",), "API": ("delete_table",), "command line": ("delete",)},
    "carry out": {"pages": ("GET /tables/{table}/export",), "API": ("export_table",), "command line": ("export",)},
    "bring in": {"pages": ("POST /tables/import",), "API": ("import_table",), "command line": ("import",)},
}

OF_NO_TABLE = {
    "pages": (
        "GET /",
        "POST /language",
        "GET /manifest.webmanifest",
        "GET /worker.js",
        "POST /tables/dice",
        "GET /forecast",
        "POST /forecast",
        "GET /odds",
        "GET /odds.csv",
        "GET /tables/{table}/chances",
        "GET /tables/{table}/ahead",
        "GET /tables/{table}/advice",
        "GET /tables/{table}/sheet/advice",
        "GET /tables/{table}/sheet/ahead",
    ),
    "API": (
        "see_advice",
        "see_advice_now",
        "see_ahead",
        "see_chances",
        "see_comparison",
        "see_forecast",
        "see_odds",
        "see_rules",
        "describe",
    ),
    "command line": ("serve", "backup", "restore", "doctor", "rules", "odds", "forecast", "advise", "compare"),
}
"""What is about Winded itself, or only counts odds: `tests/service/test_odds.py` and those beside it hold that."""


def test_nothing_is_left_out(house: House) -> None:
    pages = {
        f"{method} {re.sub(r':[a-z]+}', '}', route.path)}"
        for route in create_app(house.desk).routes
        for method in route.methods  # type: ignore[union-attr]
        if method not in {"OPTIONS", "HEAD"} and not route.path.startswith("/static/")
    }
    command_line = {name for name in of_command_line if not name.startswith("-")}
    command_line |= {f"tables {name}" for name in of_command_line["tables"] if not name.startswith("-")}
    there_are = {
        "pages": pages | {"GET /tables/{table}/live"},
        "API": {one.name for one in OF_API},
        "command line": command_line,
    }
    assert set(there_are) == set(DOORS)
    for door, found in there_are.items():
        named = [one for each in OPERATIONS.values() for one in each.get(door, ())] + [*OF_NO_TABLE[door]]
        assert sorted(named) == sorted(found), door


# Who may not


class Asked(Struct, frozen=True):
    """Something that a visitor asks of the table by a door."""

    operation: str
    ask: Callable[[Any, Given, Laid], Said]
    player: str = ONLY_THE_REFEREE
    spectator: str = ONLY_THE_REFEREE


ASKED = {
    "act": Asked(
        "act",
        lambda door, who, on: door.act(who, "next_turn", on.id),
        "You can end only your own turn, Mia, and it isn't your turn now.",
        "With this link you can only watch.",
    ),
    "act for another": Asked(
        "act",
        lambda door, who, on: door.act(who, "channel", on.id, character="Wolf", stamina=1),
        "You cannot act for Wolf, Mia.",
        "With this link you can only watch.",
    ),
    "act for one who is hidden": Asked(
        "act",
        lambda door, who, on: door.act(who, "channel", on.id, character=HIDDEN, stamina=1),
        f"There is nobody called {HIDDEN} at this table.",
        "With this link you can only watch.",
    ),
    "undo": Asked(
        "act",
        lambda door, who, on: door.act(who, "undo", on.id),
        "You can take back only your own last act, and only while nothing has come after it.",
        "With this link you can only watch.",
    ),
    "add an enemy": Asked(
        "act",
        lambda door, who, on: door.act(who, "add_character", on.id, name="Rat", side="enemy"),
        "Only the Referee can add enemies.",
        "With this link you can only watch.",
    ),
    "set permissions": Asked(
        "company",
        lambda door, who, on: door.company(who, "set_permissions", on.id, permissions={"reactions": "no"}),
        spectator="With this link you can only watch.",
    ),
    "accept": Asked(
        "company",
        lambda door, who, on: door.company(who, "accept", on.id, ask=1),
        spectator="With this link you can only watch.",
    ),
    "invite": Asked("give", lambda door, who, on: door.give(who, "invitation", on.id)),
    "give a Referee's link": Asked("give", lambda door, who, on: door.give(who, "referee", on.id)),
    "give a spectators' link": Asked("give", lambda door, who, on: door.give(who, "spectator", on.id)),
    "renew": Asked("renew", lambda door, who, on: door.renew(who, on.other.link.id, on.id)),
    "revoke": Asked("revoke", lambda door, who, on: door.revoke(who, on.other.link.id, on.id)),
    "rename": Asked("rename", lambda door, who, on: door.rename(who, "Mine now", on.id)),
    "delete": Asked("delete", lambda door, who, on: door.delete(who, on.id)),
    "carry out": Asked(
        "carry_out",
        lambda door, who, on: door.carry_out(who, on.id),
        ONLY_THE_REFEREE_EXPORTS,
        ONLY_THE_REFEREE_EXPORTS,
    ),
}


ASKED_AT = [(asked, door) for asked, one in ASKED.items() for door in doors_to(one.operation, by_link=True)]


@pytest.mark.parametrize(("asked", "door"), ASKED_AT)
def test_who_may_not_is_told_so_alike_and_nothing_has_changed(house: House, asked: str, door: str) -> None:
    one, on = ASKED[asked], house.table
    elsewhere = lay(house.desk, "Another table")
    before = house.all_of_it()
    for who, sentence in ((on.player, one.player), (on.spectator, one.spectator), (elsewhere.referee, ELSEWHERE)):
        said = one.ask(house.doors[door], who, on)
        assert said.no == ("refused" if sentence.startswith("There is nobody called") else "forbidden", sentence)
    assert house.all_of_it() == before


@pytest.mark.parametrize(("asked", "door"), [*ASKED_AT, *(("see", door) for door in doors_to("see", by_link=True))])
def test_who_was_sent_away_may_nothing_by_any_door(house: House, asked: str, door: str) -> None:
    on = house.table
    linking.revoke_link(house.desk, visiting.follow(house.desk, on.referee.token), on.second_referee.link.id)
    before = house.all_of_it()
    ask = (lambda door, who, on: door.see(who)) if asked == "see" else ASKED[asked].ask
    said = ask(house.doors[door], on.second_referee, on)
    assert (said.what, GONE in said.sentence) == ("forbidden", True)
    assert house.all_of_it() == before


# What the rules and the figures refuse

REFUSED: dict[str, tuple[str, Callable[[Any, Laid], Said], str, str]] = {
    "too little Stamina": (
        "act",
        lambda door, on: door.act(on.player, "channel", character="Ash", stamina=13),
        "refused",
        "Ash has 12 Stamina; this costs 13.",
    ),
    "another cost than was shown": (
        "act",
        lambda door, on: door.act(on.player, "channel", character="Ash", stamina=2, cost=1),
        "refused",
        "This now costs 2 Stamina, not 1. Nothing was spent.",
    ),
    "no fight": ("act", lambda door, on: door.act(on.referee, "end_combat"), "refused", "There is no combat now."),
    "no command": (
        "act",
        lambda door, on: door.act(on.referee, "dance"),
        "malformed",
        "“do” must be one of act_early, ",
    ),
    "a name that is taken": (
        "act",
        lambda door, on: door.act(on.referee, "add_character", name="wolf", side="enemy"),
        "refused",
        "The name wolf is taken at this table.",
    ),
    "dice that cannot be rolled": (
        "company",
        lambda door, on: door.company(on.referee, "set_check_dice", dice="1d20+oops"),
        "malformed",
        "“1d20+oops” cannot be read at column 6, “o”. ",
    ),
    "no request": (
        "company",
        lambda door, on: door.company(on.referee, "accept", ask=99),
        "refused",
        "",
    ),
    "a link that is not there": (
        "renew",
        lambda door, on: door.renew(on.referee, "nothing"),
        "unknown",
        "This link does not exist, or no longer works.",
    ),
    "a name without letters": ("rename", lambda door, on: door.rename(on.referee, " "), "malformed", ""),
    "a name that is too long": ("rename", lambda door, on: door.rename(on.referee, "x" * 41), "malformed", ""),
    "an invitation that is none": ("join", lambda door, on: door.join("nothing", "Kim"), "unknown", GONE),
    "a link as an invitation": (
        "join",
        lambda door, on: door.join(on.spectator.token, "Kim"),
        "forbidden",
        "This link is not an invitation.",
    ),
    "a code that nobody gave out": (
        "join_by_code",
        lambda door, on: door.join_by_code("AAAA-AAAA", "Kim"),
        "unknown",
        "No table has this code. Codes work for one evening; ask the Referee for a new one.",
    ),
    "no table at all": ("begin", lambda door, on: door.begin(""), "malformed", ""),
    "two of one name": (
        "begin_with",
        lambda door, on: door.begin_with("Friday", [("Ash", "d12"), ("ASH", "d8")]),
        "refused",
        "The name ASH is taken at this table.",
    ),
    "no file of a table": (
        "bring_in",
        lambda door, on: door.bring_in(b"{}"),
        "malformed",
        "This is not a table file from Winded.",
    ),
}


@pytest.mark.parametrize("asked", REFUSED)
def test_what_is_refused_is_refused_in_the_same_words_by_every_door(house: House, asked: str) -> None:
    operation, ask, what, sentence = REFUSED[asked]
    before = house.all_of_it()
    ((said, words),) = {ask(house.doors[door], house.table).no for door in doors_to(operation)}
    assert said == what
    assert words.startswith(sentence)
    assert house.all_of_it() == before


def test_the_last_referee_stays_whichever_door_is_tried(house: House) -> None:
    on = house.table
    linking.revoke_link(house.desk, visiting.follow(house.desk, on.referee.token), on.second_referee.link.id)
    before = house.all_of_it()
    said = {house.doors[door].revoke(on.referee, on.referee.link.id).no for door in doors_to("revoke", by_link=True)}
    assert said == {("forbidden", "This is the table's only Referee's link; make another before you revoke it.")}
    assert house.all_of_it() == before


# What it leaves: the same state, whichever door it came by

PLAYED: list[dict[str, Any]] = [
    {"do": "add_character", "name": "Cato", "con": "d10"},
    {"do": "start_combat"},
    {"do": "act_early", "character": "Cato"},
    {"do": "act_early", "character": "Cato"},
    {"do": "begin_turns"},
    {"do": "react", "character": "Cato", "what": "out of the way"},
    {"do": "declare_check", "character": "Cato", "push": 2, "strain": "holding the gate", "target": 15},
    {"do": "resolve_check", "character": "Cato", "roll": 13},
    {"do": "take_wound", "character": "Cato", "wound": "cracked ribs"},
    {"do": "channel", "character": "Cato", "stamina": 9},
    {"do": "end_combat"},
    {"do": "rest", "kind": "short"},
    {"do": "undo"},
    {"do": "redo"},
    {"do": "adjust", "character": "Cato", "by": -1, "reason": "the table agrees"},
]


def test_commands_come_to_the_same_by_every_door(house: House) -> None:
    played = {}
    for door in doors_to("act", by_link=True):
        referee = opening.begin_table(house.desk, "The Gate")
        said = [house.doors[door].act(referee, **command) for command in PLAYED]
        accepted = [one.what == "done" for one in said]
        why = [one.sentence for one in said if one.what != "done"]
        seen = house.now(referee.link.table)
        events = [line.entry.events for line in seen.lines[::-1]][1:]
        played[door] = accepted, why, seen.table.state(), msgspec.json.decode(msgspec.json.encode(events))
    lines = house.doors["command line"].play(PLAYED)
    accepted, why, state, events = played["command line"] = (
        [line["accepted"] for line in lines],
        [line["refusal"]["message"] for line in lines if not line["accepted"]],
        lines[-1]["state"],
        [line["events"] for line in lines if line["accepted"]],
    )
    assert accepted.count(False) == 2, "one acts early twice, one lacks the Stamina"
    for door, came_to in played.items():
        assert came_to == (accepted, why, state, events), door


@at_each_door_to("act")
def test_a_request_sent_twice_is_done_once(house: House, door: str) -> None:
    on = house.table
    for _ in range(2):
        fields = {"character": "Ash", "stamina": 2, "request": "once-and-for-all"}
        assert house.doors[door].act(on.player, "channel", **fields).what == "done"
    assert house.now().table.character("Ash").stamina == 10


def test_a_request_sent_again_by_another_door_is_the_same_request(house: House) -> None:
    for door in doors_to("act"):
        fields = {"character": "Ash", "stamina": 2, "request": "once-and-for-all"}
        assert house.doors[door].act(house.table.player, "channel", **fields).what == "done"
    assert house.now().table.character("Ash").stamina == 10


def test_what_would_be_done_is_what_is_done(house: House) -> None:
    on, api = house.table, house.doors["API"]
    for fields in ({"stamina": 2}, {"stamina": 13}):
        before = house.all_of_it()
        tried = api.check(on.player, "channel", character="Ash", **fields)
        assert house.all_of_it() == before
        done = api.act(on.player, "channel", character="Ash", **fields)
        assert tried.no == done.no
        if done.what == "done":
            assert {**tried.brought, "number": 0, "revision": ""} == {**done.brought, "number": 0, "revision": ""}


@pytest.mark.parametrize("asking", doors_to("act"))
@pytest.mark.parametrize("answering", doors_to("company"))
@pytest.mark.parametrize(("answer", "left"), [("accept", 9), ("decline", 12)])
def test_what_is_asked_by_one_door_is_answered_by_another(
    house: House, asking: str, answering: str, answer: str, left: int
) -> None:
    on = house.table
    assert house.doors[answering].company(on.referee, "set_permissions", permissions={"channel_casting": "ask"}).no == (
        "done",
        "",
    )
    asked = house.doors[asking].act(on.player, "channel", character="Ash", stamina=3)
    assert asked.no == ("asked", "")
    assert house.now().table.character("Ash").stamina == 12
    (waiting,) = house.now().company.asks
    # Neither the one who asks nor another player answers.
    for who in (on.player, on.other):
        assert house.doors[answering].company(who, answer, ask=waiting.number).no == ("forbidden", ONLY_THE_REFEREE)
    assert house.doors[answering].company(on.referee, answer, ask=waiting.number).what == "done"
    assert house.now().table.character("Ash").stamina == left
    assert house.now().company.asks == ()


@at_each_door_to("give", "join", "join_by_code")
def test_whoever_joins_sits_down_alike(house: House, door: str) -> None:
    on = house.table
    referee_door = house.doors[door]
    given = referee_door.give(on.referee, "invitation").brought
    assert set(given) >= {"token", "code"}
    invited = referee_door.join(given["token"], " Kim ", "Ash")
    by_code = referee_door.join_by_code(given["code"].lower(), "Lee")
    company = house.now().company
    assert [one.name for one in company.players()] == ["Mia", "Tom", "Kim", "Lee"]
    assert [one.name for one in company.players_of(house.now().table.character("Ash"))] == ["Mia", "Kim"]
    for said in (invited, by_code):
        who = visiting.follow(house.desk, said.brought["token"])
        assert (who.table, who.name in ("Kim", "Lee"), who.is_referee) == (on.id, True, False)
    # The next invitation ends this one, code and all.
    referee_door.give(on.referee, "invitation")
    assert referee_door.join(given["token"], "Max").no == ("unknown", GONE)
    assert referee_door.join_by_code(given["code"], "Max").what == "unknown"


@at_each_door_to("new_referee")
def test_a_new_referee_s_link_is_as_good_by_every_door(house: House, door: str) -> None:
    on = house.table
    given = house.doors[door].new_referee(on.referee)
    house.desk.refresh()
    who = visiting.follow(house.desk, given.brought["token"])
    assert (who.table, who.is_referee, who.name) == (on.id, True, "Referee")
    assert len(linking.links_of(house.desk, who)) == 7, "those given out before still hold, and the invitation"


@at_each_door_to("begin")
def test_a_table_begins_alike(house: House, door: str) -> None:
    begun = house.doors[door].begin(" Friday ")
    house.desk.refresh()
    who = visiting.follow(house.desk, begun.brought["token"])
    seen = seeing.see(house.desk, who)
    assert (seen.name, who.is_referee, who.name) == ("Friday", True, "Referee")
    assert (*seen.table.party(),) == ()
    assert seen.number == 1


@at_each_door_to("begin_with")
def test_a_table_begins_with_its_characters(house: House, door: str) -> None:
    begun = house.doors[door].begin_with("Friday", [("Ash", "d12"), ("Bryn", "d8")])
    seen = seeing.see(house.desk, visiting.follow(house.desk, begun.brought["token"]))
    assert [(one.name, one.con, one.stamina) for one in seen.table.party()] == [("Ash", "d12", 12), ("Bryn", "d8", 8)]
    assert seen.number == 3


@at_each_door_to("rename", "see")
def test_a_table_is_renamed_alike_and_everyone_hears(house: House, door: str) -> None:
    assert house.doors[door].rename(house.table.referee, "  The last night ").what == "done"
    assert house.now().name == "The last night"
    assert "The last night" in str(house.doors[door].see(house.table.player).brought)


# What a role may not see is not sent


@at_each_door_to("see")
def test_each_sees_what_is_theirs_to_see_and_no_more(house: House, door: str) -> None:
    on = house.table
    house.as_referee(AddCharacter("Another Unseen", con="d6", side=Side.ENEMY, hidden=True))
    for who in (on.player, on.other, on.spectator):
        text = str(house.doors[door].see(who).brought)
        assert "Wolf" in text
        assert "Unseen" not in text
    assert HIDDEN in str(house.doors[door].see(on.referee).brought)


# Limits


@at_each_door_to("act")
@pytest.mark.parametrize(
    ("side", "limit", "sentence"),
    [
        ("party", PARTY_LIMIT, "A table can have 40 player characters, and this one is full."),
        ("enemy", ENEMY_LIMIT, "A table can have 100 enemies, and this one is full."),
    ],
)
def test_a_table_holds_no_more_by_any_door(house: House, door: str, side: str, limit: int, sentence: str) -> None:
    referee = opening.begin_table(
        house.desk, "Full", [AddCharacter(f"One {at}", con="d8", side=Side(side)) for at in range(limit)]
    )
    said = house.doors[door].act(referee, "add_character", name="One more", con="d8", side=side)
    assert said.no == ("too-much", sentence)


@at_each_door_to("begin_with")
def test_nor_is_a_table_begun_with_more(house: House, door: str) -> None:
    before = opening.list_tables(house.desk)
    said = house.doors[door].begin_with("Full", [(f"One {at}", "d8") for at in range(PARTY_LIMIT + 1)])
    assert said.no == ("too-much", "A table can have 40 player characters, and this one is full.")
    assert opening.list_tables(house.desk) == before


@at_each_door_to("add_many")
def test_many_are_all_or_none(house: House, door: str) -> None:
    at, on = house.doors[door], house.table
    for number in range(ENEMY_LIMIT - 4):
        house.as_referee(AddCharacter(f"Rat {number}", side=Side.ENEMY))
    before, then = house.all_of_it(), house.now()
    no_room = ("too-much", "A table can have 100 enemies, and this one is full.")
    assert at.add_many(on.referee, "Bat", 3).no == no_room
    too_many = ("malformed", "“How many” must be a whole number from 1 to 20.")
    assert at.add_many(on.referee, "Bat", AT_ONCE + 1).no == too_many
    assert house.all_of_it() == before
    assert at.add_many(on.referee, "Bat", 2).what == "done"
    assert house.now().number == then.number + 1
    assert at.act(on.referee, "undo").what == "done"
    assert house.now().table.characters == then.table.characters


@pytest.mark.parametrize("first", doors_to("act", "company"))
@pytest.mark.parametrize("then", doors_to("act", "company"))
def test_acts_are_counted_over_all_doors_together(limited: House, first: str, then: str) -> None:
    on = limited.table
    doors = limited.doors
    for at in range(ACTS.burst):
        assert doors[first].act(on.player, "channel", character="Ash", stamina=99).what == "refused", at
    too_fast = ("too-much", "Too many requests. Try again in 1 s.")
    before = limited.all_of_it()
    assert doors[first].act(on.player, "channel", character="Ash", stamina=1).no == too_fast
    assert doors[then].act(on.player, "channel", character="Ash", stamina=1).no == too_fast
    assert doors[then].company(on.player, "claim", character="Bryn").no == too_fast
    assert limited.all_of_it() == before
    assert doors[then].act(on.other, "channel", character="Bryn", stamina=1).what == "done", "nobody else pays for it"
    limited.clock.now += 1
    assert doors[then].act(on.player, "channel", character="Ash", stamina=1).what == "done"


OF_THE_REFEREE = ("invite", "give a Referee's link", "give a spectators' link", "renew", "revoke", "rename")


@pytest.mark.parametrize(
    ("asked", "door"), [(asked, door) for asked in OF_THE_REFEREE for door in doors_to(ASKED[asked].operation)]
)
def test_what_the_referee_does_to_a_table_is_counted_too(limited: House, asked: str, door: str) -> None:
    on = limited.table
    limited.clock.now += 100
    for _ in range(ACTS.burst):
        limited.desk.limits.take(ACTS, on.referee.link.id)
    before = limited.all_of_it()
    said = ASKED[asked].ask(limited.doors[door], on.referee, on)
    assert said.no == ("too-much", "Too many requests. Try again in 1 s.")
    assert limited.all_of_it() == before


# Copies


@at_each_door_to("carry_out")
def test_a_table_is_carried_out_the_same_by_every_door(house: House, door: str) -> None:
    written = house.doors[door].carry_out(house.table.referee).brought
    assert written == house.carried()
    assert HIDDEN in written.decode()


@at_each_door_to("bring_in")
def test_a_copy_is_called_so_by_every_door(house: House, door: str) -> None:
    on = house.table
    file = house.carried()
    assert house.doors[door].bring_in(file, "copy").what == "done"
    house.desk.refresh()
    (copy,) = house.copies()
    assert copy.id != on.id
    assert house.now(copy.id).table == house.now().table
    assert sorted(one.name for one in copy.people) == ["Mia", "Referee", "Referee", "Spectators", "Tom"]
    # Those who come by the links of the first have nothing to do with the copy.
    assert {one.id for one in copy.people}.isdisjoint(house.now().company.members)


@at_each_door_to("bring_in")
def test_a_copy_of_a_long_name_is_cut_alike(house: House, door: str) -> None:
    long = f"{house.table.name} {'x' * 40}"[:40]
    assert house.doors[door].bring_in(house.carried(lay(house.desk, long)), "copy").what == "done"
    house.desk.refresh()
    assert f"Copy of {long}"[:40] in {one.name for one in opening.list_tables(house.desk)}


@at_each_door_to("bring_in")
def test_a_table_in_place_of_another_keeps_its_links(house: House, door: str) -> None:
    on = house.table
    file = house.carried()
    house.as_referee(AddCharacter("Cato", con="d10"))
    links = linking.links_of(house.desk, visiting.keeper(house.desk, on.id))
    assert house.doors[door].bring_in(file, "replace", on.referee).what == "done"
    house.desk.refresh()
    assert "Cato" not in house.now().table.characters
    assert linking.links_of(house.desk, visiting.keeper(house.desk, on.id)) == links
    assert house.doors["pages"].see(on.player).what == "done"


@at_each_door_to("bring_in", by_link=True)
def test_a_stranger_replaces_nothing(house: House, door: str) -> None:
    on = house.table
    file = house.carried()
    house.as_referee(AddCharacter("Cato", con="d10"))
    before = house.all_of_it()
    for who in (on.player, on.spectator):
        said = house.doors[door].bring_in(file, "replace", who)
        assert said.no == ("forbidden", "Only a table's Referee can replace it; import this one as a copy.")
    assert house.all_of_it() == before


# Streams


ENDS: dict[str, tuple[str, Callable[[Any, Laid], Said]]] = {
    "renewed": ("renew", lambda door, on: door.renew(on.referee, on.spectator.link.id)),
    "revoked": ("revoke", lambda door, on: door.revoke(on.referee, on.spectator.link.id)),
    "deleted": ("delete", lambda door, on: door.delete(on.referee)),
}


@pytest.mark.parametrize(
    ("how", "door"), [(how, door) for how, (operation, _) in ENDS.items() for door in doors_to(operation)]
)
def test_a_stream_ends_at_once_by_whichever_door_it_watches(house: House, how: str, door: str) -> None:
    on = house.table
    streams = [house.watching(watched, on.spectator) for watched in WATCHED]
    staying = house.watching("API", on.player)
    assert ENDS[how][1](house.doors[door], on).what == "done"
    # Where another process has done it: the server looks once a second.
    house.desk.refresh()
    for stream in streams:
        assert stream.over.wait(PATIENCE)
        assert b"event: gone" in stream.heard
    assert staying.over.wait(PATIENCE) if how == "deleted" else not staying.over.is_set()


@at_each_door_to("bring_in")
def test_whoever_watches_a_table_that_is_replaced_begins_anew(house: House, door: str) -> None:
    on = house.table
    file = house.carried()
    page, program = (house.watching(watched, on.player) for watched in ("pages", "API"))
    assert house.doors[door].bring_in(file, "replace", on.referee).what == "done"
    house.desk.refresh()
    until(lambda: b"event: reset" in program.heard, "the program is not told that all it holds is of another history")
    until(lambda: b'"anew":true' in page.heard, "the page is not made anew")
