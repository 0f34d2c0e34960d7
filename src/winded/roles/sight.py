"""What players and spectators may hear of what happened: nothing about hidden enemies or the Referee's secrets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from winded.roles.command import CompanyEvent
from winded.roles.people import Claimed, Released
from winded.roles.rolls import RollKnown, RollSettled
from winded.rules import ENEMY, Event, Table
from winded.rules.characters import CharacterAdded, Renamed
from winded.rules.combat import Reordered, TurnsBegun
from winded.rules.table import same

_HIDDEN = "hidden "


def hidden_id(character: str) -> str:
    """How an entry's `about` names a character who was hidden from players at the time, by id."""
    return _HIDDEN + character


def ids_named(events: Iterable[Event | CompanyEvent], before: Table) -> tuple[str, ...]:
    """The ids of the characters that these events name, in that order; `before` is the table before them.

    Each event is read with the names of that moment, as the events before it may have given a name to another. Those
    not at the table are left out.
    """
    found: dict[str, None] = {}
    changed: dict[str, str] = {}
    for event in events:
        if type(event) is CharacterAdded:
            changed[event.character] = event.id
        for name in event.names():
            one = changed.get(name)
            if one is None:
                character = before.characters.get(name) or before.characters.get(before.names.get(same(name), ""))
                if character is None:
                    continue
                one = character.id
            found[one] = None
            if type(event) is Renamed:
                changed[event.name] = one
    return tuple(found)


def seen_events(
    events: Iterable[Event | CompanyEvent], about: Iterable[str], secret: bool, table: Table
) -> tuple[Event | CompanyEvent, ...]:
    """What players may see of one entry's events, with the table as it is now.

    `about` holds the ids of the characters concerned, in the order the events name them, as `hidden_id` if an enemy was
    hidden then; `secret` says that one was. An enemy who was seen then but is hidden now is left out too.
    """
    hidden = {one.id for one in table.characters.values() if one.hidden}
    about = tuple(about)
    ids = tuple(one.removeprefix(_HIDDEN) for one in about)
    if not secret and hidden.isdisjoint(ids):
        shown = (event.without_secrets() for event in events)
    elif not secret or ids != about:
        hidden |= {one for one, told in zip(ids, about, strict=True) if one != told}
        shown = (_without_the_hidden(event, borne, hidden) for event, borne in _bearers(events, ids))
    else:
        # Old entries do not say which of them was hidden. If there is only one, that is the one.
        bearers = _bearers(events, () if len(ids) == 1 else ids)
        shown = (_known_to_all(event, borne, table) for event, borne in bearers)
    return tuple(event for event in shown if event is not None)


def _bearers(
    events: Iterable[Event | CompanyEvent], about: Iterable[str]
) -> Iterator[tuple[Event | CompanyEvent, Mapping[str, str]]]:
    """Each event of an entry, with the id behind each name when it happened.

    `about` holds the ids in the order the events name them. A name alone does not tell who was meant: somebody else may
    have it since, even within the entry.
    """
    left = [*about]
    ids: dict[str, str] = {}
    for event in events:
        if isinstance(event, CharacterAdded | Claimed | Released | RollKnown | RollSettled):
            ids[event.character] = event.id if event.id in left or event.id in ids.values() else ""
            if event.id in left:
                left.remove(event.id)
        for name in event.names():
            if name != ENEMY and name not in ids:
                ids[name] = left.pop(0) if left else ""
        yield event, dict(ids)
        if isinstance(event, Renamed):
            ids[event.name] = ids.pop(event.character)


def _without_the_hidden(
    event: Event | CompanyEvent, ids: Mapping[str, str], hidden: Collection[str]
) -> Event | CompanyEvent | None:
    """The event as told to those who must not know of the enemies with the ids `hidden`; None if they hear nothing."""
    told = event.known_without([one for one in event.names() if one != ENEMY and ids[one] in ("", *hidden)])
    return None if told is None else told.without_secrets()


def _known_to_all(event: Event | CompanyEvent, ids: Mapping[str, str], table: Table) -> Event | CompanyEvent | None:
    """What everyone may know of the event, if any enemy in it may have been the hidden one; None if nothing."""

    def is_known(name: str) -> bool:
        """Whether everyone may know of the character who had this name then, and still has it."""
        if name == ENEMY:
            return True
        one = table.characters.get(name)
        if one is None or one.id != ids.get(name):
            return False
        # An id may go to another character once its first one's arrival is taken back.
        if isinstance(event, CharacterAdded) and event.side != one.side:
            return False
        # A character's place in the order is seen as soon as the character is.
        return not one.hidden if isinstance(event, TurnsBegun | Reordered) else not one.is_enemy

    told = event.known_without([name for name in event.names() if not is_known(name)])
    return None if told is None else told.without_secrets()
