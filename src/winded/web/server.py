"""`winded serve` in full: the database, the sockets, the application, and stopping at once with streams open."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from litestar import Litestar

from winded.errors import Unavailable
from winded.service import open_desk
from winded.service.serving import noted
from winded.web.app import create_app
from winded.web.live import BEAT, Live

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

CONNECTIONS = 10_000
"""Files and connections that are open at once, where the system allows it."""

PORT = 8000
"""Where Winded listens if nothing else is said and nothing else listens there."""


def serve(
    database: Path, host: str, port: int | None, announce: Callable[[list[str]], None], beat: float = BEAT
) -> None:
    """Serve the tables in a database until Ctrl-C or SIGTERM.

    `port` is 0 for any free one, None for 8000 or, if that is taken, any free one. `announce` is told the addresses,
    this machine's own first, once they can be reached. `beat` is the seconds between signs of life on a stream. Raises
    Unavailable where the port or the database cannot be used.
    """
    _take_room()
    listening = _listen(host, port)
    with listening, open_desk(database) as desk:
        app = create_app(desk, beat=beat)
        app.on_startup.append(_stop_streams_first)
        config = uvicorn.Config(
            app,
            log_level="warning",
            # Links stand in addresses: they are never written to a log.
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
            # Short, so that a phone whose network has changed finds few dead connections to try before a new one.
            timeout_keep_alive=5,
        )
        # The pages need them too: an invitation made on this machine must lead here from a phone.
        app.state.addresses = _addresses(host, listening.getsockname()[1])
        announce(app.state.addresses)
        with noted(database, app.state.addresses[0]), suppress(KeyboardInterrupt):
            # Once the server has stopped in good order it passes the signal on.
            uvicorn.Server(config).run(sockets=[listening])


def _take_room() -> None:
    """Have room for as many screens as the system allows: each holds a connection, and the usual limit is soon met."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = CONNECTIONS if most == resource.RLIM_INFINITY else min(CONNECTIONS, most)
        if now != resource.RLIM_INFINITY and now < wanted:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _listen(host: str, port: int | None) -> socket.socket:
    try:
        return _bound(host, PORT if port is None else port)
    except OSError as taken:
        if port is None:
            return _bound(host, 0)
        raise Unavailable(
            "Port {port} of {host} cannot be used: {reason}.", port=port, host=host, reason=taken.strerror or str(taken)
        ) from taken


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    return listening


def _addresses(host: str, port: int) -> list[str]:
    if host in ("0.0.0.0", "::"):
        own = _own_network_address()
        return [f"http://127.0.0.1:{port}/", *([f"http://{own}:{port}/"] if own else [])]
    return [f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"]


def _own_network_address() -> str | None:
    """This machine's address in its network, None without one. Nothing is sent: only the route is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


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
