"""What every test may use: Hypothesis profiles, and a real server."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.serving import Server

# `ci` finds the same on every machine and on every run; `deep` looks further and elsewhere each time:
# HYPOTHESIS_PROFILE=deep .venv/bin/python -m pytest tests/rules
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "deep", deadline=None, max_examples=5_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Where the tests run in the background, Ctrl-C may be switched off for them, and so for every process they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One `winded serve` for all tests of a run: make a table of your own in it."""
    with Server(tmp_path_factory.mktemp("server") / "winded.sqlite") as running:
        yield running


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts further servers, for tests that stop, kill or share one: `serve()`, `serve("--no-qr")`.

    All serve the same database unless told another, and are stopped after the test.
    """
    with ExitStack() as running:

        def start(*arguments: str, database: Path = tmp_path / "winded.sqlite", port: int = 0) -> Server:
            return running.enter_context(Server(database, *arguments, port=port))

        yield start
