"""Runs the real `winded` in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

WINDED = Path(sys.executable).with_name("winded")
ENDS_WITHIN = 60.0  # seconds; far more than any of them needs

Ran = subprocess.CompletedProcess[str]
Winded = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where a process of this test keeps what it keeps, instead of among the data of whoever runs the tests."""
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """What the process finds around it: a home of its own, a terminal of 80 columns, no colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "COLUMNS": "80",
        "PYTHONUTF8": "1",
    }


@pytest.fixture
def winded(tmp_path: Path, environment: dict[str, str]) -> Winded:
    """`winded("run", "--state", "each", given=b"…")`: runs it to its end."""

    def run(*arguments: str | Path, given: bytes | str = b"", **more: str) -> Ran:
        done = subprocess.run(
            [WINDED, *arguments],
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            cwd=tmp_path,
            env={**environment, **more},
            timeout=ENDS_WITHIN,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
