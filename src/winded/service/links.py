"""The links that let people in at a table: made, followed, renewed, revoked. Only hashes of their tokens are stored.

A Referee's, player's or spectator's link makes its holder a member of the table. An invitation does not: everyone who
follows it gets a player's link of their own. It also has a short code, to type by hand.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Forbidden, Stale, Unknown
from winded.journal import DecideLinks, Link
from winded.roles import Claim, Join, Leave, Role
from winded.tables import Tables, check_members

INVITATION = "invitation"
"""The role of a link that lets people join as players."""

CODE_LIFE = 12 * 3600
"""Seconds for which an invitation's short code works; the invitation itself works until it is revoked."""

KNOWN_FOR = 1.0
"""Seconds for which a link, once looked up, is taken to be valid, unless this process itself changes it."""

KNOWN = 10_000
"""How many links are remembered for that."""

SHOWN_AGAIN = 1_000
"""How many invitations the process that made them can show again."""

_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH = 8
_SECRET = re.compile(r"[A-Za-z0-9_-]{32}")


class Given(Struct, frozen=True):
    """A link that was just made. Only this process knows its token, and its code if it has one."""

    link: Link
    token: str
    code: str | None = None


def token_hash(token: str) -> bytes:
    """What is stored of a token. Tokens have 192 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()


def code_hash(code: str) -> bytes:
    """What is stored of a short code. Slow to compute (some 50 ms), as a code has only 40 random bits."""
    letters = "".join(letter for letter in code.upper() if letter in _CODE_LETTERS)
    return hashlib.scrypt(letters.encode(), salt=b"winded join code", n=2**14, r=8, p=1, dklen=32)


def a_secret() -> str:
    """A secret that nobody can guess: 192 random bits, as 32 characters."""
    return secrets.token_urlsafe(24)


def _token(made: bytes) -> str:
    return base64.urlsafe_b64encode(made).decode()


class Links:
    """Makes the links of the tables, and looks up what a link opens."""

    def __init__(self, tables: Tables, clock: Callable[[], float] = time.time) -> None:
        self._tables = tables
        self._journal = tables.journal
        self._clock = clock
        self._known: dict[bytes, tuple[Link, float]] = {}
        self._invitations: dict[str, Given] = {}
        self._lock = threading.Lock()
        self._listeners: dict[str, tuple[Callable[[], None], ...]] = {}

    def of(self, table: str) -> list[Link]:
        """The links to a table that still work, oldest first. Raises Unknown."""
        return [link for link in self._journal.links(table) if link.revoked is None]

    def holder(self, token: str) -> Link:
        """The link with this token. Raises Unknown if there is none that works.

        A change by another process may be noticed up to `KNOWN_FOR` seconds later.
        """
        hashed = token_hash(token)
        now = time.monotonic()
        known = self._known.get(hashed)
        if known is not None and now - known[1] < KNOWN_FOR:
            return known[0]
        link = self._journal.link_by_token_hash(hashed)
        if link is None or link.revoked is not None:
            raise Unknown("This link is invalid or has expired. Ask the Referee for a new one.")
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known[hashed] = link, now
        return link

    def forget(self, table: str) -> None:
        """Look every link up again, as some may no longer work, and tell those who listen at this table."""
        self._known.clear()
        for listener in self._listeners.get(table, ()):
            listener()

    @contextmanager
    def listening(self, table: str, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener`, which must be quick, whenever a link to this table has changed."""
        with self._lock:
            self._listeners[table] = (*self._listeners.get(table, ()), listener)
        try:
            yield
        finally:
            with self._lock:
                left = [*self._listeners[table]]
                left.remove(listener)
                if left:
                    self._listeners[table] = tuple(left)
                else:
                    del self._listeners[table]

    def _change(self, table: str, decide: DecideLinks) -> None:
        """Change links as one change, and have everyone who uses one look again."""
        self._journal.change_links(table, decide)
        self.forget(table)

    def invitation_by_code(self, code: str) -> Link:
        """The invitation with this short code, typed in any case and spacing. Raises Unknown."""
        link = self._journal.link_by_code_hash(code_hash(code))
        if link is None or link.revoked is not None or self._clock() > link.created + CODE_LIFE:
            raise Unknown("No table has this code. Codes work for one evening; ask the Referee for a new one.")
        return link

    def give_member(self, table: str, role: Role, name: str) -> Given:
        """Make a link for a new member; earlier links still work.

        Raises Unknown; Malformed for an unusable name; TooMuch if the table is full.
        """
        # The name is checked before anything is stored.
        name = Join("new", name, role).name
        given = self.draw(table, role.value, name)
        self._check_room(given.link)
        self._journal.add_link(given.link)
        self._tables.do(table, Join(given.link.id, name, role), who=given.link.id, name=name)
        return given

    def _check_room(self, link: Link) -> None:
        """Raises TooMuch if the table is full. Its Referee can always come back."""
        members = self._tables.snapshot(link.table).company.members
        if link.role != Role.REFEREE and link.id not in members:
            check_members(len(members) + 1)

    def invite(self, table: str) -> Given:
        """Make an invitation with its short code; earlier ones stop working. Raises Unknown."""
        code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
        given = self.draw(table, INVITATION, "Invitation", code_hash(code))

        def decide(links: Sequence[Link]) -> Iterator[Link]:
            for link in links:
                if link.role == INVITATION and link.revoked is None:
                    yield replace(link, code_hash=None, revoked=given.link.created)
            yield given.link

        self._change(table, decide)
        shown = Given(given.link, given.token, f"{code[:4]}-{code[4:]}")
        with self._lock:
            self._invitations.pop(table, None)
            if len(self._invitations) >= SHOWN_AGAIN:
                del self._invitations[next(iter(self._invitations))]
            self._invitations[table] = shown
        return shown

    def invitation(self, table: str) -> Given | None:
        """The table's invitation, if it works and this process made it; without its code once that has expired."""
        given = self._invitations.get(table)
        if given is None or all(link.id != given.link.id for link in self.of(table)):
            return None
        return given if self._clock() <= given.link.created + CODE_LIFE else replace(given, code=None)

    def join(self, invitation: Link, name: str, once: str | None = None) -> Given:
        """Make a player's own link, for someone who followed an invitation.

        `once` is a secret of the person joining, from `a_secret`: the same secret and name give the same player and
        link again. Raises Malformed for an unusable name, TooMuch if the table is full.
        """
        if once is None or not _SECRET.fullmatch(once):
            return self.give_member(invitation.table, Role.PLAYER, name)
        name = Join("new", name, Role.PLAYER).name
        made = hashlib.sha256("\0".join((invitation.id, once, name)).encode()).digest()
        link = Link(
            made[:8].hex(), invitation.table, Role.PLAYER.value, name, token_hash(_token(made[8:])), self._now()
        )
        self._check_room(link)
        with suppress(Stale):
            self._journal.add_link(link)
        # Raises Unknown if that player has been removed since.
        link = self.holder(_token(made[8:]))
        join = Join(link.id, name, Role.PLAYER)
        self._tables.do(link.table, join, who=link.id, name=name, request=f"join-{link.id}")
        return Given(link, _token(made[8:]))

    def renew(self, table: str, link_id: str) -> Given:
        """Give a member a new token; devices with the old one lose access. Raises Unknown."""
        token = secrets.token_urlsafe(24)
        renewed: list[Link] = []

        def decide(links: Sequence[Link]) -> list[Link]:
            renewed[:] = [replace(_one(links, link_id), token_hash=token_hash(token), created=self._now())]
            return renewed

        self._change(table, decide)
        return Given(renewed[0], token)

    def revoke(self, table: str, link_id: str, who: str = "", name: str = "") -> None:
        """Revoke a link: its member leaves the table. Raises Unknown.

        Raises Forbidden for the only Referee's link, as nobody could run the table any more.
        """

        def decide(links: Sequence[Link]) -> tuple[Link]:
            link = _one(links, link_id)
            holding = sum(one.role == Role.REFEREE and one.revoked is None for one in links)
            if link.role == Role.REFEREE and holding == 1:
                raise Forbidden("This is the table's only Referee's link; make another before you revoke it.")
            return (replace(link, code_hash=None, revoked=self._now()),)

        self._change(table, decide)
        if link_id in self._tables.snapshot(table).company.members:
            self._tables.do(table, Leave(link_id), who=who, name=name)

    def claim(self, given: Given, character: str) -> None:
        """Claim a character for the holder of a new player's link. Refused as `Claim` is."""
        link = given.link
        self._tables.do(link.table, Claim(character, link.id), who=link.id, name=link.name)

    def draw(self, table: str, role: str, name: str, code: bytes | None = None) -> Given:
        """A new link that is not stored yet."""
        token = secrets.token_urlsafe(24)
        return Given(Link(secrets.token_hex(8), table, role, name, token_hash(token), self._now(), code), token)

    def _now(self) -> float:
        return round(self._clock(), 3)


def _one(links: Sequence[Link], link_id: str) -> Link:
    for link in links:
        if link.id == link_id and link.revoked is None:
            return link
    raise Unknown("This link does not exist, or no longer works.")
