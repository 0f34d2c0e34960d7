"""The Referee, for pages that are nobody else's."""

from __future__ import annotations

from typing import Any

from litestar import Request

from winded.service import Seen, Visitor, seeing, visiting
from winded.web.access import visitor
from winded.web.host import Host


def referee(host: Host, request: Request[Any, Any, Any], table: str) -> tuple[Visitor, Seen]:
    """The Referee who asks, and the table. Raises Forbidden for anyone else."""
    who = visitor(host.desk, request, table)
    visiting.require_referee(who)
    return who, seeing.see(host.desk, who)
