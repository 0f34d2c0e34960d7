"""This machine's addresses, in real networks that the tests make."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import network
from winded.web.network.addresses import Leads, counted_as, own_addresses


@pytest.fixture
def home() -> Iterator[network.Network]:
    if (reason := network.why_not()) is not None:
        pytest.skip(reason)
    with network.Network() as made:
        yield made


def at(home: network.Network) -> list[tuple[str, str, Leads]]:
    with home.being_the_laptop():
        return [(str(one.address), one.interface, one.leads) for one in own_addresses()]


CABLE = (network.LAPTOP, "cable", Leads.NETWORK)


def test_a_network_without_a_way_to_anywhere_else_is_one_as_a_hotspot_is(home: network.Network) -> None:
    assert at(home) == [CABLE]


def test_they_are_looked_up_anew_each_time(home: network.Network) -> None:
    home.joins("wlan0", "192.168.7.5/24")
    assert at(home) == [CABLE, ("192.168.7.5", "wlan0", Leads.NETWORK)]
    home.leaves("wlan0")
    assert at(home) == [CABLE]


def test_of_several_networks_the_one_that_leads_everywhere_comes_first(home: network.Network) -> None:
    home.joins("wlan0", "192.168.7.5/24")
    home.goes_everywhere_by("wlan0")
    assert at(home) == [("192.168.7.5", "wlan0", Leads.NETWORK), CABLE]


@pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="this machine makes no tunnels")
def test_a_vpn_comes_after_the_networks_even_where_everything_goes_by_it(home: network.Network) -> None:
    with home.tunnel("tun0", "10.8.0.2"):
        home.goes_everywhere_by("tun0")
        assert at(home) == [CABLE, ("10.8.0.2", "tun0", Leads.TUNNEL)]


def test_what_containers_and_no_router_gave_comes_last(home: network.Network) -> None:
    home.joins("docker0", "172.17.0.1/16")
    home.joins("eth1", "169.254.3.4/16")
    home.joins("eth2", "2001:db8::5/64")
    assert at(home) == [
        CABLE,
        ("2001:db8::5", "eth2", Leads.NETWORK),
        ("169.254.3.4", "eth1", Leads.NO_ROUTER),
        ("172.17.0.1", "docker0", Leads.INNER),
    ]


def test_where_there_is_no_network_there_is_no_address(home: network.Network) -> None:
    home.leaves("cable")
    assert at(home) == []


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_whoever_has_a_whole_network_of_ipv6_counts_as_one(client: str, counted: str) -> None:
    assert counted_as(client) == counted
