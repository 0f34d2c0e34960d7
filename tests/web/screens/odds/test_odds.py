"""Odds on the pages: the figures are those of `winded.odds`, in words and with nothing of a hidden enemy."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.charts import STYLE
from winded.charts.ahead import left_words
from winded.charts.prospect import none_words
from winded.errors import Malformed, Refused
from winded.odds import HABITS, check, forecast, roll, sketch_from_text, what_is_ahead
from winded.odds.day import address as day_address
from winded.odds.figures import Percent
from winded.roles import SetCheckDice
from winded.rules import (
    PAGE,
    AddCharacter,
    Adjust,
    DeclareCheck,
    Ruleset,
    Side,
    StartCombat,
    Table,
    ruleset_from,
)
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.web import screens
from winded.web.assets import STATIC
from winded.web.dice import check_dice
from winded.web.screens.odds.chances import ShownChance, amounts, common_targets, places_for

DICE = "1d20+con"
SKETCH = "fight The mill rounds=3 early=1/2 reactions=1; rest short; check A stuck door target=15"
HIDDEN = "Zzyzx the Unseen"


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("odds") / "winded.sqlite") as running:
        yield running


class Evening:
    """A table whose Checks are rolled with 1d20+con, its Referee, and a player who plays Bryn."""

    def __init__(self, inside: Inside, ruleset: Ruleset = PAGE, dice: str | None = DICE) -> None:
        host = inside.host
        people = (
            AddCharacter("Ash", con="d12"),
            AddCharacter("Bryn", con="d8", stamina=5),
            AddCharacter("Wolf", con="d8", side=Side.ENEMY),
            AddCharacter(HIDDEN, con="d10", side=Side.ENEMY, hidden=True),
        )
        self.inside = inside
        self.referee: Given = begin_table(host.desk, "Thursday", people, ruleset)
        self.id = self.referee.link.table
        self.player = host.desk.links.join(host.desk.links.invite(self.id).link, "Mia")
        host.desk.links.claim(self.player, "Bryn")
        if dice is not None:
            host.desk.tables.do(self.id, SetCheckDice(dice), who=self.referee.link.id)

    @property
    def table(self) -> Table:
        return self.inside.host.desk.tables.snapshot(self.id).table

    def get(self, path: str, given: Given | None = None, **query: object) -> httpx.Response:
        held = self.referee if given is None else given
        return httpx.get(
            f"{self.inside.address}/tables/{self.id}{path}",
            params=query or None,  # type: ignore[arg-type]
            headers={"Authorization": f"Bearer {held.token}", "Winded-Script": "1"},
            timeout=PATIENCE,
        )

    def post(self, path: str, **form: str) -> httpx.Response:
        return httpx.post(
            f"{self.inside.address}/tables/{self.id}{path}",
            data=form,
            headers={"Authorization": f"Bearer {self.referee.token}", "Winded-Script": "1"},
            timeout=PATIENCE,
        )


def exact(html: str) -> list[str]:
    """The chances in a fragment, as it keeps them exactly."""
    return re.findall(r'data-chance="([^"]+)"', html)


def shown(html: str) -> list[str]:
    return re.findall(r"data-chance=[^>]*>([^<]+)<", html)


def test_each_push_shows_the_chance_odds_gives_and_what_it_leaves(inside: Inside) -> None:
    evening = Evening(inside)
    odds = check(DICE, 15, 5, con="d8")
    for given in (evening.referee, evening.player):
        html = evening.get("/chances", given, character="#2", target=15).text
        assert exact(html) == [f"{one.ways}/{one.of}" for one in odds.pushes]
        assert shown(html) == ["52.5", "57.5", "62.5", "67.5", "72.5", "77.5"]
        assert "52.5 in 100 without a push. 57.5 with 1 Stamina. 62.5 with 2 Stamina." in html
        assert re.findall(r'class="num">(\d+)</td></tr>', html) == ["5", "4", "3", "2", "1", "0"]


def test_a_house_rules_push_bonus_changes_the_chances(inside: Inside) -> None:
    evening = Evening(inside, ruleset_from({"name": "House", "push": {"bonus": 3}}))
    odds = check(DICE, 15, 5, con="d8", push_bonus=3)
    html = evening.get("/chances", character="Bryn", target=15).text
    assert exact(html) == [f"{one.ways}/{one.of}" for one in odds.pushes]
    assert "Each Stamina adds 3 to the roll" in html


def test_very_many_pushes_are_thinned_out(inside: Inside) -> None:
    giants = ruleset_from({"name": "Giants", "dice": {"d6": 6, "d8": 8, "d10": 10, "d12": 47}})
    html = Evening(inside, giants).get("/chances", character="Ash", target=30).text
    found = [int(push) for push in re.findall(r'<tr><th scope="row">(\d+)</th>', html)]
    assert found == [*range(1, 11), 15, 20, 25, 30, 35, 40, 45, 47]


def test_without_a_target_a_few_common_ones_stand_there(inside: Inside) -> None:
    html = Evening(inside).get("/chances", character="#2", target="").text
    assert re.findall(r'<tr><th scope="row">(\d+)</th>', html) == ["5", "10", "15", "20", "25", "30"]
    for target in (15, 20):
        share = check(DICE, target, con="d8").chance(0)
        assert f"{Percent(float(share)).rounded * 100:.1f}<svg" in html


def test_a_target_that_is_none_is_said_in_place(inside: Inside) -> None:
    evening = Evening(inside)
    for target in ("1000", "fifteen", "1.5", "=9"):
        answer = evening.get("/chances", character="#2", target=target)
        assert answer.status_code == 400
        assert "“Target”" in re.sub("</?bdi>", "", answer.text)


def test_with_no_stamina_the_bare_check_and_the_reason_stand_there(inside: Inside) -> None:
    evening = Evening(inside)
    inside.host.desk.tables.do(evening.id, Adjust("Bryn", by=-5, reason="a long day"), who=evening.referee.link.id)
    html = evening.get("/chances", evening.player, character="#2", target=15).text
    assert exact(html) == ["84/160"]
    with pytest.raises(Refused) as no:
        evening.table.do(DeclareCheck("Bryn", push=1))
    assert str(no.value) in re.sub("</?bdi>", "", html)


def test_a_check_that_is_open_shows_the_push_it_was_declared_with(inside: Inside) -> None:
    evening = Evening(inside)
    inside.host.desk.tables.do(evening.id, DeclareCheck("Bryn", push=2), who=evening.referee.link.id)
    assert exact(evening.get("/chances", character="#2", target=15).text) == ["100/160"]


def test_a_hidden_enemys_chances_are_for_the_referee_alone(inside: Inside) -> None:
    evening = Evening(inside)
    hidden = evening.table.character(HIDDEN).id
    assert evening.get("/chances", character=hidden, target=15).status_code == 200
    for character in (hidden, HIDDEN):
        answer = evening.get("/chances", evening.player, character=character, target=15)
        nobody = evening.get("/chances", evening.player, character="#99", target=15)
        assert answer.status_code == nobody.status_code == 422
        assert "d10" not in answer.text


def test_nothing_stands_there_until_the_dice_have_been_said(inside: Inside) -> None:
    evening = Evening(inside, dice=None)
    assert evening.get("/chances", character="#2", target=15).status_code == 400
    assert "data-asks" not in evening.get("/sheet/act", of="2", do="declare_check").text
    assert "data-asks" not in evening.get("", evening.player).text
    said = Evening(inside)
    assert "chances?character=%232" in said.get("/sheet/act", of="2", do="declare_check").text
    assert "chances?as=figures&amp;character=%232" in said.get("", said.player).text


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ("1d20+cno", "cannot be read at column 6"),
        ("9999d9999", "asks for too much at column 6"),
        ("1d20+", "ends too early, at column 6"),
    ],
)
def test_dice_nobody_can_roll_are_refused_with_the_place(inside: Inside, dice: str, why: str) -> None:
    evening = Evening(inside)
    answer = evening.post("/company", do="set_check_dice", dice=dice)
    assert answer.status_code == 400
    assert why in re.sub("</?bdi>", "", answer.text)
    assert inside.host.desk.tables.snapshot(evening.id).company.check_dice == DICE
    assert evening.post("/company", do="set_check_dice", dice="2d12kh1").status_code == 204
    assert evening.post("/company", do="set_check_dice", dice="").status_code == 204
    assert inside.host.desk.tables.snapshot(evening.id).company.check_dice is None


def expected_words(table: Table, sketch: str = SKETCH, habit: str = "freely") -> dict[str, list[str]]:
    """What the panel must say of each one, from the forecast itself."""
    found = what_is_ahead(table, sketch_from_text(sketch, DICE), usual=HABITS[habit])
    return {
        one.name: [str(left_words(one.stamina[-1].tolist())), str(none_words(float(one.empty[-1])))]
        for one in found.characters
    }


def test_what_is_ahead_says_what_the_forecast_says(inside: Inside) -> None:
    evening = Evening(inside)
    html = re.sub("</?(?:bdi|b)>", "", evening.get("/sheet/ahead", sketch=SKETCH).text)
    for left, none in expected_words(evening.table).values():
        assert f"at the end: {left}" in html
        assert f"{left}; {none}" in html or none in ("never at 0", "always at 0")
    assert html.count("<svg") == 2
    assert 'class="odds-figures"' in html


def test_what_is_ahead_begins_from_the_present_state(inside: Inside) -> None:
    evening = Evening(inside)
    before = evening.get("/sheet/ahead", sketch=SKETCH).text
    inside.host.desk.tables.do(evening.id, Adjust("Ash", by=-9, reason="a long day"), who=evening.referee.link.id)
    after = evening.get("/sheet/ahead", sketch=SKETCH).text
    assert "12 of 12 now" in before
    assert "3 of 12 now" in after
    left, _ = expected_words(evening.table)["Ash"]
    assert f"<b>{left}</b>" in re.sub("</?bdi>", "", after)


def test_what_is_ahead_tells_nothing_of_enemies_and_is_the_referees(inside: Inside) -> None:
    evening = Evening(inside)
    inside.host.desk.tables.do(evening.id, StartCombat(), who=evening.referee.link.id)
    for path in ("/sheet/ahead", "/ahead"):
        html = evening.get(path, sketch=SKETCH).text
        assert "Wolf" not in html
        assert "Zzyzx" not in html
        assert evening.get(path, evening.player, sketch=SKETCH).status_code == 403


def test_the_rows_of_the_form_are_the_sketch_and_the_address_keeps_it(inside: Inside) -> None:
    evening = Evening(inside)
    rows = {
        "step-0": "fight", "fight-0": "Wolves; at the mill = here", "rounds-0": "2:1/3,3:1/3,4:1/3",
        "reactions-0": "1/2", "early-0": "1", "wound.chance-0": "1/10", "wound-0": "bite",
        "step-1": "rest", "rest-1": "unsafe_long", "chance-1": "1",
        "step-2": "check", "check-2": "", "target-2": "16", "times-2": "2",
        "habit": "carefully",
    }  # fmt: skip
    html = evening.get("/ahead", **rows).text
    found = re.search(r'data-address="([^"]+)"', html)
    assert found is not None
    address = found[1].replace("&amp;", "&")
    assert address.startswith("ahead?sketch=fight+%22Wolves%3B+at+the+mill+%3D+here%22+rounds%3D2%3A1%2F3")
    again = evening.get("/" + address)
    assert re.search(r'data-address="([^"]+)"', again.text)[1].replace("&amp;", "&") == address  # type: ignore[index]
    assert "rest unsafe_long" in re.sub(r"\+", " ", address)
    assert "times%3D2" in address


def test_rows_are_added_taken_away_and_moved(inside: Inside) -> None:
    evening = Evening(inside)
    rows = {"step-0": "fight", "fight-0": "A", "step-1": "rest", "rest-1": "short"}

    def kinds(**more: str) -> list[str]:
        return re.findall(r'name="step-\d" value="(\w+)"', evening.get("/ahead", **rows, **more).text)

    assert kinds() == ["fight", "rest"]
    assert kinds(add="wound") == ["fight", "rest", "wound"]
    assert kinds(drop="0") == ["rest"]
    assert kinds(up="1") == ["rest", "fight"]
    assert kinds(drop="7", up="x") == ["fight", "rest"]


def test_what_a_row_has_no_field_for_stands_as_words_and_is_kept(inside: Inside) -> None:
    sketch = "fight A rounds=3 reactions=1 who=Ash; channel Fire chance=1/2 stamina=2"
    html = Evening(inside).get("/ahead", sketch=sketch).text
    assert re.findall(r'name="words-\d" maxlength="200" value="([^"]+)"', html) == sketch.split("; ")[1:]
    assert '<input type="hidden" name="who-0" value="Ash">' in html


def test_the_form_shows_what_the_figures_are_of(inside: Inside) -> None:
    evening = Evening(inside)
    html = evening.get("/ahead", sketch="fight A; fight B reactions=1/2 wound=bite:1/4:2").text
    chosen = re.findall(r'<option value="([^"]*)" selected>([^<]*)', html)
    assert ("0", "none") in chosen
    assert ("0:1/2,1:1/2", "1 in 2 rounds") in chosen
    assert 'name="wound-1" maxlength="200" value="bite"' in html
    fields = dict(re.findall(r'name="([\w.-]+-\d)"[^>]*value="([^"]*)"', html))
    selects = dict(re.findall(r'<select id="[^"]*" name="([\w.-]+)">.*?<option value="([^"]*)" selected', html))
    again = evening.get("/ahead", **{**fields, **selects}).text
    assert "sketch=fight+A+rounds%3D3%3B" not in again
    assert "wound%3Dbite%3A1%2F4%3A2" in again


def test_a_sketch_that_cannot_be_read_says_why_and_stays_in_the_form(inside: Inside) -> None:
    evening = Evening(inside)
    html = evening.get("/ahead", sketch="fight A rounds=99; rest long").text
    assert 'role="alert"' in html
    assert "“steps[0].rounds” must be" in re.sub("</?bdi>", "", html)
    assert 'value="A"' in html
    assert 'role="alert"' in evening.get("/ahead", sketch="; ".join(["fight A rounds=30"] * 10)).text


def test_the_odds_of_a_check_need_no_table(inside: Inside) -> None:
    with httpx.Client(base_url=inside.address, timeout=PATIENCE) as client:
        answer = client.get("/odds", params={"dice": "2d12kh1", "target": "12", "push": "3"})
        assert answer.status_code == 200
        assert exact(answer.text) == [f"{one.ways}/{one.of}" for one in check("2d12kh1", 12, 3).pushes]
        assert "3 Stamina are enough for an even chance." in answer.text
        assert answer.text.count('class="odds-chart"') == 2
        assert client.get("/odds").status_code == 200
        assert "Against common targets" in client.get("/odds").text
        for wrong in ({"dice": "9999d9999"}, {"dice": "1d20+con"}, {"dice": "d6", "target": "x"}, {"push": "100"}):
            answer = client.get("/odds", params=wrong)
            assert answer.status_code == 400
            assert 'role="alert"' in answer.text


DAY = """
check = "1d20+con"
[[characters]]
name = "Ash"
con = "d8"
[[steps]]
fight = "Wolves"
rounds = 3
reactions = { 1 = 0.5 }
"""


def test_a_days_forecast_stands_in_its_address(inside: Inside) -> None:
    from winded.odds import day_from_toml

    with httpx.Client(base_url=inside.address, follow_redirects=True, timeout=PATIENCE) as client:
        answer = client.post("/forecast", data={"text": DAY})
        assert answer.status_code == 200
        assert answer.url.path == "/forecast"
        assert len(str(answer.url)) < 400
        (ash,) = forecast(day_from_toml(DAY)).characters
        assert str(left_words(ash.stamina[-1].tolist())) in answer.text
        assert client.get(str(answer.url)).text == answer.text
        assert "Brakka" in client.get("/forecast").text


def test_absurd_days_are_refused_before_any_work(inside: Inside) -> None:
    with httpx.Client(base_url=inside.address, timeout=PATIENCE) as client:
        long = client.post("/forecast", data={"text": DAY + "#" * 20_000})
        assert (long.status_code, 'role="alert"' in long.text) == (400, True)
        bomb = urlsafe_b64encode(zlib.compress(b"#" * 3_000_000, 9)).decode().rstrip("=")
        assert client.get("/forecast", params={"day": bomb}).status_code == 400
        for packed in ("nothing", "####", "é", "A" * 7_000):
            assert client.get("/forecast?day=" + quote(packed)).status_code == 400
        many = DAY.replace("rounds = 3", "rounds = 30") + "".join(
            f'[[steps]]\nfight = "F{at}"\nrounds = 30\n' for at in range(8)
        )
        people = "".join(f'[[characters]]\nname = "C{at}"\ncon = "d12"\n' for at in range(5))
        answer = client.get("/forecast", params={"day": day_address.day_to_address(many + people)})
        assert answer.status_code == 400
        assert "are too many here" in answer.text


def test_a_day_comes_back_out_of_its_address_as_it_went_in() -> None:
    for text in (DAY, 'title = "Ä → 🐺"', "x" * 16_000):
        assert day_address.day_from_address(day_address.day_to_address(text)) == text
    whole = day_address.day_to_address(DAY)
    with pytest.raises(Malformed):
        day_address.day_from_address(whole[:-6])


def test_a_day_file_and_an_address_that_is_none_show_the_form_again(inside: Inside) -> None:
    with httpx.Client(base_url=inside.address, follow_redirects=True, timeout=PATIENCE) as client:
        answer = client.post("/forecast", data={"text": "characters = 3"})
        assert answer.status_code == 400
        assert "characters = 3" in answer.text


def test_chances_never_say_never_or_always_for_what_is_not_quite_so() -> None:
    nearly = [ShownChance(Percent(share), 0) for share in (0.0, 1.0, 1e-9, 1 - 1e-9)]
    assert [(one.in_100, one.edge) for one in nearly] == [(0, ""), (100, ""), (0.1, "under"), (99.9, "over")]
    assert places_for([Percent(0.55), Percent(0.6)]) == 0
    assert places_for([Percent(0.525)]) == 1
    ten = amounts(check("1d6", 6, 2), [None] * 3)
    assert [one.base for one in ten] == [16.67] * 3


@pytest.mark.parametrize("dice", ["1d20", "2d6", "1d100", "3d6+10", "1d2", "5", "100d20", "1d1000", "1d4-9999"])
def test_common_targets_are_few_and_within_reach(dice: str) -> None:
    targets = common_targets(roll(dice))
    assert 1 <= len(targets) <= 7
    assert all(-999 <= target <= 999 for target in targets)
    if roll(dice).high - roll(dice).low > 1 and dice != "1d4-9999":
        assert all(roll(dice).low < target <= roll(dice).high for target in targets)


def test_the_chance_of_none_is_told_as_people_say_it() -> None:
    said = [str(none_words(share)) for share in (0, 0.001, 0.125, 0.26, 0.4, 0.8, 0.999, 1)]
    assert said == [
        "never at 0", "hardly any chance of none", "1 in 8 chance of none", "1 in 4 chance of none",
        "4 in 10 chance of none", "8 in 10 chance of none", "almost certainly none", "always at 0",
    ]  # fmt: skip


def test_what_is_left_is_told_as_people_say_it() -> None:
    assert str(left_words([0, 0, 0, 1])) == "exactly 3 left"
    assert str(left_words([0.05, 0.05, 0.9, 0])) == "likely 2 left"
    assert str(left_words([0.1, 0, 0.5, 0.4])) == "likely 2 or 3 left"
    assert str(left_words([0.25] * 4)) == "likely 0 to 3 left"


def test_pictures_find_their_style_in_the_style_sheet() -> None:
    assert STYLE in (STATIC / "odds.css").read_text("utf-8")


def test_pages_about_odds_break_no_content_policy() -> None:
    here = Path(screens.__file__).parent
    for page in [*here.glob("odds/*.html"), *here.glob("ahead/*.html")]:
        assert not re.search(r"\sstyle=|\son[a-z]+=|<script>|<style", page.read_text("utf-8")), page


def test_a_server_starts_without_numpy() -> None:
    code = "import sys, winded.web.app; sys.exit('numpy' in sys.modules or 'icepool' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_two_rolls_are_compared_and_every_total_comes_as_a_file(inside: Inside) -> None:
    asked = {"dice": "4d6dl1", "other": "3d6", "target": "13", "push": "1"}
    with httpx.Client(base_url=inside.address, timeout=PATIENCE) as client:
        html = client.get("/odds", params=asked).text
        pushes = [*check("4d6dl1", 13, 1).pushes, *check("3d6", 13, 1).pushes]
        assert exact(html) == [f"{one.ways}/{one.of}" for one in pushes]
        assert "4d6dl1: 3 to 18, mean 12.24, deviation 2.85. 3d6: 3 to 18, mean 10.50, deviation 2.96." in html
        assert "other=3d6" in html
        file = client.get("/odds.csv", params={"dice": "2d6"})
        assert file.headers["content-type"].startswith("text/csv")
        rows = [line.split(",") for line in file.text.strip().split("\n")]
        assert rows[0] == ["Total", "Chance", "This or more", "Exactly"]
        assert rows[1] == ["2", "2.8%", "100%", "1/36"]
        assert [row[3] for row in rows[1:]] == [f"{ways}/36" for ways in roll("2d6").counts]
        assert client.get("/odds.csv", params={"dice": "2d"}).status_code == 400
        wrong = client.get("/odds", params={"dice": "2d6", "other": "2d6>7"})
        assert (wrong.status_code, "at column 4" in wrong.text) == (400, True)


def test_roll_under_and_exploding_dice_say_what_they_are(inside: Inside) -> None:
    with httpx.Client(base_url=inside.address, timeout=PATIENCE) as client:
        html = client.get("/odds", params={"dice": "d%", "target": "45", "succeeds": "at-most", "push": "1"}).text
        assert exact(html) == ["45/100", "46/100"]
        assert "An exploding die is rolled again at most 10 times." in client.get("/odds", params={"dice": "2d6!"}).text
        assert "exploding die" not in client.get("/odds", params={"dice": "2d6"}).text


def test_a_tables_checks_are_never_rolled_by_counting_successes(inside: Inside) -> None:
    evening = Evening(inside)
    with pytest.raises(Malformed, match="a Check is a total against a target"):
        check_dice(evening.table, SetCheckDice("6d10>=8"))
    check_dice(evening.table, SetCheckDice("d6!+4d6dl1"))


def test_a_player_is_advised_beside_the_check_and_may_read_what_that_rests_on(inside: Inside) -> None:
    evening = Evening(inside)
    assert evening.get("/advice", evening.player, character="#2", **{"as": "sentence"}).text == ""
    sketch = f'fight "{HIDDEN} at the mill" rounds=2 early=1 reactions=1'
    assert evening.post("/company", do="share_sketch", sketch=sketch).status_code == 204
    assert "data-advises" in evening.get("", evening.player).text
    told = evening.get("/advice", evening.player, character="#2", target=18, **{"as": "sentence"}).text
    assert "With what is ahead:" in told
    asks = unescape(re.findall(r'data-sheet="([^"]+)"', told)[0])
    for path in (f"/sheet/{asks}", f"/{asks}"):
        found = evening.get(path, evening.player)
        assert found.status_code == 200
        assert "Reactions called for: 1 a round" in found.text
        assert "Checks are rolled with" in found.text
        assert HIDDEN not in found.text
    assert HIDDEN in evening.get(f"/sheet/{asks}").text
    # The Referee's sheet begins with what everyone sees, and takes it back.
    assert "No longer show it" in evening.get("/sheet/ahead").text
    assert evening.post("/company", do="share_sketch", sketch="").status_code == 204
    assert "data-advises" not in evening.get("", evening.player).text
    assert "Show this to everyone" in evening.get("/sheet/ahead").text
