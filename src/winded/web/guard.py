"""What keeps a table safe from other sites, from floods and from sheer size."""

from __future__ import annotations

from importlib.metadata import version

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from winded.errors import Forbidden, Unknown
from winded.service.limits import Rate

BODY_LIMIT = 64 * 1024
"""Bytes a request may bring, but for an import."""

IMPORT_LIMIT = 32 * 1024 * 1024
"""Bytes an imported table may have."""

ADDRESS_LIMIT = 250
"""Characters of an address before its question mark; the name of a file can have no more."""

STREAM_LIMIT = 40
"""Live streams of one kind that one link may hold open in one process, but for spectators', which many share."""

SPECTATOR_STREAM_LIMIT = 2_000
"""Live streams of the spectators' view that their link may hold open in one process."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
PUBLIC = frozenset(("/", "/join", "/odds", "/forecast", "/manifest.webmanifest", "/worker.js"))
"""What is the same for everybody, and may be found by search engines."""

_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))


JOINING = Rate("join", 30, 0.5)
NEW_TABLES = Rate("new table", 30, 1 / 20)
ODDS = Rate("odds", 60, 5.0)
HOUSE_RULES = Rate("house rules", 60, 1.0)
FORECASTS = Rate("forecast", 30, 2.0)


def is_for_api(scope: Scope) -> bool:
    """Whether a request is for the HTTP API rather than for a page."""
    return scope["raw_path"].startswith((b"/api/", b"/api?")) or scope["raw_path"] == b"/api"


def is_from_elsewhere(method: str, headers: Headers) -> bool:
    """Whether a browser sent this on behalf of another site.

    Goes by the headers that browsers add themselves and no script can forge: Sec-Fetch-Site, and over plain http in a
    local network, where there is none, Origin. What sends neither is no browser and holds no cookies.
    """
    if method in _SAFE:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def protection(*, framed: bool = False) -> list[tuple[bytes, bytes]]:
    """The headers that make a browser strict with an answer. Only an overlay may stand in another site's frame."""
    headers = {
        "content-security-policy": _POLICY.format(ancestors="*" if framed else "'none'"),
        "x-content-type-options": "nosniff",
        # Other sites learn nothing of an address. Without any referrer browsers would send our own forms from nowhere.
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    } | ({} if framed else {"x-frame-options": "DENY"})
    return [(name.encode(), value.encode()) for name, value in headers.items()]


MARK = (b"winded", version("winded").encode())
"""Stands on every answer of ours. A screen takes what lacks it for no answer: a guest network's login page, say."""

_PROTECTION = protection()
_PROTECTION_FRAMED = protection(framed=True)
_NO_INDEX = (b"x-robots-tag", b"noindex")
_NO_STORE = (b"cache-control", b"no-store")
# What a page loads goes by the page's own policy; opened by itself it may do nothing.
_PROTECTION_OF_FILES = [
    MARK,
    (b"content-security-policy", b"default-src 'none';frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
]


def add_protection(message: Message, *, framed: bool = False, private: bool = True) -> None:
    """Give the start of an answer these headers; what does not say how long it may be kept is not kept.

    What is `private`, as all of a table is, no search engine may list, however it came by the address.
    """
    headers = [*message["headers"]]  # type: ignore[typeddict-item]
    headers += _PROTECTION_FRAMED if framed else _PROTECTION
    headers.append(MARK)
    if private:
        headers.append(_NO_INDEX)
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append(_NO_STORE)
    message["headers"] = headers  # type: ignore[typeddict-unknown-key]


async def harden(message: Message, scope: Scope) -> None:
    """Send every answer with a strict policy for the browser."""
    if message["type"] != "http.response.start":
        return
    if scope["path"].startswith("/static/") and message["status"] == 200:
        message["headers"] = [*message["headers"], *_PROTECTION_OF_FILES]
    else:
        path = scope["path"]
        add_protection(message, framed=path.endswith("/overlay"), private=path not in PUBLIC)


def hardened(send: Send) -> Send:
    """The same for what is sent past the framework."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            add_protection(message)
        await send(message)

    return sending


class OwnPagesOnly(ASGIMiddleware):
    """Turns away what browsers send for other sites, and addresses that no page can have.

    The API goes by tokens that no browser sends by itself.
    """

    scopes: tuple[ScopeType, ...] = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if is_from_elsewhere(str(scope.get("method", "GET")), Headers.from_scope(scope)):
            raise Forbidden("This request came from another site. Only Winded's own pages can act here.")
        if len(scope["path"]) > ADDRESS_LIMIT or "\0" in scope["path"]:
            raise Unknown("There is nothing at this address.")
        await next_app(scope, receive, send)
