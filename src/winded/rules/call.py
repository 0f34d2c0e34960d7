"""Calls for a Check: the Referee asks one, some or all for it, against a target that all see or a secret one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, ClassVar

from msgspec.structs import replace

from winded.errors import Refused
from winded.rules.command import Command, Event, Rule
from winded.rules.fields import Text, Total, Who, several
from winded.rules.room import Room
from winded.rules.table import Call, Character, Table, is_aside
from winded.sentence import Fact, Sentence, sentence


class CheckCalled(Event, frozen=True, tag="check_called"):
    """The Referee called for a Check. A `secret` target is told to nobody else."""

    characters: tuple[str, ...]
    target: int | None = None
    secret: bool = False
    strain: str | None = None
    pushable: bool = True
    what: str | None = None

    RULE: ClassVar[str] = "ruling.call"

    def names(self) -> tuple[str, ...]:
        return self.characters

    def known_without(self, hidden: Collection[str]) -> CheckCalled | None:
        known = tuple(name for name in self.characters if name not in hidden)
        return replace(self, characters=known) if known else None

    def without_secrets(self) -> CheckCalled:
        return replace(self, target=None) if self.secret else self

    def evolve(self, table: Table) -> Table:
        ids = tuple(table.characters[name].id for name in self.characters)
        call = Call(table.calls + 1, ids, self.target, self.secret, self.strain, self.pushable, self.what)
        return replace(table, call=call, calls=table.calls + 1)

    def tell(self) -> Sentence:
        about = ": ".join(text for text in (self.what, self.strain) if text is not None)
        facts: dict[str, Fact] = {"names": self.characters, "target": self.target, "about": about}
        return self._told(facts) if self.pushable else sentence("{call} It cannot be pushed.", call=self._told(facts))

    def _told(self, facts: dict[str, Fact]) -> Sentence:
        if self.target is None and not self.secret:
            if facts["about"]:
                return sentence("The Referee calls for a Check ({about}): {names}.", **facts)
            return sentence("The Referee calls for a Check: {names}.", **facts)
        if self.target is None:
            if facts["about"]:
                return sentence("The Referee calls for a Check against a secret target ({about}): {names}.", **facts)
            return sentence("The Referee calls for a Check against a secret target: {names}.", **facts)
        if self.secret:
            if facts["about"]:
                return sentence(
                    "The Referee calls for a Check against {target}, kept secret ({about}): {names}.", **facts
                )
            return sentence("The Referee calls for a Check against {target}, kept secret: {names}.", **facts)
        if facts["about"]:
            return sentence("The Referee calls for a Check against {target} ({about}): {names}.", **facts)
        return sentence("The Referee calls for a Check against {target}: {names}.", **facts)


class CallClosed(Event, frozen=True, tag="call_closed"):
    """The call ended for these, who had not declared."""

    characters: tuple[str, ...]

    RULE: ClassVar[str] = "ruling.call"

    def names(self) -> tuple[str, ...]:
        return self.characters

    def known_without(self, hidden: Collection[str]) -> CallClosed | None:
        known = tuple(name for name in self.characters if name not in hidden)
        return replace(self, characters=known) if known else None

    def evolve(self, table: Table) -> Table:
        call = table.call
        assert call is not None
        left = (table.characters[name].id for name in self.characters)
        return table.with_call(replace(call.without(*left), closed=True))

    def tell(self) -> Sentence:
        return sentence("The call for a Check is over for {names}.", names=self.characters)


class CallCheck(Command, frozen=True, tag="call_check"):
    """The Referee calls for a Check: everyone of the party who takes part, or `characters` only.

    Whoever is called may push it before the roll if it is `pushable`. A `secret` target is the Referee's alone.
    Refused: "not-found", `ruling.aside`, `push.before-roll` for someone with an open Check, "not-now".
    """

    characters: Annotated[tuple[Who, ...], several(1, 200)] | None = None
    target: Total | None = None
    secret: bool = False
    strain: Text | None = None
    pushable: bool = True
    what: Text | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        called = self._called(table)
        for one in called:
            if one.aside:
                raise is_aside(one.name)
        for one in called:
            if one.open_check is not None:
                raise Refused(
                    "push.before-roll",
                    "{name} already has an open Check: roll it or withdraw it first.",
                    name=one.name,
                )
        if table.call is not None and table.call.waiting:
            raise Refused("not-now", "A call for a Check is still open: close it first, or let everyone roll.")
        if not called:
            raise Refused("not-now", "There is nobody to call for a Check.")
        names = tuple(one.name for one in called)
        return (CheckCalled(names, self.target, self.secret, self.strain, self.pushable, self.what),)

    def _called(self, table: Table) -> tuple[Character, ...]:
        if self.characters is None:
            return tuple(table.taking_part())
        return tuple({one.id: one for one in map(table.character, self.characters)}.values())

    def label(self) -> Sentence:
        return sentence("Call for a Check")


class CloseCall(Command, frozen=True, tag="close_call"):
    """Ends the call for those who have not declared; the others still roll. Refused: "not-now"."""

    def decide(self, table: Table) -> tuple[Event, ...]:
        call = table.call
        if call is None or not call.waiting:
            raise Refused("not-now", "There is no open call for a Check.")
        waiting = [table.characters[table.names[one]] for one in call.waiting]
        left = tuple(one.name for one in waiting if one.open_check is None)
        if not left:
            raise Refused("not-now", "Everyone called has declared a Check, and still has to roll or withdraw it.")
        return (CallClosed(left),)

    def label(self) -> Sentence:
        return sentence("Close the call")


ROOM = Room(
    rules=(
        Rule(
            "ruling.call",
            lambda _: sentence(
                "A character called for a Check by the Referee may push it before the roll, if the Referee sees "
                "strain or danger in it. A secret target decides the result like any other."
            ),
        ),
    ),
    commands=(CallCheck, CloseCall),
    events=(CheckCalled, CallClosed),
)
