"""A hop between a browser and a server that can be told to fail as networks do.

Chromium's own offline mode leaves open streams alone, so a cut line is made here: for real, in the middle.
"""

import socket
from contextlib import suppress
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Hop:
    """Passes connections on to a server. `address` is where browsers reach it, without a slash at the end.

    `swallow` is the half-open link: every connection stays up and says nothing more, in neither direction. `cut` ends
    all connections and takes no new ones. `restore` lets new connections pass again; what was swallowed is lost.
    """

    def __init__(self, address: str) -> None:
        target = urlsplit(address)
        self._target = (target.hostname or "", target.port or 80)
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._passing = Event()
        self._passing.set()
        self._refusing = False
        self._closed = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def swallow(self) -> None:
        """From now on every byte is taken and dropped, and nobody is told."""
        self._passing.clear()

    def cut(self) -> None:
        """End every connection, and any new one at once."""
        self._refusing = True
        self._drop()

    def restore(self) -> None:
        """New connections pass; those that were open while bytes were swallowed never recover."""
        self._refusing = False
        if not self._passing.is_set():
            with self._lock:
                stale, self._open = self._open, set()
            self._stale = stale
            self._passing = Event()
            self._passing.set()

    @property
    def connections(self) -> int:
        """How many connections it passes on now."""
        with self._lock:
            return (len(self._open) + 1) // 2

    def close(self) -> None:
        self._closed = True
        self._listening.close()
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _drop(self) -> None:
        with self._lock:
            open_now, self._open = self._open, set()
        for one in open_now:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self._refusing or self._closed:
                client.close()
                continue
            if self._passing.is_set():
                try:
                    server = socket.create_connection(self._target, 5)
                except OSError:
                    client.close()
                    continue
                server.settimeout(None)
            else:
                # The far end of a half-open link never answers; a socket of nobody's stands in for it.
                server, _nobody = socket.socketpair()
                self._nobody = _nobody
            passing = self._passing
            with self._lock:
                self._open |= {client, server}
            Thread(target=self._pass_on, args=(client, server, passing), daemon=True).start()
            Thread(target=self._pass_on, args=(server, client, passing), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, passing: Event) -> None:
        try:
            while data := source.recv(65536):
                if passing.is_set():
                    sink.sendall(data)
        except OSError:
            pass
        with suppress(OSError):
            if passing.is_set():
                sink.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()
