"""Where a server listens: a port that is its own, behind a certificate if there is one."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from functools import partial
from pathlib import Path

import uvicorn

from winded.errors import Malformed, Unavailable
from winded.web.network.connections import Connection, Doorkeeper

PORT = 8000
"""Where Winded listens if nothing else is said and nothing else listens there."""

HANDSHAKE_WITHIN = 10.0
"""Seconds within which whoever comes by https has agreed on how to speak."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; `port` is 0 for any free one, None for 8000 or, where that is taken, any free one.

    Raises Unavailable where it cannot.
    """
    try:
        return _bound(host, PORT if port is None else port)
    except (OSError, UnicodeError) as taken:
        if port is None:
            return listen(host, 0)
        reason = getattr(taken, "strerror", None) or str(taken)
        if port == 0:
            raise Unavailable("Winded cannot listen on {host}: {reason}.", host=host, reason=reason) from taken
        raise Unavailable(
            "Port {port} of {host} cannot be used: {reason}.", port=str(port), host=host, reason=reason
        ) from taken


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        _make_it_ours(listening)
        if host == "::":
            # At every address means those of the older kind too.
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((host, port))
        listening.listen(1024)
    except (OSError, UnicodeError):
        listening.close()
        raise
    return listening


def _make_it_ours(listening: socket.socket, platform: str = sys.platform) -> None:
    """Take the port at once after a server that has ended, and never one that another still listens at."""
    if platform == "win32":
        # There the other option would let two servers share a port, each getting some of the connections.
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", -5), 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def secured_by(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What https needs: a certificate (and those between it and its authority) and its key, maybe in the same file.

    Raises Malformed in words for files that are not there, are none, do not belong together or ask for a password.
    """
    for name, path in (("certificate", certificate), ("key", key)):
        if path is not None and not path.is_file():
            raise Malformed(name, "There is no file {path}.", path=str(path))

    def no_password() -> str:
        raise Malformed("key", "The key has a password; use one without.")

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key, no_password)
    except ssl.SSLError as no:
        if "MISMATCH" in (no.reason or ""):
            raise Malformed(
                "key", "The key {key} does not belong to the certificate {certificate}.",
                key=str(key or certificate), certificate=str(certificate),
            ) from no  # fmt: skip
        raise Malformed(
            "certificate", "{paths} must hold a certificate and its key, as PEM.",
            paths=", ".join(str(path) for path in (certificate, key) if path is not None),
        ) from no  # fmt: skip
    except OSError as no:
        raise Malformed(
            "certificate", "{path} cannot be read: {reason}.", path=str(certificate), reason=no.strerror or str(no)
        ) from no
    return context


class Listening(uvicorn.Server):
    """The server at one socket, over https if it is `secured`. Connections that ask for nothing end by themselves."""

    def __init__(
        self,
        config: uvicorn.Config,
        listening: socket.socket,
        secured: ssl.SSLContext | None = None,
        doorkeeper: Doorkeeper | None = None,
    ) -> None:
        super().__init__(config)
        self._listening = listening
        self._secured = secured
        self._doorkeeper = doorkeeper or Doorkeeper()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        make = partial(
            Connection,
            self._doorkeeper,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        self.servers.append(
            await asyncio.get_running_loop().create_server(
                make,
                sock=self._listening,
                ssl=self._secured,
                # Before its greeting nobody has a connection yet that could end by itself.
                ssl_handshake_timeout=None if self._secured is None else HANDSHAKE_WITHIN,
            )
        )
