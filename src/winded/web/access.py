"""Who is asking: by the token that a browser keeps in a cookie, or that a program brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from winded.errors import Forbidden
from winded.service import Desk, Visitor, is_table_id, visiting
from winded.service.watching import may_watch

COOKIE_PREFIX = "winded-"
COOKIE_LIFE = 400 * 24 * 3600
"""Seconds a browser keeps a link; 400 days is the most that browsers allow."""


def token_of(connection: ASGIConnection[Any, Any, Any, Any], table: str) -> str | None:
    """The token by which a table is asked for: the bearer's, or the one this browser holds in a cookie."""
    authorization = connection.headers.get("authorization", "")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return connection.cookies.get(COOKIE_PREFIX + table)


def visitor(desk: Desk, connection: ASGIConnection[Any, Any, Any, Any], table: str) -> Visitor:
    """Who asks for this table. Raises Forbidden without a link that holds."""
    return visiting.visitor(desk, token_of(connection, table), table)


def remembered(desk: Desk, connection: ASGIConnection[Any, Any, Any, Any]) -> list[Visitor]:
    """The visitors this browser is, one for each table whose link it holds."""
    found = []
    for cookie, token in connection.cookies.items():
        table = cookie.removeprefix(COOKIE_PREFIX)
        if table == cookie or not is_table_id(table):
            continue
        try:
            found.append(visiting.visitor(desk, token, table))
        except Forbidden:
            continue
    return found


def link_cookie(table: str, token: str, *, secure: bool) -> Cookie:
    """The cookie that keeps a link in a browser, where no script can read it."""
    return Cookie(
        COOKIE_PREFIX + table, path="/", value=token, max_age=COOKIE_LIFE, httponly=True, samesite="lax", secure=secure
    )


def holding(desk: Desk, who: Visitor, connection: ASGIConnection[Any, Any, Any, Any]) -> Callable[[bool], bool]:
    """Whether a stream's visitor may still watch: still a member and, looked at closely, by a token that holds."""
    return holding_by(desk, who, connection.query_params.get("key") or token_of(connection, who.table) or "")


def holding_by(desk: Desk, who: Visitor, token: str) -> Callable[[bool], bool]:
    """As `holding`, where the token is known."""
    return lambda closely: may_watch(desk, who, token, closely=closely)
