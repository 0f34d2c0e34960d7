"""What keeps a phone from coming, most often first, in the words of whoever stands there with it."""

from __future__ import annotations

import sys

from winded.sentence import Sentence, sentence

NOBODY_YET = sentence("No other device has reached Winded so far.")
SOMEBODY = sentence("Other devices reach Winded.")


def in_the_way(
    host: str, port: int, scheme: str, *, can_be_found: bool, is_everywhere: bool, platform: str = sys.platform
) -> list[Sentence]:
    """What to look at where a phone does not come to a server that listens at `host` and `port`.

    `can_be_found` says whether any address leads there from elsewhere, `is_everywhere` whether it listens at every
    address of this machine. `platform` is as in `sys.platform`.
    """
    said = [
        sentence(
            "The phone must be on the same network as this computer; mobile data and other Wi-Fi networks do not "
            "reach it."
        ),
        _firewall(platform, port),
        sentence(
            "Guest networks, and those of cafés and hotels, often keep devices apart. Turn on this computer’s own "
            "hotspot, connect the phones to it, and invite again."
        ),
    ]
    if scheme == "http":
        said.append(sentence("An address typed by hand begins with http://, not https://."))
    if can_be_found:
        return said
    if is_everywhere:
        return [sentence("This computer is not on a network where others could find it."), *said]
    return [
        sentence("Only this computer can reach Winded: it was started with --host {host}.", host=host),
        *said,
    ]


def _firewall(platform: str, port: int) -> Sentence:
    if platform == "win32":
        return sentence(
            "The Windows firewall keeps phones out until you let them in: in Windows Security, under Firewall & "
            "network protection, choose “Allow an app through firewall” and tick Python for private networks. In "
            "your Wi-Fi settings, mark the network as private."
        )
    if platform == "darwin":
        return sentence(
            "The macOS firewall may keep phones out: in System Settings, under Network, Firewall, Options, allow "
            "incoming connections for Python."
        )
    return sentence("A firewall on this computer may keep phones out: allow TCP port {port}.", port=str(port))
