"""What the board opens where a button is not room enough: forms, a character in full, rests, the history, the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from winded.errors import Refused, Unknown
from winded.journal import Link
from winded.roles import PERMISSION_NAMES, PRESETS, Freedom, Member, Role, preset_of
from winded.rules import (
    PAGE,
    RULES,
    STRAINS,
    AddAbility,
    Adjust,
    Character,
    Command,
    Event,
    Recovery,
    RestKind,
    TakeWound,
    fields,
    lost_to_wounds,
    recovery,
    rest_name,
    rest_options,
)
from winded.rules.characters import Renamed
from winded.rules.checks import CheckWithdrawn
from winded.sentence import Sentence, sentence
from winded.service.links import INVITATION
from winded.tables import Snapshot, Tables
from winded.web.live import seat_id
from winded.web.screens.board.view import by_whom, telling
from winded.web.screens.parts.lines import Told
from winded.web.screens.parts.offers import FIELDS, Asked, Offer, offers, to_fill_in

HISTORY_PAGE = 60
"""Lines of the history on one sheet."""

SUMMARY_LIMIT = 20_000
"""So many of the newest entries are counted in a summary."""

SESSION = 12 * 3600
"""Seconds before the newest entry that count as the same evening."""

REASONS = (
    sentence("surprise"),
    sentence("ambush"),
    sentence("position"),
    sentence("hesitation"),
    sentence("preparation"),
    sentence("an obvious advantage"),
)
"""Reasons for another order to pick from (`early.referee`)."""

PUSH = "push.bonus"
SPENT_ON = {
    "early.cost": sentence("acting early"),
    "reaction.cost": sentence("reactions"),
    PUSH: sentence("pushed Checks"),
    "hardship.spend": sentence("hardship"),
    "ability.spend": sentence("abilities"),
    "channel.needs-stamina": sentence("Channel Casting"),
}
"""What Stamina was spent on, by the rule it was spent under; for any other rule its id says it."""

SHORTCUTS = (
    ("1 – 9", sentence("go to this character, in the order of the board; Tab then goes through what it can do")),
    ("c", sentence("start combat")),
    ("n", sentence("begin turns, and then the next turn")),
    ("e", sentence("end combat")),
    ("u", sentence("undo what happened last")),
    ("y", sentence("redo")),
    ("← →", sentence("on a name in the round: move it; Enter then asks for the reason")),
    ("t", sentence("rest")),
    ("a", sentence("add a character or an enemy")),
    ("p", sentence("players and links")),
    ("h", sentence("all that happened")),
    ("s", sentence("what each one spent")),
    ("w", sentence("what is ahead, and what it will leave")),
    ("?", sentence("these shortcuts")),
)

_REFEREE = Member("", "", Role.REFEREE)


class Asking(Struct, frozen=True):
    """Someone opens a sheet: at which table, and what stands in the address."""

    snapshot: Snapshot
    tables: Tables
    query: Mapping[str, str]
    orders: Sequence[str] = ()
    links: Sequence[Link] = ()
    member: str = ""

    def character(self) -> Character:
        """The character it is about. Refused as "not-found"."""
        return self.snapshot.table.character("#" + self.query.get("of", "").removeprefix("#"))

    def number(self, name: str) -> int | None:
        """A number of an entry from the address, None where there is none."""
        text = self.query.get(name, "")
        return int(text) if text.isdecimal() and len(text) <= 15 else None


Facts = dict[str, object]


def act(asking: Asking) -> Facts:
    """A way to spend where something has to be filled in: an amount first of all."""
    table = asking.snapshot.table
    one = asking.character()
    do = asking.query.get("do", "")
    found = [offer for offer in offers(table, asking.snapshot.company, _REFEREE, one) if _is(offer, do, asking.query)]
    if not found:
        raise Refused("not-now", "{name} cannot do this now.", name=one.name)
    amount = next((offer for offer in found if offer.amount), None)
    bare = next((offer for offer in found if not offer.amount), None)
    amounts: list[tuple[int, int]] = []
    if bare is not None and bare.refused is None and amount is not None:
        amounts.append((0, one.stamina))
    if amount is not None and amount.refused is None:
        amounts += amount.amounts
    main = bare or found[0]
    refused = (amount or main).refused
    return {
        "one": one,
        "lost": lost_to_wounds(table.ruleset, one),
        "label": main.label,
        "do": do,
        "given": [pair for pair in main.values if pair[0] not in ("do", "character", "cost")],
        "amounts": amounts,
        "amount_name": "" if amount is None else amount.amount,
        "amount_label": FIELDS.get((amount.amount if amount else "") or "", sentence("Stamina")),
        "bonus": table.ruleset.push.bonus if amount is not None and amount.amount == "push" else 0,
        "fields": [asked for asked in main.asked if amount is None or asked.field.name != amount.amount],
        "suggestions": {"strain": STRAINS},
        "check_dice": asking.snapshot.company.check_dice if do == "declare_check" else None,
        "refused": refused,
        "possible": bool(amounts) or (amount is None and refused is None),
    }


def _is(offer: Offer, do: str, query: Mapping[str, str]) -> bool:
    values = dict(offer.values)
    given = {name: value for name, value in query.items() if name in values}
    return values["do"] == do and all(values[name] == value for name, value in given.items())


def _asked(made: type[Command]) -> list[Asked]:
    return [to_fill_in(field) for field in fields(made) if field.name != "character"]


def who(asking: Asking) -> Facts:
    """One character in full, and everything the Referee may change about it."""
    table = asking.snapshot.table
    one = asking.character()
    return {
        "one": one,
        "lost": lost_to_wounds(table.ruleset, one),
        "players": asking.snapshot.company.players_of(one),
        "ladder": table.ruleset.ladder,
        "wound_fields": _asked(TakeWound),
        "adjust_fields": _asked(Adjust),
        "ability_fields": _asked(AddAbility),
    }


def add(asking: Asking) -> Facts:
    """New characters and enemies."""
    return {"ladder": asking.snapshot.table.ruleset.ladder}


class RestRow(Struct, frozen=True):
    """What each kind of rest would do for one character."""

    key: str
    character: Character
    recoveries: tuple[Recovery, ...]


class RestColumn(Struct, frozen=True):
    """A kind of rest."""

    value: str
    name: Sentence


def rest(asking: Asking) -> Facts:
    """What each rest would give each one; whoever is ticked rests."""
    table = asking.snapshot.table
    sitting = sorted(table.characters.values(), key=lambda one: one.is_enemy)
    rows = [
        RestRow(seat_id(one), one, tuple(recovery(table.ruleset, one, kind) for kind in RestKind))
        for one in sitting
        if one.base_con is not None
    ]
    refused = next((option.refused for option in rest_options(table) if option.refused is not None), None)
    return {"rows": rows, "kinds": [RestColumn(kind.value, rest_name(kind)) for kind in RestKind], "refused": refused}


def reorder(asking: Asking) -> Facts:
    """Another order for those who have not yet acted, as it was dragged or as it is."""
    combat = asking.snapshot.table.combat
    to_come = () if combat is None else combat.to_come
    order = asking.orders if sorted(asking.orders) == sorted(to_come) else to_come
    return {"order": order, "reasons": REASONS}


class Past(Struct, frozen=True):
    """An entry of the history with its time."""

    number: int
    who: str
    at: datetime
    told: tuple[Told, ...]
    undone: bool
    can_undo: bool


def history(asking: Asking) -> Facts:
    """The history, newest first, a page of it."""
    before = asking.number("before")
    lines = asking.tables.lines(asking.snapshot.id, before, HISTORY_PAGE)
    shown = []
    for line in lines:
        seen = telling(line, by_whom(line, asking.snapshot.company))
        if seen.told:
            at = datetime.fromtimestamp(line.entry.at, UTC)
            shown.append(Past(seen.number, seen.who, at, seen.told, seen.undone, seen.can_undo))
    earlier = lines[-1].entry.number if lines and lines[-1].entry.number > 1 else None
    return {"lines": shown, "earlier": earlier, "newer": before is not None}


def back(asking: Asking) -> Facts:
    """What an undo through an entry would take back, newest first."""
    through = asking.number("through") or 0
    count = max(asking.snapshot.number - through + 1, 0)
    lines = asking.tables.lines(asking.snapshot.id, None, min(count, SUMMARY_LIMIT)) if through else []
    acts = [telling(line, by_whom(line, asking.snapshot.company)) for line in lines if line.can_undo]
    if not acts or acts[-1].number != through:
        acts = []
    return {"acts": acts, "through": through, "expect": asking.snapshot.number}


class Spent(Struct):
    """What one character has spent: by rule, how often and how much; what rests gave back; Wounds taken."""

    name: str
    by_rule: dict[str, tuple[int, int]]
    spent: int = 0
    rested: int = 0
    wounds: int = 0


class SpentOn(Struct, frozen=True):
    """A column of the summary."""

    id: str
    label: Sentence


def summary(asking: Asking) -> Facts:
    """What each one spent on what, of all that still counts: this evening, or since the table began."""
    rows: dict[str, Spent] = {}
    rules: dict[str, SpentOn] = {}
    names: dict[str, str] = {}
    lines = asking.tables.lines(asking.snapshot.id, None, SUMMARY_LIMIT)
    whole = "all" in asking.query
    since = 0.0 if whole or not lines else lines[0].entry.at - SESSION
    for line in lines:
        if not line.counts or line.entry.at < since:
            continue
        for event in reversed(line.entry.events):
            named = getattr(event, "character", None)
            if named is None or not isinstance(event, Event):
                continue
            # Newest first: whoever was called something else once is counted under the name of today.
            if isinstance(event, Renamed):
                names[named] = names.get(event.name, event.name)
                continue
            name = names.get(named, named)
            row = rows.setdefault(name, Spent(name, {}))
            if cost := event.spent:
                times, sum_ = row.by_rule.get(event.rule, (0, 0))
                row.by_rule[event.rule] = (times + 1, sum_ + cost)
                rules.setdefault(event.rule, SpentOn(event.rule, SPENT_ON.get(event.rule, Sentence(event.rule))))
            if isinstance(event, CheckWithdrawn) and event.returned:
                # What came back was not spent, and a push that came back whole was none.
                times, sum_ = row.by_rule.get(PUSH, (0, 0))
                row.by_rule[PUSH] = (times - (event.returned == event.push), sum_ - event.returned)
            row.rested += getattr(event, "gained", 0)
            row.wounds += hasattr(event, "cut")
    for row in rows.values():
        row.by_rule = {rule: one for rule, one in row.by_rule.items() if one[1] > 0}
        row.spent = sum(sum_ for _, sum_ in row.by_rule.values())
    used = {rule for row in rows.values() for rule in row.by_rule}
    order = [*SPENT_ON]
    columns = [rule for rule in rules.values() if rule.id in used]
    columns.sort(key=lambda one: order.index(one.id) if one.id in order else len(order))
    seats = [*asking.snapshot.table.characters]
    shown = [row for row in rows.values() if row.spent or row.rested or row.wounds]
    shown.sort(key=lambda row: seats.index(row.name) if row.name in seats else len(seats))
    return {"rows": shown, "rules": columns, "whole": whole}


class RuleLine(Struct, frozen=True):
    """A rule in force."""

    id: str
    told: Sentence
    ruling: bool
    house: bool


def rules(asking: Asking) -> Facts:
    """The rules in force at this table, in our words; one that was asked for by its id is marked."""
    ruleset = asking.snapshot.table.ruleset
    lines = [
        RuleLine(
            rule.id,
            rule.says(ruleset),
            rule.is_ruling,
            rule.is_house_rule(ruleset),
        )
        for rule in RULES
    ]
    return {"rules": lines, "name": None if ruleset.name == PAGE.name else ruleset.name, "of": asking.query.get("of")}


def keys(asking: Asking) -> Facts:
    """The keyboard shortcuts."""
    return {"keys": SHORTCUTS}


class Person(Struct, frozen=True):
    """Someone who holds a link: what they play, and what else of the party there is to claim for them."""

    id: str
    name: str
    plays: tuple[Character, ...]
    others: tuple[Character, ...]
    is_you: bool


def people(asking: Asking) -> Facts:
    """Who is at the table and by which links, what players may do without asking, how Checks are rolled."""
    table, company = asking.snapshot.table, asking.snapshot.company
    holding = {link.id for link in asking.links}

    def of(role: Role) -> list[Person]:
        return [
            Person(
                one.id,
                one.name,
                company.characters_of(one.id, table),
                tuple(character for character in table.party() if not company.plays(one.id, character)),
                one.id == asking.member,
            )
            for one in company.members.values()
            if one.role is role and one.id in holding
        ]

    permissions = company.permissions
    return {
        "players": of(Role.PLAYER),
        "spectators": of(Role.SPECTATOR),
        "referees": of(Role.REFEREE),
        "invited": any(link.role == INVITATION for link in asking.links),
        "presets": [(name, label) for name, (label, _) in PRESETS.items()],
        "preset": preset_of(permissions),
        "permissions": [(name, label, getattr(permissions, name)) for name, label in PERMISSION_NAMES.items()],
        "freedoms": tuple(Freedom),
        "check_dice": company.check_dice or "",
    }


def table(asking: Asking) -> Facts:
    """The table as such: its name, its file, its end."""
    return {"name": asking.snapshot.name}


SHEETS: dict[str, Callable[[Asking], Facts]] = {
    "act": act,
    "who": who,
    "add": add,
    "rest": rest,
    "reorder": reorder,
    "history": history,
    "back": back,
    "summary": summary,
    "rules": rules,
    "people": people,
    "table": table,
    "keys": keys,
}
"""The sheets by the word in their address."""

TEMPLATES = {name: f"board/sheets/{name}.html" for name in SHEETS} | {
    "people": "people/sheet.html",
    "history": "history/sheet.html",
    "back": "history/back.html",
    "summary": "history/summary.html",
}


def facts(name: str, asking: Asking) -> Facts:
    """What a sheet is rendered with. Raises Unknown where there is no such sheet."""
    made = SHEETS.get(name)
    if made is None:
        raise Unknown("There is nothing at this address.")
    return made(asking)
