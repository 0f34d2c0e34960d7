"""What of a table each one who asks may see. What players see of events, `winded.roles` decides, here as everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from winded.journal import AnyEvent, Entry, Link
from winded.roles import CompanyEvent, Member, Role, may_undo, seen_events
from winded.rules import Event, Table
from winded.tables import Line, Revision, Snapshot
from winded.web.access import Visitor, member_at
from winded.web.api.shapes import EntrySeen, LinkSeen, MemberSeen, Told, WouldUndo
from winded.web.host import Host


def newest(host: Host, who: Visitor) -> tuple[Snapshot, Member]:
    """The table of the one who asks as it is now, and who asks as a member of it. Raises Forbidden."""
    snapshot = host.tables.snapshot(who.table)
    return snapshot, member_at(snapshot, who)


def revision_of(entry: Entry) -> Revision:
    """What names the state after this entry."""
    return Revision(entry.number, entry.mark)


def events_for(
    role: Role, events: Sequence[AnyEvent], about: Iterable[str], secret: bool, table: Table
) -> tuple[AnyEvent, ...]:
    """The events of one entry as this role sees them; `table` is the whole of it, as it is after them."""
    if role is Role.REFEREE:
        return tuple(events)
    return seen_events(events, about, secret, table)  # type: ignore[return-value]


def told(events: Iterable[Event | CompanyEvent]) -> tuple[Told, ...]:
    """What happened, in sentences."""
    return tuple(Told(str(event.tell()), event.rule) for event in events)


def moment(seconds: float) -> str:
    """A moment as it stands in JSON: UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry_for(role: Role, line: Line, table: Table) -> EntrySeen | None:
    """An entry of the history as this role sees it, None where it sees nothing of it. `table` is all of it, now."""
    entry = line.entry
    events = events_for(role, entry.events, entry.about, entry.secret, table)
    whole = role is Role.REFEREE
    if not events and not whole:
        return None
    return EntrySeen(
        entry.number,
        str(revision_of(entry)),
        moment(entry.at),
        entry.who,
        entry.name,
        entry.command if whole else None,
        events,
        told(events),
        line.counts,
        line.can_undo and whole,
    )


def undo_for(who: Visitor, snapshot: Snapshot) -> WouldUndo | None:
    """What an undo would take back, as far as the one who asks may know of it."""
    entry = snapshot.undo
    if entry is None:
        return None
    events = events_for(who.role, entry.events, entry.about, entry.secret, snapshot.table)
    if not events and not who.is_referee:
        return None
    allowed = may_undo(snapshot.company, snapshot.table, member_at(snapshot, who), snapshot.last_act)
    return WouldUndo(entry.number, entry.name, told(events), allowed)


def member_seen(member: Member) -> MemberSeen:
    """Someone at the table."""
    return MemberSeen(member.id, member.name, member.role)


def link_seen(link: Link) -> LinkSeen:
    """A link, without its token."""
    return LinkSeen(link.id, link.role, link.name, moment(link.created))  # type: ignore[arg-type]
