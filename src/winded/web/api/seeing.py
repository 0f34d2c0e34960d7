"""Turns what a visitor may see of a table into answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from winded.roles import CompanyEvent, Member
from winded.rules import Event
from winded.service import Seen, SeenLine, Visitor, seeing
from winded.service.linking import ListedLink
from winded.web.api.shapes import EntrySeen, LinkSeen, MemberSeen, Told, WouldUndo
from winded.web.host import Host


def newest(host: Host, who: Visitor) -> Seen:
    """The visitor's table as it is now. Raises Forbidden."""
    return seeing.see(host.desk, who)


def told(events: Iterable[Event | CompanyEvent]) -> tuple[Told, ...]:
    """What happened, in sentences."""
    return tuple(Told(str(event.tell()), event.rule) for event in events)


def moment(seconds: float) -> str:
    """A time as JSON has it: UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry_seen(line: SeenLine) -> EntrySeen:
    """An entry of the history."""
    entry = line.entry
    return EntrySeen(
        entry.number,
        str(entry.revision),
        moment(entry.at),
        entry.who,
        entry.name,
        entry.command,  # type: ignore[arg-type]
        entry.events,
        told(entry.events),
        line.counts,
        line.can_undo,
    )


def would_undo(seen: Seen) -> WouldUndo | None:
    """What an undo would take back, as far as the visitor may know of it."""
    entry = seen.undo
    return None if entry is None else WouldUndo(entry.number, entry.name, told(entry.events), seen.may_undo)


def member_seen(member: Member) -> MemberSeen:
    """Someone at the table."""
    return MemberSeen(member.id, member.name, member.role)


def link_seen(link: ListedLink) -> LinkSeen:
    """A link, without its token."""
    return LinkSeen(link.id, link.role, link.name, moment(link.created))  # type: ignore[arg-type]
