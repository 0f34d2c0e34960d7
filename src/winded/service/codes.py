"""The short codes of invitations, as people type them. Wrong ones slow down only whoever guesses."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from weakref import WeakValueDictionary

from winded.errors import Unknown
from winded.journal import Link
from winded.service.limits import Limits, Rate
from winded.service.links import INVITATION, Links

WRONG_CODES = Rate("wrong code", 10, 1 / 30)
"""Wrong codes allowed from one network address."""


class Codes:
    """Looks up codes, which is slow on purpose: one at a time, with the addresses taking turns."""

    def __init__(self, links: Links, limits: Limits) -> None:
        self._links = links
        self._limits = limits
        self._one_at_a_time = asyncio.Lock()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._key = secrets.token_bytes(32)

    async def invitation(self, code: str, address: str) -> Link:
        """The invitation with this code, for someone at this network address.

        Raises Unknown if there is none, and TooMuch after too many wrong codes from this address.
        """
        turn = self._turns.setdefault(address, asyncio.Lock())
        async with turn, self._one_at_a_time:
            self._limits.check(WRONG_CODES, address)
            try:
                return await asyncio.to_thread(self._links.invitation_by_code, code)
            except Unknown:
                self._limits.take(WRONG_CODES, address)
                raise

    def pass_for(self, invitation: Link) -> str:
        """A pass that proves a code was right. It opens this invitation; the database does not hold what makes it."""
        what = f"{invitation.table}.{invitation.id}"
        return f"{what}.{self._sign(what)}"

    def invitation_by_pass(self, shown: str) -> Link | None:
        """The invitation this pass opens, if it still works and this process made the pass."""
        what, _, signed = shown.rpartition(".")
        if not hmac.compare_digest(signed.encode(), self._sign(what).encode()):
            return None
        table, _, link = what.partition(".")
        try:
            holding = self._links.of(table)
        except Unknown:
            return None
        return next((one for one in holding if one.id == link and one.role == INVITATION), None)

    def _sign(self, what: str) -> str:
        return hmac.digest(self._key, what.encode(), "sha256").hex()
