"""House rules as they are filled in where a table is set up: a field for each figure, with the page's own in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from winded.rules import PAGE, SPENDINGS, RestKind, Ruleset, rest_name, ruleset_from
from winded.sentence import Sentence, sentence

FIELD = "rules."
"""What the name of such a field begins with in a form; the path of the setting follows."""


class Setting(Struct, frozen=True):
    """A figure of the rules that a house may set otherwise: where it stands, what it is called, what it is by the page.

    `least` and `most` are the range of a whole number, None where other things may stand there too. `choices` are the
    few words that may stand there. `example` is one that is not the page's, where nothing stands by the page.
    """

    path: str
    label: Sentence
    least: int | None = None
    most: int | None = None
    choices: tuple[tuple[str, Sentence], ...] = ()
    example: str = ""

    @property
    def name(self) -> str:
        """The name of its field in a form."""
        return FIELD + self.path

    @property
    def by_the_page(self) -> str:
        """What stands there by the page, as one would write it."""
        return _written(_found(self.path))


class Group(Struct, frozen=True):
    """Settings that belong together."""

    title: Sentence
    settings: tuple[Setting, ...]
    hint: Sentence | None = None


GROUPS: tuple[Group, ...] = (
    Group(
        sentence("Maximum Stamina"),
        tuple(
            Setting(f"dice.{die}", sentence("CON Ability Die {die}", die=die), 1, 99) for die in reversed(PAGE.ladder)
        ),
    ),
    Group(
        sentence("Acting early"),
        (
            Setting("early.cost", sentence("Costs"), 0, 99),
            Setting("early.limit", sentence("Rounds of one combat, at most (empty: every round)"), 1, 99, example="2"),
        ),
    ),
    Group(
        sentence("Reactions"),
        (
            Setting("reactions.costs", sentence("The first cost")),
            Setting("reactions.further", sentence("Each further one costs more by"), 0, 99),
            Setting(
                "reactions.resets",
                sentence("The cost starts again"),
                choices=(
                    ("own-turn", sentence("as their own turn begins")),
                    ("round", sentence("as each round begins")),
                    ("never", sentence("only when combat ends")),
                ),
            ),
        ),
        sentence("Several first costs are separated by commas: with 1, 1, 2 the third reaction costs 2."),
    ),
    Group(
        sentence("Turns"),
        (
            Setting(
                "own_order",
                sentence("Players of one group"),
                choices=(
                    ("no", sentence("keep the order they joined in")),
                    ("yes", sentence("may let the next one go first")),
                ),
            ),
            Setting(
                "enemies",
                sentence("Enemies act"),
                choices=(
                    ("each", sentence("each on a turn of its own")),
                    ("together", sentence("together in one turn")),
                ),
            ),
        ),
    ),
    Group(sentence("Pushing a Check"), (Setting("push.bonus", sentence("Each Stamina adds"), 1, 99),)),
    Group(
        sentence("Rest"),
        (
            *(Setting(f"rest.{kind.value}", rest_name(kind)) for kind in RestKind),
            Setting(
                "rest.rounding",
                sentence("A share is rounded"),
                choices=(
                    ("down", sentence("down")),
                    ("up", sentence("up")),
                    ("nearest", sentence("to the nearest")),
                ),
            ),
            Setting("rest.minimum", sentence("A rest recovers at least"), 0, 99),
        ),
        sentence("What comes back: a number such as 2, a share of the maximum such as 1/2, or “all”."),
    ),
    Group(
        sentence("Wounds"),
        (
            Setting(
                "below_lowest",
                sentence("A CON Wound at the lowest die"),
                choices=(
                    ("stay", sentence("counts, and the die stays")),
                    ("refuse", sentence("is refused")),
                    ("zero", sentence("takes the last die: maximum 0")),
                ),
            ),
        ),
    ),
)
"""Every setting but the name and the ways to spend. Another ladder of dice is for a TOML file."""

SETTINGS: tuple[Setting, ...] = tuple(one for group in GROUPS for one in group.settings)
"""The same, one after the other."""

_YES_NO = {"yes": True, "no": False}


def ruleset_filled_in(form: Mapping[str, str], spends: list[str] | None) -> Ruleset:
    """The rules that the fields of a form say; a field that is left out or empty is as by the page.

    `spends` are the words of the ways to spend that were ticked, None where nobody was asked. Raises Malformed, whose
    field is the path of the setting.
    """
    data: dict[str, Any] = {} if spends is None else {"spends": spends}
    for one in SETTINGS:
        text = form.get(one.name, "").strip()
        if text and text != one.by_the_page:
            *above, last = one.path.split(".")
            at = data
            for part in above:
                at = at.setdefault(part, dict(PAGE.dice) if part == "dice" else {})
            at[last] = _read(one, text)
    name = form.get(FIELD + "name", "").strip()
    ruleset = ruleset_from(data)
    return ruleset_from({**data, "name": name}) if name and ruleset != PAGE else ruleset


def ways_to_spend() -> list[tuple[str, Sentence]]:
    """Every way to spend Stamina: its word, and how people read it."""
    return [(one.word, one.title) for one in SPENDINGS]


def _read(setting: Setting, text: str) -> object:
    if setting.path == "reactions.costs":
        return [_number(part.strip()) for part in text.split(",")]
    if type(_found(setting.path)) is bool:
        return _YES_NO.get(text, text)
    return text if setting.choices else _number(text)


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else text


def _written(value: object) -> str:
    if isinstance(value, bool):
        return next(word for word, means in _YES_NO.items() if means is value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _found(path: str) -> object:
    die = path.removeprefix("dice.")
    return PAGE.dice[die] if die != path else PAGE.setting(path)
