"""`winded serve` in full: the database, the sockets, the application, and stopping at once with streams open."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from litestar import Litestar
from msgspec import Struct

from winded.errors import Malformed
from winded.sentence import Sentence
from winded.service import open_desk
from winded.service.copies import KEPT, Copying
from winded.service.serving import noted
from winded.web.app import create_app
from winded.web.live import BEAT, Live
from winded.web.network.listening import Listening, listen, secured_by
from winded.web.network.reach import Reach, address_from

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

CONNECTIONS = 10_000
"""Files and connections that are open at once, where the system allows it."""


class Door(Struct, frozen=True):
    """Where to serve and for whom, as the host of the tables says it.

    `port` is 0 for any free one, None for 8000 or, if that is taken, any free one. `address` is where phones come,
    if it is not to be looked for; `names` are further names of this server. With a `certificate` it is https; its
    `key` may stand in the same file. What `proxies` (addresses or networks) say of whom they ask for is believed.
    """

    host: str = "0.0.0.0"
    port: int | None = None
    address: str | None = None
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()


def serve(
    database: Path,
    door: Door,
    announce: Callable[[Reach], None],
    tell: Callable[[Sequence[Sentence]], None],
    beat: float = BEAT,
    copies: int = KEPT,
) -> None:
    """Serve the tables in a database until Ctrl-C or SIGTERM.

    `announce` is told how this server is reached, as soon as it can be; `tell` what is to be said while it serves.
    `beat` is the seconds between signs of life on a stream, `copies` how many copies of the database are kept
    beside it. Raises Malformed for an address, a certificate or a proxy that is none, Unavailable where the port or
    the database cannot be used.
    """
    proxies = [_proxy(one) for one in door.proxies]
    secured = None if door.certificate is None else secured_by(door.certificate, door.key)
    scheme = "http" if secured is None else "https"
    if door.address is not None:
        address_from(door.address, scheme)
    _take_room()
    listening = listen(door.host, door.port)
    with listening, open_desk(database) as desk, Copying(desk, copies) as copying:
        reach = Reach(
            door.host,
            listening.getsockname()[1],
            scheme=scheme,
            address=door.address,
            names=(*door.names, socket.gethostname()),
            tell=tell,
        )
        app = create_app(desk, beat=beat, reach=reach, copying=copying)
        app.on_startup.append(_stop_streams_first)
        config = uvicorn.Config(
            app,
            log_level="warning",
            # Links stand in addresses: they are never written to a log.
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
            timeout_graceful_shutdown=3,
            # Short, so that a phone whose network has changed finds few dead connections to try before a new one.
            timeout_keep_alive=5,
        )
        announce(reach)
        with noted(database, f"{reach.here}/"), suppress(KeyboardInterrupt):
            # Once the server has stopped in good order it passes the signal on.
            Listening(config, listening, secured).run()


def _proxy(text: str) -> str:
    try:
        return str(ip_network(text.strip(), strict=False)) if "/" in text else str(ip_address(text.strip()))
    except ValueError:
        raise Malformed(
            "trusted-proxies",
            "“{text}” is not the address or network of a proxy, such as 10.0.0.5 or 10.0.0.0/24.",
            text=text,
        ) from None


def _take_room() -> None:
    """Have room for as many screens as the system allows: each holds a connection, and the usual limit is soon met."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = CONNECTIONS if most == resource.RLIM_INFINITY else min(CONNECTIONS, most)
        if now != resource.RLIM_INFINITY and now < wanted:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _stop_streams_first(app: Litestar) -> None:
    """Have a signal to stop end the live streams before the server waits for them, which it does without end."""
    live: Live = app.state.live
    for number in (signal.SIGINT, signal.SIGTERM):
        before: Any = signal.getsignal(number)

        def stop(number: int, frame: FrameType | None, before: Any = before) -> None:
            live.close()
            if callable(before):
                before(number, frame)

        try:
            signal.signal(number, stop)
        except ValueError:
            # Not in the main thread: whoever runs the server there stops it.
            return


__all__ = ["CONNECTIONS", "Door", "Reach", "serve"]
