"""The addresses that this machine has in its networks, looked up each time they are asked for."""

from __future__ import annotations

import re
import socket
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import psutil
from msgspec import Struct

_INNER = re.compile(
    r"docker|br-[0-9a-f]{12}$|veth|virbr|vboxnet|vmnet|lxc|lxd|podman|cni|flannel|cali"
    r"|vEthernet \((WSL|Default Switch)",
    re.IGNORECASE,
)
"""Interfaces that usually lead to nothing but containers and virtual machines of this machine's own."""

_ONES_OWN = 64
"""Bits of an IPv6 address that tell networks apart."""


class Leads(IntEnum):
    """Where an address leads to, as far as can be told; the likelier to be a phone's network, the lower."""

    NETWORK = 0
    """A network of devices: the house's, or this machine's own hotspot."""
    TUNNEL = 1
    """A VPN: only for phones that are in it too."""
    NO_ROUTER = 2
    """An address that the machine gave itself, as no router did."""
    INNER = 3
    """Containers and virtual machines."""


class Own(Struct, frozen=True):
    """An address of this machine, the name of the interface that has it, and where that leads to."""

    address: IPv4Address | IPv6Address
    interface: str
    leads: Leads


def own_addresses() -> list[Own]:
    """What other devices may reach this machine by, the likeliest first: never loopback, nor what needs a zone.

    Of several networks the one that this machine itself uses by default comes first. Nothing is sent.
    """
    stats = psutil.net_if_stats()
    running = {name for name, one in stats.items() if one.isup}
    tunnels = {name for name, one in stats.items() if "pointopoint" in one.flags}
    found = [
        Own(address, interface, _leads(interface, address, one.netmask, tunnel=interface in tunnels))
        for interface, addresses in psutil.net_if_addrs().items()
        if interface in running
        for one in addresses
        if (address := _shared(one.family, one.address)) is not None
    ]
    usual = _usual_address()
    return sorted(
        found, key=lambda own: (own.leads, own.address != usual, own.address.version, not own.address.is_private)
    )


def counted_as(client: str) -> str:
    """Whom limits count a client as, by its address; of IPv6 it is the network, which one person may have whole."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, _ONES_OWN), strict=False))


def _shared(family: int, text: str) -> IPv4Address | IPv6Address | None:
    """An address that others may reach; None for what is none, or only within this machine or one cable."""
    if family not in (socket.AF_INET, socket.AF_INET6):
        return None
    address = ip_address(text.partition("%")[0])
    if address.is_loopback or address.is_unspecified or address.is_multicast:
        return None
    # Without its zone, which no browser takes, such an address leads nowhere.
    return None if address.version == 6 and address.is_link_local else address


def _leads(interface: str, address: IPv4Address | IPv6Address, netmask: str | None, *, tunnel: bool) -> Leads:
    if _INNER.match(interface):
        return Leads.INNER
    if address.is_link_local:
        return Leads.NO_ROUTER
    if tunnel or netmask == "255.255.255.255":
        return Leads.TUNNEL
    return Leads.NETWORK


def _usual_address() -> IPv4Address | None:
    """This machine's address on the way to everywhere else; None without such a way. Only the route is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return IPv4Address(probe.getsockname()[0])
        except (OSError, ValueError):
            return None
