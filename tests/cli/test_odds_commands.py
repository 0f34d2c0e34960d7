"""`winded odds`, `forecast`, `advise` and `compare` as whole commands."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from winded.cli import main

DAY = """
title = "The mill"
check = "1d20+con"
[[characters]]
name = "Ash"
con = "d8"
[[characters]]
name = "Brakka"
con = "d10"
habit = "carefully"
[[steps]]
fight = "Wolves"
rounds = 2
early = 0.5
reactions = 2
[[steps]]
check = "The door"
target = 15
"""
HOUSE = 'name = "House"\n[reactions]\nfurther = 0\n[push]\nbonus = 2\n'


@pytest.fixture
def day(tmp_path: Path) -> str:
    path = tmp_path / "day.toml"
    path.write_text(DAY, encoding="utf-8")
    return str(path)


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return str(path)


def test_odds_prints_a_table_and_a_bar_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1d20+con", "--con", "d8", "--target", "15", "--push", "1"]) == 0
    assert capsys.readouterr().out.split("\n") == [
        "1d20+con with CON d8 against 15",
        "",
        "Push  Chance  Gain   Exactly",
        "   0   52.5%          84/160  ███████████████▊",
        "   1   57.5%  +5.0%   92/160  █████████████████▎",
        "",
    ]


def test_odds_says_the_least_push_for_a_wanted_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1d20", "--target", "11", "--want", "3/5"]) == 0
    assert capsys.readouterr().out.endswith("The least push for a chance of 3/5: 2.\n")
    assert main(["odds", "1d20", "--target", "30", "--want", "0.5"]) == 0
    assert capsys.readouterr().out.endswith("No push up to 5 gives a chance of 0.5.\n")


def test_odds_as_json_as_csv_and_as_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "odds.svg"
    assert main(["odds", "2d12kh1", "--target", "9", "--json", "--want", "0.6", "--svg", str(drawn)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["expression"], data["pushes"][0]["exact"], data["least_push"]) == ("2d12kh1", "5/9", 1)
    assert ET.parse(drawn).getroot().get("role") == "img"
    assert main(["odds", "2d12kh1", "--target", "9", "--csv"]) == 0
    assert next(csv.reader(io.StringIO(capsys.readouterr().out))) == ["Push", "Chance", "Gain", "Exactly"]


def test_odds_follows_house_rules_and_negative_targets(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1d20", "--target", "11", "--rules", house, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pushes"][1]["exact"] == "3/5"
    assert main(["odds", "1d20-5", "--target", "-2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pushes"][0]["exact"] == "9/10"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["1d20+"], "“1d20+” ends too early, at column 6"),
        (["9999d9999"], "“9999d9999” asks for too much at column 6: dice have 1 to 1000 faces."),
        (["1d20", "--push", "100"], "A push must be from 0 to 99 Stamina, not 100."),
        (["1d20", "--want", "most"], "A chance is a number from 0 to 1, such as 0.6 or 2/3, not most."),
        (["con", "--con", "eight"], "“eight” is not a die"),
    ],
)
def test_what_odds_cannot_read_is_said_with_its_place(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *arguments, "--target", "15"]) == 2
    assert says in capsys.readouterr().err


def test_no_spreadsheet_takes_a_name_in_a_day_for_a_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = tmp_path / "day.toml"
    day.write_text(DAY.replace("Ash", "=1+2").replace("Brakka", "@SUM(A1)"), encoding="utf-8")
    for command in (["forecast", "--csv"], ["forecast", "--simulate", "20", "--csv"], ["advise", "--csv"]):
        assert main([command[0], str(day), *command[1:]]) == 0
        cells = [cell for row in csv.reader(io.StringIO(capsys.readouterr().out)) for cell in row]
        assert "'=1+2" in cells
        assert "'@SUM(A1)" in cells
        assert not any(cell.startswith(("=", "@")) for cell in cells)


def test_forecast_prints_draws_and_tabulates(day: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "forecast.svg"
    assert main(["forecast", day, "--svg", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "Ash begins with 8 Stamina and can expect" in out
    assert "Wolves, round 2" in out
    assert ET.parse(drawn).getroot().find("{http://www.w3.org/2000/svg}title") is not None
    assert main(["forecast", day, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 8
    assert sum(float(rows[1][str(stamina)]) for stamina in range(11)) == pytest.approx(1)
    assert main(["forecast", day, "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["characters"]] == ["Ash", "Brakka"]


def test_forecast_by_simulation_is_the_same_for_the_same_seed(day: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for _ in range(2):
        assert main(["forecast", day, "--simulate", "1000", "--seed", "4", "--json"]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]
    assert json.loads(answers[0])["days"] == 1000
    assert main(["forecast", day, "--simulate", "1000"]) == 0
    assert "1000 days, seed 0." in capsys.readouterr().out


def test_advise_prints_rules_of_thumb_and_draws(day: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "advice.svg"
    assert main(["advise", day, "--svg", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "For Ash the day is worth" in out
    assert "- Wolves, round 1:" in out
    assert ET.parse(drawn).getroot() is not None
    for form in ("--json", "--csv"):
        assert main(["advise", day, form]) == 0
        assert "Wolves, round 2" in capsys.readouterr().out


def test_compare_puts_rules_side_by_side(
    day: str, house: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "compared.svg"
    assert main(["compare", day, "--rules", "page", "--rules", house, "--svg", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "The mill under The page · House" in out
    assert ET.parse(drawn).getroot() is not None
    assert main(["compare", day, "--rules", house, "--csv"]) == 0
    assert [row["Rules"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["House", "House"]


def test_a_bad_day_file_names_the_file_and_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(DAY.replace("rounds = 2", "rounds = 99"), encoding="utf-8")
    for command in ("forecast", "advise", "compare"):
        assert main([command, str(bad)]) == 2
        assert capsys.readouterr().err == (f"{bad}: “steps[0].rounds” must be a whole number from 1 to 30; it is 99.\n")
    assert main(["forecast", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_says_so(day: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forecast", day, "--svg", str(tmp_path / "no" / "such.svg")]) != 0
    assert "could not be read or written" in capsys.readouterr().err


def test_the_odds_of_a_check_load_neither_numpy_nor_the_web() -> None:
    code = (
        "import sys; from winded.cli import main; main(['odds', '1d20+con', '--con', 'd8', '--target', '15']); "
        "print([name for name in ('numpy', 'icepool', 'litestar', 'jinja2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["odds", "1d20", "--target", "5", "--json", "--csv"], "--csv does not go with --json"),
        (["odds", "1d20", "--target", "5", "--csv", "--want", "0.5"], "--want does nothing together with --csv"),
        (["odds", "1d20", "--target", "5", "--totals", "--want", "0.5"], "--want does nothing together with --totals"),
        (["odds", "1d20", "--push", "3"], "--push needs --target"),
        (["odds", "1d20", "--under"], "--under needs --target"),
        (["forecast", "DAY", "--simulate", "10", "--svg", "x.svg"], "--svg does nothing together with --simulate"),
        (["forecast", "DAY", "--seed", "3"], "--seed needs --simulate"),
        (["forecast", "DAY", "--cores", "1"], "--cores needs --simulate"),
        (["forecast", "DAY", "--json", "--csv"], "--csv does not go with --json"),
        (["advise", "DAY", "--json", "--csv"], "--csv does not go with --json"),
        (["compare", "DAY", "--json", "--csv"], "--csv does not go with --json"),
    ],
)
def test_what_would_be_asked_for_in_vain_is_refused(
    arguments: list[str], said: str, day: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([day if one == "DAY" else one for one in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert not Path("x.svg").exists()


def said_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["odds", *arguments]) == 0
    return capsys.readouterr().out


def test_without_a_target_every_total_stands_there_with_its_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert "An exploding die is rolled again at most 10 times." in said_by(capsys, "2d6!kh1")
    found = json.loads(said_by(capsys, "6d10>=8", "--json"))
    assert (found["low"], found["high"], found["mean"]) == (0, 6, pytest.approx(1.8))
    assert found["totals"][0]["exact"] == "117649/1000000"
    assert said_by(capsys, "2d6", "--totals", "--target", "7").startswith("2d6: 2 to 12, mean 7.00")


def test_roll_under_succeeds_at_the_target_or_less(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said_by(capsys, "d%", "--target", "45", "--under", "--push", "1", "--json"))
    assert [one["exact"] for one in found["pushes"]] == ["9/20", "23/50"]
    assert found["succeeds"] == "at-most"


@pytest.mark.parametrize(
    ("dice", "target", "first"),
    [("1d20+1d100", "3", ">99.9%"), ("13d10", "14", ">99.9%"), ("13d10", "130", "<0.1%"), ("1d20+1d8", "25", "6.3%")],
)
def test_a_chance_that_is_not_1_never_reads_100_and_halves_go_up(
    dice: str, target: str, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said_by(capsys, dice, "--target", target, "--push", "0")
    assert text.split("\n")[3].split()[1] == first
    if target == "14":
        assert "The exact figures are too long for this table" in text
