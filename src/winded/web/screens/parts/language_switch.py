"""The language switch that stands on every page."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request, post
from litestar.datastructures import Cookie
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from winded.web.access import COOKIE_LIFE
from winded.web.language import COOKIE, language

_OWN_ADDRESS = re.compile(r"/(?![/\\])[!-~]*")


@post("/language", include_in_schema=False, status_code=303)
async def speak(request: Request[Any, Any, Any]) -> Redirect:
    """Remember the language somebody chose, and go back to the page they chose it on."""
    form = await request.form()
    chosen = language(str(form.get("to", ""))).code
    back = str(form.get("back", ""))
    cookie = Cookie(
        COOKIE, path="/", value=chosen, max_age=COOKIE_LIFE, httponly=True, samesite="lax",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return Redirect(back if _OWN_ADDRESS.fullmatch(back) else "/", status_code=303, cookies=[cookie])


handlers: list[ControllerRouterHandler] = [speak]
