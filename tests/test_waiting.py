"""No test waits for a time, or asserts one: on a busy machine it fails, and on a quick one it wastes what it waits."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import waiting

TESTS = Path(__file__).parent
SLEEPS = {"sleep", "wait_for_timeout"}
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "time_ns"}


def called(source: str) -> Iterator[tuple[int, str]]:
    """The names of all that a module calls or brings in, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield node.lineno, name
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, one.name) for one in node.names)


@pytest.mark.parametrize("path", [str(path.relative_to(TESTS)) for path in sorted(TESTS.rglob("*.py"))])
def test_it_waits_for_a_condition_or_drives_the_clock(path: str) -> None:
    found = [f"line {line}: {name}" for line, name in called((TESTS / path).read_text()) if name in SLEEPS | CLOCKS]
    assert found == []


@pytest.mark.parametrize(
    "code", ["import time; time.sleep(1)", "page.wait_for_timeout(5)", "from time import sleep", "perf_counter()"]
)
def test_a_sleep_or_a_clock_is_found(code: str) -> None:
    assert {name for _, name in called(code)} & (SLEEPS | CLOCKS)


ASKING = {"get", "post", "put", "delete", "head", "options", "patch", "request", "stream", "Client", "AsyncClient"}


def impatient(source: str) -> list[int]:
    """The lines at which a server is asked with the client's own patience, or anything with little: on a busy machine
    either ends before it should."""
    return sorted(
        {
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Call) and (_has_the_clients_own(node) or _has_little(node))
        }
    )


def _has_the_clients_own(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "httpx"
        and call.func.attr in ASKING
        and not any(one.arg in {"timeout", None} for one in call.keywords)
    )


def _has_little(call: ast.Call) -> bool:
    return any(
        one.arg == "timeout" and isinstance(one.value, ast.Constant) and (one.value.value or waiting.PATIENCE) < 60
        for one in call.keywords
    )


@pytest.mark.parametrize("path", [str(path.relative_to(TESTS)) for path in sorted(TESTS.rglob("*.py"))])
def test_it_gives_a_busy_server_its_time(path: str) -> None:
    assert impatient((TESTS / path).read_text()) == []


def test_an_impatient_client_is_found() -> None:
    assert impatient("httpx.get(address)\nwith httpx.Client(base_url=address) as one: ...") == [1, 2]
    assert impatient("subprocess.run(command, timeout=10)") == [1]
    assert impatient("httpx.get(address, timeout=PATIENCE)\nqueue.get(timeout=None)") == []


def test_what_never_comes_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0.05)
    with pytest.raises(AssertionError, match="nobody came"):
        waiting.until(lambda: False, "nobody came")
