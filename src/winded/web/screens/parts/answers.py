"""What the handlers of pages answer with: HTML, and the way to a table whose link the browser keeps."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.response import Redirect

from winded.web.access import link_cookie


def html(text: str, status: int = 200) -> Response[str]:
    """A page, or a piece of one."""
    return Response(text, media_type="text/html", status_code=status)


def is_a_piece(request: Request[Any, Any, Any]) -> bool:
    """Whether a page of ours asks for the piece alone, not a browser for the whole page."""
    return bool(request.headers.get("winded-script"))


def to_table(request: Request[Any, Any, Any], table: str, token: str | None) -> Redirect:
    """To the table, with the link of this token kept in the browser."""
    secure = request.url.scheme == "https"
    cookies = [] if token is None else [link_cookie(table, token, secure=secure)]
    return Redirect(f"/tables/{table}", status_code=303, cookies=cookies)
