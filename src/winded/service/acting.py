"""The one way to act at a table: authorised when it is decided, then done at once or put to the Referee."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
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
    ShareSketch,
    authorise,
    require_foreseeable,
)
from winded.rules import AddCharacter, Command, Correct, Redo, RemoveCharacter, Table, Undo
from winded.rules.table import ENEMY_SIDE, same
from winded.sentence import sentence
from winded.service.desk import Desk
from winded.service.limits import AT_ONCE
from winded.service.rolling import check_dice_of, rolled
from winded.service.sights import Seen, Sight, events_seen
from winded.service.sketches import check_sketch
from winded.service.visiting import Visitor, count_act, member_at
from winded.tables import Authorise, Done, Rehearsed, Revision, Several, Snapshot, SomeCommand, check_room

Result = TypeVar("Result")

_REQUEST_ID = re.compile(r"[!-~]{8,100}")
_COUNTED = re.compile(r"([1-9][0-9]?)\s*[x×]?\s+(\S.*)")


class Acted:
    """The result of an act, or of a dry run: done, or only `asked` of the Referee. `revision` is the state after it.

    `events` and `seen` hold what the visitor who acted may see; they are worked out when they are read.
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
    """A number of enemies of one kind, as people write it: "3 Wolf" is Wolf 1, Wolf 2 and Wolf 3."""

    name: str
    count: int


def counted(name: str, count: int = 1) -> Enemies:
    """The enemies meant. A number at the start of the name counts if `count` is 1. Raises Malformed."""
    found = _COUNTED.fullmatch(name.strip())
    if found and count == 1:
        name, count = found[2], int(found[1])
    if not 1 <= count <= AT_ONCE:
        raise _too_many()
    return Enemies(name, count)


class _AddMany(Several):
    """Several identical characters, numbered on from those already there."""

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
        # Constructed, not copied, so that a numbered name that is too long is refused.
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
    """All enemies who take part leave the table; those set aside in reserve stay."""

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
    """The id a sender chose for an act: 8 to 100 visible ASCII characters. Raises Malformed."""
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
    """Act for a visitor, in the game or among the people at the table: done at once, or put to the Referee.

    It is authorised under the table's lock, on the same state it is decided on. Sent again with the same `request`, it
    is done only once and gets the same answer. Several commands are one act, with one undo: all of them or none, and
    then whoever stands in the way is named. Raises Forbidden; TooMuch for acting too fast, or for more than a table
    holds; Stale if the newest entry is not the one to `expect`; and whatever the command is refused with.
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
    """`act` for callers that may block, such as the command line."""
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
    """Add several identical characters as one act, with one undo: all of them or none. See `act`.

    "Wolf" adds Wolf 1, Wolf 2 …, numbered on from those already there; a single one is just called "Wolf".
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
    """What `act` would do now: raises what it would raise. Nothing happens; `number` is that of the newest entry."""
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


async def _beside_the_loop(desk: Desk, table: str, command: object, decide: Callable[[], Result]) -> Result:
    """The result of `decide`, which runs in another thread if it may take long and would make everyone wait.

    An undo, a redo or a correction may read a long history, and anyone who acts at the same table waits until it is
    decided.
    """
    if isinstance(command, Undo | Redo | Correct) or desk.tables.is_deciding(table):
        return await asyncio.to_thread(decide)
    return decide()


def _all_of(refused: Sequence[Refused]) -> Refused:
    """One refusal that names everyone who stands in the way, each reason once."""
    first, *others = {str(one): one for one in refused}.values()
    if not others:
        return first
    told = first.sentence
    for one in others:
        told = sentence("{told} {then}", told=told, then=one.sentence)
    return Refused(first.rule, "Nothing has changed. {told}", told=told)


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
    """A function that decides whether a visitor's command is done, put to the Referee, or Forbidden.

    It decides on the state that the command meets. Dice that Winded rolls are rolled here, once for that state. `also`
    is called for each command on its own state, and may raise Forbidden too.
    """

    def authorised(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
        member = member_at(snapshot, who)
        if isinstance(command, tuple):
            table = snapshot.table
            in_the_way: list[Refused] = []
            for one in command:
                check_room(table, one)
                if authorise(snapshot.company, table, member, one) is not Freedom.FREE:
                    raise Malformed("", "Ask for these one at a time.")
                if also is not None:
                    also(table, member, one)
                try:
                    table = table.do(one)
                except Refused as no:
                    in_the_way.append(no)
            if in_the_way:
                raise _all_of(in_the_way)
            return command
        check_room(snapshot.table, command)
        if isinstance(command, SetCheckDice) and command.dice is not None:
            check_dice_of(snapshot.table.ruleset, command.dice, "dice")
        if isinstance(command, ShareSketch) and command.sketch is not None:
            check_sketch(snapshot.table, command.sketch, snapshot.company.check_dice)
        freedom = authorise(snapshot.company, snapshot.table, member, command, snapshot.last_act)
        if also is not None:
            also(snapshot.table, member, command)
        if freedom is Freedom.ASK and isinstance(command, Command):
            return AskFor(command)
        if isinstance(command, RollCheck):
            return rolled(command, snapshot.company, snapshot.table, member.id)
        return command

    return authorised
