"""Maximum Stamina, and what every way of spending shares: what is paid, what is too much, what having none means."""

from __future__ import annotations

from winded.errors import Refused, RefusedTo
from winded.rules.command import Rule
from winded.rules.room import Room
from winded.rules.ruleset import Ruleset
from winded.rules.spending import Spending
from winded.rules.table import AbilityDie, Character, Wound
from winded.rules.term import Term
from winded.sentence import Sentence, sentence


def die_after(ruleset: Ruleset, base: AbilityDie | None, wounds: tuple[Wound, ...]) -> AbilityDie | None:
    """The current CON Ability Die under these Wounds (`max.wound`, `ruling.wound-steps`, `ruling.below-lowest`)."""
    if base is None:
        return None
    ladder = ruleset.ladder
    rung = ladder.index(base) - sum(wound.steps for wound in wounds)
    if rung >= 0:
        return ladder[rung]
    return None if ruleset.below_lowest == "zero" else ladder[0]


def require(ruleset: Ruleset, spending: Spending) -> None:
    """Refuse, as "not-allowed", a way of spending that the rules in force do not have."""
    if ruleset.leaves_out(spending.word):
        raise Refused("not-allowed", "The rules at this table leave out {spend}.", spend=spending.told)


def check_shown(cost: int, shown: int | None) -> None:
    """Refuse, as "cost-changed", a command that was shown another cost: nobody pays more than the button said."""
    if shown is not None and shown != cost:
        raise Refused(
            "cost-changed", "This now costs {cost} Stamina, not {shown}. Nothing was spent.", cost=cost, shown=shown
        )


def pay(character: Character, cost: int, shown: int | None, rule: str, none_left: str = "zero.no-spending") -> int:
    """The Stamina left after paying `cost` (0 to 99).

    Refused as "cost-changed" if another cost was shown, as `none_left` with no Stamina at all, as `rule` with too
    little.
    """
    if shown is not None and shown != cost:
        check_shown(cost, shown)
    stamina = character.stamina
    if cost > stamina:
        raise RefusedTo(
            rule if stamina else none_left,
            "{name} has {has} Stamina; this costs {needs}.",
            character.name,
            cost,
            stamina,
        )
    return stamina - cost


def _dice(ruleset: Ruleset) -> Sentence:
    return sentence(
        "Maximum Stamina follows the current CON Ability Die: {dice}.",
        dice=", ".join(f"{die} → {ruleset.dice[die]}" for die in reversed(ruleset.ladder)),
    )


RULES = (
    Rule("max.die", _dice, ("dice",)),
    Rule(
        "ruling.start-full",
        lambda _: sentence("A new character begins at maximum Stamina unless another figure is given."),
    ),
)
RULES_AT_ZERO = (
    Rule(
        "zero.no-condition",
        lambda _: sentence(
            "Being at 0 Stamina is not a condition: nobody is Exhausted, Wounded, slowed or weakened by it."
        ),
    ),
    Rule(
        "zero.no-spending",
        lambda _: sentence("At 0 Stamina a character can choose nothing that costs Stamina."),
    ),
    Rule("zero.acts-normally", lambda _: sentence("At 0 Stamina a character can still do everything that is free.")),
)

TERMS = (
    Term(
        "stamina",
        sentence("Stamina"),
        sentence(
            "How much sudden effort a body still has in it. What costs Stamina is paid from it; rest gives it back."
        ),
        ("zero.no-spending", "zero.no-condition", "ruling.start-full"),
    ),
    Term(
        "con",
        sentence("CON Ability Die"),
        sentence("The die of a character's CON. It sets the most Stamina that the character can have."),
        ("max.die", "max.wound", "max.cut"),
    ),
)

ROOM = Room(rules=RULES, terms=TERMS)
ROOM_AT_ZERO = Room(rules=RULES_AT_ZERO)
