"""A new way to spend is one new file and one line in the hallway: a Winded with both, and no other change, has it all.

`room.py` is the file. It is put into a copy of the package, and a line for it into the copy's hallway; whatever runs
here runs in processes of that copy's own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import Server
from tests.waiting import PATIENCE
from tests.web.api.callers import Caller

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "winded"
BEFORE = "from winded.rules.channel_casting import ROOM as CHANNEL_CASTING\n"
LINE = "from winded.rules.rallying import ROOM as RALLYING\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of Winded in whose rules there is rallying."""
    folder = tmp_path_factory.mktemp("rallying")
    shutil.copytree(SOURCE, folder / "winded", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "room.py", folder / "winded" / "rules" / "rallying.py")
    hallway = folder / "winded" / "rules" / "hallway.py"
    text = hallway.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    hallway.write_text(text.replace(BEFORE, BEFORE + LINE), encoding="utf-8")
    return folder


def said(source: Path, by: str) -> dict[str, Any]:
    """What `played.py` says of that copy."""
    done = subprocess.run(
        [sys.executable, HERE / "played.py", by],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def played(source: Path) -> dict[str, Any]:
    return said(source, "rules")


@pytest.fixture(scope="module")
def client(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a `winded serve` of that copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(source))
        with (
            Server(tmp_path_factory.mktemp("served") / "winded.sqlite") as server,
            httpx.Client(base_url=server.address, timeout=PATIENCE, follow_redirects=True) as one,
        ):
            yield one


@pytest.fixture
def referee(client: httpx.Client) -> Caller:
    """The Referee of a table with Ash, Bryn, and Shade, an enemy whom only the Referee sees; Bryn has reacted."""
    characters = [
        {"name": "Ash", "con": "d10"},
        {"name": "Bryn", "con": "d8"},
        {"name": "Shade", "con": "d8", "side": "enemy", "hidden": True},
    ]
    made = client.post("/api/tables", json={"name": "The Gate", "characters": characters}).json()
    referee = Caller(client, made["id"], made["token"], "Referee")
    referee.done("start_combat")
    referee.done("react", character="Bryn")
    return referee


def page(who: Caller, path: str = "") -> str:
    """What someone is shown at the table's own address, or below it."""
    answer = who.client.get(f"/tables/{who.table}{path}", headers=who.headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_the_rules_have_it(played: dict[str, Any]) -> None:
    assert played["spendings"][-1] == "rally"
    assert played["command"] == ["character", "character", "number"]
    assert played["schema"] == ["ally", "character", "cost", "do"]
    assert played["event"] is True
    assert played["told"] == "Ash rallies Bryn: 2 Stamina, 8 left."
    assert played["left"] == 8
    assert played["names"] == [["Ash", "Bryn"], ["Ash", "Bryn"]]
    assert played["options"] == [["Rally Bryn", 2, 8]]


def test_house_rules_know_its_word(played: dict[str, Any]) -> None:
    assert played["house"] == [["rally"], True]
    assert played["house_schema"] == played["spendings"]


def test_there_is_a_permission_for_it(played: dict[str, Any]) -> None:
    assert played["permission"] == ["Rallying", "ask"]


def test_a_forecast_counts_it(source: Path) -> None:
    """Three calls, each at the price of the first reaction of whoever stands by."""
    assert said(source, "forecast") == pytest.approx({"taken": 3, "left": 7})


def test_the_api_describes_offers_and_plays_it(client: httpx.Client, referee: Caller) -> None:
    described = client.get("/api/schema/openapi.json").json()["components"]["schemas"]
    assert set(described["Rally"]["properties"]) == {"do", "character", "ally", "cost"}
    assert "rallying" in described["Permissions"]["properties"]
    offered = referee.get("/options", character="Ash").json()["options"]
    (option,) = [one for one in offered if one["label"] == "Rally Bryn"]
    assert (option["cost"], option["leaves"], option["refusal"]) == (2, 8, None)
    done = referee.post("/commands", option["command"] | {"cost": option["cost"]}).json()
    assert done["events"] == [{"event": "rallied", "character": "Ash", "ally": "Bryn", "cost": 2, "leaves": 8}]
    assert referee.state()["characters"]["Ash"]["stamina"] == 8


def test_the_board_and_the_phone_have_a_button_with_its_price(referee: Caller) -> None:
    kim = referee.let_in("Kim", "Ash")
    (ash,) = re.findall(r"data-sheet='(who\?of=[^']+)' aria-label='More about Ash'", page(referee))
    for shown in (page(referee, f"/sheet/{ash}"), page(kim)):
        assert "Rally <bdi>Bryn</bdi>" in shown
    offered = [one["label"] for one in kim.get("/options", character="Ash").json()["options"]]
    assert "Rally Bryn" in offered


def test_players_ask_for_it_where_the_table_says_so(referee: Caller) -> None:
    kim = referee.let_in("Kim", "Ash")
    assert "Rallying" in page(referee, "/sheet/people")
    permissions = referee.get("").json()["permissions"]
    assert permissions["rallying"] == "free"
    assert referee.company("set_permissions", permissions=permissions | {"rallying": "ask"}).status_code == 200
    assert kim.do("rally", character="Ash", ally="Bryn").status_code == 202
    assert referee.state()["characters"]["Ash"]["stamina"] == 10


def test_the_summary_has_a_column_for_it(referee: Caller) -> None:
    referee.done("rally", character="Ash", ally="Bryn")
    sheet = page(referee, "/sheet/summary")
    assert "Rallying" in sheet
    assert "reaction.cost" in sheet


def test_whom_it_names_is_kept_secret_from_players(referee: Caller) -> None:
    kim = referee.let_in("Kim", "Ash")
    refused = [kim.do("rally", character="Ash", ally=name) for name in ("Shade", "Nobody")]
    assert [one.status_code for one in refused] == [422, 422]
    assert refused[0].json()["message"].replace("Shade", "Nobody") == refused[1].json()["message"]
    referee.done("rally", character="Ash", ally="Shade")
    assert "Shade" in referee.get("/journal").text
    assert "Shade" not in kim.get("/journal").text
    assert "Shade" not in page(kim)


def test_a_day_may_call_for_it_and_the_forecast_counts_it(client: httpx.Client) -> None:
    day = {
        "characters": [{"name": "Ash", "con": "d10"}],
        "steps": [{"rally": "the gate falls", "times": 3}],
    }
    (ash,) = client.post("/api/forecast", json={"day": day}).json()["characters"]
    assert ash["spends"]["rally"] == {"called": 3, "wanted": 3, "refused": 0, "taken": 3, "spent": 3, "succeeded": 0}
    assert ash["steps"][-1]["expected"] == 7
    described = client.get("/api/schema/openapi.json").json()["components"]["schemas"]
    assert "rally" in described["DayRallyStep"]["properties"]
