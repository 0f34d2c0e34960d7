"""Who may do and read what: every command and every read, by every role, on own, others' and hidden characters.

Nothing is listed by hand that could be left out: the commands come from the rules' own union and the roles', the reads
from the API's own operations. What is expected is said anew here, independently of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.web.api.callers import HIDDEN, SECRETS, Caller, Evening
from tests.web.api.operations import OPERATIONS
from winded.roles import COMPANY_COMMANDS, Freedom, Permissions, choices_of
from winded.rules import COMMANDS, fields

OWN, OTHERS, HIDDEN_ONE, WOLF = "Ash", "Bryn", HIDDEN, "Wolf"
WHOSE = {"own": OWN, "other's": OTHERS, "enemy": WOLF, "hidden": HIDDEN_ONE}

FREE, ASK, NO = "free", "ask", "no"

# What the brief says of a player's own characters: everything but Wounds, rest and changes by hand, which are asked
# for; names, dice and abilities too. What moves the combat on is the Referee's, but for ending one's own turn.
OF_A_PLAYER = {
    "add_character": FREE,
    "edit_character": ASK,
    "remove_character": NO,
    "set_aside": ASK,
    "bring_back": ASK,
    "call_check": NO,
    "close_call": NO,
    "add_ability": ASK,
    "remove_ability": ASK,
    "take_wound": ASK,
    "recover_wound": ASK,
    "start_combat": NO,
    "act_early": FREE,
    "begin_turns": NO,
    "wait": FREE,
    "correct": NO,
    "next_turn": FREE,  # on one's own turn only
    "reorder": NO,
    "end_combat": NO,
    "react": FREE,
    "declare_check": FREE,
    "resolve_check": FREE,
    "withdraw_check": FREE,
    "resist": FREE,
    "use_ability": FREE,
    "channel": FREE,
    "rest": ASK,
    "adjust": ASK,
    "undo": FREE,  # of one's own last act only
    "redo": NO,
}

GIVEN: dict[str, dict[str, Any]] = {
    "edit_character": {"con": "d12"},
    "add_ability": {"ability": "Roar", "cost": 1},
    "remove_ability": {"ability": "Shield Wall"},
    "take_wound": {"wound": "cracked ribs"},
    "recover_wound": {"wound": "cracked ribs"},
    "declare_check": {"push": 1, "strain": "holding the gate"},
    "resolve_check": {"roll": 9},
    "resist": {"stamina": 1, "hardship": "pain"},
    "use_ability": {"ability": "Shield Wall"},
    "channel": {"stamina": 1},
    "adjust": {"by": -1, "reason": "the table agrees"},
    "correct": {"after": 1, "commands": [{"do": "adjust", "character": "Ash", "by": -1, "reason": "a fall"}]},
}


def command_on(do: str, character: str) -> dict[str, Any]:
    """A command of this kind that concerns this character, if commands of this kind concern one."""
    command: dict[str, Any] = {"do": do, **GIVEN.get(do, {})}
    names = {field.name for field in fields(COMMANDS[do])}
    if do == "add_character":
        return command | {"name": "Dana", "con": "d8"}
    if do == "reorder":
        return command | {"order": [character], "reason": "an ambush"}
    if do == "rest":
        return command | {"kind": "short", "characters": [character]}
    if "character" in names:
        command["character"] = character
    return command


def concerns_someone(do: str) -> bool:
    return bool({"character", "characters", "order"} & {field.name for field in fields(COMMANDS[do])})


def test_the_matrix_leaves_no_command_out() -> None:
    assert set(OF_A_PLAYER) == set(COMMANDS)


@pytest.fixture(scope="module")
def table(client: httpx.Client) -> Evening:
    """One table for the whole matrix; nothing in it changes by being checked."""
    made = client.post("/api/tables", json={"name": "The Matrix"}).json()
    evening = Evening(Caller(client, made["id"], made["token"], "Referee"))
    evening.referee.done("take_wound", character=OWN, wound="cracked ribs")
    evening.fight()
    return evening


def answered(caller: Caller, command: dict[str, Any]) -> int:
    """What comes of a command without doing it: its status; a refusal by the rules means that it was permitted."""
    return caller.post("/check", command).status_code


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize("do", COMMANDS)
def test_a_referee_may_do_everything(table: Evening, do: str, whose: str) -> None:
    assert answered(table.referee, command_on(do, WHOSE[whose])) in (200, 422)


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize("do", COMMANDS)
def test_a_spectator_may_do_nothing(table: Evening, do: str, whose: str) -> None:
    for path in ("/check", "/commands"):
        answer = table.spectator.post(path, command_on(do, WHOSE[whose]))
        assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize("do", COMMANDS)
def test_a_player_may_do_what_the_table_lets_players_do_and_for_own_characters_only(
    table: Evening, do: str, whose: str
) -> None:
    command = command_on(do, WHOSE[whose])
    answer = table.player.post("/check", command)
    freedom = OF_A_PLAYER[do]
    if do in ("next_turn", "undo") or freedom == NO or (concerns_someone(do) and whose != "own"):
        # Not on one's own turn, not one's own last act; others' and enemies never.
        if whose == "hidden" and concerns_someone(do) and do != "reorder" and freedom != NO:
            nobody = table.player.post("/check", command_on(do, "Nobody At All"))
            assert answer.status_code == nobody.status_code == 422
            assert answer.json() == {
                **nobody.json(),
                "message": nobody.json()["message"].replace("Nobody At All", HIDDEN),
            }
        else:
            assert answer.status_code in (403, 422)
            assert answer.status_code == 403 or answer.json()["rule"] == "not-found"
    elif freedom == ASK:
        assert answer.status_code in (202, 422)
    else:
        assert answer.status_code in (200, 422)
        assert answer.status_code == 200 or answer.json()["error"] == "refused"


@pytest.mark.parametrize("do", COMMANDS)
def test_a_check_and_the_command_itself_agree_on_who_may(evening: Evening, do: str) -> None:
    for caller in (evening.player, evening.spectator):
        for who in WHOSE.values():
            command = command_on(do, who)
            beforehand = caller.post("/check", command)
            assert caller.post("/commands", command).status_code == beforehand.status_code


GROUPS = {
    "acting_early": ("act_early",),
    "reactions": ("react",),
    "pushes": ("declare_check",),
    "checks": ("resolve_check", "withdraw_check"),
    "hardship": ("resist",),
    "abilities": ("use_ability",),
    "channel_casting": ("channel",),
    "ending_own_turn": ("next_turn",),
    "wounds": ("take_wound", "recover_wound"),
    "rest": ("rest",),
    "by_hand": ("adjust",),
    "new_characters": ("add_character",),
    "changing_characters": ("add_ability", "remove_ability", "edit_character"),
    "undoing": ("undo",),
}


def test_the_groups_leave_no_permission_out() -> None:
    assert set(GROUPS) == set(Permissions.__struct_fields__)


@pytest.mark.parametrize("freedom", Freedom)
def test_the_table_decides_how_far_players_may_go(evening: Evening, freedom: Freedom) -> None:
    permissions = {
        name: freedom.value if freedom.value in choices_of(name) else "no" for name in Permissions.__struct_fields__
    }
    assert evening.referee.company("set_permissions", permissions=permissions).status_code == 200
    referee = evening.referee
    referee.done("take_wound", character=OWN, wound="cracked ribs")
    referee.done("start_combat")
    early = evening.player.post("/check", {"do": "act_early", "character": OWN})
    referee.done("begin_turns")
    while referee.state()["combat"]["turn"] != OWN:
        referee.done("next_turn")
    referee.done("declare_check", character=OWN)
    for group, kinds in GROUPS.items():
        for do in kinds:
            answer = early if do == "act_early" else evening.player.post("/check", command_on(do, OWN))
            if do == "undo" and freedom is Freedom.FREE:
                # The newest act is the Referee's.
                assert answer.json()["message"].startswith("You can take back only your own last act")
            elif freedom is Freedom.NO or do == "undo":
                assert answer.status_code == 403, (group, do, answer.text)
            elif answer.status_code != 422:
                assert answer.status_code == (200 if freedom is Freedom.FREE else 202), (group, do, answer.text)
            else:
                # Permitted, and refused by the rules: a reaction on one's own turn, a rest in combat, a second Check,
                # the same Wound again.
                assert do in ("react", "rest", "declare_check", "take_wound"), (group, do, answer.text)


def test_options_say_the_same_as_the_commands(evening: Evening) -> None:
    evening.referee.done("take_wound", character=OWN, wound="cracked ribs")
    evening.referee.done("start_combat")
    for caller in (evening.referee, evening.player, evening.spectator):
        offered = [
            *caller.get("/options", character=OWN).json()["options"],
            *caller.get("/options", character=OTHERS).json()["options"],
            *caller.get("/options").json()["combat"],
            *caller.get("/options").json()["rests"],
        ]
        assert offered
        for option in offered:
            answer = caller.post("/check", option["command"])
            expected = {"free": 200, "ask": 202, "no": 403}[option["freedom"]]
            if option["freedom"] != "no" and option["refusal"] is not None:
                expected = 422
                assert {**answer.json(), "error": None} == {"error": None, **option["refusal"]}
            assert answer.status_code == expected, (caller, option, answer.text)
            assert (option["forbidden"] is None) == (option["freedom"] != "no")


# -- the company

REFEREES_ONLY = {"accept", "decline", "set_permissions", "set_check_dice", "share_sketch"}


def company_commands(caller: Caller, other: Caller) -> Iterator[tuple[str, dict[str, Any], set[int]]]:
    """Every command to the company, as players send it, and the statuses it may have."""
    for do in COMPANY_COMMANDS:
        match do:
            case "claim" | "release":
                yield do, {"character": "Cato"}, {200, 422}
                yield do, {"character": "Cato", "member": other.member}, {403}
                yield do, {"character": HIDDEN}, {422}
            case "accept" | "decline":
                yield do, {"ask": 1}, {403}
            case "take_back_ask":
                yield do, {"ask": 1}, {422}
            case "not_early" | "roll_check":
                yield do, {"character": "Ash"}, {200, 422}
                yield do, {"character": "Bryn"}, {403}
                yield do, {"character": HIDDEN}, {422}
            case "set_permissions":
                yield do, {"permissions": {}}, {403}
            case "set_check_dice":
                yield do, {"dice": "1d20"}, {403}
            case "share_sketch":
                yield do, {"sketch": "rest short"}, {403}
            case _:
                raise AssertionError(f"{do} is left out of the matrix")


def test_players_do_in_the_company_only_what_is_their_own(evening: Evening) -> None:
    for do, given, allowed in company_commands(evening.player, evening.other):
        answer = evening.player.company(do, **given)
        assert answer.status_code in allowed, (do, given, answer.text)
        for_another = "member" in given or given.get("character") == "Bryn"
        assert (403 in allowed) <= (do in REFEREES_ONLY or for_another)


def test_spectators_do_nothing_in_the_company(evening: Evening) -> None:
    for do, given, _ in company_commands(evening.spectator, evening.other):
        assert evening.spectator.company(do, **given).status_code == 403


def test_a_referee_does_everything_in_the_company(evening: Evening) -> None:
    for do, given, _ in company_commands(evening.player, evening.other):
        assert evening.referee.company(do, **given).status_code in (200, 422)


# -- reads


def reads() -> list[str]:
    """Every address that only reads and is about one table."""
    return [one.path.removeprefix("/tables/{table}") for one in OPERATIONS if one.method == "GET" and one.token]


REFEREES_READS = {"/links", "/export"}
ASKED_WITH = {
    "/chances": {"character": OWN, "target": 12, "dice": "1d20+con"},
    "/advice": {"character": OWN, "sketch": "rest short"},
    "/ahead": {"sketch": "fight 2, short rest"},
}
"""What a read is asked with where it needs more than its address."""
STREAMS = {"/live"}


@pytest.mark.parametrize("path", sorted(set(reads()) - STREAMS))
def test_reads_are_for_those_who_may(table: Evening, path: str) -> None:
    for caller in table.all:
        expected = 403 if path in REFEREES_READS and caller is not table.referee else 200
        assert caller.get(path, **ASKED_WITH.get(path, {})).status_code == expected, caller


@pytest.mark.parametrize("path", sorted(set(reads())))
def test_nobody_reads_without_a_token_or_with_another_tables(
    table: Evening, new_table: Callable[..., Caller], path: str
) -> None:
    stranger = new_table()
    for headers in ({}, stranger.headers, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic abc"}):
        answer = table.referee.client.get(table.referee.base + path, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (401, "no-token")
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_cookie_is_no_token(table: Evening) -> None:
    cookie = {"Cookie": f"winded-{table.referee.table}={table.referee.token}"}
    for path in reads():
        assert table.referee.client.get(table.referee.base + path, headers=cookie).status_code == 401
    written = table.referee.client.post(table.referee.base + "/commands", json={"do": "start_combat"}, headers=cookie)
    assert written.status_code == 401


def changes() -> list[tuple[str, str]]:
    """Every operation on a table that is more than reading, but for what players do too."""
    own = {"/commands", "/commands/together", "/check", "/company"}
    return [
        (one.method, one.path.removeprefix("/tables/{table}").replace("{link}", "0" * 16))
        for one in OPERATIONS
        if one.method != "GET" and one.token and one.path.removeprefix("/tables/{table}") not in own
    ]


@pytest.mark.parametrize(("method", "path"), changes())
def test_what_changes_a_table_as_such_is_the_referees(table: Evening, method: str, path: str) -> None:
    for caller in table.all[1:]:
        answer = caller.send(method, path, {"name": "Mine now", "role": "referee"})
        assert answer.status_code == 403, caller
    assert table.referee.get().json()["name"] == "The Matrix"


# -- hidden enemies


@pytest.fixture(scope="module")
def received(table: Evening) -> dict[str, bytes]:
    """All that a player and a spectator receive by every read, every answer and the stream, as bytes."""
    table.other.do("rest", kind="short", characters=[OTHERS])
    found: dict[str, bytes] = {}
    for caller in (table.player, table.other, table.spectator):
        for path in set(reads()) - STREAMS:
            answer = caller.get(path, **ASKED_WITH.get(path, {}))
            found[f"{caller} {path}"] = answer.content + str(answer.headers).encode()
        for who in (OWN, OTHERS, WOLF, "#1", "#2", "#3", "#4"):
            found[f"{caller} options of {who}"] = caller.get("/options", character=who).content
        for command in ({"do": "react", "character": OWN}, {"do": "start_combat"}, {"do": "next_turn"}, {"do": "undo"}):
            found[f"{caller} {command}"] = caller.post("/check", command).content
        after, pages = 0, []
        while after is not None:
            page = caller.get("/journal", after=after, limit=3)
            pages.append(page.content)
            after = page.json()["next"]
        found[f"{caller} journal in pages"] = b"".join(pages)
        with caller.follow(after=0) as stream:
            table.referee.done("adjust", character=HIDDEN, by=1, reason="poisoned blade")
            table.referee.done("adjust", character=OTHERS, by=-1, reason="the mark")
            while stream.next("entry")["data"]["events"][0].get("reason") != "the mark":
                pass
            table.referee.done("undo")
            found[f"{caller} stream"] = bytes(stream.raw)
    return found


def test_no_byte_of_a_hidden_enemy_reaches_players_or_spectators(table: Evening, received: dict[str, bytes]) -> None:
    assert any(b"the mark" in data for data in received.values())
    for where, data in received.items():
        for secret in SECRETS:
            assert secret.encode() not in data, f"{where} tells of {secret}"
        assert f'"{table.hidden}"'.encode() not in data, f"{where} tells the id of {HIDDEN}"


def test_the_referee_reads_all_of_it(table: Evening) -> None:
    whole = b"".join(table.referee.get(path).content for path in set(reads()) - STREAMS)
    for secret in SECRETS:
        assert secret.encode() in whole


def test_a_hidden_enemy_cannot_be_asked_for_by_name_or_id(table: Evening) -> None:
    for who in (HIDDEN, HIDDEN.upper(), table.hidden):
        answer = table.player.get("/options", character=who)
        assert answer.status_code == 404
        assert answer.json() == {
            "error": "unknown",
            "message": f"There is nobody called {who} at this table.",
        }


def test_a_revealed_enemy_is_seen_from_then_on_and_what_was_hidden_stays_so(evening: Evening) -> None:
    evening.referee.done("adjust", character=HIDDEN, by=-1, reason="poisoned blade")
    assert HIDDEN not in evening.player.state()["characters"]
    evening.referee.done("edit_character", character=HIDDEN, hidden=False)
    assert evening.player.state()["characters"][HIDDEN]["note"] is None
    history = evening.player.get("/journal").text
    assert "is revealed" in history
    assert "poisoned blade" not in history


def test_players_never_get_the_raw_command_of_anyone(table: Evening) -> None:
    for caller in table.all[1:]:
        for entry in caller.get("/journal", limit=500).json()["entries"]:
            assert entry["command"] is None
    assert all(entry["command"] for entry in table.referee.get("/journal", limit=500).json()["entries"])
