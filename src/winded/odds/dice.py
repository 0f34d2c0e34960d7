"""Dice expressions, such as `1d20+con` or `2d12kh1+2`, rolled out into exact whole-number counts.

    sum    = ["-"] part { ("+" | "-") part }
    part   = number | dice | best
    dice   = [number] ("d" number | "con") [("kh" | "kl") [number]]
    best   = ("max" | "min") "(" sum { "," sum } ")"

`con` is the character's own CON Ability Die; `2conkh1` rolls it twice and keeps the higher. How a Check is rolled is
not on the page: a table says it with such an expression. What is too large is refused before anything is rolled out.

Sums are products of whole numbers into which the counts are packed side by side, so that one multiplication of
Python's does the work of all of them; nothing beyond the standard library is loaded for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb
from typing import NamedTuple

from msgspec import Struct

from winded.errors import Malformed
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


class Dice(Struct, frozen=True, dict=True):
    """What a roll can come to: `counts[i]` of all `ways` come to the total `low + i`.

    `text` is the expression as Winded writes it, without spaces and in small letters.
    """

    text: str
    low: int
    counts: tuple[int, ...]

    @property
    def high(self) -> int:
        return self.low + len(self.counts) - 1

    @cached_property
    def at_least(self) -> tuple[int, ...]:
        """`at_least[i]` ways come to `low + i` or more; `at_least[0]` are all."""
        return tuple(accumulate(reversed(self.counts)))[::-1]

    @property
    def ways(self) -> int:
        """How many equally likely ways the dice can fall."""
        return self.at_least[0]

    def ways_to(self, target: int) -> int:
        """In how many of all `ways` the total is the target or more."""
        at = target - self.low
        if at <= 0:
            return self.at_least[0]
        return self.at_least[at] if at < len(self.counts) else 0

    def chance(self, target: int) -> Fraction:
        """The chance that the total is the target or more."""
        return Fraction(self.ways_to(target), self.ways)

    @property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum((self.low + at) * count for at, count in enumerate(self.counts)), self.ways)


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
            return _Part(text, many, many * faces, lambda: _alike(many, faces))
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
        return _Part(f"{text}{end}{keep}", keep, keep * faces, lambda: _kept(many, faces, keep, end))

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
        return _Part(text, low, high, lambda: _highest([one.roll() for one in choices], what))

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


def _pack(counts: tuple[int, ...], width: int) -> int:
    return int.from_bytes(b"".join(count.to_bytes(width, "little") for count in counts), "little")


def _unpack(packed: int, many: int, width: int) -> tuple[int, ...]:
    data = packed.to_bytes(many * width, "little")
    return tuple(int.from_bytes(data[at : at + width], "little") for at in range(0, many * width, width))


def _width(ways: int) -> int:
    return (ways.bit_length() + 7) // 8


def _number(number: int) -> _Part:
    return _Part(str(number), number, number, lambda: Dice("", number, (1,)))


def _negative(part: _Part) -> _Part:
    def roll() -> Dice:
        dice = part.roll()
        return Dice("", -dice.high, dice.counts[::-1])

    return _Part(f"-{part.text}", -part.high, -part.low, roll)


def _added(one: _Part, other: _Part, sign: str) -> _Part:
    text = f"{one.text}{sign}{other.text.removeprefix('-')}"
    return _Part(text, one.low + other.low, one.high + other.high, lambda: _plus(one.roll(), other.roll()))


def _plus(one: Dice, other: Dice) -> Dice:
    if len(other.counts) == 1 and other.counts[0] == 1:
        return Dice("", one.low + other.low, one.counts)
    width = _width(one.ways * other.ways)
    packed = _pack(one.counts, width) * _pack(other.counts, width)
    many = len(one.counts) + len(other.counts) - 1
    return Dice("", one.low + other.low, _unpack(packed, many, width))


def _alike(many: int, faces: int) -> Dice:
    if many == 1:
        return Dice("", 1, (1,) * faces)
    width = _width(faces**many)
    packed = _pack((1,) * faces, width) ** many
    return Dice("", many, _unpack(packed, many * (faces - 1) + 1, width))


def _kept(many: int, faces: int, keep: int, end: str) -> Dice:
    """The highest or lowest dice of a pool: face after face from the kept end, so many of the pool show it."""
    width = _width(faces**many)
    done = [0] * (many + 1)  # done[used]: packed counts of the kept total, when `used` dice show the faces so far
    done[0] = 1
    for face in range(faces, 0, -1) if end == "kh" else range(1, faces + 1):
        for used in range(many, -1, -1):
            if not done[used]:
                continue
            so_far, free = done[used], max(keep - used, 0)
            for more in range(1, many - used + 1):
                worth = face * min(more, free) * width * 8
                done[used + more] += (so_far * comb(many - used, more)) << worth
    counts = _unpack(done[many], keep * faces + 1, width)
    return Dice("", keep, counts[keep:])


def _highest(choices: list[Dice], what: str) -> Dice:
    """The highest (`max`) or lowest (`min`) of several rolls that do not touch each other."""
    if what == "min":
        turned = [Dice("", -one.high, one.counts[::-1]) for one in choices]
        mirror = _highest(turned, "max")
        return Dice("", -mirror.high, mirror.counts[::-1])
    low, high = max(one.low for one in choices), max(one.high for one in choices)
    below = [1] * (high - low + 1)
    for one in choices:
        for at in range(len(below)):
            below[at] *= one.ways - one.ways_to(low + at + 1)
    return Dice("", low, tuple(now - before for now, before in zip(below, [0, *below[:-1]], strict=True)))
