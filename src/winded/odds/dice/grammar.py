"""Dice expressions, such as `1d20+con` or `4d6dl1`, read from left to right and measured before anything is rolled out.

    sum    = ["-"] part { ("+" | "-") part }
    part   = number | dice | best | "(" sum ")"
    dice   = [number] ("d" number | "d%" | "con") [again] [keep | count]
    again  = "!" | "ro" ["<="] number
    keep   = ("kh" | "kl" | "k" | "dh" | "dl") [number]
    count  = (">=" | "<=" | "=") number
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
from winded.odds.dice.counting import (
    Dice,
    added,
    best_of,
    die,
    exploding,
    kept,
    negative,
    number,
    pool,
    rerolled,
    succeeding,
    work_of_added,
    work_of_best,
    work_of_kept,
    work_of_pool,
)
from winded.sentence import Sentence, sentence

LONGEST = 200
"""Characters in an expression."""
MOST_DICE = 100
"""Dice in one expression, all its parts together."""
MOST_FACES = 1000
MOST_KEPT_FROM = 20
"""Dice of which some are kept, in one expression; they may show up to MOST_KEPT_FACES values."""
MOST_KEPT_FACES = 100
MOST_NUMBER = 9999
MOST_TOTALS = 2000
"""Different totals of an expression, from the lowest to the highest."""
MOST_EXPLOSIONS = 10
"""Times that a die which explodes is rolled on at most."""
DEEPEST = 20
"""Brackets within each other."""


Fall = Callable[[int], int]
"""How one die of so many faces falls: from 1 to that number. Chance comes from outside."""


class BadExpression(Malformed):
    """Dice that cannot be read, or that are too many. `column` counts from 1."""

    def __init__(self, expression: str, column: int, text: str, /, **facts: object) -> None:
        super().__init__("expression", text, expression=_cut(expression), column=column, **facts)
        self.expression = expression
        self.column = column

    def as_data(self) -> dict[str, object]:
        return {**super().as_data(), "column": self.column}


def spelled(expression: str, con: str | None = None, *, for_checks: bool = False) -> str:
    """An expression as Winded writes it, read and measured but not rolled out. Raises BadExpression as `roll` does.

    `for_checks`: for the Checks of a table, which are a total against a target; successes are refused there.
    """
    reader = _Reader(expression, con)
    whole = reader.measure()
    if for_checks and reader.counted_at:
        raise BadExpression(
            expression,
            reader.counted_at,
            "“{expression}” counts successes at column {column}, but a Check is a total against a target.",
        )
    return whole.text


@lru_cache(maxsize=512)
def work_of(expression: str, con: str | None = None) -> int:
    """Units of work (a nanosecond or so each) that it takes to roll an expression out. Raises BadExpression."""
    return _Reader(expression, con).measure().work


def dice_for(expression: str, con: str | None) -> str:
    """An expression with the CON Ability Die named, as one would say it: "1d20+con" is "1d20+d8" for a d8.

    Raises BadExpression as `roll` does.
    """
    return spelled(expression, con).replace("con", con or "con")


def throw(expression: str, con: str | None, fall: Fall) -> int:
    """What an expression comes to once: `fall` says how each of its dice falls, in the order in which they are written.

    Nothing here is chance: `fall` brings that. Raises BadExpression as `roll` does.
    """
    return _Reader(expression, con).measure().throw(fall)


# Large pools hold a third of a MiB each.
@lru_cache(maxsize=256)
def roll(expression: str, con: str | None = None) -> Dice:
    """All totals of an expression and in how many ways each comes up; `con` is the CON Ability Die, such as "d8".

    Raises BadExpression, which names the column and what may stand there.
    """
    reader = _Reader(expression, con)
    whole = reader.measure()
    dice = whole.roll()
    return Dice(whole.text, dice.low, dice.counts, MOST_EXPLOSIONS if reader.explodes else 0, reader.counted_at > 0)


class _Part(NamedTuple):
    """A part that has been read and measured, and is rolled out only when all of it has.

    `bits` are those of the number of ways it can fall, `work` the units it takes to roll it out. `roll` gives all it
    can come to, `throw` what it comes to once.
    """

    text: str
    low: int
    high: int
    bits: int
    work: int
    roll: Callable[[], Dice]
    throw: Callable[[Fall], int]

    @property
    def totals(self) -> int:
        return self.high - self.low + 1


class _Die(NamedTuple):
    """One die of a kind: how it is written, the values it may show, how it is rolled out, and how thrown once."""

    text: str
    low: int
    high: int
    bits: int
    roll: Callable[[], Dice]
    throw: Callable[[Fall], int]

    @property
    def values(self) -> int:
        return self.high - self.low + 1


_TOKEN = re.compile(r"[0-9]+|kh|kl|dh|dl|con|max|min|ro|[<>]=|[dk+\-(),%!=<>]")
_SAME = str.maketrans({"−": "-", "–": "-", "≥": "\x01", "≤": "\x02"})


class _Reader:
    """Reads an expression from left to right; measures every part before it rolls it out."""

    def __init__(self, expression: str, con: str | None) -> None:
        self.expression = expression
        self.con = con
        self.tokens: list[tuple[str, int]] = []
        self.at = 0
        self.dice = 0
        self.kept_from = 0
        self.depth = 0
        self.explodes = False
        self.counted_at = 0
        """The column of what counts successes, 0 where nothing does."""
        if len(expression) > LONGEST:
            raise BadExpression(
                expression,
                LONGEST + 1,
                "“{expression}” is too long: an expression has at most {most} characters.",
                most=LONGEST,
            )
        self._split(expression.lower())

    def _split(self, text: str) -> None:
        plain = text.translate(_SAME)
        column = 0
        while column < len(text):
            if text[column].isspace():
                column += 1
                continue
            same = {"≥": ">=", "≤": "<="}.get(text[column])
            found = _TOKEN.match(plain, column)
            if same is not None:
                self.tokens.append((same, column + 1))
                column += 1
            elif found is None or not found.group().isascii():
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
                "“{expression}” cannot be read at column {column}, “{found}”. Expected: {allowed}.",
                found=self.token,
                allowed=allowed,
            )
        return BadExpression(
            self.expression,
            self.column,
            "“{expression}” ends too early, at column {column}. Expected: {allowed}.",
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

    def _impossible(self, column: int, why: Sentence) -> BadExpression:
        return BadExpression(
            self.expression, column, "“{expression}” makes no sense at column {column}: {why}.", why=why
        )

    def _large_number(self, column: int) -> BadExpression:
        return self._too_large(column, MOST_NUMBER, sentence("{number} is the largest number", number=MOST_NUMBER))

    def measure(self) -> _Part:
        """The whole expression, read to its end."""
        whole = self._sum()
        if self.token:
            raise self._lost(sentence("+, - or the end"))
        return whole

    def _sum(self) -> _Part:
        column = self.column
        whole = self._part(minus=self._take("-") is not None)
        while sign := self._take("+", "-"):
            part = self._part(minus=sign == "-")
            self._fits(column, whole.low + part.low, whole.high + part.high)
            whole = _sum_of(whole, part, sign)
        return whole

    def _part(self, *, minus: bool) -> _Part:
        column = self.column
        said = self._number()
        if (what := self._take("d", "con")) is not None:
            part = self._dice(column, said, what)
        elif said is not None:
            if said > MOST_NUMBER:
                raise self._large_number(column)
            part = _Part(str(said), said, said, 1, 0, lambda: number(said), lambda _: said)
        elif (what := self._take("max", "min")) is not None:
            part = self._best(what)
        elif self._take("("):
            part = self._inside()
        else:
            raise self._lost(sentence("a number, dice such as 2d6, con, (, max( or min("))
        return _minus(part) if minus else part

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._too_large(self.column, DEEPEST, sentence("at most {most} brackets can be nested", most=DEEPEST))

    def _inside(self) -> _Part:
        self._deeper()
        inside = self._sum()
        self.depth -= 1
        if not self._take(")"):
            raise self._lost(sentence("+, - or )"))
        return inside._replace(text=f"({inside.text})")

    def _dice(self, column: int, said: int | None, what: str) -> _Part:
        one = self._again(*self._faces(what))
        many = 1 if said is None else said
        self.dice += many
        if not 1 <= many <= MOST_DICE or self.dice > MOST_DICE:
            raise self._too_large(column, MOST_DICE, sentence("an expression rolls 1 to {dice} dice", dice=MOST_DICE))
        text = f"{'' if said is None else said}{one.text}"
        keep_column = self.column
        if (end := self._take("kh", "kl", "k", "dh", "dl")) is not None:
            return self._kept(column, keep_column, text, many, one, end)
        if (sign := self._take(">=", "<=", "=")) is not None:
            return self._counted(keep_column, text, many, one, sign)
        if self.token in (">", "<"):
            raise self._lost(sentence(">= or <= (> and < mean different things to different people)"))
        self._fits(column, many * one.low, many * one.high)
        work = work_of_pool(many, one.values, one.bits)
        return _Part(
            text, many * one.low, many * one.high, many * one.bits, work,
            lambda: pool(many, one.roll()), lambda fall: sum(_thrown(many, one, fall)),
        )  # fmt: skip

    def _faces(self, what: str) -> tuple[int, str]:
        """How many faces a die has, and how it is written."""
        if what == "con":
            if self.con is None:
                raise BadExpression(
                    self.expression,
                    self.tokens[self.at - 1][1],
                    "“{expression}” rolls the CON Ability Die at column {column}: say which, such as d8.",
                )
            return die_faces(self.con), "con"
        if self._take("%"):
            return 100, "d%"
        column = self.column
        said = self._number()
        if said is None:
            raise self._lost(sentence("the number of faces, such as 6 in 2d6, or %"))
        if not 1 <= said <= MOST_FACES:
            raise self._too_large(column, MOST_FACES, sentence("dice have 1 to {faces} faces", faces=MOST_FACES))
        return said, f"d{said}"

    def _again(self, faces: int, text: str) -> _Die:
        """The die, perhaps one that explodes or is rolled again."""
        column = self.column
        if self._take("!"):
            if faces == 1:
                raise self._impossible(column, sentence("a die with one face would never stop exploding"))
            if self.token.isdecimal():
                raise self._lost(sentence("kh, kl, dh, dl, >=, +, - or the end (! is always the highest face)"))
            self.explodes = True
            high = faces * (MOST_EXPLOSIONS + 1)
            bits = (MOST_EXPLOSIONS + 1) * faces.bit_length()
            return _Die(
                f"{text}!", 1, high, bits,
                lambda: exploding(faces, MOST_EXPLOSIONS), lambda fall: _exploded(faces, fall),
            )  # fmt: skip
        if self._take("ro"):
            upto = self._take("<=") is not None
            face_column = self.column
            face = self._number()
            if face is None:
                raise self._lost(sentence("the face that is rolled again, such as 1 in ro1, or <= and the highest"))
            if not 1 <= face <= faces:
                raise self._impossible(
                    face_column, sentence("the die shows 1 to {faces}, not {face}", faces=faces, face=face)
                )
            low = 1 if upto else face
            return _Die(
                f"{text}ro{'<=' if upto else ''}{face}", 1, faces, 2 * faces.bit_length(),
                lambda: rerolled(faces, low, face), lambda fall: _fallen_again(faces, low, face, fall),
            )  # fmt: skip
        return _Die(text, 1, faces, faces.bit_length(), lambda: die(faces), lambda fall: fall(faces))

    def _kept(self, column: int, keep_column: int, text: str, many: int, one: _Die, end: str) -> _Part:
        said = self._number()
        amount = 1 if said is None else said
        keep = many - amount if end in ("dh", "dl") else amount
        if not 1 <= keep <= many:
            allowed = (
                sentence("1 to {dice} of {dice} dice can be kept", dice=many)
                if end in ("kh", "kl", "k")
                else sentence("at least one of {dice} dice must be left", dice=many)
            )
            raise self._too_large(keep_column, many, allowed)
        self.kept_from += many
        if self.kept_from > MOST_KEPT_FROM or one.values > MOST_KEPT_FACES:
            raise self._too_large(
                column,
                MOST_KEPT_FROM,
                sentence(
                    "dice are kept from at most {dice} that show at most {faces} values",
                    dice=MOST_KEPT_FROM,
                    faces=MOST_KEPT_FACES,
                ),
            )
        low, high = keep * one.low, keep * one.high
        self._fits(column, low, high)
        highest = end in ("kh", "k", "dl")
        work = work_of_kept(many, one.values, keep, one.bits)
        return _Part(
            f"{text}{'kh' if end == 'k' else end}{amount}", low, high, many * one.bits, work,
            lambda: kept(many, one.roll(), keep, "h" if highest else "l"),
            lambda fall: sum(sorted(_thrown(many, one, fall), reverse=highest)[:keep]),
        )  # fmt: skip

    def _counted(self, column: int, text: str, many: int, one: _Die, sign: str) -> _Part:
        face_column = self.column
        face = self._number()
        if face is None:
            raise self._lost(sentence("the face from which on a die is a success, such as 8 in 6d10>=8"))
        if face > one.high:
            raise self._impossible(
                face_column, sentence("the die shows 1 to {faces}, not {face}", faces=one.high, face=face)
            )
        self.counted_at = self.counted_at or column
        low, high = (face if sign != "<=" else one.low), (face if sign != ">=" else one.high)
        work = work_of_pool(many, 2, one.bits)
        return _Part(
            f"{text}{sign}{face}", 0, many, many * one.bits, work,
            lambda: pool(many, succeeding(one.roll(), low, high)),
            lambda fall: sum(low <= value <= high for value in _thrown(many, one, fall)),
        )  # fmt: skip

    def _best(self, what: str) -> _Part:
        column = self.column
        if not self._take("("):
            raise self._lost(sentence("( after {word}", word=what))
        self._deeper()
        choices = [self._sum()]
        while self._take(","):
            choices.append(self._sum())
        self.depth -= 1
        if not self._take(")"):
            raise self._lost(sentence("+, -, a comma or )"))
        best = max if what == "max" else min
        low, high = best(one.low for one in choices), best(one.high for one in choices)
        self._fits(column, low, high)
        bits = sum(one.bits for one in choices)
        work = sum(one.work for one in choices) + work_of_best(high - low + 1, len(choices), bits)
        text = f"{what}({','.join(one.text for one in choices)})"
        return _Part(
            text, low, high, bits, work,
            lambda: best_of([one.roll() for one in choices], what),
            lambda fall: best([one.throw(fall) for one in choices]),
        )  # fmt: skip

    def _fits(self, column: int, low: int, high: int) -> None:
        if high - low >= MOST_TOTALS:
            raise self._too_large(
                column,
                MOST_TOTALS,
                sentence(
                    "it has {totals} different totals; {most_totals} is the most",
                    totals=high - low + 1,
                    most_totals=MOST_TOTALS,
                ),
            )


def die_faces(name: str) -> int:
    """8 for "d8". Raises BadExpression for what is no die."""
    found = re.fullmatch(r"[dD]([1-9][0-9]{0,3})", name.strip()) if name.isascii() else None
    if found is None or not 1 <= int(found[1]) <= MOST_FACES:
        raise BadExpression(name, 1, "“{expression}” is not a die. Write d and the number of its faces, such as d8.")
    return int(found[1])


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _minus(part: _Part) -> _Part:
    return _Part(
        f"-{part.text}",
        -part.high,
        -part.low,
        part.bits,
        part.work,
        lambda: negative(part.roll()),
        lambda fall: -part.throw(fall),
    )


def _sum_of(one: _Part, other: _Part, sign: str) -> _Part:
    bits = one.bits + other.bits
    work = one.work + other.work + work_of_added(one.totals, other.totals, bits)
    text = f"{one.text}{sign}{other.text.removeprefix('-')}"
    return _Part(
        text, one.low + other.low, one.high + other.high, bits, work,
        lambda: added(one.roll(), other.roll()), lambda fall: one.throw(fall) + other.throw(fall),
    )  # fmt: skip


def _thrown(many: int, one: _Die, fall: Fall) -> list[int]:
    """What each of so many dice of a kind comes to, once."""
    return [one.throw(fall) for _ in range(many)]


def _exploded(faces: int, fall: Fall) -> int:
    total = 0
    for _ in range(MOST_EXPLOSIONS + 1):
        face = fall(faces)
        total += face
        if face < faces:
            break
    return total


def _fallen_again(faces: int, low: int, high: int, fall: Fall) -> int:
    face = fall(faces)
    return fall(faces) if low <= face <= high else face
