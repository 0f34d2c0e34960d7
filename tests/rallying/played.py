"""What a Winded shows in whose rules there is rallying: run by test_rallying.py, in a process of that Winded's own."""

import json
import sys

from winded import (
    AddCharacter,
    BeginTurns,
    NextTurn,
    React,
    Side,
    StartCombat,
    Table,
    command_from,
    options,
)
from winded.odds import day_from_toml, forecast
from winded.roles import PERMISSION_NAMES, Freedom, Permissions
from winded.rules import COMMANDS, EVENTS, SPENDINGS, command_schema, fields, ruleset_from, ruleset_schema

TABLE = Table().do(
    AddCharacter("Ash", con="d10"), AddCharacter("Bryn", con="d8"), AddCharacter("Wolf", con="d8", side=Side.ENEMY)
)
FIGHT = TABLE.do(StartCombat(), BeginTurns(), NextTurn(), React("Bryn"))
RALLY = command_from({"do": "rally", "character": "Ash", "ally": "Bryn", "cost": 2})


DAY = """
[[characters]]
name = "Ash"
con = "d10"
[[steps]]
rally = "the gate falls"
times = 3
"""


def said_by_the_rules() -> dict[str, object]:
    (event,) = RALLY.decide(FIGHT)
    return {
        "command": [field.kind for field in fields(COMMANDS["rally"])],
        "event": "rallied" in EVENTS,
        "schema": sorted(command_schema()["$defs"]["Rally"]["properties"]),
        "told": str(event.tell()),
        "names": [event.names(), RALLY.names()],
        "left": FIGHT.do(RALLY).character("Ash").stamina,
        "options": [
            (str(one.label), one.cost, one.leaves)
            for one in options(FIGHT, "Ash")
            if one.command.spending is SPENDINGS[-1]
        ],
        "permission": [str(PERMISSION_NAMES["rallying"]), Permissions(rallying=Freedom.ASK).of(RALLY)],
        "house": [ruleset_from({"spends": ["rally"]}).spends, ruleset_from({"spends": ["react"]}).leaves_out("rally")],
        "house_schema": ruleset_schema()["$defs"]["Ruleset"]["properties"]["spends"]["items"]["enum"],
        "spendings": [one.word for one in SPENDINGS],
    }


def said_by_a_forecast() -> dict[str, object]:
    forecast_of_ash = forecast(day_from_toml(DAY)).characters[0].data()
    return {"taken": forecast_of_ash.spends["rally"].taken, "left": forecast_of_ash.steps[-1].expected}


if __name__ == "__main__":
    json.dump(said_by_a_forecast() if "forecast" in sys.argv else said_by_the_rules(), sys.stdout)
