"""Dice expressions, such as `1d20+con` or `2d12kh1+2`, rolled out into exact whole-number counts.

    sum    = ["-"] part { ("+" | "-") part }
    part   = number | dice | best
    dice   = [number] ("d" number | "con") [("kh" | "kl") [number]]
    best   = ("max" | "min") "(" sum { "," sum } ")"

`con` is the character's own CON Ability Die; `2conkh1` rolls it twice and keeps the higher. How a Check is rolled is
not on the page: a table says it with such an expression. What is too large is refused before anything is rolled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from winded.errors import Malformed
from winded.odds.dice.counting import Dice, added, best_of, kept, pool
from winded.sentence import Sentence, sentence

LONGEST = 200
"""Characters in an expression."""
MOST_DICE = 100
"""Dice in one expression, all its parts together."""
MOST_FACES = 1000
MOST_KEPT_FROM = 20
"""Dice of which some are kept, in one expression; they may have up to MOST_KEPT_FACES faces."""
MOST_KEPT_FACES = 100
MOST_NUMBER = 9999
MOST_TOTALS = 2000
"""Different totals of an expression, from the lowest to the highest."""


class BadExpression(Malformed):
    """Dice that cannot be read, or that are too many. `column` counts from 1."""

    def __init__(self, expression: str, column: int, text: str, /, **facts: object) -> None:
        super().__init__("expression", text, expression=_cut(expression), column=column, **facts)
        self.expression = expression
        self.column = column

    def as_data(self) -> dict[str, object]:
        return {**super().as_data(), "column": self.column}


def spelled(expression: str, con: str | None = None) -> str:
    """An expression as Winded writes it, read and measured but not rolled out. Raises BadExpression as `roll` does."""
    return _Reader(expression, con).measure().text


# Large pools hold a third of a MiB each.
@lru_cache(maxsize=256)
def roll(expression: str, con: str | None = None) -> Dice:
    """All totals of an expression and in how many ways each comes up; `con` is the CON Ability Die, such as "d8".

    Raises BadExpression, which names the column and what may stand there.
    """
    return _Reader(expression, con).read()


class _Part(NamedTuple):
    """A part that has been read and measured, and is rolled out only when all of it has."""

    text: str
    low: int
    high: int
    roll: Callable[[], Dice]


_TOKEN = re.compile(r"[0-9]+|kh|kl|con|max|min|[d+\-(),]")
_SAME = str.maketrans({"−": "-", "–": "-", "×": "x", "D": "d"})


class _Reader:
    """Reads an expression from left to right; measures every part before it rolls it out."""

    def __init__(self, expression: str, con: str | None) -> None:
        self.expression = expression
        self.con = con
        self.tokens: list[tuple[str, int]] = []
        self.at = 0
        self.dice = 0
        self.kept_from = 0
        if len(expression) > LONGEST:
            raise BadExpression(
                expression,
                LONGEST + 1,
                "“{expression}” is too long: an expression has at most {most} characters.",
                most=LONGEST,
            )
        self._split(expression.translate(_SAME).lower())

    def _split(self, text: str) -> None:
        column = 0
        while column < len(text):
            if text[column].isspace():
                column += 1
                continue
            found = _TOKEN.match(text, column)
            if found is None or not found.group().isascii():
                self.tokens.append((text[column], column + 1))
                column += 1
            else:
                self.tokens.append((found.group(), column + 1))
                column = found.end()
        self.tokens.append(("", len(text) + 1))

    @property
    def token(self) -> str:
        return self.tokens[self.at][0]

    @property
    def column(self) -> int:
        return self.tokens[self.at][1]

    def _take(self, *wanted: str) -> str | None:
        if self.token in wanted and self.token:
            self.at += 1
            return self.tokens[self.at - 1][0]
        return None

    def _number(self) -> int | None:
        digits = self.token
        if not digits.isdecimal() or not digits.isascii():
            return None
        if len(digits) > 6:
            raise self._large_number(self.column)
        self.at += 1
        return int(digits)

    def _lost(self, allowed: Sentence) -> BadExpression:
        if self.token:
            return BadExpression(
                self.expression,
                self.column,
                "“{expression}” cannot be read at column {column}, “{found}”: {allowed} may stand there.",
                found=self.token,
                allowed=allowed,
            )
        return BadExpression(
            self.expression,
            self.column,
            "“{expression}” ends too early, at column {column}: {allowed} may stand there.",
            allowed=allowed,
        )

    def _too_large(self, column: int, most: int, allowed: Sentence) -> BadExpression:
        return BadExpression(
            self.expression,
            column,
            "“{expression}” asks for too much at column {column}: {allowed}.",
            most=most,
            allowed=allowed,
        )

    def _large_number(self, column: int) -> BadExpression:
        return self._too_large(column, MOST_NUMBER, sentence("{number} is the largest number", number=MOST_NUMBER))

    def measure(self) -> _Part:
        whole = self._sum()
        if self.token:
            raise self._lost(sentence("+, - or the end"))
        return whole

    def read(self) -> Dice:
        whole = self.measure()
        dice = whole.roll()
        return Dice(whole.text, dice.low, dice.counts)

    def _sum(self) -> _Part:
        column = self.column
        whole = self._part(minus=self._take("-") is not None)
        while sign := self._take("+", "-"):
            part = self._part(minus=sign == "-")
            self._fits(column, whole.low + part.low, whole.high + part.high)
            whole = _added(whole, part, sign)
        return whole

    def _part(self, *, minus: bool) -> _Part:
        column = self.column
        number = self._number()
        if (what := self._take("d", "con")) is not None:
            part = self._dice(column, number, what)
        elif number is not None:
            if number > MOST_NUMBER:
                raise self._large_number(column)
            part = _number(number)
        elif (what := self._take("max", "min")) is not None:
            part = self._best(what)
        else:
            raise self._lost(sentence("a number, dice such as 2d6, con, max( or min("))
        return _negative(part) if minus else part

    def _dice(self, column: int, number: int | None, what: str) -> _Part:
        if what == "con":
            if self.con is None:
                raise BadExpression(
                    self.expression,
                    self.tokens[self.at - 1][1],
                    "“{expression}” rolls the CON Ability Die at column {column}, and nobody said which: name one, "
                    "such as d8.",
                )
            faces, written = die_faces(self.con), "con"
        else:
            faces_column = self.column
            said = self._number()
            if said is None:
                raise self._lost(sentence("the number of faces, such as 6 in 2d6,"))
            if not 1 <= said <= MOST_FACES:
                raise self._too_large(
                    faces_column, MOST_FACES, sentence("dice have 1 to {faces} faces", faces=MOST_FACES)
                )
            faces, written = said, f"d{said}"
        many = 1 if number is None else number
        self.dice += many
        if not 1 <= many <= MOST_DICE or self.dice > MOST_DICE:
            raise self._too_large(
                column, MOST_DICE, sentence("1 to {dice} dice are rolled in an expression", dice=MOST_DICE)
            )
        text = f"{'' if number is None else number}{written}"
        keep_column = self.column
        end = self._take("kh", "kl")
        if end is None:
            self._fits(column, many, many * faces)
            return _Part(text, many, many * faces, lambda: pool(many, faces))
        said = self._number()
        keep = 1 if said is None else said
        if not 1 <= keep <= many:
            raise self._too_large(keep_column, many, sentence("1 to {dice} of {dice} dice can be kept", dice=many))
        self.kept_from += many
        if self.kept_from > MOST_KEPT_FROM or faces > MOST_KEPT_FACES:
            raise self._too_large(
                column,
                MOST_KEPT_FROM,
                sentence(
                    "dice are kept from at most {dice} with at most {faces} faces",
                    dice=MOST_KEPT_FROM,
                    faces=MOST_KEPT_FACES,
                ),
            )
        self._fits(column, keep, keep * faces)
        return _Part(f"{text}{end}{keep}", keep, keep * faces, lambda: kept(many, faces, keep, end))

    def _best(self, what: str) -> _Part:
        column = self.column
        if not self._take("("):
            raise self._lost(sentence("( after {word}", word=what))
        choices = [self._sum()]
        while self._take(","):
            choices.append(self._sum())
        if not self._take(")"):
            raise self._lost(sentence("+, -, a comma or )"))
        best = max if what == "max" else min
        low, high = best(one.low for one in choices), best(one.high for one in choices)
        self._fits(column, low, high)
        text = f"{what}({','.join(one.text for one in choices)})"
        return _Part(text, low, high, lambda: best_of([one.roll() for one in choices], what))

    def _fits(self, column: int, low: int, high: int) -> None:
        if high - low >= MOST_TOTALS:
            raise self._too_large(
                column,
                MOST_TOTALS,
                sentence(
                    "it could come to {totals} different totals, and {most_totals} are the most",
                    totals=high - low + 1,
                    most_totals=MOST_TOTALS,
                ),
            )


def die_faces(die: str) -> int:
    """8 for "d8". Raises BadExpression for what is no die."""
    found = re.fullmatch(r"[dD]([1-9][0-9]{0,3})", die.strip()) if die.isascii() else None
    if found is None or not 1 <= int(found[1]) <= MOST_FACES:
        raise BadExpression(
            die, 1, "“{expression}” is no die: a d and the number of its faces may stand there, such as d8."
        )
    return int(found[1])


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _number(number: int) -> _Part:
    return _Part(str(number), number, number, lambda: Dice("", number, (1,)))


def _negative(part: _Part) -> _Part:
    def roll() -> Dice:
        dice = part.roll()
        return Dice("", -dice.high, dice.counts[::-1])

    return _Part(f"-{part.text}", -part.high, -part.low, roll)


def _added(one: _Part, other: _Part, sign: str) -> _Part:
    text = f"{one.text}{sign}{other.text.removeprefix('-')}"
    return _Part(text, one.low + other.low, one.high + other.high, lambda: added(one.roll(), other.roll()))
