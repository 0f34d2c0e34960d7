"""How one speaks to a table: commands ask, events tell what happened, refusals why not, options what may be asked.

A command's `decide` holds the rule and answers with events, or raises `Refused`; an event holds the resulting
figures and its `evolve` writes them down without deciding anything; an option is a dry run of `decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from winded.errors import Refused
from winded.rules.fields import Checked, named
from winded.rules.spending import Spending
from winded.sentence import Sentence, sentence

if TYPE_CHECKING:
    from winded.rules.ruleset import Ruleset
    from winded.rules.table import Table


class Event(Struct, frozen=True, gc=False, tag_field="event", omit_defaults=True):
    """Something that happened at a table, with its figures."""

    RULE: ClassVar[str]
    SPENDING: ClassVar[Spending | None] = None

    @property
    def rule(self) -> str:
        """The id of the rule or ruling that this event is told under; "table" for what the rules leave to the table."""
        return self.RULE

    @property
    def spending(self) -> Spending | None:
        """The way of spending that this tells of, if of any."""
        return self.SPENDING

    @property
    def spent(self) -> int:
        """The Stamina that was paid, below 0 for what came back of it; 0 for what tells of no spending."""
        paid: int = getattr(self, "cost", 0) if self.SPENDING is not None else 0
        return paid

    @property
    def spent_times(self) -> int:
        """How often that was: 1 for a payment, -1 where a whole one came back."""
        return int(self.spent > 0)

    def names(self) -> tuple[str, ...]:
        """The characters it concerns, as they were called when it happened, in the order in which it tells of them."""
        raise NotImplementedError

    def known_without(self, hidden: Collection[str]) -> Event | None:
        """The event as it is told to those who must not know of these characters; None where they hear nothing."""
        return self if all(name not in hidden for name in self.names()) else None

    def without_secrets(self) -> Event | None:
        """The event as all but the Referee hear it, whomever it concerns; None where they hear nothing of it."""
        return self

    def evolve(self, table: Table) -> Table:
        """The table after this event. Never refuses and never decides."""
        raise NotImplementedError

    def tell(self) -> Sentence:
        """What happened, as a sentence for the history."""
        raise NotImplementedError


class CharacterEvent(Event, frozen=True):
    """Something that happened to one character."""

    character: str

    def names(self) -> tuple[str, ...]:
        return (self.character,)


class Command(Checked, frozen=True, gc=False, tag_field="do", omit_defaults=True):
    """Something asked of a table. Making one with a wrong field raises Malformed, which names the field."""

    SPENDING: ClassVar[Spending | None] = None

    @property
    def spending(self) -> Spending | None:
        """The way of spending that this asks for, if any."""
        return self.SPENDING

    def names(self) -> tuple[str, ...]:
        """The characters that this names, by name or id: whatever stands in its fields for them."""
        return named(self)

    def decide(self, table: Table) -> tuple[Event, ...]:
        """The events that follow at this table; raises Refused where the rules say no."""
        raise NotImplementedError

    def aimed(self, table: Table) -> Command:
        """The same, meant for the table as it now is and no other; it says so in `at`, where it has that field."""
        return self

    def label(self) -> Sentence:
        """What this asks for, short enough for a button."""
        raise NotImplementedError


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why something is refused, in data: the rule's id, a sentence, and Stamina needed and held if it is lacking."""

    rule: str
    message: str
    needs: int | None = None
    has: int | None = None

    @staticmethod
    def of(no: Refused) -> Refusal:
        """The same in data, in English."""
        return Refusal(no.rule, str(no), no.needs, no.has)


class Option(Struct, frozen=True, gc=False):
    """Something a character could ask for now.

    `cost` and `leaves` are Stamina, 0 to maximum; `next_cost` is what the same would cost the next time, where that
    changes. Where `amount` names a field of the command ("stamina" or "push"), any figure from the command's own up to
    `most` may stand in it, each at one Stamina more. `refused` says why not; then nothing is spent.
    """

    command: Command
    cost: int
    leaves: int
    next_cost: int | None = None
    amount: str | None = None
    most: int = 0
    refused: Refused | None = None

    @property
    def label(self) -> Sentence:
        """What it is, short enough for a button."""
        return self.command.label()

    @property
    def amounts(self) -> tuple[tuple[int, int], ...]:
        """Each figure that may stand in the field `amount`, with the Stamina it leaves; none where it is refused."""
        if self.amount is None or self.refused is not None:
            return ()
        return tuple((figure, self.leaves + self.cost - figure) for figure in range(self.cost, self.most + 1))

    @property
    def refusal(self) -> Refusal | None:
        """Why it is not possible now, or None if it is."""
        return None if self.refused is None else Refusal.of(self.refused)


def _always(ruleset: Ruleset) -> bool:
    return True


class Rule(Struct, frozen=True):
    """A rule as `winded rules` prints it: its id, the settings it depends on, and its sentence under a ruleset.

    A rule whose settings name a way of spending ("spends.react") is in force only where there is that way; `when` says
    what else it takes. Ids that begin with "ruling." are rulings of ours where the page is silent; the others are the
    page's.
    """

    id: str
    told: Callable[[Ruleset], Sentence]
    settings: tuple[str, ...] = ()
    when: Callable[[Ruleset], bool] = _always

    @property
    def is_ruling(self) -> bool:
        """True for a ruling, False for a rule of the page."""
        return self.id.startswith("ruling.")

    def is_house_rule(self, ruleset: Ruleset) -> bool:
        """Whether something that the rule depends on differs from the page's."""
        return any(ruleset.is_house_rule(path) for path in self.settings)

    def says(self, ruleset: Ruleset) -> Sentence:
        """The rule as it is under this ruleset, or that there is none."""
        if self.is_in_force(ruleset):
            return self.told(ruleset)
        return sentence("The house rules leave this out.")

    def is_in_force(self, ruleset: Ruleset) -> bool:
        """Whether there is anything under this ruleset that the rule is about."""
        spends = all(ruleset.setting(path) for path in self.settings if path.startswith("spends."))
        return spends and self.when(ruleset)


def dry_run(
    table: Table,
    command: Command,
    stamina: int,
    cost: int,
    next_cost: int | None = None,
    amount: str | None = None,
    most: int = 0,
) -> Option:
    """The option of a command: what its `decide` says now, to someone who has so much Stamina.

    What the option allows, the table does, and nothing else.
    """
    try:
        command.decide(table)
    except Refused as no:
        # An option is kept for as long as someone looks at it; the frames of its dry run, and all they hold, are not.
        no.__traceback__ = None
        return Option(command, cost, stamina, next_cost, amount, most, no)
    return Option(command, cost, stamina - cost, next_cost, amount, most)
