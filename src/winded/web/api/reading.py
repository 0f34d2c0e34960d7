"""Reading a table: its state, what can be done now, and its history."""

from __future__ import annotations

from typing import Annotated, TypeVar

from litestar import Controller, get
from msgspec import Meta, Struct

from winded.errors import Forbidden, Refused, Stale, Unknown
from winded.roles import Ask, AskAnswer, Freedom, Role, authorise, deciding, preset_of
from winded.rules import (
    Character,
    Command,
    Option,
    Rest,
    RestKind,
    Table,
    combat_options,
    dry_run,
    options,
    recovery,
    rest_name,
)
from winded.rules.fields import Name
from winded.service import Seen, Visitor, revision_from, seeing
from winded.web.api.answers import Answer
from winded.web.api.operations import Answers, takes
from winded.web.api.requests import After
from winded.web.api.seeing import entry_seen, member_seen, newest, would_undo
from winded.web.api.shapes import (
    AnswerSeen,
    AskSeen,
    CharacterOptions,
    JournalSeen,
    OptionSeen,
    RecoverySeen,
    RestSeen,
    StandingSeen,
    TableOptions,
    TableSeen,
)
from winded.web.host import Host

Body = TypeVar("Body")

NUMBER = "winded-number"
"""The header with the number of the entry that an answer is up to date with."""

NUMBERED = {NUMBER: "The number of the newest entry.", "ETag": "The revision, in quotes, as `If-Match` takes it."}
"""The headers of such an answer, as described."""


class OptionsQuery(Struct, frozen=True):
    """Whose options you want; without a character, the whole table's."""

    character: Annotated[Name, Meta(description="A character's name or id.")] | None = None


class JournalQuery(Struct, frozen=True):
    """Which entries you want: those after a given one, oldest first, and how many at most."""

    after: After = "0"
    limit: Annotated[int, Meta(ge=1, le=500, description="At most this many entries.")] = 100


def table_seen(seen: Seen) -> TableSeen:
    """A table as someone sitting there sees it."""
    company, table = seen.company, seen.table
    party = {one.id for one in table.party()}
    return TableSeen(
        seen.id,
        seen.name,
        seen.number,
        str(seen.revision),
        seen.role,
        member_seen(seen.member),
        table.state(),  # type: ignore[arg-type]
        company.permissions,
        preset_of(company.permissions),
        company.check_dice,
        company.sketch,
        tuple(map(member_seen, company.members.values())),
        {one: holders for one, holders in company.claims.items() if one in party and holders},
        tuple(one.id for one in deciding(company, table).undecided),
        tuple(_ask_seen(seen, ask) for ask in company.asks),
        tuple(map(_answer_seen, company.answers)),
        would_undo(seen),
        seen.redo_numbers,
    )


def _ask_seen(seen: Seen, ask: Ask) -> AskSeen:
    asking = seen.company.members.get(ask.member)
    name = "" if asking is None else asking.name
    return AskSeen(ask.number, ask.member, name, ask.command, str(ask.command.label()), ask.cost, ask.reason)


def _answer_seen(answer: AskAnswer) -> AnswerSeen:
    ask = answer.ask
    label = str(ask.command.label())
    return AnswerSeen(ask.number, ask.member, label, answer.accepted, answer.reason, answer.refusal)


def _option_seen(seen: Seen, option: Option) -> OptionSeen:
    freedom, forbidden = _freedom(seen, option.command)
    return OptionSeen(
        str(option.label),
        option.command.aimed(seen.table),
        option.cost,
        option.leaves,
        option.next_cost,
        option.amount,
        option.most,
        option.refusal,
        freedom,
        forbidden,
    )


def _rest_seen(seen: Seen, table: Table, kind: RestKind) -> RestSeen:
    """A rest for the whole party or, for a player, for their own characters."""
    resting: tuple[Character, ...] = tuple(table.taking_part())
    command = Rest(kind)
    if seen.role is Role.PLAYER:
        own = seen.company.characters_of(seen.member.id, table)
        resting = tuple(one for one in own if not one.is_enemy and not one.aside)
        if resting:
            command = Rest(kind, tuple(one.name for one in resting))
    recoveries = (recovery(table.ruleset, one, kind) for one in resting)
    return RestSeen(
        kind,
        str(rest_name(kind)),
        command.aimed(table),
        tuple(RecoverySeen(one.character, one.offered, one.gained, one.stamina, one.maximum) for one in recoveries),
        dry_run(table, command, 0, 0).refusal,
        *_freedom(seen, command),
    )


def _freedom(seen: Seen, command: Command) -> tuple[Freedom, str | None]:
    try:
        return authorise(seen.company, seen.table, seen.member, command), None
    except (Forbidden, Refused) as no:
        return Freedom.NO, str(no)


def numbered(seen: Seen, body: Body) -> Answer[Body]:
    """An answer whose headers name the entry that it is up to date with."""
    return Answer(body, headers={NUMBER: str(seen.number), "etag": f'"{seen.revision}"'})


class ReadingController(Controller):
    """Reading a table."""

    path = "/tables/{table:str}"
    tags: list[str] = ["reading"]  # noqa: RUF012 - as the framework wants it

    @get("/state", **takes(Answers("The state.", NUMBERED, "State")))
    async def see_state(self, host: Host, who: Visitor) -> Answer[object]:
        """Get the state of a table: every character, and the combat, if there is one."""
        seen = newest(host, who)
        return numbered(seen, seen.table.state())

    @get("/options", **takes(Answers("What can be done now."), query=OptionsQuery))
    async def see_options(self, host: Host, who: Visitor, asked: OptionsQuery) -> TableOptions | CharacterOptions:
        """List what can be done now, what each option costs and leaves, and why some are refused.

        With a character: what that character can do. Without one: what moves the combat on, and the rests with what
        each would bring back. Every option is a dry run of the rules, so the two never disagree.
        """
        seen = newest(host, who)
        table = seen.table
        if asked.character is None:
            combat = tuple(_option_seen(seen, one) for one in combat_options(table))
            rests = tuple(_rest_seen(seen, table, kind) for kind in RestKind)
            return TableOptions(seen.number, str(seen.revision), combat, rests)
        try:
            character = table.character(asked.character)
        except Refused as no:
            raise Unknown(no.text, **no.facts) from no
        offered = tuple(_option_seen(seen, one) for one in options(table, character.name))
        return CharacterOptions(seen.number, str(seen.revision), character.name, offered)

    @get("/standing", **takes(Answers("How they stand, in sentences."), query=OptionsQuery, errors=(Refused,)))
    async def see_standing(self, host: Host, who: Visitor, asked: OptionsQuery) -> StandingSeen:
        """Say in sentences how a character stands: the Stamina, the next reaction's cost, whose turn it is and when
        one's own comes.

        Without a character: a player's own characters, or for others the party.
        """
        seen = newest(host, who)
        told = tuple(map(str, seeing.standing(host.desk, who, asked.character)))
        return StandingSeen(seen.number, str(seen.revision), told)

    @get("/journal", **takes(Answers("Entries of the history."), query=JournalQuery, errors=(Stale,)))
    async def see_journal(self, host: Host, who: Visitor, asked: JournalQuery) -> JournalSeen:
        """Read the history, oldest first: each entry in sentences with their rules, and whether it still counts.

        Entries with nothing for you to see are left out, so a page may hold fewer than `limit`, or none.
        """
        after = revision_from(asked.after, "after")
        if after.mark is not None and not seeing.is_of_history(host.desk, who.table, after):
            raise Stale("The table {table} has been replaced since: please look again.", table=who.table)
        following = await seeing.see_lines_after(host.desk, who, after.number, asked.limit)
        newest_of_all, last = following.newest, following.last
        goes_on = following.looked_at > 0 and last.number < newest_of_all.number
        entries = tuple(map(entry_seen, following.lines))
        return JournalSeen(newest_of_all.number, str(newest_of_all), entries, str(last) if goes_on else None)
