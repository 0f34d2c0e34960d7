"""How others reach this server: the addresses to hand out, and whether anyone has ever come by one of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from litestar.types import Scope
from msgspec import Struct

from winded.errors import Malformed
from winded.sentence import Sentence, sentence
from winded.web.network.addresses import Leads, Own, own_addresses
from winded.web.network.in_the_way import NOBODY_YET, SOMEBODY, in_the_way
from winded.web.network.names import Names, is_address, name_in

_EVERYWHERE = ("0.0.0.0", "::")

REMEMBERED = 1000
"""So many other devices are told apart."""


class Way(Struct, frozen=True):
    """An address to hand out, without a slash at its end: "http://192.168.1.5:8000".

    `interface` and `leads` say where an address of this machine's own leads to.
    """

    base: str
    interface: str = ""
    leads: Leads | None = None

    @property
    def network(self) -> Sentence | None:
        """Where it leads to, as far as that is known."""
        match self.leads:
            case None:
                return None
            case Leads.NETWORK:
                return Sentence("{interface}", {"interface": self.interface})
            case Leads.TUNNEL:
                return sentence("{interface}: for those on this VPN", interface=self.interface)
            case Leads.NO_ROUTER:
                return sentence("{interface}: a network without a router", interface=self.interface)
            case Leads.INNER:
                return sentence("{interface}: within this computer", interface=self.interface)


class Reach:
    """Where this server listens and how others come there.

    `host` and `port` are where it listens. `address` is the one way that the host of the table has named for good;
    `names` are further names that are this server's. `own` looks this machine's addresses up. `tell` says something
    to whoever started the server. `platform` is as in `sys.platform`.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        scheme: str = "http",
        address: str | None = None,
        names: tuple[str, ...] = (),
        own: Callable[[], list[Own]] = own_addresses,
        tell: Callable[[Sequence[Sentence]], None] = lambda _: None,
        platform: str = sys.platform,
    ) -> None:
        self.host = host
        self.port = port
        self.scheme = scheme
        self.address: str | None = None if address is None else address_from(address, scheme, port)
        named = () if self.address is None else (urlsplit(self.address).hostname or "",)
        # Over https the certificate already says whose name it is.
        self.names: Names = Names((*names, *named), any_name=scheme == "https")
        self._own = own
        self._tell = tell
        self._platform = platform
        self._has_told = False
        self._came: dict[str, None] = {}
        self._others: set[str] = set()
        self._ours: set[str] = set()

    @property
    def here(self) -> str:
        """The address for this machine itself."""
        return self._base({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host))

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens at every address of this machine."""
        return self.host in _EVERYWHERE

    @property
    def was_reached(self) -> bool:
        """Whether any other device has ever come here."""
        return bool(self._others)

    def take_note(self, scope: Scope) -> None:
        """Someone asks. Raises Malformed or WrongName where it was another server that was meant."""
        self.names.check(scope["headers"])
        client = scope["client"][0] if scope["client"] else ""
        if not self.is_known(client):
            host = next((value for name, value in scope["headers"] if name == b"host"), b"")
            self.came(client, host.decode("latin-1"))

    def is_known(self, client: str) -> bool:
        """Whether it has been seen of a client whether it is another device."""
        return client in self._ours or client in self._others or len(self._others) >= REMEMBERED

    def came(self, client: str, host: str) -> None:
        """Someone at this address asked for this Host."""
        if self.is_known(client):
            return
        if self._is_ours(client):
            self._ours.add(client)
            return
        self._others.add(client)
        base = f"{self.scheme}://{host}"
        # Only what is surely this server's is handed on: anybody may write anything into a Host header.
        if any(base == self._base(str(one.address)) for one in self._own()) or name_in(host) in self.names.given:
            self._came[base] = None
        if self._has_told and len(self._others) == 1:
            self._tell([SOMEBODY])

    def invited(self) -> None:
        """Phones are asked to come. Where none has so far, it is said once what may stand in their way."""
        if not self.was_reached and not self._has_told:
            self._has_told = True
            self._tell([NOBODY_YET, *self.in_the_way()])

    def in_the_way(self) -> list[Sentence]:
        """What most often keeps a phone from coming here."""
        return in_the_way(
            self.host,
            self.port,
            self.scheme,
            can_be_found=bool(self.ways()),
            is_everywhere=self.is_everywhere,
            platform=self._platform,
        )

    def ways(self, asked: str = "", client: str = "") -> list[Way]:
        """The addresses that a phone may come by, the likeliest first: none that leads only to this machine.

        `asked` is the address that somebody at `client` has asked by, such as "http://laptop:8000".
        """
        if self.address is not None:
            return [Way(self.address)]
        own = [Way(self._base(str(one.address)), one.interface, one.leads) for one in self._own_listening()]
        # By its own name this machine finds itself, and phones often do not.
        first, last = ([asked], []) if not self._is_ours(client) or self._is_known(asked) else ([], [asked])
        known = {way.base: way for way in own}
        bases = dict.fromkeys([*first, *self._came, *known, *last])
        return [known.get(base, Way(base)) for base in bases if base and _leads_on(base)]

    def _base(self, host: str) -> str:
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    def _own_listening(self) -> list[Own]:
        if self.is_everywhere:
            return [one for one in self._own() if self.host == "::" or one.address.version == 4]
        if is_address(self.host):
            return [one for one in self._own() if one.address == ip_address(self.host)]
        return []

    def _is_ours(self, client: str) -> bool:
        if not is_address(client):
            return True
        address = ip_address(client.partition("%")[0])
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_loopback or any(address == one.address for one in self._own())

    def _is_known(self, base: str) -> bool:
        name = urlsplit(base).hostname or ""
        return is_address(name) or name in self.names.given


def _leads_on(base: str) -> bool:
    """Whether an address leads anywhere but to the machine of whoever asks for it."""
    name = urlsplit(base).hostname or ""
    if not is_address(name):
        return name not in ("", "localhost") and not name.endswith(".localhost")
    address = ip_address(name)
    return not (address.is_loopback or address.is_unspecified)


def address_from(text: str, scheme: str = "http", port: int = 8000) -> str:
    """An address that people give, in full and without a slash at its end: "laptop.local" is "http://laptop.local:8000".

    Raises Malformed for what is none, and for one that leads only to the machine of whoever asks for it.
    """
    given = text.strip()
    is_whole = "://" in given
    try:
        parts = urlsplit(given if is_whole else f"{scheme}://{given}")
        name = name_in(parts.netloc.encode("idna").decode())
        of_port = parts.port
    except (Malformed, ValueError):
        name, parts, of_port = "", urlsplit(""), None
    if not name or parts.scheme not in ("http", "https") or parts.path.strip("/") or parts.query or parts.fragment:
        raise Malformed(
            "address",
            "“{text}” is not an address such as http://192.168.1.5:8000 or laptop.local.",
            text=text,
        )
    if of_port is None and not is_whole:
        of_port = port
    shown = f"[{name}]" if ":" in name else name
    base = f"{parts.scheme}://{shown}" + ("" if of_port is None else f":{of_port}")
    if not _leads_on(base):
        raise Malformed("address", "Phones cannot use {text}: on every device it means the device itself.", text=text)
    return base
