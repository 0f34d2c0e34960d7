"""`winded serve`: tables for every browser in the network, and how to reach them."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from cyclopts import Parameter

from winded.cli.database import Database, database_at


def _port_exists(kind: object, port: int | None) -> None:
    if port is not None and not 0 <= port <= 65_535:
        raise ValueError(f"A port is a whole number from 0 to 65535; there is no {port}.")


def serve(
    *,
    host: Annotated[str, Parameter(metavar="HOST")] = "0.0.0.0",
    port: Annotated[int | None, Parameter(metavar="PORT", validator=_port_exists)] = None,
    database: Database = None,
    no_qr: Annotated[bool, Parameter(name="--no-qr", negative=())] = False,
) -> None:
    """Serve tables to every laptop and phone in the network, until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen on; 127.0.0.1 keeps it to this machine.
    port
        The port; 0 for any that is free. Without it 8000, or any that is free if 8000 is taken.
    no_qr
        Print no QR code of the address.
    """
    from winded.web.server import serve as serve_tables

    path = database_at(database)

    def announce(addresses: list[str]) -> None:
        print(announcement(addresses, path, with_qr=not no_qr), flush=True)

    serve_tables(path, host, port, announce)


def announcement(addresses: list[str], database: Path, *, with_qr: bool) -> str:
    """Where the tables are reached, and the address for other devices as a QR code, if there is one."""
    shared = [address for address in addresses if not _is_own(address)]
    lines = [""]
    lines += [f"  On this machine   {address}" for address in addresses if _is_own(address)]
    lines += [f"  In this network   {address}" for address in shared]
    lines += [f"  Kept in           {database}", ""]
    if with_qr and shared and _can_draw():
        lines += [qr_code(shared[0], in_colour=sys.stdout.isatty()), ""]
    return "\n".join([*lines, "Ctrl-C stops it; the tables stay.", ""])


def _is_own(address: str) -> bool:
    """Whether an address reaches no further than this machine."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def qr_code(address: str, *, in_colour: bool) -> str:
    """The address as a QR code of half blocks; in colour it is black on white, whatever the terminal's own colours."""
    import segno

    drawn = io.StringIO()
    segno.make_qr(address).terminal(out=drawn, compact=True)
    start, end = ("\x1b[97;40m", "\x1b[0m") if in_colour else ("", "")
    return "\n".join(f"{start}{line}{end}" for line in drawn.getvalue().splitlines())


def _can_draw() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
