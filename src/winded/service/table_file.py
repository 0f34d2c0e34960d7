"""A table as one file, to keep or to bring in on another machine, where everyone gets a new link.

The file is JSON and holds everything but the links: the rules, every entry of the history, who is at the table and what
they play. Winded does not read `people` and `state` back, as they follow from the entries; they are for other programs.
See docs/reference/table-files.md.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from winded.errors import Malformed, Stale, TooMuch, Unavailable
from winded.journal import AnyEvent, Commands, Entry, TableRecord, codec
from winded.roles import Company, CompanyEvent, Role, company_after
from winded.rules import Ruleset, Table
from winded.tables import Tables, check_members, is_table_id, new_mark
from winded.tables.checking import check_history

FORMAT = 1
"""The format that this Winded writes. It reads every format up to this one."""

Rules = TypeVar("Rules")
Command = TypeVar("Command")
Events = TypeVar("Events")
Decoded = TypeVar("Decoded")

_LONGEST = 200
_LENGTHS = {"character": 40, "name": 40, "order": 40, "refusal": 1_000}
"""The most characters in a text of an event, for the fields where it is not `_LONGEST`."""

_LARGEST = 2**53
_LATEST = 253_370_764_800  # The end of the year 9998, in seconds since 1970: still a date in every time zone.
_MEMBER_ID = re.compile(r"[A-Za-z0-9_-]{0,64}")
_MARK = re.compile("([0-9a-f]{8})?")
_PLACE = re.compile(r" - at `\$\.?(.*)`$")
_UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))

_encode = msgspec.json.Encoder().encode


class CarriedEntry(Struct, Generic[Command, Events], frozen=True, omit_defaults=True):
    """An entry of the history, with the fields of `Entry`."""

    number: int
    at: float
    who: str
    name: str
    command: Command
    events: Events
    request: str | None = None
    about: tuple[str, ...] = ()
    secret: bool = False
    mark: str = ""


class CarriedPerson(Struct, frozen=True):
    """Someone at the table. Entries refer to them by `id`; `plays` are the characters they have claimed."""

    id: str
    name: str
    role: Role
    plays: tuple[str, ...]


class CarriedTable(Struct, Generic[Rules, Command, Events], frozen=True):
    """The whole file. `created` is UTC in seconds since 1970."""

    winded: Literal["table"]
    format: int
    id: str
    name: str
    created: float
    ruleset: Rules
    people: tuple[CarriedPerson, ...]
    state: dict[str, Any]
    entries: tuple[CarriedEntry[Command, Events], ...]


class Carried(Struct, frozen=True):
    """A table read from a file, ready to bring in."""

    record: TableRecord
    entries: tuple[Entry, ...]


class _FileKind(Struct, frozen=True):
    winded: str = ""
    format: int = 0


class _Read(Struct, frozen=True):
    id: str
    name: str
    created: float
    ruleset: Raw
    entries: tuple[CarriedEntry[Raw, Raw], ...]


def schema() -> dict[str, Any]:
    """The JSON Schema of the file."""
    return msgspec.json.schema(CarriedTable[Ruleset, Commands, tuple[AnyEvent, ...]])


def carry_out(tables: Tables, table: str) -> bytes:
    """A table as a file, one line for each entry. It holds everything, hidden enemies too. Raises Unknown."""
    record = tables.journal.record(table)
    snapshot = tables.snapshot(table)
    entries = [_encode(_carried(entry)) for entry in tables.journal.read(table) if entry.number <= snapshot.number]
    parts = {
        "winded": "table",
        "format": FORMAT,
        "id": record.id,
        "name": record.name,
        "created": record.created,
        "ruleset": record.ruleset,
        "people": _people(snapshot.company, snapshot.table),
        "state": snapshot.table.state(),
    }
    head = b",\n".join(_encode(name) + b": " + _encode(part) for name, part in parts.items())
    return b'{\n%b,\n"entries": [\n%b\n]\n}\n' % (head, b",\n".join(entries))


def carried_from(file: bytes) -> Carried:
    """The table in a file.

    Raises Malformed, naming the place, if it is not a table file from Winded; Stale if a newer Winded wrote it in a
    format that this one does not know.
    """
    file = file.removeprefix(BOM_UTF8)  # Some editors save files with one.
    kind = _decoded(file, _FileKind)
    if kind.winded != "table":
        raise Malformed("winded", "This is not a table file from Winded.")
    if kind.format > FORMAT:
        raise Stale(
            "This file has format {format}, from a newer Winded; this one reads formats up to {newest}.",
            format=kind.format,
            newest=FORMAT,
        )
    read = _decoded(file, _Read)
    _check(is_table_id(read.id), "id")
    _check(bool(read.name) and _is_fit(read.name), "name")
    _check(0 <= read.created < _LATEST, "created")
    ruleset = _stored(codec.decode_ruleset, read.ruleset, "ruleset")
    entries = tuple(_entry(one, f"entries[{place}]") for place, one in enumerate(read.entries))
    check_history(ruleset, entries)
    try:
        check_members(len(people_after(entries).members))
    except TooMuch as more:
        raise Malformed("entries", more.text, **more.facts) from more
    return Carried(TableRecord(read.id, read.name, read.created, ruleset), entries)


def _people(company: Company, table: Table) -> tuple[CarriedPerson, ...]:
    return tuple(
        CarriedPerson(
            one.id, one.name, one.role, tuple(character.name for character in company.characters_of(one.id, table))
        )
        for one in company.members.values()
    )


def people_after(entries: Iterable[Entry]) -> Company:
    """Who is at a table after these entries, and what they play."""
    happened = (event for entry in entries for event in entry.events)
    return company_after(Company(), [event for event in happened if isinstance(event, CompanyEvent)])


def among_others(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The same history with a new id for each member."""
    ids: dict[str, str] = {"": ""}

    def renamed(one: Any) -> Any:
        if not hasattr(one, "member"):
            return one
        return replace(one, member=ids.setdefault(one.member, secrets.token_hex(8)))

    return tuple(
        replace(
            entry,
            who=ids.setdefault(entry.who, secrets.token_hex(8)),
            command=renamed(entry.command),
            events=tuple(renamed(event) for event in entry.events),
        )
        for entry in entries
    )


def _decoded(file: bytes, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(file, type=kind)
    except msgspec.ValidationError as wrong:
        place = _PLACE.search(str(wrong))
        raise Malformed(
            place[1] if place else "",
            "This is not a table file from Winded: {reason}.",
            reason=str(wrong).replace("`", "").replace("$.", ""),
        ) from wrong
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Malformed("", "This is not a table file from Winded: it is not JSON.") from wrong


def _entry(read: CarriedEntry[Raw, Raw], place: str) -> Entry:
    command = _stored(codec.decode_command, read.command, f"{place}.command")
    events = _stored(codec.decode_events, read.events, f"{place}.events")
    _check(0 <= read.at < _LATEST, f"{place}.at")
    members = (read.who, *(getattr(one, "member", "") for one in (command, *events)))
    _check(all(_MEMBER_ID.fullmatch(one) is not None for one in members), f"{place}.who")
    _check(_is_fit(read.name), f"{place}.name")
    _check(_is_fit(read.request), f"{place}.request")
    _check(_is_fit(read.about), f"{place}.about")
    _check(_MARK.fullmatch(read.mark) is not None, f"{place}.mark")
    _check(_is_fit(events), f"{place}.events")
    return Entry(
        read.number,
        read.at,
        read.who,
        read.name,
        command,
        events,
        read.request,
        read.about,
        read.secret,
        # Files from before entries had marks have none.
        read.mark or new_mark(),
    )


def _stored(decode: Callable[[bytes], Decoded], raw: Raw, place: str) -> Decoded:
    try:
        return decode(bytes(raw))
    except Unavailable as wrong:
        raise Malformed(
            place, "This Winded does not know “{field}”: {reason}.", field=place, reason=str(wrong.__cause__)
        ) from wrong


def _check(is_good: bool, place: str) -> None:
    if not is_good:
        raise Malformed(place, "Winded cannot have written “{field}”.", field=place)


def _is_fit(value: object, longest: int = _LONGEST) -> bool:
    """Whether every text in this value can be shown and is short enough, and every number is within range."""
    match value:
        case str():
            return len(value) <= longest and _is_shown(value)
        case int() | float() | None:
            return value is None or -_LARGEST <= value <= _LARGEST
        case Struct():
            fields = value.__struct_fields__
            return all(_is_fit(getattr(value, field), _LENGTHS.get(field, _LONGEST)) for field in fields)
        case dict():
            return all(_is_fit(one, longest) for pair in value.items() for one in pair)
        case tuple() | list():
            return all(_is_fit(one, longest) for one in value)
    return False


def _is_shown(text: str) -> bool:
    """Whether a text has no control characters and no line breaks."""
    return text.isprintable() or not any(unicodedata.category(one) in _UNSEEN for one in text)


def _carried(entry: Entry) -> CarriedEntry[Commands, tuple[AnyEvent, ...]]:
    return CarriedEntry(*(getattr(entry, field) for field in entry.__struct_fields__))
