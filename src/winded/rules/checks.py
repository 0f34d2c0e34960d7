"""Checks and pushing them: Stamina spent before the roll for a better chance, where there is real strain or danger."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from winded.errors import Refused, RefusedTo
from winded.rules.aim import AtCall, AtCheck, check_the_call, check_the_check, the_check
from winded.rules.command import CharacterEvent, Command, Event, Option, Rule, dry_run
from winded.rules.fields import Figure, Text, Total, Who
from winded.rules.room import Room
from winded.rules.spending import Spending
from winded.rules.stamina import check_shown, pay, require
from winded.rules.table import Call, CalledRoll, Character, OpenCheck, Table, is_aside
from winded.rules.term import Term
from winded.sentence import Sentence, sentence

STRAINS: tuple[Sentence, ...] = (
    sentence("breaking down a stuck door before enemies get there"),
    sentence("a fast climb under fire"),
    sentence("pulling an ally out of danger"),
    sentence("keeping up the pace in a chase"),
    sentence("keeping a gate shut against pressure"),
    sentence("enduring the cold"),
    sentence("enduring hunger"),
    sentence("fighting off poison"),
    sentence("bearing pain"),
    sentence("mastering fear"),
    sentence("carrying on despite Exhaustion"),
    sentence("carrying on through shock"),
    sentence("carrying on with an injury"),
    sentence("carrying on through terror"),
)
"""Strains to pick from (`push.strain`); people write their own as well."""


PUSHES = Spending(
    "push",
    told=sentence("pushing Checks"),
    title=sentence("Pushes"),
    rule="push.bonus",
    permission="pushes",
    habit="push",
)


class CheckDeclared(CharacterEvent, frozen=True, tag="check_declared"):
    """Someone declared a Check; what was pushed is spent."""

    push: int
    cost: int
    leaves: int
    bonus: int
    strain: str | None = None
    target: int | None = None
    SPENDING: ClassVar[Spending | None] = PUSHES

    @property
    def rule(self) -> str:
        return "push.bonus" if self.push else "zero.acts-normally"

    def evolve(self, table: Table) -> Table:
        return table.with_character(
            replace(
                table.characters[self.character],
                stamina=self.leaves,
                open_check=OpenCheck(self.push, self.bonus, self.strain, self.target),
            )
        )

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "cost": self.cost,
            "bonus": self.bonus,
            "leaves": self.leaves,
            "strain": self.strain,
            "target": self.target,
        }
        if not self.push:
            if self.strain is None and self.target is None:
                return sentence("{name} declares a Check without a push.", **facts)
            if self.strain is None:
                return sentence("{name} declares a Check against {target} without a push.", **facts)
            if self.target is None:
                return sentence("{name} declares a Check ({strain}) without a push.", **facts)
            return sentence("{name} declares a Check against {target} ({strain}) without a push.", **facts)
        if self.strain is None and self.target is None:
            return sentence("{name} pushes a Check: {cost} Stamina for +{bonus}, {leaves} left.", **facts)
        if self.strain is None:
            return sentence(
                "{name} pushes a Check against {target}: {cost} Stamina for +{bonus}, {leaves} left.", **facts
            )
        if self.target is None:
            return sentence("{name} pushes a Check ({strain}): {cost} Stamina for +{bonus}, {leaves} left.", **facts)
        return sentence(
            "{name} pushes a Check against {target} ({strain}): {cost} Stamina for +{bonus}, {leaves} left.", **facts
        )


class CheckResolved(CharacterEvent, frozen=True, tag="check_resolved"):
    """A Check was rolled: its total is roll + bonus; with a target, whether that was enough.

    Whether it was is also said where the target is the Referee's secret, and then the target is not.
    """

    roll: int
    bonus: int
    total: int
    target: int | None = None
    success: bool | None = None

    RULE: ClassVar[str] = "push.lost"

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        call = table.called(character)
        table = table.with_character(replace(character, open_check=None))
        if call is None:
            return table
        rolled = CalledRoll(character.id, self.total, self.success)
        return table.with_call(replace(call.without(character.id), rolled=(*call.rolled, rolled)))

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "roll": self.roll,
            "bonus": self.bonus,
            "total": self.total,
            "target": self.target,
        }
        if self.success is None:
            return sentence("{name}'s Check: {roll} + {bonus} = {total}.", **facts)
        if self.target is None:
            if self.success:
                return sentence("{name}'s Check: {roll} + {bonus} = {total}, a success.", **facts)
            return sentence("{name}'s Check: {roll} + {bonus} = {total}, a failure.", **facts)
        if self.success:
            return sentence("{name}'s Check: {roll} + {bonus} = {total} against {target}, a success.", **facts)
        return sentence("{name}'s Check: {roll} + {bonus} = {total} against {target}, a failure.", **facts)


class CheckWithdrawn(CharacterEvent, frozen=True, tag="check_withdrawn"):
    """A Check was withdrawn before the roll; of what was pushed so much came back, up to the maximum."""

    returned: int
    stamina: int
    reason: str | None = None
    push: int = 0

    RULE: ClassVar[str] = "ruling.withdraw"
    SPENDING: ClassVar[Spending | None] = PUSHES

    @property
    def spent(self) -> int:
        return -self.returned

    @property
    def spent_times(self) -> int:
        return -int(0 < self.push == self.returned)

    def evolve(self, table: Table) -> Table:
        character = table.characters[self.character]
        call = table.called(character)
        table = table.with_character(replace(character, stamina=self.stamina, open_check=None))
        return table if call is None or not call.closed else table.with_call(call.without(character.id))

    def tell(self) -> Sentence:
        facts = {
            "name": self.character,
            "returned": self.returned,
            "stamina": self.stamina,
            "reason": self.reason,
            "push": self.push,
        }
        if not self.push:
            if self.reason is None:
                return sentence("{name}'s Check is withdrawn.", **facts)
            return sentence("{name}'s Check is withdrawn ({reason}).", **facts)
        if self.returned < self.push:
            if self.reason is None:
                return sentence(
                    "{name}'s Check is withdrawn: {returned} of {push} Stamina comes back, to the maximum, {stamina}.",
                    **facts,
                )
            return sentence(
                "{name}'s Check is withdrawn ({reason}): {returned} of {push} Stamina comes back, to the maximum, "
                "{stamina}.",
                **facts,
            )
        if self.reason is None:
            return sentence("{name}'s Check is withdrawn: {returned} Stamina comes back, {stamina} now.", **facts)
        return sentence(
            "{name}'s Check is withdrawn ({reason}): {returned} Stamina comes back, {stamina} now.", **facts
        )


class DeclareCheck(Command, frozen=True, tag="declare_check"):
    """Declare a Check and the push on it (0 to 99 Stamina), spent now. One open Check a character.

    Whoever is called for a Check declares that one: the call's target is its target, and the call's strain what makes
    it hard unless another is given.
    Refused: "not-found", "not-allowed", `ruling.aside`, `push.before-roll`, `push.strain`, "not-now", "cost-changed",
    `zero.no-spending`, `push.bonus`.
    """

    character: Who
    push: Figure = 0
    strain: Text | None = None
    target: Total | None = None
    cost: Figure | None = None
    at: AtCall | None = None

    @property
    def spending(self) -> Spending | None:
        return PUSHES if self.push else None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character = table.characters.get(self.character) or table.character(self.character)
        push = self.push
        if push and table.ruleset.spends is not None:
            require(table.ruleset, PUSHES)
        if character.aside:
            raise is_aside(character.name)
        if character.open_check is not None:
            raise RefusedTo(
                "push.before-roll",
                "{name} already has an open Check: roll it or withdraw it first.",
                character.name,
            )
        strain, target = self.strain, self.target
        if table.call is not None:
            call = table.called(character)
            if call is not None:
                strain, target = self._for_call(call, character)
        if self.at is not None:
            check_the_call(self.at, character, table.called(character))
        if push:
            leaves = pay(character, push, self.cost, "push.bonus")
        else:
            check_shown(0, self.cost)
            leaves = character.stamina
        return (CheckDeclared(character.name, push, push, leaves, push * table.ruleset.push.bonus, strain, target),)

    def _for_call(self, call: Call, character: Character) -> tuple[str | None, int | None]:
        """What makes the Check hard, and the target that may be told of, as the Referee called for it."""
        if self.push and not call.pushable:
            raise RefusedTo(
                "push.strain",
                "{name} cannot push this Check: the Referee sees no strain or danger in it.",
                character.name,
            )
        if self.target is not None and (call.secret or self.target != call.target):
            raise RefusedTo("not-now", "The Referee has called {name} for a Check and sets its target.", character.name)
        return self.strain or call.strain, None if call.secret else call.target

    def aimed(self, table: Table) -> DeclareCheck:
        call = table.called(table.character(self.character))
        return replace(self, at=AtCall(None if call is None else call.number))

    def label(self) -> Sentence:
        return sentence("Push a Check") if self.push else sentence("Check")


class ResolveCheck(Command, frozen=True, tag="resolve_check"):
    """The roll of an open Check (-999 to 999, before the push).

    Refused: "not-found", `ruling.aside`, "not-now".
    """

    character: Who
    roll: Total
    at: AtCheck | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character, check = _open_check(table, self.character, self.at)
        total = self.roll + check.bonus
        call = table.called(character)
        target = call.target if call is not None and call.secret else check.target
        success = None if target is None else total >= target
        return (CheckResolved(character.name, self.roll, check.bonus, total, check.target, success),)

    def aimed(self, table: Table) -> ResolveCheck:
        check = table.character(self.character).open_check
        return self if check is None else replace(self, at=the_check(check))

    def label(self) -> Sentence:
        return sentence("Enter the roll")


class WithdrawCheck(Command, frozen=True, tag="withdraw_check"):
    """Take an open Check back before its roll; what was pushed returns, up to the maximum.

    Refused: "not-found", `ruling.aside`, "not-now".
    """

    character: Who
    reason: Text | None = None
    at: AtCheck | None = None

    def decide(self, table: Table) -> tuple[Event, ...]:
        character, check = _open_check(table, self.character, self.at)
        stamina = _withdrawn(character, check)
        return (CheckWithdrawn(character.name, stamina - character.stamina, stamina, self.reason, check.push),)

    def aimed(self, table: Table) -> WithdrawCheck:
        check = table.character(self.character).open_check
        return self if check is None else replace(self, at=the_check(check))

    def label(self) -> Sentence:
        return sentence("Withdraw the Check")


def _withdrawn(character: Character, check: OpenCheck) -> int:
    """The Stamina after an open Check is withdrawn: what was pushed is back, up to the maximum."""
    return min(character.stamina + check.push, character.maximum)


def _open_check(table: Table, who: str, at: AtCheck | None) -> tuple[Character, OpenCheck]:
    character = table.character(who)
    if character.aside:
        raise is_aside(character.name)
    if character.open_check is None:
        raise Refused("not-now", "{name} has no open Check.", name=character.name)
    if at is not None:
        check_the_check(at, character, character.open_check)
    return character, character.open_check


RULES = (
    Rule("push.before-roll", lambda _: sentence("A push is declared before the roll."), ("spends.push",)),
    Rule(
        "push.bonus",
        lambda ruleset: sentence("Each Stamina pushed adds +{bonus} to the Check.", bonus=ruleset.push.bonus),
        ("push.bonus", "spends.push"),
    ),
    Rule("push.lost", lambda _: sentence("What was pushed is gone, success or failure."), ("spends.push",)),
    Rule("push.checks-only", lambda _: sentence("Nothing but a Check can be pushed."), ("spends.push",)),
    Rule(
        "push.strain",
        lambda _: sentence("Only real strain or danger allows a push; the Referee judges that."),
        ("spends.push",),
    ),
    Rule(
        "push.fiction",
        lambda _: sentence(
            "Stamina buys a better chance, not success. Planning, tools, position and taking time are no strain: the "
            "fiction deals with them."
        ),
        ("spends.push",),
    ),
    Rule(
        "ruling.withdraw",
        lambda _: sentence(
            "A push the Referee does not accept is withdrawn before the roll, and its Stamina comes back, up to the "
            "maximum; after the roll it never does."
        ),
        ("spends.push",),
    ),
)

_unpushed = lru_cache(maxsize=4096)(DeclareCheck)
_withdraw = lru_cache(maxsize=4096)(WithdrawCheck)


@lru_cache(maxsize=4096)
def _pushed(name: str) -> DeclareCheck:
    return DeclareCheck(name, 1)


@lru_cache(maxsize=4096)
def _resolve(name: str) -> ResolveCheck:
    return ResolveCheck(name, 0)


def options(table: Table, character: Character) -> tuple[Option, ...]:
    """A Check without a push, a pushed one, and what can be done with an open one."""
    name, stamina, check = character.name, character.stamina, character.open_check
    declared = (
        dry_run(table, _unpushed(name), stamina, 0),
        dry_run(table, _pushed(name), stamina, 1, None, "push", stamina),
    )
    if check is None:
        return declared
    return (
        *declared,
        dry_run(table, _resolve(name), stamina, 0),
        dry_run(table, _withdraw(name), _withdrawn(character, check), 0),
    )


TERMS = (
    Term(
        "check",
        sentence("Check"),
        sentence("A roll for something that may fail. Its total must reach a target."),
        ("push.checks-only",),
    ),
    Term(
        "push",
        sentence("Push"),
        sentence("Extra effort in a Check, paid for in Stamina before the roll."),
        ("push.bonus", "push.before-roll", "push.lost", "push.strain", "ruling.withdraw"),
        PUSHES,
    ),
)

ROOM = Room(
    rules=RULES,
    commands=(DeclareCheck, ResolveCheck, WithdrawCheck),
    events=(CheckDeclared, CheckResolved, CheckWithdrawn),
    options=options,
    spending=PUSHES,
    terms=TERMS,
)
