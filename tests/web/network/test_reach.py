"""Which addresses are handed out to phones, and what is known of who has come by them."""

from ipaddress import ip_address

import pytest

from winded.errors import Malformed
from winded.sentence import Sentence
from winded.web.network.addresses import Leads, Own
from winded.web.network.reach import Reach, address_from

WIFI = Own(ip_address("192.168.1.5"), "wlan0", Leads.NETWORK)
HOTSPOT = Own(ip_address("10.42.0.1"), "wlan1", Leads.NETWORK)
VPN = Own(ip_address("10.8.0.2"), "tun0", Leads.TUNNEL)
SIX = Own(ip_address("2001:db8::5"), "wlan0", Leads.NETWORK)
HERE = "http://127.0.0.1:8000"


class Laptop:
    """A laptop whose networks change."""

    def __init__(self, *own: Own, host: str = "0.0.0.0", **more: object) -> None:
        self.own = list(own)
        self.told: list[list[Sentence]] = []
        self.reach = Reach(host, 8000, own=lambda: self.own, tell=lambda said: self.told.append([*said]), **more)  # type: ignore[arg-type]

    def ways(self, asked: str = HERE, client: str = "127.0.0.1") -> list[str]:
        return [way.base for way in self.reach.ways(asked, client)]


def test_every_address_that_a_phone_may_come_by_is_offered() -> None:
    assert Laptop(WIFI, VPN).ways() == ["http://192.168.1.5:8000", "http://10.8.0.2:8000"]


def test_it_is_looked_up_when_it_is_asked_for() -> None:
    laptop = Laptop(WIFI)
    laptop.own = [HOTSPOT]
    assert laptop.ways() == ["http://10.42.0.1:8000"]


@pytest.mark.parametrize(
    "asked",
    [
        HERE, "http://localhost:8000", "http://[::1]:8000", "http://0.0.0.0:8000", "http://[::]:8000", "http://127.3.2.1:8000",
        "http://table.localhost:8000", "http://", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("client", ["127.0.0.1", "192.168.1.77", ""])
def test_what_leads_nowhere_else_is_never_offered(asked: str, client: str) -> None:
    assert Laptop(WIFI).ways(asked, client) == ["http://192.168.1.5:8000"]
    assert Laptop().ways(asked, client) == []


def test_what_the_referee_came_by_from_another_device_comes_first() -> None:
    assert Laptop(WIFI).ways("http://laptop.local:8000", "192.168.1.77") == [
        "http://laptop.local:8000",
        "http://192.168.1.5:8000",
    ]
    assert Laptop(WIFI, HOTSPOT).ways("http://10.42.0.1:8000", "10.42.0.9")[0] == "http://10.42.0.1:8000"


def test_a_name_that_only_this_machine_may_know_itself_by_comes_last() -> None:
    assert Laptop(WIFI).ways("http://laptop:8000", "192.168.1.5") == ["http://192.168.1.5:8000", "http://laptop:8000"]
    given = Laptop(WIFI, names=("table.example",))
    assert given.ways("http://table.example:8000", "127.0.0.1")[0] == "http://table.example:8000"


def test_what_another_device_has_come_by_comes_before_what_none_has() -> None:
    laptop = Laptop(WIFI, HOTSPOT)
    laptop.reach.came("10.42.0.9", "10.42.0.1:8000")
    assert laptop.ways() == ["http://10.42.0.1:8000", "http://192.168.1.5:8000"]


@pytest.mark.parametrize("host", ["6.6.6.6:8000", "evil:8000", "192.168.1.5:9000", "evil.local"])
def test_what_somebody_only_says_that_they_came_by_is_not_handed_on(host: str) -> None:
    laptop = Laptop(WIFI)
    laptop.reach.came("192.168.1.66", host)
    assert laptop.ways() == ["http://192.168.1.5:8000"]


def test_the_address_that_was_given_is_the_only_one() -> None:
    laptop = Laptop(WIFI, address="laptop.local")
    assert laptop.ways("http://10.8.0.2:8000", "10.8.0.9") == ["http://laptop.local:8000"]
    assert laptop.reach.names.knows("laptop.local")


@pytest.mark.parametrize(
    ("host", "ways"),
    [
        ("192.168.1.5", ["http://192.168.1.5:8000"]),
        ("127.0.0.1", []),
        ("localhost", []),
        ("::1", []),
        ("0.0.0.0", ["http://192.168.1.5:8000", "http://10.8.0.2:8000"]),
        ("::", ["http://192.168.1.5:8000", "http://[2001:db8::5]:8000", "http://10.8.0.2:8000"]),
    ],
)
def test_only_where_it_listens(host: str, ways: list[str]) -> None:
    assert Laptop(WIFI, SIX, VPN, host=host).ways() == ways


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("192.168.1.5", "http://192.168.1.5:8000"),
        ("localhost", "http://localhost:8000"),
    ],
)
def test_this_machine_itself_has_an_address_that_works_there(host: str, here: str) -> None:
    assert Laptop(WIFI, host=host).reach.here == here


def test_where_each_leads_is_told() -> None:
    inner = Own(ip_address("172.17.0.1"), "docker0", Leads.INNER)
    alone = Own(ip_address("169.254.9.9"), "eth0", Leads.NO_ROUTER)
    told = [str(way.network) for way in Laptop(WIFI, VPN, alone, inner).reach.ways()]
    assert told == [
        "wlan0",
        "tun0: for those on this VPN",
        "eth0: a network without a router",
        "docker0: within this computer",
    ]


# -- who came


def test_only_another_device_counts_as_one_that_came() -> None:
    laptop = Laptop(WIFI)
    for own in ("127.0.0.1", "::1", "192.168.1.5", "::ffff:127.0.0.1", "", "testclient"):
        laptop.reach.came(own, "192.168.1.5:8000")
        assert not laptop.reach.was_reached, own
    laptop.reach.came("::ffff:192.168.1.77", "192.168.1.5:8000")
    assert laptop.reach.was_reached


def test_whoever_started_it_hears_once_what_is_in_the_way_and_when_it_no_longer_is() -> None:
    laptop = Laptop(WIFI)
    laptop.reach.invited()
    laptop.reach.invited()
    (said,) = laptop.told
    assert str(said[0]) == "No other device has reached Winded so far."
    assert said[1:] == laptop.reach.in_the_way()
    laptop.reach.came("192.168.1.77", "192.168.1.5:8000")
    laptop.reach.came("192.168.1.78", "192.168.1.5:8000")
    assert [str(one) for one in laptop.told[-1]] == ["Other devices reach Winded."]
    assert len(laptop.told) == 2


def test_where_phones_come_nothing_is_said() -> None:
    laptop = Laptop(WIFI)
    laptop.reach.came("192.168.1.77", "192.168.1.5:8000")
    laptop.reach.invited()
    assert laptop.told == []


@pytest.mark.parametrize(
    ("platform", "says"),
    [("win32", "Windows Security"), ("darwin", "System Settings"), ("linux", "allow TCP port 8000")],
)
def test_what_the_firewall_of_this_platform_must_let_through_is_said(platform: str, says: str) -> None:
    said = [str(one) for one in Laptop(WIFI, platform=platform).reach.in_the_way()]
    assert any(says in one for one in said)
    assert said[0].startswith("The phone must be on the same network")


@pytest.mark.parametrize(
    ("laptop", "says"),
    [
        (Laptop(), "This computer is not on a network"),
        (Laptop(WIFI, host="127.0.0.1"), "started with --host 127.0.0.1"),
    ],
)
def test_where_no_phone_could_ever_come_that_is_said_first(laptop: Laptop, says: str) -> None:
    assert says in str(laptop.reach.in_the_way()[0])


# -- an address that is given


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("laptop.local", "http://laptop.local:8000"),
        ("laptop.local:80", "http://laptop.local:80"),
        ("http://192.168.1.5:8000/", "http://192.168.1.5:8000"),
        (" https://table.example ", "https://table.example"),
        ("[2001:db8::5]", "http://[2001:db8::5]:8000"),
        ("Laptop.Local.", "http://laptop.local:8000"),
        ("bücher.example:80", "http://xn--bcher-kva.example:80"),
    ],
)
def test_an_address_may_be_given_in_short(text: str, address: str) -> None:
    assert address_from(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "http://", "ftp://laptop", "http://laptop/board", "http://laptop?x", "http://me@laptop", "laptop:port",
        "http://[", "http://laptop:99999999", "a b", "http://laptop/#x", "laptop:99999",
        "localhost", "http://127.0.0.1:8000", "0.0.0.0", "[::1]", "http://[::]:8000", "x.localhost",
    ],
)  # fmt: skip
def test_what_is_no_address_for_phones_is_refused_in_words(text: str) -> None:
    with pytest.raises(Malformed) as no:
        address_from(text)
    assert no.value.field == "address"
    assert text in str(no.value)
