"""The page's figures and our rulings as data. House rules are another `Ruleset`, read from a TOML file.

Every figure the rooms use stands here once. `PAGE` is the page as we read it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from winded.errors import Malformed
from winded.rules.fields import Amount, Checked, Die, FieldKind, Figure, Name, malformed, several
from winded.sentence import sentence

_SHARE = "^([0-9]{1,2}/[1-9][0-9]?|all)$"
_WHAT_COMES_BACK = sentence("a whole number from 0 to 99, a share of the maximum such as “1/3”, or “all”")


def _comes_back(value: object, path: str) -> object:
    if type(value) is int and 0 <= value <= 99:
        return value
    if type(value) is str and re.fullmatch(_SHARE, value, re.ASCII) and (value == "all" or Fraction(value) <= 1):
        return value
    raise malformed(path, _WHAT_COMES_BACK, value)


Share = Annotated[
    str,
    Meta(description='A share of maximum Stamina, such as "1/3", or "all".', extra_json_schema={"pattern": _SHARE}),
]
ComesBack = Annotated[
    Figure | Share,
    Meta(
        description='Stamina as a whole number (0 to 99), a share of the maximum such as "1/3", or "all".',
        extra={"kind": FieldKind(_comes_back, _WHAT_COMES_BACK)},
    ),
]


class RestKind(StrEnum):
    """The kinds of rest."""

    SHORT = "short"
    UNSAFE_LONG = "unsafe_long"
    SAFE_LONG = "safe_long"
    RESPITE = "respite"


class Early(Checked, frozen=True):
    """Acting early (`early.cost`): its cost in Stamina, and in how many rounds of one combat a character may do it."""

    cost: Figure = 1
    limit: Amount | None = None


class Reactions(Checked, frozen=True):
    """The ladder of reaction costs (`reaction.cost`) and what takes it back to its foot (`reaction.reset`).

    `costs` are the first ones; each one after the last of them costs `further` more than the one before.
    """

    costs: Annotated[tuple[Figure, ...], several(1, 20)] = (1,)
    further: Figure = 1
    resets: Literal["own-turn", "round", "never"] = "own-turn"

    def cost(self, taken: int) -> int:
        """Stamina for the next reaction after `taken` of them (0 or more)."""
        costs = self.costs
        beyond = taken - len(costs) + 1
        return costs[taken] if beyond <= 0 else costs[-1] + self.further * beyond


class Pushes(Checked, frozen=True):
    """What each Stamina adds to a pushed Check (`push.bonus`)."""

    bonus: Amount = 1


class Rests(Checked, frozen=True):
    """What each rest brings back, how a share is rounded, and the least a rest recovers (`rest.rounding`)."""

    short: ComesBack = 1
    unsafe_long: ComesBack = "1/3"
    safe_long: ComesBack = "2/3"
    respite: ComesBack = "all"
    rounding: Literal["down", "up", "nearest"] = "down"
    minimum: Figure = 1

    def offered(self, kind: RestKind, maximum: int) -> int:
        """Stamina that a rest offers at this maximum, before the cap: rounded, and at least the minimum."""
        comes_back = getattr(self, kind)
        if comes_back == "all":
            return max(maximum, self.minimum)
        if isinstance(comes_back, int):
            return max(comes_back, self.minimum)
        share = Fraction(comes_back) * maximum
        whole = share.numerator // share.denominator
        if self.rounding == "up" and share > whole:
            whole += 1
        elif self.rounding == "nearest" and share - whole >= Fraction(1, 2):
            whole += 1
        return max(whole, self.minimum)


class Ruleset(Checked, frozen=True, dict=True, eq=False):
    """The rules in force at a table: the page's, or a house's. Immutable and hashable.

    `dice` gives the maximum Stamina (1 to 99) for each CON Ability Die; `below_lowest` is what a Wound does to a
    character whose die cannot fall further (`ruling.below-lowest`): "stay", "refuse" or "zero". With `own_order` the
    players arrange themselves within their group (`ruling.own-order`). `enemies` have a turn "each", or one "together"
    (`ruling.enemies-together`). `spends` are the words of the ways of spending there are at the table, None for every
    way there is.
    """

    name: Name = "The page"
    dice: Annotated[dict[Die, Amount], several(1, 20)] = msgspec.field(
        default_factory=lambda: {"d6": 6, "d8": 8, "d10": 10, "d12": 12}
    )
    early: Early = Early()
    reactions: Reactions = Reactions()
    push: Pushes = Pushes()
    rest: Rests = Rests()
    below_lowest: Literal["stay", "refuse", "zero"] = "stay"
    own_order: bool = False
    enemies: Literal["each", "together"] = "each"
    spends: Annotated[tuple[Name, ...], several(0, 50)] | None = None

    def check_together(self) -> None:
        ladder = self.ladder
        for lower, higher in pairwise(ladder):
            if self.dice[higher] < self.dice[lower]:
                raise Malformed(
                    f"dice.{higher}",
                    "“{field}” must be no less than the {least} of the smaller die {lower}; it is {value}.",
                    field=f"dice.{higher}",
                    lower=lower,
                    least=self.dice[lower],
                    value=self.dice[higher],
                )

    @cached_property
    def ladder(self) -> tuple[str, ...]:
        """The CON Ability Dice from the smallest to the largest."""
        return tuple(sorted(self.dice, key=lambda die: int(die[1:])))

    def leaves_out(self, spending: str) -> bool:
        """Whether these rules do not have this way of spending."""
        return self.spends is not None and spending not in self.spends

    @cached_property
    def _written(self) -> bytes:
        return msgspec.json.encode(self, order="deterministic")

    @cached_property
    def _hash(self) -> int:
        return hash(self._written)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ruleset) and self._written == other._written)

    def __ne__(self, other: object) -> bool:
        # A struct brings one of its own, which goes by identity.
        return not self == other

    def __hash__(self) -> int:
        return self._hash

    def maximum(self, die: str | None) -> int:
        """Maximum Stamina with this current CON Ability Die, 0 without one (`max.die`)."""
        return 0 if die is None else self.dice[die]

    def setting(self, path: str) -> object:
        """What stands at a path such as "rest.short"; "spends.react" says whether there is this way of spending."""
        found: object = self
        for part in path.split("."):
            found = not self.leaves_out(part) if path.startswith("spends.") else getattr(found, part)
        return found

    def is_house_rule(self, path: str) -> bool:
        """Whether the setting at this path differs from the page's."""
        return self.setting(path) != PAGE.setting(path)


PAGE = Ruleset()
"""The page's figures, with our rulings where it is silent."""
