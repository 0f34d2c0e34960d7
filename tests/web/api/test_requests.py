"""What every request to the API has in common: what it may bring, and one shape for all that is wrong with it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.callers import Caller
from tests.web.api.operations import OPERATIONS
from tests.web.inside import Inside
from winded.web.guard import BODY_LIMIT

NewTable = Callable[..., Caller]
ASH = {"name": "Ash", "con": "d12"}


def is_an_error(answer: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    data: dict[str, Any] = answer.json()
    assert data["error"] == kind
    assert data["message"][0].isupper() or data["message"][0] == "“"
    assert data["message"].endswith((".", "…", "null"))
    return data


def address(path: str, caller: Caller) -> str:
    return "/api" + path.format(table=caller.table, link="0" * 16)


PATHS = sorted({one.path for one in OPERATIONS})
METHODS = {path: {one.method for one in OPERATIONS if one.path == path} for path in PATHS}
TAKEN = {path: methods | ({"HEAD"} if "GET" in methods else set()) for path, methods in METHODS.items()}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD"])
def test_an_address_takes_its_own_methods_and_names_them_to_others(
    client: httpx.Client, new_table: NewTable, method: str, path: str
) -> None:
    if method in TAKEN[path]:
        return
    referee = new_table()
    answer = client.request(method, address(path, referee), headers=referee.headers)
    assert answer.status_code == 405
    assert answer.headers["allow"] == ", ".join(sorted(TAKEN[path]))
    if method != "HEAD":
        is_an_error(answer, 405, "wrong-method")


@pytest.mark.parametrize("path", [path for path in PATHS if "GET" in METHODS[path] and not path.endswith("/live")])
def test_the_head_of_an_answer_is_that_of_the_whole(client: httpx.Client, new_table: NewTable, path: str) -> None:
    referee = new_table()
    headers = referee.headers | {"Accept-Encoding": "identity"}
    whole, head = (client.request(one, address(path, referee), headers=headers) for one in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == str(len(whole.content))


def test_the_head_of_a_stream_ends_and_its_connection_serves_on(inside: Inside, new_table: NewTable) -> None:
    referee = new_table()
    with httpx.Client(base_url=inside.address, limits=httpx.Limits(max_connections=1), timeout=PATIENCE) as one:
        head = one.head(address("/tables/{table}/live", referee), headers=referee.headers)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"].startswith("text/event-stream")
        assert one.get(address("/tables/{table}/state", referee), headers=referee.headers).status_code == 200


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_an_unknown_parameter_is_malformed_and_named(client: httpx.Client, new_table: NewTable, one: Any) -> None:
    referee = new_table()
    answer = client.request(
        one.method, address(one.path, referee) + "?colour=red", headers=referee.headers, json={"name": "Ash"}
    )
    assert is_an_error(answer, 400, "malformed")["field"] == "colour"


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/journal", "after=-1", "after"),
        ("/journal", "after=1.5", "after"),
        ("/journal", "after=one", "after"),
        ("/journal", "after=", "after"),
        ("/journal", "after=1&after=2", "after"),
        ("/journal", "after=9999999999999999", "after"),
        ("/journal", "after=99999999999999999999999999", "after"),
        ("/journal", "limit=0", "limit"),
        ("/journal", "limit=501", "limit"),
        ("/journal", "%FF=1", ""),
        ("/journal", "limit=%C0%80", ""),
        ("/options", "character=", "character"),
        ("/options", "character=" + "x" * 41, "character"),
        ("/options", "character=%00", "character"),
        ("/live", "after=x", "after"),
    ],
)
def test_a_wrong_parameter_is_malformed_and_named(new_table: NewTable, path: str, query: str, field: str) -> None:
    referee = new_table()
    answer = referee.client.get(f"{referee.base}{path}?{query}", headers=referee.headers)
    assert is_an_error(answer, 400, "malformed")["field"] == field


@pytest.mark.parametrize(
    "path", ["/nowhere", "/tables/", "/tables//state", "/", "", "/state", "/%2e%2e/", "/tables/x/y/z"]
)
def test_there_is_nothing_at_other_addresses(client: httpx.Client, path: str) -> None:
    is_an_error(client.get("/api" + path), 404, "unknown")


def test_a_table_that_is_not_there_cannot_be_told_from_somebody_elses(
    client: httpx.Client, new_table: NewTable
) -> None:
    mine, theirs = new_table(), new_table()
    for table in (theirs.table, "nosuchtablexxxxx", "%F0%9F%92%A9", "a" * 300):
        answer = client.get(f"/api/tables/{table}/state", headers=mine.headers)
        assert is_an_error(answer, 401, "no-token")["message"] == "This link is for another table."


WITH_BODIES = [one for one in OPERATIONS if one.body is not None]


@pytest.mark.parametrize("one", WITH_BODIES, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "content_type",
    [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/json; charset=latin-1"],
)
def test_a_body_of_another_type_is_not_taken(
    client: httpx.Client, new_table: NewTable, one: Any, content_type: str | None
) -> None:
    referee = new_table()
    headers = referee.headers | ({} if content_type is None else {"Content-Type": content_type})
    answer = client.request(one.method, address(one.path, referee), headers=headers, content=b'{"do": "undo"}')
    assert is_an_error(answer, 415, "wrong-type")["field"] == "Content-Type"


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; charset=utf-8",
        "application/json; charset=UTF8",
        "Application/JSON",
        'application/json;charset="UTF-8"',
    ],
)
def test_json_is_taken_however_its_type_is_written(new_table: NewTable, content_type: str) -> None:
    referee = new_table()
    answer = referee.client.post(
        referee.base + "/commands",
        headers=referee.headers | {"Content-Type": content_type},
        content=b'{"do": "start_combat"}',
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("one", WITH_BODIES, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b'{"a": 1}}', b"\xff\xfe", b"[" * 10_000, b'{"x": NaN}', b"null", b"[]", b'"do"', b"1"],
)
def test_a_body_that_is_no_json_object_is_malformed(
    client: httpx.Client, new_table: NewTable, one: Any, body: bytes
) -> None:
    referee = new_table()
    headers = referee.headers | {"Content-Type": "application/json"}
    answer = client.request(one.method, address(one.path, referee), headers=headers, content=body)
    is_an_error(answer, 400, "malformed")


@pytest.mark.parametrize("one", [one for one in WITH_BODIES if one.name != "import_table"], ids=lambda one: one.name)
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_that_is_too_large_is_not_read(
    client: httpx.Client, new_table: NewTable, one: Any, announced: bool
) -> None:
    referee = new_table()
    headers = referee.headers | {"Content-Type": "application/json"}
    content: Any = b" " * (BODY_LIMIT + 1) if announced else (b" " * 1024 for _ in range(BODY_LIMIT // 1024 + 1))
    answer = client.request(one.method, address(one.path, referee), headers=headers, content=content)
    is_an_error(answer, 413, "too-large")


def test_an_answer_always_carries_the_same_safety(client: httpx.Client, new_table: NewTable) -> None:
    referee = new_table()
    answers = [
        referee.get(),
        referee.get("/nowhere"),
        referee.get("/state", colour="red"),
        referee.do("nonsense"),
        referee.do("end_combat"),
        referee.send("PUT"),
        client.get("/api/rules"),
        client.get("/api/schema/openapi.json"),
        client.get(referee.base),
        client.get("/nowhere"),
        client.get("/"),
        client.get(f"/tables/{referee.table}"),
    ]
    assert {answer.status_code for answer in answers} >= {200, 400, 401, 403, 404, 405, 422}
    for answer in answers:
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers


def test_a_live_stream_carries_the_same_safety(new_table: NewTable) -> None:
    with new_table().follow() as stream:
        assert "default-src 'none'" in stream.answer.headers["content-security-policy"]
        assert stream.answer.headers["cache-control"] == "no-store"
        assert stream.answer.headers["x-accel-buffering"] == "no"
        assert stream.answer.headers["content-type"].startswith("text/event-stream")


def test_the_api_takes_a_token_from_any_site_as_no_browser_sends_it_by_itself(new_table: NewTable) -> None:
    referee = new_table()
    answer = referee.client.post(
        referee.base + "/commands",
        json={"do": "start_combat"},
        headers=referee.headers | {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 200


def test_no_location_holds_a_token(client: httpx.Client) -> None:
    made = client.post("/api/tables", json={"name": "The Gate"})
    assert made.headers["location"] == made.json()["links"]["api"]
    assert made.json()["token"] not in str(made.headers)


@pytest.mark.parametrize(
    "line",
    [
        "GET /api/tables/x/state HTTP/1.1\r\nHost: x y\r\n\r\n",
        "GET /api/tables/\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_what_is_hardly_http_is_answered_all_the_same(inside: Inside, line: str) -> None:
    parts = urlsplit(inside.address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)
    try:
        connection.connect()
        assert connection.sock is not None
        connection.sock.sendall(line.encode())
        assert connection.sock.recv(100).startswith(b"HTTP/1.1 4")
    finally:
        connection.close()


ODD_TEXTS = [
    "<script>alert(1)</script>",
    "Robert'); DROP TABLE entries;--",
    "Zoë ✨ 𝒜",
    "\u202eevil",
    "a\u0301" * 20,
    "👨‍👩‍👧",
    "%00",
    "{name}",
    "{0.__class__}",
    "\\u0000",
]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_come_back_as_they_were(new_table: NewTable, text: str) -> None:
    referee = new_table()
    answer = referee.do("add_character", name=text, con="d8")
    assert answer.status_code == 200, answer.text
    (name,) = answer.json()["state"]["characters"]
    assert referee.get("/options", character=name).json()["character"] == name
    assert name in json.dumps(referee.get("/journal").json()["entries"], ensure_ascii=False).replace(
        '\\"', '"'
    ).replace("\\\\", "\\")


@pytest.mark.parametrize("text", ["", " ", "\u0000", "a\nb", "\u200b", "\ud800", "x" * 41, 1, True, None, [], {}])
def test_what_is_no_text_is_malformed_and_names_the_field(new_table: NewTable, text: object) -> None:
    referee = new_table()
    answer = referee.client.post(
        referee.base + "/commands",
        headers=referee.headers | {"Content-Type": "application/json"},
        content=json.dumps({"do": "add_character", "name": text, "con": "d8"}).encode(),
    )
    assert answer.status_code == 400
    if text != "\ud800":
        assert answer.json()["field"] == "name"
