"""How commands, events and rulesets are written down: as JSON, and so that whatever was ever written still loads.

A stored event is never rewritten, so its class may change only in ways that read old JSON as it was meant:

- a new field has a default that says what was true before the field was there;
- a field that is no longer needed may go: events, commands and rulesets skip fields they do not know;
- a range may become narrower, or a text shorter: what is decoded is not checked again;
- anything else, a changed meaning above all, is a new event under a new tag. The old tag then gets a line in
  `OLD_EVENTS` that turns what was stored into today's events. Commands likewise, in `OLD_COMMANDS`.

`tests/journal/golden_events.jsonl` and its sisters hold one of everything ever written, and tests load them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import Any, TypeAlias, get_args

import msgspec

from winded import roles, rules
from winded.errors import Malformed, Unavailable
from winded.rules import Redo, Ruleset, Undo

AnyCommand: TypeAlias = rules.AnyCommand | roles.AnyCompanyCommand
"""Every command that can be stored."""

Commands: TypeAlias = AnyCommand | tuple[rules.AnyCommand, ...]
"""What an entry can hold: a command, or several of the rules' that were one act, as an array."""

AnyEvent: TypeAlias = rules.AnyEvent | roles.AnyCompanyEvent
"""Every event that can be stored."""


class EntryKind(IntEnum):
    """What an entry is to undo and redo. The figures are stored: none may ever change."""

    ACT = 0
    """A command of the rules: undo takes it back, and it ends what could be put back."""

    TAKING_BACK = 1
    """An undo or a redo itself."""

    COMPANY = 2
    """What changes the company alone, who sits at the table above all: undo passes it by."""

    BOTH = 3
    """An act that changed the company as well, an accepted ask above all: undo takes back the act alone."""

    @property
    def is_act(self) -> bool:
        """Whether undo takes this back."""
        return self in {EntryKind.ACT, EntryKind.BOTH}


Stored: TypeAlias = dict[str, Any]

OLD_EVENTS: Mapping[str, Callable[[Stored], Iterable[Stored]]] = {}
"""For each tag that is no longer written: from the stored object to the objects that would be stored today."""

OLD_COMMANDS: Mapping[str, Callable[[Stored], Stored]] = {}
"""The same for commands; one stays one."""

_ALL_SPENDS_THEN = ("act_early", "react", "push", "resist", "ability", "channel")
"""Every way of spending there was while rulesets still listed them all; today that is written null."""

_WRONG = (msgspec.ValidationError, Malformed)
"""What decoding raises for JSON that is not a command or event of today."""

_encode = msgspec.json.Encoder().encode
_decode_plain = msgspec.json.Decoder().decode
_decode_command: Callable[[bytes | str], Commands] = msgspec.json.Decoder(Commands).decode
_decode_events: Callable[[bytes | str], tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...]).decode
_decode_page: Callable[[bytes | str], list[tuple[AnyEvent, ...]]] = msgspec.json.Decoder(
    list[tuple[AnyEvent, ...]]
).decode
_decode_ruleset: Callable[[bytes | str], Ruleset] = msgspec.json.Decoder(Ruleset).decode


def encode_command(command: Commands) -> str:
    """A command as JSON, several as an array."""
    return _encode(command).decode()


def decode_command(stored: bytes | str) -> Commands:
    """A stored command, or several, whenever it was written. Raises Unavailable if no Winded wrote it."""
    try:
        return _decode_command(stored)
    except _WRONG as error:
        plain = _plain(stored, "command")
        today = [*map(_of_today, plain)] if isinstance(plain, list) else _of_today(plain)
        try:
            return _decode_command(_encode(today))
        except _WRONG:
            raise _unreadable("command", error) from error
    except msgspec.DecodeError as error:
        raise _unreadable("command", error) from error


def encode_events(events: tuple[AnyEvent, ...]) -> str:
    """The events of one entry as a JSON array."""
    return _encode(events).decode()


def decode_events(stored: bytes | str) -> tuple[AnyEvent, ...]:
    """The stored events of one entry, whenever they were written. Raises Unavailable if no Winded wrote them."""
    try:
        return _decode_events(stored)
    except _WRONG as error:
        return _events_of_today(_plain(stored, "event"), error)
    except msgspec.DecodeError as error:
        raise _unreadable("event", error) from error


def decode_page(stored: bytes | str) -> list[tuple[AnyEvent, ...]]:
    """The events of many entries at once, from a JSON array with an array for each; otherwise as `decode_events`."""
    try:
        return _decode_page(stored)
    except _WRONG as error:
        return [_events_of_today(events, error) for events in _plain(stored, "event")]
    except msgspec.DecodeError as error:
        raise _unreadable("event", error) from error


def encode_ruleset(ruleset: Ruleset) -> str:
    """A ruleset as JSON."""
    return _encode(ruleset).decode()


def decode_ruleset(stored: bytes | str) -> Ruleset:
    """A stored ruleset, as it was accepted. Raises Unavailable if no Winded wrote it."""
    try:
        ruleset = _decode_ruleset(stored)
        if not ruleset.ladder:
            raise ValueError("there are no dice")
    except (msgspec.DecodeError, ValueError) as error:
        raise _unreadable("ruleset", error) from error
    return msgspec.structs.replace(ruleset, spends=None) if ruleset.spends == _ALL_SPENDS_THEN else ruleset


_KINDS: dict[type, EntryKind] = dict.fromkeys(get_args(rules.AnyCommand), EntryKind.ACT) | {
    Undo: EntryKind.TAKING_BACK,
    Redo: EntryKind.TAKING_BACK,
}


def kind_of(command: object, events: Iterable[object]) -> EntryKind:
    """What an entry with this command and these events is to undo and redo."""
    kind = EntryKind.ACT if isinstance(command, tuple) else _KINDS.get(type(command), EntryKind.COMPANY)
    mixed = roles.CompanyEvent if kind is EntryKind.ACT else rules.Event
    if kind is not EntryKind.TAKING_BACK and any(isinstance(event, mixed) for event in events):
        return EntryKind.BOTH
    return kind


def _plain(stored: bytes | str, what: str) -> Any:
    try:
        return _decode_plain(stored)
    except msgspec.DecodeError as error:
        raise _unreadable(what, error) from error


def _of_today(stored: Any) -> Any:
    return _command_of_today(stored) if isinstance(stored, dict) else stored


def _command_of_today(stored: Stored) -> Stored:
    while (old := OLD_COMMANDS.get(str(stored.get("do")))) is not None:
        stored = old(stored)
    if isinstance(inner := stored.get("command"), dict):
        stored = stored | {"command": _command_of_today(inner)}
    if isinstance(several := stored.get("commands"), list):
        stored = stored | {"commands": [*map(_of_today, several)]}
    if isinstance(instead := stored.get("instead"), list):
        stored = stored | {"instead": [*map(_of_today, instead)]}
    return stored


def _events_of_today(stored: Any, error: Exception) -> tuple[AnyEvent, ...]:
    if not isinstance(stored, list) or not all(isinstance(one, dict) for one in stored):
        raise _unreadable("event", error) from error
    today: list[Stored] = []
    waiting: list[Stored] = stored[::-1]
    while waiting:
        one = waiting.pop()
        old = OLD_EVENTS.get(str(one.get("event")))
        if old is not None:
            waiting += reversed([*old(one)])
        elif isinstance(asked := one.get("command"), dict):
            today.append(one | {"command": _command_of_today(asked)})
        elif one.get("event") == "put_right":
            today.append(_put_right_of_today(one))
        else:
            today.append(one)
    try:
        return _decode_events(_encode(today))
    except _WRONG as still:
        raise _unreadable("event", still) from still


def _put_right_of_today(stored: Stored) -> Stored:
    """A correction with the events in it as they would be stored today."""
    became = [one | {"events": _plain_events_of_today(one.get("events", []))} for one in stored.get("became", [])]
    return stored | {"inserted": _plain_events_of_today(stored.get("inserted", [])), "became": became}


def _plain_events_of_today(stored: list[Stored]) -> list[Stored]:
    today: list[Stored] = []
    for one in stored:
        old = OLD_EVENTS.get(str(one.get("event")))
        today += [one] if old is None else _plain_events_of_today([*old(one)])
    return today


def _unreadable(what: str, error: Exception) -> Unavailable:
    return Unavailable("This Winded cannot read a stored {what}: {reason}.", what=what, reason=str(error))
