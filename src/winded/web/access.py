"""Who is asking, and the one way in which anyone acts at a table from outside: authorised as it is decided."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct

from winded.errors import Forbidden, Malformed, Unknown, WindedError
from winded.journal import Link
from winded.roles import AskFor, CompanyCommand, Freedom, Member, Role, authorise
from winded.rules import Command, Redo, Undo
from winded.service.links import INVITATION, Links
from winded.tables import Authorise, Done, Revision, Snapshot, SomeCommand, Tables, is_table_id
from winded.web.dice import check_dice
from winded.web.guard import check_room

if TYPE_CHECKING:
    from winded.web.host import Host

COOKIE_PREFIX = "winded-"
COOKIE_LIFE = 400 * 24 * 3600
"""Seconds a browser keeps a link; 400 days is the most that browsers allow."""

_REQUEST_ID = re.compile(r"[!-~]{8,100}")


class Visitor(Struct, frozen=True):
    """The one who asks, by a link to one table."""

    table: str
    member: str
    role: Role
    name: str

    @property
    def is_referee(self) -> bool:
        """Whether this visitor may do and see everything."""
        return self.role is Role.REFEREE


class Acted(Struct, frozen=True):
    """What came of an act: done, or only `asked` of the Referee."""

    done: Done
    asked: bool


def visitor_by_link(link: Link) -> Visitor:
    """The visitor that a link makes its holder. Raises Forbidden for an invitation, which makes nobody anything."""
    if link.role == INVITATION:
        raise Forbidden("An invitation is for joining; follow it first.")
    return Visitor(link.table, link.id, Role(link.role), link.name)


def token_of(connection: ASGIConnection[Any, Any, Any, Any], table: str) -> str | None:
    """The token by which a table is asked for: the bearer's, or the one this browser holds in a cookie."""
    authorization = connection.headers.get("authorization", "")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return connection.cookies.get(COOKIE_PREFIX + table)


def visitor(links: Links, connection: ASGIConnection[Any, Any, Any, Any], table: str) -> Visitor:
    """Who asks for this table. Raises Forbidden without a link that holds."""
    token = token_of(connection, table)
    if token is None:
        raise Forbidden("You need a link to this table. Ask its Referee for one.")
    return visitor_by_token(links, token, table)


def visitor_by_token(links: Links, token: str, table: str) -> Visitor:
    """Who holds this token to this table. Raises Forbidden if it does not hold, or is for another table."""
    try:
        link = links.holder(token)
    except Unknown as gone:
        raise Forbidden("This link is not good, or no longer. Ask the Referee for a new one.") from gone
    if link.table != table:
        raise Forbidden("This link is for another table.")
    return visitor_by_link(link)


def remembered(links: Links, connection: ASGIConnection[Any, Any, Any, Any]) -> list[Visitor]:
    """The visitors this browser is, one for each table whose link it holds."""
    found = []
    for cookie, token in connection.cookies.items():
        table = cookie.removeprefix(COOKIE_PREFIX)
        if table == cookie or not is_table_id(table):
            continue
        try:
            found.append(visitor_by_token(links, token, table))
        except Forbidden:
            continue
    return found


def link_cookie(table: str, token: str, *, secure: bool) -> Cookie:
    """The cookie that keeps a link in a browser, where no script can read it."""
    return Cookie(
        COOKIE_PREFIX + table, path="/", value=token, max_age=COOKIE_LIFE, httponly=True, samesite="lax", secure=secure
    )


def request_id(value: str | None) -> str | None:
    """A sender's id for a command, 8 to 100 visible characters. Raises Malformed."""
    if value is None:
        return None
    if not _REQUEST_ID.fullmatch(value):
        raise Malformed("Idempotency-Key", "“Idempotency-Key” must be 8 to 100 visible ASCII characters.")
    return value


def member_at(snapshot: Snapshot, who: Visitor) -> Member:
    """The visitor as a member of the table. Raises Forbidden once the member has been sent away."""
    member = snapshot.company.members.get(who.member)
    if member is None:
        raise Forbidden("This link is not good, or no longer. Ask the Referee for a new one.")
    return member


def authorised_for(who: Visitor) -> Authorise:
    """What decides, on the state that a visitor's command meets, whether it is done, asked for, or Forbidden."""

    def authorised(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
        member = member_at(snapshot, who)
        check_room(snapshot.table, command)
        check_dice(snapshot.table, command)
        freedom = authorise(snapshot.company, snapshot.table, member, command, snapshot.last_act)
        if freedom is Freedom.ASK and isinstance(command, Command):
            return AskFor(command)
        return command

    return authorised


async def act(
    tables: Tables, who: Visitor, command: SomeCommand, request: str | None = None, expect: int | Revision | None = None
) -> Acted:
    """Have a visitor act: done at once, or asked of the Referee where the table wants it so.

    Authorised under the table's lock, on the state the command is decided on. Raises Forbidden, Stale where the newest
    entry is not the one to `expect`, and whatever the command is refused with.
    """

    def submit() -> Future[Done]:
        return tables.submit(
            who.table,
            command,
            who=who.member,
            name=who.name,
            request=request,
            expect=expect,
            authorise=authorised_for(who),
        )

    # These may read a long history before they return, and all other screens would wait for it.
    submitted = await asyncio.to_thread(submit) if isinstance(command, Undo | Redo) else submit()
    done = await asyncio.wrap_future(submitted)
    return Acted(done, isinstance(done.entry.command, AskFor) and not isinstance(command, CompanyCommand))


def holding(
    host: Host, who: Visitor, connection: ASGIConnection[Any, Any, Any, Any]
) -> Callable[[Snapshot, bool], bool]:
    """Whether a stream's visitor may still watch: still a member and, looked at closely, by a token that holds."""
    return holding_by(host, who, connection.query_params.get("key") or token_of(connection, who.table) or "")


def holding_by(host: Host, who: Visitor, token: str) -> Callable[[Snapshot, bool], bool]:
    """As `holding`, where the token is known."""

    def holds(snapshot: Snapshot, closely: bool) -> bool:
        try:
            if closely and visitor_by_token(host.links, token, who.table) != who:
                return False
        except WindedError:
            return False
        return who.member in snapshot.company.members

    return holds
