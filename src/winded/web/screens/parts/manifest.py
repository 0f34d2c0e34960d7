"""What lets a phone keep Winded like an app: the manifest, and the service worker at the root it has to serve."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.types import ControllerRouterHandler

from winded.web.assets import STATIC, asset
from winded.web.language import Language


@get("/manifest.webmanifest", include_in_schema=False)
async def manifest(language: Language) -> Response[dict[str, Any]]:
    """The web app manifest."""
    return Response(
        {
            "id": "/",
            "name": "Winded",
            "short_name": "Winded",
            "description": language.gettext("Who has how much Stamina, what it buys, what it leaves."),
            "lang": language.code,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f4f0e8",
            "theme_color": "#1a6350",
            "icons": [
                {"src": asset("icon.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "any"},
                {"src": asset("icon-maskable.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "maskable"},
            ],
        },
        media_type="application/manifest+json",
    )


@get("/worker.js", include_in_schema=False, sync_to_thread=False)
def worker() -> Response[bytes]:
    """The service worker; browsers look for a newer one at each visit."""
    return Response(
        (STATIC / "worker.js").read_bytes(),
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


handlers: list[ControllerRouterHandler] = [manifest, worker]
