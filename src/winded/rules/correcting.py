"""Putting the past right: what was forgotten is played where it belongs, and what followed is played again.

A `Table` is a value and remembers nothing, so it is the history kept beside it that plays the past again; here are the
words in which one asks and is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from winded.errors import Malformed, Refused
from winded.rules.command import Command, Event, Rule
from winded.rules.fields import Checked, FieldKind, malformed, several, whole_number
from winded.rules.room import Room
from winded.rules.table import Call, Character, Combat, Table
from winded.rules.undoing import EntryNumber
from winded.sentence import Sentence, sentence, sentences

if TYPE_CHECKING:
    SomePlayed: TypeAlias = Command
    SomeTold: TypeAlias = Event
# Otherwise the hallway sets both: every command and event of the other rooms.

MOST_COMMANDS = 20
"""So many commands may be put in at one place."""

ABOUT_HISTORY = ("undo", "redo", "correct")
"""The commands about the history itself: they stand alone."""


def _allowed(most: int, least: int = 0) -> Sentence:
    if least:
        return sentence("a list of {least} to {most} commands, none of them about the history", least=least, most=most)
    return sentence("a list of at most {most} commands, none of them about the history", most=most)


def played_from(value: object, path: str, most: int, *, least: int = 0) -> tuple[Command, ...]:
    """A list of `least` to `most` commands from plain data, none of them `undo`, `redo` or `correct`.

    Raises Malformed that names the place in the list and the field.
    """
    from winded.rules.reading import command_from

    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        raise malformed(path, _allowed(most, least), value)
    found: list[Command] = []
    for at, one in enumerate(value):
        where = f"{path}[{at}]"
        try:
            command = one if isinstance(one, Command) else command_from(one)
        except Malformed as wrong:
            field = f"{where}.{wrong.field}" if wrong.field else where
            raise Malformed(field, wrong.text, **{**wrong.facts, "field": field}) from wrong
        if command.__struct_config__.tag in ABOUT_HISTORY:
            raise malformed(where, _allowed(most, least), {"do": command.__struct_config__.tag})
        found.append(command)
    return tuple(found)


def _commands(value: object, path: str) -> tuple[Command, ...]:
    return played_from(value, path, MOST_COMMANDS)


_COMMANDS = Meta(
    description="Commands, played in this order.",
    extra_json_schema={"maxItems": MOST_COMMANDS},
    extra={"kind": FieldKind(_commands, _allowed(MOST_COMMANDS), 0, MOST_COMMANDS)},
)
Played = Annotated[tuple["SomePlayed", ...], _COMMANDS]
AnyNumber = Annotated[int, whole_number(0, 2**53 - 1, "The number of an entry of the history, 0 for before the first.")]


class Instead(Checked, frozen=True):
    """What should have happened in place of the act of this entry."""

    entry: EntryNumber
    commands: Played


class Changed(Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody's Stamina and maximum as they were and as they are now; None where the character was, or is, not there.

    They are called as they were before it was put right, or as they are since where they were not there.
    """

    character: str
    was: int | None = None
    stamina: int | None = None
    was_maximum: int | None = None
    maximum: int | None = None

    def tell(self) -> Sentence:
        """What has become of them."""
        facts = {
            "name": self.character,
            "was": self.was,
            "stamina": self.stamina,
            "was_maximum": self.was_maximum,
            "maximum": self.maximum,
        }
        if self.was is None:
            return sentence("{name} now sits at the table: {stamina} of {maximum} Stamina.", **facts)
        if self.stamina is None:
            return sentence("{name} no longer sits at the table.", **facts)
        if self.maximum != self.was_maximum:
            return sentence(
                "{name} now has {stamina} of {maximum} Stamina, not {was} of {was_maximum}.",
                **facts,
            )
        return sentence("{name} now has {stamina} Stamina, not {was}.", **facts)


class Became(Struct, frozen=True, gc=False):
    """What the act of this entry comes to since."""

    entry: int
    events: tuple[SomeTold, ...]


class PutRightState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The whole state that a correction leaves."""

    characters: tuple[Character, ...]
    combat: Combat | None = None
    seated: int = 0
    combats: int = 0
    call: Call | None = None
    calls: int = 0

    @staticmethod
    def of(table: Table) -> PutRightState:
        """What there is to keep of a table."""
        return PutRightState(
            tuple(table.characters.values()), table.combat, table.seated, table.combats, table.call, table.calls
        )


class PutRight(Event, frozen=True, tag="put_right"):
    """The past was put right: what was put in after entry `after` and who is another since.

    The Referee's are the whole account: which entries were left out, which came to something else, and the state. All
    others hear what was put in only where nothing of it was hidden from them (`is_open`); `concerns` are those whom
    that is about, as they were called when it was put right.
    """

    after: int
    changed: tuple[Changed, ...] = ()
    inserted: tuple[SomeTold, ...] = ()
    concerns: tuple[str, ...] = ()
    is_open: bool = False
    left_out: tuple[int, ...] = ()
    became: tuple[Became, ...] = ()
    state: PutRightState | None = None

    RULE: ClassVar[str] = "ruling.correct"

    def names(self) -> tuple[str, ...]:
        there = (one.character for one in self.changed if one.was is not None)
        return tuple(dict.fromkeys((*there, *self.concerns)))

    def known_without(self, hidden: Collection[str]) -> PutRight:
        if not hidden:
            return self
        return replace(
            self,
            changed=tuple(one for one in self.changed if one.was is not None and one.character not in hidden),
            inserted=(),
            concerns=tuple(name for name in self.concerns if name not in hidden),
            is_open=False,
        )

    def without_secrets(self) -> PutRight:
        inserted = (event.without_secrets() for event in (self.inserted if self.is_open else ()))
        return replace(
            self,
            inserted=tuple(event for event in inserted if event is not None),
            changed=self.changed if self.is_open else tuple(one for one in self.changed if one.was is not None),
            left_out=(),
            became=(),
            state=None,
        )

    def evolve(self, table: Table) -> Table:
        state = self.state
        assert state is not None
        seated = max(table.seated, state.seated)
        table = replace(table, call=None).with_characters(state.characters, state.combat, seated)
        return replace(table, call=state.call, calls=state.calls, combats=state.combats)

    def tell(self) -> Sentence:
        if self.after:
            told = [sentence("The past is put right, after entry {after}.", after=self.after)]
        else:
            told = [sentence("The past is put right, from the beginning.")]
        told += [event.tell() for event in self.inserted]
        if self.left_out:
            told.append(_left_out(self.left_out))
        told += [one.tell() for one in self.changed] or [sentence("Nobody's Stamina changes.")]
        return _row(told)


def _left_out(numbers: tuple[int, ...]) -> Sentence:
    entries = tuple(map(str, numbers))
    return sentences("Entry {entries} is left out.", "Entries {entries} are left out.", len(numbers), entries=entries)


def _row(told: Iterable[Sentence]) -> Sentence:
    first, *rest = told
    for one in rest:
        first = sentence("{told} {then}", told=first, then=one)
    return first


class Correct(Command, frozen=True, tag="correct"):
    """The Referee puts the past right: these commands after entry `after`, what followed played again.

    Rolls stay as they fell, costs follow the rules. `without` are the numbers of later entries to leave out, `instead`
    what should have happened in place of one. One entry, one undo; only where a history is kept.
    Refused: "not-found", as the commands put in are, `ruling.correct` where a later act is no longer possible, and
    "not-now".
    """

    after: AnyNumber
    commands: Played = ()
    without: Annotated[tuple[EntryNumber, ...], several(0, 200)] = ()
    instead: Annotated[tuple[Instead, ...], several(0, 50)] = ()

    def decide(self, table: Table) -> tuple[Event, ...]:
        raise Refused("not-now", "There is no history here to put right.")

    def label(self) -> Sentence:
        return sentence("Put the past right")


ROOM = Room(
    rules=(
        Rule(
            "ruling.correct",
            lambda _: sentence(
                "The Referee may put the past right: what should have happened is played where it belongs, what "
                "followed is played again with the rolls as they fell, and what is no longer possible is dropped in "
                "the open."
            ),
        ),
    ),
    commands=(Correct,),
    events=(PutRight,),
)
