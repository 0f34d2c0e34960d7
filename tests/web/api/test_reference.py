"""The reference page of the API is true: its requests are sent and answered as it shows, and no address is missing."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.web.api.operations import OPERATIONS

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "http-api.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^```http\n(?P<method>[A-Z]+) (?P<path>\S+)\n(?P<headers>(?:\S+: .*\n)*)\n(?:(?P<body>\{.*\})\n\n)?"
    r"(?P<status>\d{3}) .*\n(?P<answered>(?:\S+: .*\n)*)\n(?P<answer>.*)\n```$",
    re.MULTILINE,
)


def shown(text: str) -> re.Pattern[str]:
    """What an answer must be, where "…" stands for anything; blanks in JSON make no difference."""
    return re.compile(re.escape(re.sub(r"(?<=[:,]) ", "", text)).replace("…", ".*"))


def test_every_request_of_the_page_is_answered_as_it_shows(client: httpx.Client) -> None:
    known: dict[str, str] = {}
    tokens: list[str] = []
    found = [*BLOCK.finditer(PAGE)]
    assert len(found) == PAGE.count("```http")
    for block in found:
        path, body = (
            re.sub(r"\{(table|token)\}", lambda name: known[name[1]], block[part] or "") for part in ("path", "body")
        )
        headers = {name: value for name, _, value in (line.partition(": ") for line in block["headers"].splitlines())}
        headers |= {"Authorization": f"Bearer {tokens[0]}"} if tokens else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        answer = client.request(block["method"], path, headers=headers, content=body.encode() or None)
        assert answer.status_code == int(block["status"]), answer.text
        assert shown(block["answer"]).fullmatch(re.sub(r"(?<=[:,]) ", "", answer.text)), answer.text
        for line in block["answered"].splitlines():
            name, _, value = line.partition(": ")
            assert shown(value).fullmatch(answer.headers[name])
        data = answer.json()
        known.setdefault("table", data.get("id", ""))
        if "token" in data:
            known["token"] = data["token"]
            tokens.append(data["token"])


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_every_address_stands_on_the_page(one: object) -> None:
    assert f"| `{one.method} /api{one.path}` |" in PAGE  # type: ignore[attr-defined]


def test_the_page_names_no_other_address() -> None:
    named = set(re.findall(r"^\| `([A-Z]+ /api\S+)` \|", PAGE, re.MULTILINE))
    assert named == {f"{one.method} /api{one.path}" for one in OPERATIONS}


def test_every_kind_of_error_stands_on_the_page(client: httpx.Client) -> None:
    described = client.get("/api/schema/openapi.json").json()
    kinds = {
        (status, described["components"]["schemas"][name]["properties"]["error"]["const"])
        for path in described["paths"].values()
        for operation in path.values()
        for status, answer in operation["responses"].items()
        if status >= "400" and status != "500"
        for name in [answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]]
    }
    for status, kind in kinds:
        assert f"| {status} | `{kind}` |" in PAGE
