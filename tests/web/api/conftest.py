"""A server inside the tests' process, and tables at it to speak to."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.waiting import PATIENCE
from tests.web.api.callers import Caller, Evening
from tests.web.inside import Inside


@pytest.fixture(scope="session")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """One server for all tests of a run, without limits: make a table of your own in it."""
    with Inside(tmp_path_factory.mktemp("inside") / "winded.sqlite") as running:
        yield running


@pytest.fixture(scope="session")
def client(inside: Inside) -> Iterator[httpx.Client]:
    """A client of that server that brings no token."""
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    with httpx.Client(base_url=inside.address, timeout=PATIENCE, limits=limits) as one:
        yield one


@pytest.fixture
def new_table(client: httpx.Client) -> Callable[..., Caller]:
    """Begins tables: `new_table(characters=[…])` is its Referee."""

    def new(**wanted: object) -> Caller:
        made = client.post("/api/tables", json={"name": "The Gate", **wanted})
        assert made.status_code == 201, made.text
        return Caller(client, made.json()["id"], made.json()["token"], "Referee")

    return new


@pytest.fixture
def evening(new_table: Callable[..., Caller]) -> Evening:
    """A table with a Referee, two players, a spectator, and an enemy that only the Referee sees."""
    return Evening(new_table())
