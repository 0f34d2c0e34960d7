"""`winded serve`: tables for every browser in the network, and how to reach them."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from winded.cli.database import Database, database_at
from winded.errors import Malformed
from winded.sentence import Sentence
from winded.service.copies import KEPT

MOST_COPIES = 1000


def _port_exists(kind: object, port: int | None) -> None:
    if port is not None and not 0 <= port <= 65_535:
        raise ValueError(f"A port is a whole number from 0 to 65535; there is no {port}.")


def _host_is_given(kind: object, host: str) -> None:
    if not host.strip():
        raise ValueError(
            "An address to listen on is needed: 0.0.0.0 for every address of this machine, which is usual."
        )


def _can_be_kept(kind: object, copies: int) -> None:
    if not 0 <= copies <= MOST_COPIES:
        raise ValueError(f"0 to {MOST_COPIES} copies can be kept, not {copies}.")


def serve(
    *,
    host: Annotated[str, Parameter(metavar="HOST", validator=_host_is_given)] = "0.0.0.0",
    port: Annotated[int | None, Parameter(metavar="PORT", validator=_port_exists)] = None,
    address: Annotated[str | None, Parameter(metavar="ADDRESS")] = None,
    host_name: Annotated[tuple[str, ...], Parameter(metavar="NAME", negative=())] = (),
    certificate: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    key: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    trusted_proxies: Annotated[tuple[str, ...], Parameter(metavar="ADDRESS", negative=())] = (),
    database: Database = None,
    copies: Annotated[int, Parameter(metavar="N", validator=_can_be_kept)] = KEPT,
    no_qr: Annotated[bool, Parameter(name="--no-qr", negative=())] = False,
) -> None:
    """Serve tables to every laptop and phone in the network, until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen on; 127.0.0.1 keeps it to this machine.
    port
        The port; 0 for any that is free. Without it 8000, or any that is free if 8000 is taken.
    address
        Where phones come, such as http://192.168.1.5:8000. Without it, all addresses of this machine are offered.
    host_name
        A further name of this server, if it is called by one that is not of this network; may be given several times.
    certificate
        Serve https, with this certificate (PEM).
    key
        The certificate's key (PEM), where it does not stand in the same file.
    trusted_proxies
        The address or network of a proxy that may say for whom it asks; may be given several times.
    copies
        How many copies of the database are kept beside it; one is made at the start, after an evening and at the end.
    no_qr
        Print no QR code of the address.
    """
    from winded.web.server import Door, Reach
    from winded.web.server import serve as serve_tables

    if key is not None and certificate is None:
        raise Malformed("key", "--key does nothing without --certificate.")
    path = database_at(database)

    def announce(reach: Reach) -> None:
        ways = [(way.base, str(way.network or "")) for way in reach.ways()]
        print(announcement(reach.here, ways, path, with_qr=not no_qr), flush=True)

    def tell(sentences: Sequence[Sentence]) -> None:
        print("\n".join(["", str(sentences[0]), *(f"  - {one}" for one in sentences[1:]), ""]), flush=True)

    door = Door(host.strip(), port, address, host_name, certificate, key, trusted_proxies)
    serve_tables(path, door, announce, tell, copies=copies)


def announcement(here: str, ways: Sequence[tuple[str, str]], database: Path, *, with_qr: bool) -> str:
    """Where the tables are reached, and the first way for other devices as a QR code, if there is one.

    Each way is an address and what network it leads to.
    """
    bases = [base for base, _ in ways]
    lines = [""]
    lines += [] if here in bases else [f"  On this machine   {here}/"]
    for number, (base, network) in enumerate(ways):
        lines.append(f"  {'' if number else 'In this network':15}   {base}/" + (f"   ({network})" if network else ""))
    if not ways:
        lines.append("  In this network   nowhere: phones cannot come yet")
    lines += [f"  Kept in           {database}", ""]
    if with_qr and ways and _can_draw():
        lines += [qr_code(f"{bases[0]}/", in_colour=sys.stdout.isatty()), ""]
    return "\n".join([*lines, "Ctrl-C stops it; the tables stay.", ""])


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
