"""The description of the API is true: generated requests, right and wrong ones, are answered as it says."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice
from secrets import token_hex
from typing import Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NotSet
from schemathesis.generation import GenerationMode
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.web.api.callers import Caller, Evening
from tests.web.api.operations import OPERATIONS
from winded.rules import COMMANDS
from winded.rules.fields.seen import seen

# How a right request may be answered: the rules may refuse it, someone may have acted first, a link may not be there.
ACCEPTED = [200, 201, 202, 204, 401, 404, 409, 422]

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            "negative_data_rejection": {"expected-statuses": [400, 401, 404, 405, 409, 413, 415, 422]},
        },
    }
)


@pytest.fixture(scope="module")
def description(client: httpx.Client) -> dict[str, Any]:
    answer = client.get("/api/schema/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def referee(client: httpx.Client) -> Caller:
    made = client.post("/api/tables", json={"sample": True}).json()
    return Caller(client, made["id"], made["token"], "Referee")


def described_at(description: dict[str, Any], referee: Caller) -> Any:
    """The description with one real table in its addresses, so that requests get to it, and the dice of its rules."""
    here: dict[str, Any] = json.loads(json.dumps(description))
    for one in ("AddCharacter", "EditCharacter", "NewCharacter"):
        here["components"]["schemas"][one]["properties"]["con"] = {"enum": ["d6", "d8", "d10", "d12"]}
    here["components"]["schemas"]["SetCheckDice"]["properties"]["dice"] = {"enum": ["1d20", "1d20+con", "2d6+1"]}
    here["components"]["schemas"]["ShareSketch"]["properties"]["sketch"] = {"enum": ["rest short", "fight The mill"]}
    # What the descriptions say in words, so that programs can be made from the schemas.
    enemy = {"required": ["side"], "properties": {"side": {"const": "enemy"}}}
    for one in ("AddCharacter", "NewCharacter"):
        here["components"]["schemas"][one]["anyOf"] = [{"required": ["con"]}, enemy]
    here["components"]["schemas"]["Adjust"]["properties"]["by"]["not"] = {"const": 0}
    here["components"]["schemas"]["NewTable"]["anyOf"] = [
        {"required": ["name"]},
        {"required": ["sample"], "properties": {"sample": {"const": True}}},
    ]
    here["components"]["schemas"]["Joining"]["oneOf"] = [{"required": ["invitation"]}, {"required": ["code"]}]
    here["components"]["schemas"]["NewLink"]["not"] = {
        "required": ["role", "name"],
        "properties": {"role": {"const": "invitation"}},
    }
    # That a larger die has no smaller maximum is more than a schema can say.
    del here["components"]["schemas"]["NewTable"]["properties"]["ruleset"]
    here["paths"] = {path.replace("{table}", referee.table): methods for path, methods in here["paths"].items()}
    for path in here["paths"].values():
        for operation in path.values():
            operation["parameters"] = [one for one in operation.get("parameters", ()) if one["name"] != "table"]
    return schemathesis.openapi.from_dict(here, config=CONFIG)


@pytest.fixture(scope="module")
def described(description: dict[str, Any], referee: Caller) -> Any:
    return described_at(description, referee)


@pytest.fixture
def described_here(name: str, described: Any, description: dict[str, Any], new_table: Callable[..., Caller]) -> Any:
    """The description at the table of all these tests, but for the one operation after which there is no table."""
    return described_at(description, new_table()) if name == "delete_table" else described


# A stream does not end: the tests of live streams are about it.
NAMES = [one.name for one in OPERATIONS if one.name != "follow_journal"]

# What takes whole files: fewer of them, so that all of it stays within a minute or two.
LARGE = {"import_table", "see_forecast", "see_advice", "see_comparison"}

# That the entries of a file follow from one another is more than its schema can say.
BEYOND_A_SCHEMA = {
    "import_table": [positive_data_acceptance],
    # So is which dice can be read, what adds up to a day, and what is too much of it.
    **{
        name: [positive_data_acceptance]
        for name in ("see_odds", "see_chances", "see_ahead", "see_forecast", "see_advice", "see_comparison")
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("name", NAMES)
def test_right_and_wrong_requests_are_answered_as_described(
    described_here: BaseSchema, referee: Caller, name: str, mode: GenerationMode
) -> None:
    operation = described_here.find_operation_by_id(name)
    if mode is GenerationMode.NEGATIVE and not [*operation.iter_parameters(), *operation.body]:
        return

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=8 if name in LARGE else 40,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def send(case: Case) -> None:
        validate(case, referee, name)

    send()


def validate(case: Case, referee: Caller, name: str) -> None:
    """Send a generated request, and hold its answer to every check there is."""
    if re.fullmatch("[!-~]{8,100}", str(case.headers.get("Idempotency-Key", ""))):
        # Each command of its own: the same key again would be for the same command.
        case.headers["Idempotency-Key"] = token_hex(8)
    if case.meta.generation.mode is GenerationMode.POSITIVE:
        if not isinstance(case.body, NotSet):
            case.body = with_whole_numbers(case.body)
        if holds_a_text_that_cannot_be_seen([case.body, dict(case.query or {})]):
            return
    case.call_and_validate(
        base_url=str(referee.client.base_url), headers=referee.headers, excluded_checks=BEYOND_A_SCHEMA.get(name)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_bound_and_every_wrong_method_is_answered_as_described(
    described_here: BaseSchema, referee: Caller, name: str
) -> None:
    operation = described_here.find_operation_by_id(name)
    cases = described_here.iter_coverage_cases(
        operation, generation_modes=[*GenerationMode], generation_config=CONFIG.projects.default.generation
    )
    for case in islice(cases, 40 if name in LARGE else 500):
        validate(case, referee, name)


def with_whole_numbers(data: Any) -> Any:
    """The same data with 2 for 2.0: a JSON Schema cannot say that only the one is a whole number here."""
    match data:
        case float() if data.is_integer():
            return int(data)
        case dict():
            return {name: with_whole_numbers(value) for name, value in data.items()}
        case list():
            return [with_whole_numbers(one) for one in data]
    return data


def holds_a_text_that_cannot_be_seen(data: Any) -> bool:
    """Such as one of nothing but accents or joiners: no text at all, which no pattern that all understand can say."""
    match data:
        case str():
            return {unicodedata.category(one) for one in seen(data)} <= {"Cc", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"}
        case dict():
            return any(holds_a_text_that_cannot_be_seen(one) for one in data.values())
        case list():
            return any(map(holds_a_text_that_cannot_be_seen, data))
    return False


def test_the_description_is_openapi(description: dict[str, Any]) -> None:
    assert description["openapi"] == "3.1.0"
    names = [operation["operationId"] for path in description["paths"].values() for operation in path.values()]
    assert sorted(names) == sorted(one.name for one in OPERATIONS)
    for component in description["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **component})


def test_every_command_is_described_with_its_fields(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    mapping = schemas["Command"]["discriminator"]["mapping"]
    assert set(mapping) == set(COMMANDS)
    for do, made in COMMANDS.items():
        component = schemas[mapping[do].rpartition("/")[2]]
        assert set(component["properties"]) == {"do", *made.__struct_encode_fields__}
        assert component["additionalProperties"] is False


def test_every_error_is_described_in_one_shape(description: dict[str, Any]) -> None:
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    reference = answer["content"]["application/json"]["schema"]["$ref"]
                    shape = description["components"]["schemas"][reference.rpartition("/")[2]]
                    assert {"error", "message"} <= set(shape["required"]), (path, method, status)
            secured = "security" in operation
            assert secured == ("401" in operation["responses"]) or operation["operationId"] == "import_table"


def answers(evening: Evening) -> Iterator[tuple[str, Any]]:
    """Real answers after a whole fight, with the schema each must fit."""
    evening.fight()
    evening.player.do("rest", kind="short", characters=["Ash"])
    for caller in evening.all:
        yield "TableSeen", caller.get().json()
        yield "State", caller.get("/state").json()
        yield "TableOptions", caller.get("/options").json()
        yield "CharacterOptions", caller.get("/options", character="Ash").json()
        yield "JournalSeen", caller.get("/journal", limit=500).json()
        yield "RulesTold", caller.get("/rules").json()
    yield "LinksSeen", evening.referee.get("/links").json()
    yield "TableFile", evening.referee.get("/export").json()
    yield "Accepted", evening.referee.done("undo")


def test_answers_after_a_whole_fight_fit_their_schemas(description: dict[str, Any], evening: Evening) -> None:
    components = description["components"]
    for name, answer in answers(evening):
        whole = {"$ref": f"#/components/schemas/{name}", "components": components}
        jsonschema_rs.validate(whole, answer)
