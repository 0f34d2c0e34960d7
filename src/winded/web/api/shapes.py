"""The types of the API's answers. Their JSON and its schema both come from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from winded.roles import Freedom, Permissions, Role
from winded.rules import AnyCommand as RulesCommand
from winded.rules import Refusal, RestKind, Ruleset
from winded.rules.undoing import EntryNumber
from winded.service import AnyEvent, Commands
from winded.service.correcting import Outcome

Moment = Annotated[str, Meta(description="A time, in UTC.", extra_json_schema={"format": "date-time"})]


class WoundState(Struct, frozen=True):
    """A CON Wound: what it is, and by how many steps it lowers the CON Ability Die."""

    wound: str
    steps: int


class AbilityState(Struct, frozen=True):
    """An ability: its cost in Stamina and where it comes from."""

    cost: int
    source: str | None = field(name="from")
    note: str | None


class CheckState(Struct, frozen=True):
    """An open Check: the Stamina pushed, what makes it hard, and its target, if it has one."""

    push: int
    strain: str | None
    target: int | None


class CharacterState(Struct, frozen=True):
    """One character as it is now. `con` is the CON Ability Die after Wounds, `base_con` before them.

    `aside` is present, and true, only for someone who is set aside.
    """

    id: str
    side: Literal["party", "enemy"]
    base_con: str | None
    con: str | None
    stamina: int
    maximum: int
    wounds: Sequence[WoundState]
    reaction_cost: int
    acts_early: bool
    open_check: CheckState | None
    abilities: Mapping[str, AbilityState]
    hidden: bool
    note: str | None
    rests: int
    aside: bool | UnsetType = UNSET


class CombatState(Struct, frozen=True):
    """The current combat: its round and phase, the order, and whose turn it is."""

    round: int
    phase: Literal["declare", "turns"]
    order: Sequence[str]
    turn: str | None


class RollState(Struct, frozen=True):
    """What someone rolled for a call, with the push; `success` is null without a target."""

    character: str
    total: int
    success: bool | None


class CallState(Struct, frozen=True):
    """A call for a Check: who has yet to roll, and what the others rolled.

    `number` counts the calls at the table. A `secret` target is null for all but Referees. If `pushable` is false,
    nobody can push; once `closed`, only those who had already declared can still roll.
    """

    number: int
    characters: Sequence[str]
    target: int | None
    secret: bool
    strain: str | None
    pushable: bool
    what: str | None
    closed: bool
    rolled: Sequence[RollState]


class State(Struct, frozen=True):
    """A table's state: its characters by name, in seating order, and the combat, null if there is none.

    `call` is present only while a call for a Check is under way.
    """

    characters: Mapping[str, CharacterState]
    combat: CombatState | None
    combats: int
    call: CallState | UnsetType = UNSET


class Told(Struct, frozen=True):
    """One sentence of the history, and the id of its rule or ruling."""

    sentence: str
    rule: str


class TableMade(Struct, frozen=True):
    """A new table, and its Referee's token, which is never shown again."""

    id: str
    name: str
    role: Role
    token: str
    links: TableAddresses


class TableAddresses(Struct, frozen=True):
    """Addresses on this server: the table in the API, its page, and the link to open in a browser."""

    api: str
    page: str
    link: str


class PlayerJoined(Struct, frozen=True):
    """A new player at a table, and the player's token, which is never shown again."""

    id: str
    name: str
    role: Role
    member: str
    token: str
    links: TableAddresses


class MemberSeen(Struct, frozen=True):
    """Someone at the table. `id` is the id of their link, not its token."""

    id: str
    name: str
    role: Role


class AskSeen(Struct, frozen=True):
    """A player's request to the Referee. Accept, decline or take it back by its `number`."""

    number: int
    member: str
    name: str
    command: RulesCommand
    label: str
    cost: int
    reason: str | None


class AnswerSeen(Struct, frozen=True):
    """The answer to a player's request; `refusal` says why the rules did not allow it after all."""

    number: int
    member: str
    label: str
    accepted: bool
    reason: str | None
    refusal: str | None


class WouldUndo(Struct, frozen=True):
    """The entry that an undo would take back, and whether you may undo it."""

    number: int
    name: str
    told: Sequence[Told]
    allowed: bool


class TableSeen(Struct, frozen=True):
    """A table as you see it. `number` is that of its newest entry, 0 before the first.

    `revision` names this state. If the table is replaced or restored from a copy, its revisions differ from there on.

    `claims` maps a character's id to the ids of the members who play it. `deciding` are the ids of those who have yet
    to decide whether to act early this round. `sketch` is what the Referee lets everyone see of what is ahead. `redo`
    are the numbers of the entries that a redo would put back.
    """

    id: str
    name: str
    number: int
    revision: str
    role: Role
    member: MemberSeen
    state: State
    permissions: Permissions
    preset: str | None
    check_dice: str | None
    sketch: str | None
    members: Sequence[MemberSeen]
    claims: Mapping[str, Sequence[str]]
    deciding: Sequence[str]
    asks: Sequence[AskSeen]
    answers: Sequence[AnswerSeen]
    undo: WouldUndo | None
    redo: Sequence[int]


class TableNamed(Struct, frozen=True):
    """A table's name, and the number of its newest entry."""

    id: str
    name: str
    number: int
    revision: str


class OptionSeen(Struct, frozen=True):
    """Something that can be done now: send `command` to do it.

    If timing matters, the command says in `at` which moment it is meant for, and is refused once that has passed.
    `cost` and `leaves` are in Stamina; `next_cost` is the cost the next time, if it changes. If `amount` names a field
    of the command, you can raise that field's figure up to `most`. `refusal` says why the rules do not allow this now.
    `freedom` says whether you may do it at once, must ask the Referee, or may not; then `forbidden` says why.
    """

    label: str
    command: RulesCommand
    cost: int
    leaves: int
    next_cost: int | None
    amount: str | None
    most: int
    refusal: Refusal | None
    freedom: Freedom
    forbidden: str | None


class RecoverySeen(Struct, frozen=True):
    """What a rest would do for one character: the Stamina it offers, how much fits, and the Stamina after it."""

    character: str
    offered: int
    gained: int
    stamina: int
    maximum: int


class RestSeen(Struct, frozen=True):
    """A rest, and what it would bring back: send `command` to take it.

    The command says in `at` how often each of them has rested, and is refused once one of them has rested again.
    """

    kind: RestKind
    label: str
    command: RulesCommand
    recoveries: Sequence[RecoverySeen]
    refusal: Refusal | None
    freedom: Freedom
    forbidden: str | None


class TableOptions(Struct, frozen=True):
    """What moves the combat on, and the rests, as of entry `number`."""

    number: int
    revision: str
    combat: Sequence[OptionSeen]
    rests: Sequence[RestSeen]


class CharacterOptions(Struct, frozen=True):
    """What one character can do, as of entry `number`."""

    number: int
    revision: str
    character: str
    options: Sequence[OptionSeen]


class StandingSeen(Struct, frozen=True):
    """How someone stands, in sentences, as of entry `number`."""

    number: int
    revision: str
    told: Sequence[str]


class Accepted(Struct, frozen=True):
    """A command that was done: the number of its entry, what happened, and the state after it."""

    number: int
    revision: str
    accepted: Literal[True]
    events: Sequence[AnyEvent]
    state: State


class ActPlayedAgain(Struct, frozen=True):
    """What happens to one act when the past is put right.

    `was` is what it did until now, and `now` what it would do. `outcome` is "impossible" if the rules no longer allow
    it, which `refusal` explains, and "left_out" if you leave it out.
    """

    entry: EntryNumber
    at: Moment
    name: str
    outcome: Outcome
    was: Sequence[Told]
    now: Sequence[Told]
    refusal: Refusal | None


class CorrectionSeen(Struct, frozen=True):
    """What a correction would do, as of entry `number`: what it puts in, and every later act played again.

    `possible` is false while some act is no longer possible: leave that act out, or say what happened instead. `state`
    is the state it would lead to, without such acts.
    """

    number: int
    revision: str
    possible: bool
    inserted: Sequence[Told]
    acts: Sequence[ActPlayedAgain]
    state: State


class AskedFor(Struct, frozen=True):
    """A command that needs the Referee's approval: the Referee has been asked, and nothing is spent yet."""

    number: int
    revision: str
    asked: Literal[True]


class EntrySeen(Struct, frozen=True):
    """One entry of the history. `at` is UTC; `who` and `name` are the member who acted; `counts` is false once undone.

    `command` is null for all but Referees, and a list if several commands were one act; `events` and `told` are what
    you may see of it.
    """

    number: int
    revision: str
    at: Moment
    who: str
    name: str
    command: Commands | None
    events: Sequence[AnyEvent]
    told: Sequence[Told]
    counts: bool
    can_undo: bool


class JournalSeen(Struct, frozen=True):
    """Entries of the history, oldest first, out of `number` in all.

    To read on, send `next` as `after`; it is null at the end.
    """

    number: int
    revision: str
    entries: Sequence[EntrySeen]
    next: str | None


class LinkSeen(Struct, frozen=True):
    """A link to a table that still works; `created` is UTC. Its token is never shown again."""

    id: str
    role: Literal["referee", "player", "spectator", "invitation"]
    name: str
    created: Moment


class LinksSeen(Struct, frozen=True):
    """The links to a table that still work, oldest first."""

    links: Sequence[LinkSeen]


class LinkGiven(Struct, frozen=True):
    """A new link, and its token, which is never shown again; `link` is the address to open in a browser.

    An invitation also has a short `code` to type by hand.
    """

    id: str
    role: Literal["referee", "player", "spectator", "invitation"]
    name: str
    created: Moment
    token: str
    code: str | None
    link: str


class TableBroughtIn(Struct, frozen=True):
    """A table that was imported, and the new links to it, with their tokens."""

    id: str
    name: str
    number: int
    revision: str
    links: Sequence[LinkGiven]


class RuleTold(Struct, frozen=True):
    """A rule or ruling as this ruleset has it, in our words, with the settings it depends on.

    For a house rule that differs from the page, `page` is the page's rule.
    """

    id: str
    in_force: bool
    ruling: bool
    house_rule: bool
    rule: str
    page: str | None
    settings: Mapping[str, Any]


class RulesTold(Struct, frozen=True):
    """The rules, each with its id, and the ruleset they come from."""

    name: str
    rules: Sequence[RuleTold]
    ruleset: Ruleset
