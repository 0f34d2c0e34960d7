"""The scripts and style sheets as browsers get them; the static files' route serves all others as they are."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler

from winded.web.assets import SCRIPTS, STYLES, served

_TYPES = {"css": "text/css", "js": "text/javascript"}


@get([f"/static/{name}" for name in SCRIPTS + STYLES], include_in_schema=False, sync_to_thread=False)
def file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """One of them; its address changes with its content, so browsers keep it for a year."""
    name = request.url.path.rpartition("/")[2]
    return Response(
        served(name),
        media_type=_TYPES[name.rpartition(".")[2]],
        headers={"cache-control": "public, immutable, max-age=31536000"},
    )


handlers: list[ControllerRouterHandler] = [file]
