"""The one way in which anyone acts at a table: authorised as it is decided, done at once or asked of the Referee."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Malformed, Refused
from winded.journal import AnyEvent
from winded.roles import (
    AskFor,
    CompanyCommand,
    Freedom,
    Member,
    RollCheck,
    SetCheckDice,
    authorise,
    require_foreseeable,
)
from winded.rules import AddCharacter, Command, Correct, Redo, RemoveCharacter, Table, Undo
from winded.rules.table import ENEMY_SIDE, same
from winded.service.desk import Desk
from winded.service.limits import AT_ONCE
from winded.service.rolling import check_dice_of, rolled
from winded.service.sights import Seen, Sight, events_seen
from winded.service.visiting import Visitor, count_act, member_at
from winded.tables import Authorise, Done, Rehearsed, Revision, Several, Snapshot, SomeCommand, check_room

Decided = TypeVar("Decided")

_REQUEST_ID = re.compile(r"[!-~]{8,100}")
_COUNTED = re.compile(r"([1-9][0-9]?)\s*[x×]?\s+(\S.*)")


class Acted:
    """What came of an act, or would: done, or only `asked` of the Referee; `revision` names the state after it.

    What happened (`events`) and the table after it (`seen`) are as the one who acted may see them, made when read.
    """

    __slots__ = ("_events", "_seen", "asked", "revision")

    def __init__(
        self, revision: Revision, asked: bool, events: Callable[[], tuple[AnyEvent, ...]], seen: Callable[[], Seen]
    ) -> None:
        self.revision: Revision = revision
        self.asked: bool = asked
        self._events = events
        self._seen = seen

    @property
    def number(self) -> int:
        """The number of the newest entry by it."""
        return self.revision.number

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """What happened."""
        return self._events()

    @property
    def seen(self) -> Seen:
        """The table afterwards."""
        return self._seen()


class Enemies(Struct, frozen=True):
    """So many of a kind, read from how one writes them: "3 Wolf" are three, called Wolf 1, Wolf 2 and Wolf 3."""

    name: str
    count: int


def counted(name: str, count: int = 1) -> Enemies:
    """How many of whom: what the name itself begins with counts where nothing else is said. Raises Malformed."""
    found = _COUNTED.fullmatch(name.strip())
    if found and count == 1:
        name, count = found[2], int(found[1])
    if not 1 <= count <= AT_ONCE:
        raise _too_many()
    return Enemies(name, count)


class _AddMany(Several):
    """Several characters alike, numbered on from those who are there."""

    def __init__(self, one: AddCharacter, count: int) -> None:
        self._one = one
        self._count = count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _AddMany) and (self._one, self._count) == (other._one, other._count)

    def __hash__(self) -> int:
        return hash((self._one, self._count))

    def commands(self, table: Table) -> tuple[Command, ...]:
        names: list[str] = []
        number = 1
        while len(names) < self._count:
            candidate = f"{self._one.name} {number}"
            if same(candidate) not in table.names:
                names.append(candidate)
            number += 1
        # Made anew and not copied, so that a name that has grown too long is found out.
        facts = {field: getattr(self._one, field) for field in self._one.__struct_fields__}
        return tuple(AddCharacter(**{**facts, "name": name}) for name in names)

    def came_to(self, commands: tuple[Command, ...]) -> bool:
        return len(commands) == self._count and all(
            isinstance(one, AddCharacter)
            and one.name.startswith(self._one.name)
            and replace(one, name=self._one.name) == self._one
            for one in commands
        )


class _PutAway(Several):
    """All enemies who take part leave the table; reserves that are set aside stay where they are."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _PutAway)

    def __hash__(self) -> int:
        return hash(_PutAway)

    def commands(self, table: Table) -> tuple[Command, ...]:
        if table.combat is not None:
            raise Refused("not-now", "End the combat before the enemies are put away.")
        away = tuple(RemoveCharacter(one.id) for one in table.taking_part(ENEMY_SIDE))
        if not away:
            raise Refused("not-now", "There are no enemies to put away.")
        return away

    def came_to(self, commands: tuple[Command, ...]) -> bool:
        return all(isinstance(one, RemoveCharacter) for one in commands)


def request_id(value: str | None) -> str | None:
    """A sender's id for an act, 8 to 100 visible characters. Raises Malformed."""
    if value is None:
        return None
    if not _REQUEST_ID.fullmatch(value):
        raise Malformed("Idempotency-Key", "“Idempotency-Key” must be 8 to 100 visible ASCII characters.")
    return value


async def act(
    desk: Desk,
    who: Visitor,
    command: SomeCommand | Several,
    *,
    request: str | None = None,
    expect: int | Revision | None = None,
) -> Acted:
    """Have a visitor act, at the table or among those who sit there: done at once, or asked of the Referee.

    Authorised under the table's lock, on the state that the command is decided on. Sent again under the same `request`
    it is done once and answered alike. Raises Forbidden; TooMuch where it is too fast, or one more than a table holds;
    Stale where the newest entry is not the one to `expect`; and whatever the command is refused with.
    """
    count_act(desk, who)

    def submit() -> Future[Done]:
        return desk.tables.submit(
            who.table,
            command,
            who=who.member,
            name=who.name,
            request=request,
            expect=expect,
            authorise=_authorised_for(who),
        )

    submitted = await _beside_the_loop(desk, who.table, command, submit)
    return _acted(desk, who, command, await asyncio.wrap_future(submitted))


def act_now(
    desk: Desk,
    who: Visitor,
    command: SomeCommand | Several,
    *,
    request: str | None = None,
    expect: int | Revision | None = None,
) -> Acted:
    """The same for who may wait, as on the command line."""
    count_act(desk, who)
    done = desk.tables.do(
        who.table,
        command,
        who=who.member,
        name=who.name,
        request=request,
        expect=expect,
        authorise=_authorised_for(who),
    )
    return _acted(desk, who, command, done)


async def add_many(desk: Desk, who: Visitor, one: AddCharacter, count: int = 1, *, request: str | None = None) -> Acted:
    """Add so many characters alike as one act, with one undo: all of them or none. See `act`.

    "Wolf" gives Wolf 1, Wolf 2 …, going on after those who are there; only one is called as it stands.
    """
    if not 1 <= count <= AT_ONCE:
        raise _too_many()
    return await act(desk, who, one if count == 1 else _AddMany(one, count), request=request)


async def put_enemies_away(desk: Desk, who: Visitor, *, request: str | None = None) -> Acted:
    """Once combat is over, remove all enemies who take part as one act, with one undo. See `act`."""
    return await act(desk, who, _PutAway(), request=request)


async def rehearse(
    desk: Desk, who: Visitor, command: SomeCommand | Several, *, expect: int | Revision | None = None
) -> Acted:
    """What `act` would do now: raises what it would raise, and nothing happens. `number` is the newest entry's."""
    count_act(desk, who)
    authorise = _authorised_for(who, require_foreseeable)

    def decide() -> Rehearsed:
        return desk.tables.rehearse(who.table, command, who=who.member, expect=expect, authorise=authorise)

    would = await _beside_the_loop(desk, who.table, command, decide)
    snapshot = replace(desk.tables.snapshot(who.table), number=would.number, table=would.table, company=would.company)
    return Acted(
        would.revision,
        isinstance(would.command, AskFor) and not isinstance(command, CompanyCommand),
        lambda: events_seen(would.events, would.about, would.secret, who.role, would.table),
        lambda: Sight(snapshot, desk.tables).by(member_at(snapshot, who), with_lines=False),
    )


async def _beside_the_loop(desk: Desk, table: str, command: object, decide: Callable[[], Decided]) -> Decided:
    """What `decide` decides: in another thread where it may take long, as everyone else would wait for it.

    An undo, a redo or a correction may read a long history, and whoever acts at the same table has to wait until that
    is decided.
    """
    if isinstance(command, Undo | Redo | Correct) or desk.tables.is_deciding(table):
        return await asyncio.to_thread(decide)
    return decide()


def _too_many() -> Malformed:
    return Malformed("count", "“How many” must be a whole number from 1 to {most}.", most=AT_ONCE)


def _acted(desk: Desk, who: Visitor, command: object, done: Done) -> Acted:
    entry, snapshot = done.entry, done.snapshot
    return Acted(
        Revision(entry.number, entry.mark),
        isinstance(entry.command, AskFor) and not isinstance(command, CompanyCommand),
        lambda: events_seen(entry.events, entry.about, entry.secret, who.role, snapshot.table),
        lambda: desk.sights.of(snapshot).by(member_at(snapshot, who), with_lines=False),
    )


def _authorised_for(who: Visitor, also: Callable[[Table, Member, object], None] | None = None) -> Authorise:
    """What decides, on the state that a visitor's command meets, whether it is done, asked for, or Forbidden.

    Dice that Winded is to roll fall here: once, for this state. `also` may raise Forbidden besides, for each command on
    its own state.
    """

    def authorised(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
        member = member_at(snapshot, who)
        if isinstance(command, tuple):
            table = snapshot.table
            for one in command:
                check_room(table, one)
                if authorise(snapshot.company, table, member, one) is not Freedom.FREE:
                    raise Malformed("", "Ask for these one at a time.")
                if also is not None:
                    also(table, member, one)
                table = table.do(one)
            return command
        check_room(snapshot.table, command)
        if isinstance(command, SetCheckDice) and command.dice is not None:
            check_dice_of(snapshot.table.ruleset, command.dice, "dice")
        freedom = authorise(snapshot.company, snapshot.table, member, command, snapshot.last_act)
        if also is not None:
            also(snapshot.table, member, command)
        if freedom is Freedom.ASK and isinstance(command, Command):
            return AskFor(command)
        if isinstance(command, RollCheck):
            return rolled(command, snapshot.company, snapshot.table, member.id)
        return command

    return authorised
