"""An evening in every browser engine: over a network made for it, or else at a name that means this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Playwright, expect, sync_playwright

from tests import network
from tests.browser.evening import PARTY, Evening
from tests.engines.devices import ENGINES, NAME, Hand, why_not
from tests.serving import Server
from tests.waiting import PATIENCE
from winded.rules import AddAbility, AddCharacter, Side

expect.set_options(timeout=PATIENCE * 1000)


@dataclass
class Laptop:
    """Where Winded runs: `address` is where phones reach it."""

    server: Server
    address: str

    def restart(self) -> None:
        """Ended as by a power cut, and started again where it was."""
        self.server.port = urlsplit(self.address).port or 0
        self.server.kill()
        self.server.start()


@pytest.fixture(scope="session", params=["network", "name"])
def laptop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laptop]:
    """A laptop that the phones reach by its address in a network of their own, or by a name."""
    database = tmp_path_factory.mktemp("laptop") / "winded.sqlite"
    if request.param == "name":
        with Server(database) as server:
            yield Laptop(server, server.address.replace("127.0.0.1", NAME))
        return
    if (reason := network.why_not()) is not None:
        pytest.skip(f"played at a name instead: {reason}")
    with network.Network() as found, Server(database, host=network.LAPTOP, within=found.at_the_laptop) as server:
        found.go_among_the_phones()
        yield Laptop(server, server.address)


@pytest.fixture(scope="session")
def playwright(laptop: Laptop) -> Iterator[Playwright]:
    """One for each laptop: the browsers it starts are in the network that it was started in."""
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session", params=ENGINES)
def hand(request: pytest.FixtureRequest, laptop: Laptop, playwright: Playwright) -> Iterator[Hand]:
    """Hands out phones of one engine."""
    if (reason := why_not(request.param)) is not None:
        pytest.skip(reason)
    with ENGINES[request.param](playwright, laptop.address) as found:
        yield found


@pytest.fixture
def evening(laptop: Laptop) -> Iterator[Evening]:
    people = (*PARTY, AddAbility("Ash", ability="Shield Wall", cost=2), AddCharacter("Wolf", con="d8", side=Side.ENEMY))
    found = Evening(laptop.server.address, laptop.server.database, people)
    yield found
    found.close()
