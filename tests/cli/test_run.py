"""`winded run`: what goes in, what comes out, and how it ends."""

import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ENDS_WITHIN, WINDED, Winded
from tests.scenarios import SCENARIOS, Answer, Scenario, ScenarioStep, differences
from winded.cli import main
from winded.cli.reading import LONGEST

ASH = '{"do": "add_character", "name": "Ash", "con": "d12"}'
START = '{"do": "start_combat"}'
REACT = '{"do": "react", "character": "Ash"}'


def answers(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


# -- all that must hold, worked out by hand


def read_off(scenario: Scenario, printed: str, complaint: str) -> Iterator[tuple[ScenarioStep, Answer]]:
    """Each step with the answer that `winded run --state each` printed to it."""
    for step, line in zip_longest(scenario.steps, answers(printed)):
        if line is None:
            field = re.search("“(.+?)”", complaint)
            assert field is not None, complaint
            yield step, Answer({}, malformed=field[1])
            return
        yield step, Answer(line["state"], line.get("events", ()), line.get("refusal"))


def written(scenario: Scenario) -> str:
    return "\n".join(json.dumps(step.command) for step in scenario.steps)


def status_of(scenario: Scenario) -> int:
    """How `winded run` must end."""
    if any("malformed" in step.expect for step in scenario.steps):
        return 2
    return 1 if any("refused" in step.expect for step in scenario.steps) else 0


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_holds(scenario: Scenario, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenario.jsonl"
    file.write_text(written(scenario), encoding="utf-8")
    house = tmp_path / "house.toml"
    house.write_text(scenario.house or "", encoding="utf-8")
    assert main(["run", "--rules", str(house), "--state", "each", str(file)]) == status_of(scenario)
    for step, answer in read_off(scenario, *capfd.readouterr()):
        assert differences(step, answer) == [], step.command


def test_scenarios_hold_in_processes_of_their_own(winded: Winded) -> None:
    for scenario in [one for one in SCENARIOS if one.house is None][::6]:
        ran = winded("run", "--state", "each", given=written(scenario))
        assert ran.returncode == status_of(scenario), scenario.name
        for step, answer in read_off(scenario, ran.stdout, ran.stderr):
            assert differences(step, answer) == [], step.command


# -- what is printed


def test_accepted_lines_tell_their_events_and_the_state_comes_last(winded: Winded) -> None:
    ran = winded("run", given=f"{ASH}\n{START}\n{REACT}\n")
    assert ran.returncode == 0
    *played, end = answers(ran.stdout)
    assert [(one["line"], one["accepted"]) for one in played] == [(1, True), (2, True), (3, True)]
    assert played[2] == {
        "line": 3,
        "accepted": True,
        "events": [{"event": "reacted", "character": "Ash", "cost": 1, "leaves": 11, "taken": 1}],
    }
    assert set(end) == {"state"}
    ash = end["state"]["characters"]["Ash"]
    assert (ash["stamina"], ash["maximum"], ash["reaction_cost"]) == (11, 12, 2)
    assert end["state"]["combat"] == {"round": 1, "phase": "declare", "order": [], "turn": None}


def test_a_refused_line_tells_the_refusal_and_the_next_is_played(winded: Winded) -> None:
    ran = winded("run", given=f"{ASH}\n{REACT}\n{START}\n")
    assert ran.returncode == 1
    assert ran.stderr == ""
    _, refused, accepted, _ = answers(ran.stdout)
    assert set(refused) == {"line", "accepted", "refusal"}
    assert refused["line"], refused["accepted"] == (2, False)
    assert refused["refusal"]["rule"] == "reaction.combat"
    assert set(refused["refusal"]) == {"rule", "message"}
    assert accepted["accepted"] is True


def test_needs_and_has_stand_in_the_refusal_where_stamina_is_lacking(winded: Winded) -> None:
    poor = '{"do": "add_character", "name": "Ash", "con": "d6", "stamina": 2}'
    ran = winded("run", given=f"{poor}\n{START}\n{REACT}\n{REACT}\n{REACT}\n")
    assert answers(ran.stdout)[3]["refusal"] == {
        "rule": "reaction.cost",
        "message": "Ash has 1 Stamina; this costs 2.",
        "needs": 2,
        "has": 1,
    }


def test_state_each_goes_with_every_line_refused_ones_too(winded: Winded) -> None:
    ran = winded("run", "--state", "each", given=f"{ASH}\n{REACT}\n")
    accepted, refused = answers(ran.stdout)
    assert accepted["state"] == refused["state"]
    assert accepted["state"]["characters"]["Ash"]["stamina"] == 12


def test_nothing_at_all_is_an_empty_table(winded: Winded) -> None:
    ran = winded("run")
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        0,
        '{"state":{"characters":{},"combat":null,"combats":0}}\n',
        "",
    )


def test_undo_and_redo_are_lines_like_others(winded: Winded) -> None:
    undo, redo = '{"do": "undo"}', '{"do": "redo"}'
    ran = winded("run", "--state", "each", given="\n".join([ASH, START, REACT, undo, redo, undo, undo, undo, undo]))
    played = answers(ran.stdout)
    assert [one["accepted"] for one in played] == [True] * 8 + [False]
    left = [one["state"]["characters"].get("Ash", {}).get("stamina") for one in played]
    assert left == [12, 12, 11, 12, 11, 12, 12, None, None]
    assert [event["event"] for one in played[3:5] for event in one["events"]] == ["undone", "redone"]
    assert played[8]["refusal"]["rule"] == "not-now"
    assert ran.returncode == 1


# -- what is read


def test_blank_lines_and_comments_are_skipped_but_counted(winded: Winded) -> None:
    ran = winded("run", given=f"# an evening\n\n   \t\n{ASH}\n  # indented\n{START}\n")
    assert [one.get("line") for one in answers(ran.stdout)] == [4, 6, None]


@pytest.mark.parametrize(
    "given",
    [
        f"{ASH}\r\n{START}\r\n",
        f"\ufeff{ASH}\n{START}\n",
        f"\ufeff# comment\r\n{ASH}\r\n{START}",
        f"{ASH}\n{START}",
        f"  {ASH}  \n\t{START}\t\n",
    ],
    ids=["CRLF", "byte order mark", "both, and no newline at the end", "no newline at the end", "white space"],
)
def test_a_file_may_come_from_any_editor(winded: Winded, given: str) -> None:
    ran = winded("run", given=given)
    assert ran.returncode == 0, ran.stderr
    assert len(answers(ran.stdout)) == 3


def test_a_file_and_standard_input_are_read_alike(winded: Winded, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text(f"{ASH}\n{START}\n", encoding="utf-8")
    from_file = winded("run", "evening.jsonl")
    assert from_file.returncode == 0
    for arguments in (["run", "-"], ["run"], ["run", "--state", "end", "-"], ["run", "-", "--state=end"]):
        assert winded(*arguments, given=file.read_bytes()).stdout == from_file.stdout


def test_names_of_any_script_come_out_as_they_went_in(winded: Winded) -> None:
    ran = winded("run", given='{"do": "add_character", "name": "Ægir 🐺", "con": "d12"}', PYTHONUTF8="0", LC_ALL="C")
    assert '"Ægir 🐺"' in ran.stdout


def test_a_long_comment_is_skipped_whole(winded: Winded) -> None:
    ran = winded("run", given=f"#{'x' * 3 * LONGEST}\n{ASH}\n")
    assert [one.get("line") for one in answers(ran.stdout)] == [2, None]


# -- lines that are no commands


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"do": "react"}', "“character” is missing; it must be "),
        ('{"do": "react", "character": 4}', "“character” must be a name of 1 to 40 characters"),
        ('{"do": "react", "character": "Ash", "cots": 1}', "There is no field “cots” here. Fields here:"),
        ('{"do": "rest", "kind": "nap"}', "“kind” must be one of “short”, “unsafe_long”, “safe_long”, “respite”"),
        ('{"do": "dance"}', "“do” must be one of act_early,"),
        ('{"character": "Ash"}', "“do” is missing; it must be one of act_early, "),
        ('{"do": "channel", "character": "Ash", "stamina": 1.0}', "“stamina” must be a whole number from 1 to 99"),
        ('{"do": "channel", "character": "Ash", "stamina": true}', "“stamina” must be a whole number from 1 to 99"),
        ('{"do": "channel", "character": "Ash", "stamina": "1"}', "“stamina” must be a whole number from 1 to 99"),
        ('{"do": "add_character", "name": "Bo", "con": "d4"}', "“con” must be"),
        ("react", "This is not JSON: "),
        ('["react"]', "A command is an object with “do” and its fields"),
        ('{"do": "undo"} {"do": "undo"}', "This is not JSON: "),
        ('{"do": "undo"', "This is not JSON: "),
        ("[" * 100_000, "This is not JSON: "),
    ],
)
def test_a_line_that_is_no_command_ends_it_naming_line_and_field(winded: Winded, line: str, said: str) -> None:
    ran = winded("run", given=f"{ASH}\n\n{line}\n{START}\n")
    assert ran.returncode == 2
    assert [one.get("line") for one in answers(ran.stdout)] == [1]
    assert ran.stderr.startswith(f"Line 3: {said}")
    assert ran.stderr.endswith(".\n")
    assert ran.stderr.count("\n") == 1


def test_a_line_that_is_no_utf_8_is_no_command(winded: Winded) -> None:
    ran = winded("run", given=f"{ASH}\n".encode() + b'{"do": "add_character", "name": "\xff", "con": "d12"}\n')
    assert ran.returncode == 2
    assert len(answers(ran.stdout)) == 1
    assert ran.stderr == "Line 2: Commands must be UTF-8 text; byte 34 is not.\n"


def test_a_line_of_any_length_is_read_no_further_than_a_command_can_be(winded: Winded) -> None:
    ran = winded("run", given=f'{ASH}\n{{"do": "{"x" * LONGEST}"}}\n')
    assert ran.returncode == 2
    assert len(answers(ran.stdout)) == 1
    assert ran.stderr == "Line 2: This line is too long: a line has at most 1048576 bytes.\n"


def test_refused_before_a_line_that_is_no_command_still_ends_with_2(winded: Winded) -> None:
    ran = winded("run", "--state", "each", given=f"{REACT}\nnothing\n")
    assert ran.returncode == 2
    assert len(answers(ran.stdout)) == 1


def test_what_steers_a_terminal_is_shown_not_sent(winded: Winded) -> None:
    ran = winded("run", given='{"do": "\\u001b[2J\x9b"}')
    assert ran.returncode == 2
    assert all(one.isprintable() for one in ran.stderr.rstrip("\n"))


# -- files that cannot be read


def test_a_file_that_is_not_there(winded: Winded) -> None:
    ran = winded("run", "evening.jsonl")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "evening.jsonl cannot be read: No such file or directory.\n"


def test_a_folder_is_no_file(winded: Winded, tmp_path: Path) -> None:
    ran = winded("run", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"{tmp_path} cannot be read: Is a directory.\n"


def test_an_option_that_does_not_exist_is_not_taken_for_a_file(winded: Winded) -> None:
    for wrong in (["--stat", "each"], ["-x"], ["--state", "some"], ["a", "b"], ["--rules"]):
        ran = winded("run", *wrong)
        assert (ran.returncode, ran.stdout) == (2, ""), wrong
        assert "“winded run --help” lists what you can give." in ran.stderr


# -- house rules


def test_house_rules_are_played_by(winded: Winded, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text("[reactions]\ncosts = [2, 5]\n[dice]\nd6 = 6\nd20 = 25\n", encoding="utf-8")
    ran = winded("run", "--rules", house, given=f"{ASH.replace('d12', 'd20')}\n{START}\n{REACT}\n")
    assert ran.returncode == 0, ran.stderr
    ash = answers(ran.stdout)[-1]["state"]["characters"]["Ash"]
    assert (ash["maximum"], ash["stamina"], ash["reaction_cost"]) == (25, 23, 5)


@pytest.mark.parametrize(
    ("house", "said"),
    [
        (b"[rest]\nshort = 200\n", "house.toml: “rest.short” must be "),
        (b"[rest]\nshrt = 2\n", "house.toml: There is no field “rest.shrt” here. Fields here: "),
        (
            b'[reactions]\nresets = "daily"\n',
            "house.toml: “reactions.resets” must be one of ",
        ),
        (b"rest = 3\n", "house.toml: “rest” must be a table of its own; it is 3."),
        (b"[rest\n", "house.toml: The house rules are not TOML: "),
        (b'name = "\xff"\n', "house.toml is not UTF-8 text: see byte 9."),
        (b"#" * (1 << 20) + b"#", "house.toml is larger than 1048576 bytes."),
    ],
)
def test_wrong_house_rules_are_refused_before_anything_is_played(
    winded: Winded, tmp_path: Path, house: bytes, said: str
) -> None:
    (tmp_path / "house.toml").write_bytes(house)
    ran = winded("run", "--rules", "house.toml", given=ASH)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(said)


def test_house_rules_that_are_not_there(winded: Winded) -> None:
    ran = winded("run", "--rules", "house.toml", given=ASH)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "house.toml cannot be read: No such file or directory.\n"


# -- as a partner in a conversation


@pytest.fixture
def talking(environment: dict[str, str]) -> Any:
    """A `winded run` that is spoken to line by line."""
    with subprocess.Popen(
        [WINDED, "run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        encoding="utf-8",
    ) as process:
        yield process
        process.kill()


def test_each_line_is_answered_before_the_next_is_asked(talking: subprocess.Popen[str]) -> None:
    assert talking.stdin is not None
    assert talking.stdout is not None
    for number, line in enumerate((ASH, REACT, START), 1):
        talking.stdin.write(line + "\n")
        talking.stdin.flush()
        assert json.loads(talking.stdout.readline())["line"] == number
    rest, complaint = talking.communicate(timeout=ENDS_WITHIN)
    assert "state" in json.loads(rest)
    assert complaint == ""
    assert talking.returncode == 1


def test_ctrl_c_ends_it_without_a_word(talking: subprocess.Popen[str]) -> None:
    assert talking.stdin is not None
    assert talking.stdout is not None
    talking.stdin.write(ASH + "\n")
    talking.stdin.flush()
    assert json.loads(talking.stdout.readline())["accepted"] is True
    talking.send_signal(signal.SIGINT)
    assert talking.wait(ENDS_WITHIN) == 130
    assert (talking.stdout.read(), talking.stderr.read() if talking.stderr else None) == ("", "")


def test_a_reader_that_goes_away_ends_it_without_a_word(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_text(f"{ASH}\n" * 20_000, encoding="utf-8")
    with subprocess.Popen(
        [WINDED, "run", "--state", "each", tmp_path / "long.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(ENDS_WITHIN) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to here")
def test_a_full_disk_is_said_in_a_sentence(environment: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [WINDED, "run"], input=ASH.encode(), stdout=full, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert ran.returncode == 7
    assert ran.stderr == b"A file could not be read or written: No space left on device.\n"


def test_someone_at_a_terminal_is_answered_line_by_line(environment: dict[str, str]) -> None:
    here, there = pty.openpty()
    with subprocess.Popen(
        [WINDED, "run"], stdin=there, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(there)
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"one command a line" in process.stderr.readline()
        os.write(here, f"{ASH}\n".encode())
        assert json.loads(process.stdout.readline())["accepted"] is True
        os.write(here, b"\x04")
        assert "state" in json.loads(process.stdout.readline())
        assert process.wait(ENDS_WITHIN) == 0
    os.close(here)
