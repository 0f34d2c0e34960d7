"""The short codes of invitations, as people type them: a right one costs nothing, and wrong ones only the guesser."""

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
"""Codes that one address may mistype."""


class Codes:
    """Looks up codes, which is slow on purpose: one at a time, each address in its turn, however many one sends."""

    def __init__(self, links: Links, limits: Limits) -> None:
        self._links = links
        self._limits = limits
        self._one_at_a_time = asyncio.Lock()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._key = secrets.token_bytes(32)

    async def invitation(self, code: str, address: str) -> Link:
        """The invitation with this code, for someone at this network address.

        Raises Unknown where there is none, TooMuch for whoever has been wrong too often lately.
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
        """What shows that a code was right: it opens this invitation, and no database tells how to make it."""
        what = f"{invitation.table}.{invitation.id}"
        return f"{what}.{self._sign(what)}"

    def invitation_by_pass(self, shown: str) -> Link | None:
        """The invitation that such a pass opens, if it still holds and is of this process."""
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
