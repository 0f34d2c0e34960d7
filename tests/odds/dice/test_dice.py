"""Dice expressions: exact counts against enumeration and two outside libraries, and errors that name the place."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import dyce
import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded.errors import Malformed
from winded.odds import BadExpression, roll
from winded.odds.dice import grammar


def counted(expression: str, con: str | None = None) -> dict[int, int]:
    rolled = roll(expression, con)
    return {rolled.low + at: count for at, count in enumerate(rolled.counts) if count}


def enumerated(*faces: int) -> Counter[int]:
    return Counter(sum(throw) for throw in product(*(range(1, one + 1) for one in faces)))


def test_a_sum_of_dice_counts_every_way_the_dice_can_fall() -> None:
    assert counted("1d20+1d8+2") == {total + 2: ways for total, ways in enumerated(20, 8).items()}
    assert counted("3d6-1d4") == Counter(
        sum(throw[:3]) - throw[3] for throw in product(*[range(1, 7)] * 3, range(1, 5))
    )


def test_con_stands_for_the_characters_own_ability_die() -> None:
    assert counted("1d20+con", "d8") == counted("1d20+1d8")
    assert counted("2conkh1", "d10") == counted("2d10kh1")


@pytest.mark.parametrize(
    ("expression", "keep"), [("4d6kh3", slice(1, 4)), ("4d6kl2", slice(0, 2)), ("3d8kh", slice(2, 3))]
)
def test_keeping_the_highest_or_lowest_dice_of_a_pool(expression: str, keep: slice) -> None:
    faces = int(expression[2])
    wanted = Counter(sum(sorted(throw)[keep]) for throw in product(range(1, faces + 1), repeat=int(expression[0])))
    assert counted(expression) == wanted


def test_max_and_min_take_the_best_and_the_worst_of_several_rolls() -> None:
    assert counted("max(1d6,2d4,3)") == Counter(
        max(a, b + c, 3) for a, b, c in product(range(1, 7), range(1, 5), range(1, 5))
    )
    assert counted("min(1d6, 1d4+1)-1") == Counter(min(a, b + 1) - 1 for a, b in product(range(1, 7), range(1, 5)))


@pytest.mark.parametrize(
    ("many", "faces", "keep"), [(4, 6, 3), (8, 12, 3), (10, 10, 5), (7, 4, 7), (12, 20, 1), (20, 20, 10)]
)
def test_pools_agree_with_icepool(many: int, faces: int, keep: int) -> None:
    assert counted(f"{many}d{faces}kh{keep}") == dict(icepool.d(faces).highest(many, keep).items())
    assert counted(f"{many}d{faces}kl{keep}") == dict(icepool.d(faces).lowest(many, keep).items())


def test_sums_and_pools_agree_with_dyce() -> None:
    sums = dyce.H(20) + dyce.H(20) + dyce.H(12) + 3
    assert counted("2d20+d12+3") == {int(total): int(ways) for total, ways in sums.items()}
    pool = (6 @ dyce.P(dyce.H(8))).at(-1, -2)
    mine, theirs = roll("6d8kh2"), {int(total): int(ways) for total, ways in pool.items()}
    scale = Fraction(mine.ways, sum(theirs.values()))
    assert counted("6d8kh2") == {total: ways * scale for total, ways in theirs.items()}


@given(
    parts=st.lists(st.tuples(st.integers(1, 3), st.integers(1, 12)), min_size=1, max_size=3),
    plus=st.integers(0, 20),
    target=st.integers(-5, 80),
)
def test_the_chances_of_all_totals_sum_to_exactly_one(parts: list[tuple[int, int]], plus: int, target: int) -> None:
    rolled = roll("+".join(f"{many}d{faces}" for many, faces in parts) + f"+{plus}")
    assert sum(Fraction(count, rolled.ways) for count in rolled.counts) == 1
    below = sum(count for at, count in enumerate(rolled.counts) if rolled.low + at < target)
    assert rolled.chance(target) + Fraction(below, rolled.ways) == 1


def test_spaces_and_capitals_do_not_matter_and_the_text_is_written_plainly() -> None:
    assert roll(" 1D20 + CON − 2 ", "d6").text == "1d20+con-2"
    assert roll("-1d4+3").text == "-1d4+3"
    assert counted("-1d4+3") == {-1: 1, 0: 1, 1: 1, 2: 1}


@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ("", 1, "“” ends too early, at column 1: a number, dice such as 2d6, con, max( or min( may stand there."),
        (
            "1d20+",
            6,
            "“1d20+” ends too early, at column 6: a number, dice such as 2d6, con, max( or min( may stand there.",
        ),
        ("1d20 x", 6, "“1d20 x” cannot be read at column 6, “x”: +, - or the end may stand there."),
        ("2d", 3, "“2d” ends too early, at column 3: the number of faces, such as 6 in 2d6, may stand there."),
        ("max(1d20", 9, "“max(1d20” ends too early, at column 9: +, -, a comma or ) may stand there."),
        ("2d6kh3", 4, "“2d6kh3” asks for too much at column 4: 1 to 2 of 2 dice can be kept."),
        ("9999d9999", 6, "“9999d9999” asks for too much at column 6: dice have 1 to 1000 faces."),
        ("9999d6", 1, "“9999d6” asks for too much at column 1: 1 to 100 dice are rolled in an expression."),
        ("0d6", 1, "“0d6” asks for too much at column 1: 1 to 100 dice are rolled in an expression."),
        ("1d0", 3, "“1d0” asks for too much at column 3: dice have 1 to 1000 faces."),
        ("1d6+123456789", 5, "“1d6+123456789” asks for too much at column 5: 9999 is the largest number."),
        (
            "1d6+21d6kh1",
            5,
            "“1d6+21d6kh1” asks for too much at column 5: dice are kept from at most 20 with at most 100 faces.",
        ),
        (
            "10d1000",
            1,
            "“10d1000” asks for too much at column 1: it could come to 9991 different totals, and 2000 are the most.",
        ),
        (
            "1d20+con",
            6,
            "“1d20+con” rolls the CON Ability Die at column 6, and nobody said which: name one, such as d8.",
        ),
    ],
)
def test_what_cannot_be_read_names_the_place_and_what_is_allowed(expression: str, column: int, message: str) -> None:
    with pytest.raises(BadExpression) as no:
        roll(expression)
    assert (no.value.column, str(no.value), no.value.field) == (column, message, "expression")
    assert isinstance(no.value, Malformed)


@pytest.mark.parametrize(
    "expression", ["٣d6", "1d6;", "1d6**2", "<b>", "d6" * 101, "1.5d6", "con con", "1d6!", "k\x00"]
)
def test_odd_text_is_refused_and_never_misread(expression: str) -> None:
    with pytest.raises(BadExpression):
        roll(expression, "d8")


@pytest.mark.parametrize(
    "expression",
    ["9999d9999", "99d1000", "20d100kh10+20d100kh10", "1d1000+1d1000+1d1000", "max(20d100kh10,1d1000)+20d50-1d2x"],
)
def test_absurd_sizes_are_refused_before_any_work(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def rolled(*_: object) -> None:
        pytest.fail("something was rolled out")

    for way in ("pool", "kept", "added", "best_of"):
        monkeypatch.setattr(grammar, way, rolled)
    with pytest.raises(BadExpression):
        roll(expression)


@given(st.text(alphabet="0123456789dconkhlmaxin+-(), ", max_size=40))
def test_any_text_is_either_rolled_or_refused(expression: str) -> None:
    try:
        rolled = roll(expression, "d12")
    except BadExpression:
        return
    assert len(rolled.counts) == rolled.high - rolled.low + 1
    assert roll(rolled.text, "d12").counts == rolled.counts


@pytest.mark.parametrize("die", ["8", "d", "dd8", "d0", "d99999", "d-8", ""])
def test_what_is_no_die_is_refused(die: str) -> None:
    with pytest.raises(BadExpression, match="is no die"):
        roll("con", die)
