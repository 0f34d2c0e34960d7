"""The Referee, for pages that are nobody else's."""

from __future__ import annotations

from typing import Any

from litestar import Request

from winded.errors import Forbidden
from winded.tables import Snapshot
from winded.web.access import Visitor, member_at, visitor
from winded.web.host import Host


def referee(host: Host, request: Request[Any, Any, Any], table: str) -> tuple[Visitor, Snapshot]:
    """The Referee who asks, and the table. Raises Forbidden for anyone else."""
    who = visitor(host.links, request, table)
    snapshot = host.tables.snapshot(table)
    member_at(snapshot, who)
    if not who.is_referee:
        raise Forbidden("Only the Referee can do this.")
    return who, snapshot
