"""The names by which this server is called: a page of another site must not reach it by a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from winded.errors import Malformed, WindedError

_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<name>[\w.~!$&'()*+,;=%-]{1,253}))(?::[0-9]{0,5})?", re.ASCII)
_NEVER_SOLD = (
    ".localhost", ".local", ".localdomain", ".lan", ".home", ".home.arpa", ".internal", ".intranet", ".private",
    ".corp", ".test",
)  # fmt: skip
"""Ends of names that stand in no public directory, so that nobody can buy one and have it lead here."""

_REMEMBERED = 1000


class WrongName(WindedError):
    """Someone asks for another server, by a name that this one does not have."""

    kind = "wrong-name"
    status = 421


def name_in(host: str) -> str:
    """The name or address in a Host header, without its port. Raises Malformed for what is none."""
    found = _HOST.fullmatch(host)
    if found is None:
        raise Malformed("Host", "“Host” must be a name or an address, with or without a port.")
    return (found["v6"] or found["name"]).lower().removesuffix(".")


def as_sent(name: str) -> str:
    """A name as browsers send it: those that are not all ASCII are sent in another spelling."""
    try:
        return name.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        return name.lower()


class Names:
    """Tells by a request's Host header whether it was meant for this server.

    That is so for every address, every name within a network (`laptop`, `laptop.local`), and the names given.
    """

    def __init__(self, given: Iterable[str] = (), *, any_name: bool = False) -> None:
        self.given: frozenset[str] = frozenset(map(as_sent, given))
        self._any_name = any_name
        self._good: set[bytes] = set()

    def check(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Raises Malformed or WrongName. What names no host is no browser, and is let through."""
        for key, value in headers:
            if key == b"host" and value not in self._good:
                name = name_in(value.decode("latin-1"))
                if not self._any_name and not self.knows(name):
                    raise WrongName(
                        "Winded does not answer to the name “{name}”. Open it by its address or, if that is its "
                        "name, start it with --host-name {name}.",
                        name=name,
                    )
                if len(self._good) < _REMEMBERED:
                    self._good.add(value)

    def knows(self, name: str) -> bool:
        """Whether this server has this name, or may have it without anyone being deceived."""
        return name in self.given or "." not in name or name.endswith(_NEVER_SOLD) or is_address(name)


def is_address(name: str) -> bool:
    """Whether this is an IP address, rather than a name that some directory leads to one."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
