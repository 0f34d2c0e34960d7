"""A laptop and phones on a network of their own, made for a test: two network namespaces and a cable between them.

Nothing leaves them: they know no way to any other network. Only root on Linux can make them.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

LAPTOP = "10.213.7.1"
PHONES = "10.213.7.2"
_NEW_NETWORK = 0x40000000  # CLONE_NEWNET


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
        here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self._after.callback(os.close, here)
        there = os.open(Path("/run/netns", self._phones), os.O_RDONLY)
        try:
            _move_to(there)
        finally:
            os.close(there)
        self._after.callback(_move_to, here)

    def __enter__(self) -> Self:
        for name in (self._laptop, self._phones):
            _ip("netns", "add", name)
            self._after.callback(_ip, "netns", "delete", name)
            _ip("-n", name, "link", "set", "lo", "up")
        ends = ((self._laptop, LAPTOP), (self._phones, PHONES))
        cable = ["link", "add", "cable", "netns", self._laptop, "type", "veth", "peer", "name", "cable"]
        _ip(*cable, "netns", self._phones)
        for name, address in ends:
            _ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            _ip("-n", name, "link", "set", "cable", "up")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._after.close()


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def _move_to(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace, _NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "this thread could not be moved to another network")
