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
    """Where Winded runs.

    `addresses` are where phones reach it, one in each network it is in; `asked` is where this process does.
    """

    server: Server
    addresses: tuple[str, ...]
    asked: str

    @property
    def address(self) -> str:
        """The first of the addresses."""
        return self.addresses[0]

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
            yield Laptop(server, (server.address.replace("127.0.0.1", NAME),), server.address)
        return
    if (reason := network.why_not()) is not None:
        pytest.skip(f"played at a name instead: {reason}")
    with network.Network() as found:
        found.meet_again()
        with Server(database, host="0.0.0.0", within=found.at_the_laptop) as server:
            found.go_among_the_phones()
            ours = (network.LAPTOP, network.BY_ANOTHER_WAY)
            addresses = tuple(server.address.replace("127.0.0.1", one) for one in ours)
            yield Laptop(server, addresses, addresses[0])


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
    found = Evening(laptop.asked, laptop.server.database, people)
    yield found
    found.close()
