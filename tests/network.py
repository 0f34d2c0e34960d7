"""A laptop and phones on a network of their own, made for a test: two network namespaces and a cable between them.

Nothing leaves them: they know no way to any other network. Only root on Linux can make them.
"""

import ctypes
import fcntl
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.waiting import until

LAPTOP = "10.213.7.1"
PHONES = "10.213.7.2"
BY_ANOTHER_WAY = "10.213.8.1"
"""The laptop's address in a second network, where there is one."""
_NEW_NETWORK = 0x40000000  # CLONE_NEWNET
_NEW_TUNNEL = 0x400454CA  # TUNSETIFF
_A_TUN = 0x0001 | 0x1000  # IFF_TUN | IFF_NO_PI


def why_not() -> str | None:
    """Why no network can be made here; None where it can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    if shutil.which("ip") is None:
        return "there is no ip command (Debian's iproute2)"
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True, check=False)
    return f"this machine allows no network namespace: {tried.stderr.strip()}" if tried.returncode else None


class Network:
    """As a context manager: made on the way in; on the way out gone, and whoever was `among_the_phones` is back."""

    def __init__(self) -> None:
        self._laptop = f"winded-laptop-{os.getpid()}"
        self._phones = f"winded-phones-{os.getpid()}"
        self._after = ExitStack()

    @property
    def at_the_laptop(self) -> list[str]:
        """The command that runs another at the laptop."""
        return ["ip", "netns", "exec", self._laptop]

    def go_among_the_phones(self) -> None:
        """From now on this thread, and every process it starts, is on the phones' side."""
        self._after.enter_context(self.among_the_phones())

    def among_the_phones(self) -> AbstractContextManager[None]:
        """What this thread does meanwhile, and every process it starts, is on the phones' side."""
        return _being_in(self._phones)

    def being_the_laptop(self) -> AbstractContextManager[None]:
        """The same on the laptop's side."""
        return _being_in(self._laptop)

    def meet_again(self) -> None:
        """The laptop and the phones are in a second network as well, and come there under other addresses."""
        self._lay("wlan0", BY_ANOTHER_WAY, "10.213.8.2")

    def _lay(self, cable: str, laptop: str, phones: str) -> None:
        ends = ((self._laptop, laptop), (self._phones, phones))
        laid = ["link", "add", cable, "netns", self._laptop, "type", "veth", "peer", "name", cable]
        _ip(*laid, "netns", self._phones)
        for name, address in ends:
            _ip("-n", name, "address", "add", f"{address}/24", "dev", cable)
            _ip("-n", name, "link", "set", cable, "up")
        for name, _ in ends:
            _runs(name, cable)

    def joins(self, interface: str, address: str) -> None:
        """The laptop joins a further network, of which nobody else is part."""
        _ip("-n", self._laptop, "link", "add", interface, "type", "veth", "peer", "name", f"{interface}-end")
        for end in (interface, f"{interface}-end"):
            _ip("-n", self._laptop, "link", "set", end, "up")
        _runs(self._laptop, interface)
        _ip("-n", self._laptop, "address", "add", address, "dev", interface)

    def leaves(self, interface: str) -> None:
        """The laptop leaves a network."""
        _ip("-n", self._laptop, "link", "delete", interface)

    def goes_everywhere_by(self, interface: str) -> None:
        """Whatever is not in one of the laptop's networks goes by this interface, as by a VPN."""
        _ip("-n", self._laptop, "route", "add", "default", "dev", interface)

    @contextmanager
    def tunnel(self, interface: str, address: str) -> Iterator[None]:
        """The laptop is in a VPN meanwhile."""
        with self.being_the_laptop(), Path("/dev/net/tun").open("r+b", buffering=0) as tunnel:
            fcntl.ioctl(tunnel, _NEW_TUNNEL, struct.pack("16sH", interface.encode(), _A_TUN))
            _ip("address", "add", f"{address}/32", "dev", interface)
            _ip("link", "set", interface, "up")
            yield

    def __enter__(self) -> Self:
        for name in (self._laptop, self._phones):
            _ip("netns", "add", name)
            self._after.callback(_ip, "netns", "delete", name)
            _ip("-n", name, "link", "set", "lo", "up")
        self._lay("cable", LAPTOP, PHONES)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._after.close()


def _ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


def _runs(namespace: str, interface: str) -> None:
    """Wait until the system has noticed that both ends of a cable are in place."""
    until(
        lambda: " state UP " in _ip("-n", namespace, "link", "show", "dev", interface),
        f"{interface} never ran in {namespace}",
    )


@contextmanager
def _being_in(namespace: str) -> Iterator[None]:
    here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        there = os.open(Path("/run/netns", namespace), os.O_RDONLY)
        try:
            _move_to(there)
        finally:
            os.close(there)
        try:
            yield
        finally:
            _move_to(here)
    finally:
        os.close(here)


def _move_to(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace, _NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "this thread could not be moved to another network")
