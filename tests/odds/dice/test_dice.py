"""Dice expressions: exact counts against enumeration and two outside libraries, and errors that name the place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import dyce
import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded.errors import Malformed
from winded.odds import BadExpression, Dice, roll, spelled
from winded.odds.dice import grammar, work_of
from winded.odds.dice.counting import kept


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
        ("", 1, "“” ends too early, at column 1. Expected: a number, dice such as 2d6, con, (, max( or min(."),
        (
            "1d20+",
            6,
            "“1d20+” ends too early, at column 6. Expected: a number, dice such as 2d6, con, (, max( or min(.",
        ),
        ("1d20 x", 6, "“1d20 x” cannot be read at column 6, “x”. Expected: +, - or the end."),
        ("2d", 3, "“2d” ends too early, at column 3. Expected: the number of faces, such as 6 in 2d6, or %."),
        ("max(1d20", 9, "“max(1d20” ends too early, at column 9. Expected: +, -, a comma or )."),
        ("2d6kh3", 4, "“2d6kh3” asks for too much at column 4: 1 to 2 of 2 dice can be kept."),
        ("9999d9999", 6, "“9999d9999” asks for too much at column 6: dice have 1 to 1000 faces."),
        ("9999d6", 1, "“9999d6” asks for too much at column 1: an expression rolls 1 to 100 dice."),
        ("0d6", 1, "“0d6” asks for too much at column 1: an expression rolls 1 to 100 dice."),
        ("1d0", 3, "“1d0” asks for too much at column 3: dice have 1 to 1000 faces."),
        ("1d6+123456789", 5, "“1d6+123456789” asks for too much at column 5: 9999 is the largest number."),
        (
            "1d6+21d6kh1",
            5,
            "“1d6+21d6kh1” asks for too much at column 5: dice are kept from at most 20 that show at most 100 values.",
        ),
        (
            "10d1000",
            1,
            "“10d1000” asks for too much at column 1: it has 9991 different totals; 2000 is the most.",
        ),
        (
            "1d20+con",
            6,
            "“1d20+con” rolls the CON Ability Die at column 6: say which, such as d8.",
        ),
    ],
)
def test_what_cannot_be_read_names_the_place_and_what_is_allowed(expression: str, column: int, message: str) -> None:
    with pytest.raises(BadExpression) as no:
        roll(expression)
    assert (no.value.column, str(no.value), no.value.field) == (column, message, "expression")
    assert isinstance(no.value, Malformed)


@pytest.mark.parametrize(
    "expression",
    ["٣d6", "1d6;", "1d6**2", "<b>", "d6" * 101, "1.5d6", "con con", "1d6!!", "k\x00", "2d6>7", "d6!5"],
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


@given(st.text(alphabet="0123456789dconkhlmaxinr+-(),%!<>= ", max_size=40))
def test_any_text_is_either_rolled_or_refused(expression: str) -> None:
    try:
        rolled = roll(expression, "d12")
    except BadExpression:
        return
    assert len(rolled.counts) == rolled.high - rolled.low + 1
    again = roll(rolled.text, "d12")
    assert (again.text, again.low, again.counts) == (rolled.text, rolled.low, rolled.counts)


def outcomes(found: icepool.Die[int]) -> dict[int, Fraction]:
    """The chance of each total by icepool."""
    return {total: Fraction(ways, found.denominator()) for total, ways in found.items() if ways}


def chances(expression: str) -> dict[int, Fraction]:
    """The chance of each total by Winded."""
    rolled = roll(expression)
    return {total: Fraction(ways, rolled.ways) for total, ways in counted(expression).items()}


@pytest.mark.parametrize(
    ("expression", "theirs"),
    [
        ("d%", icepool.d(100)),
        ("2d%+5", 2 @ icepool.d(100) + 5),
        ("4d6dl1", icepool.d6.highest(4, 3)),
        ("4d6dl", icepool.d6.highest(4, 3)),
        ("5d8dh2", icepool.d8.lowest(5, 3)),
        ("4d6k3", icepool.d6.highest(4, 3)),
        ("1d20-(1d4+1)", icepool.d20 - (icepool.d4 + 1)),
        ("(2d6)-(-(1d4))", 2 @ icepool.d6 + icepool.d4),
        ("d6!", icepool.d6.explode(depth=10)),
        ("3d4!+1", 3 @ icepool.d4.explode(depth=10) + 1),
        ("3d6!kh2", icepool.d6.explode(depth=10).highest(3, 2)),
        ("d20ro1", icepool.d20.reroll([1], depth=1)),
        ("2d6ro<=2", 2 @ icepool.d6.reroll([1, 2], depth=1)),
        ("4d6ro1dl1", icepool.d6.reroll([1], depth=1).highest(4, 3)),
        ("6d10>=8", 6 @ (icepool.d10 >= 8)),
        ("5d6<=2", 5 @ (icepool.d6 <= 2)),
        ("5d6=6", 5 @ (icepool.d6 == 6)),
        ("4d6!>=5+1", 4 @ (icepool.d6.explode(depth=10) >= 5) + 1),
        ("max(1d20,2d10)-d4", icepool.highest(icepool.d20, 2 @ icepool.d10) - icepool.d4),
    ],
)
def test_dice_as_people_write_them_agree_with_icepool(expression: str, theirs: icepool.Die[int]) -> None:
    assert chances(expression) == {int(total): chance for total, chance in outcomes(theirs).items()}


@given(many=st.integers(1, 4), faces=st.integers(2, 8), drop=st.integers(1, 3), end=st.sampled_from(["dl", "dh"]))
def test_dropping_some_is_keeping_the_others(many: int, faces: int, drop: int, end: str) -> None:
    many += drop
    other = {"dl": "kh", "dh": "kl"}[end]
    assert counted(f"{many}d{faces}{end}{drop}") == counted(f"{many}d{faces}{other}{many - drop}")


def test_how_often_a_die_explodes_at_most_is_told_with_it() -> None:
    assert (roll("2d6!").explosions, roll("2d6!").high, roll("2d6").explosions) == (10, 132, 0)


def test_the_mean_and_the_deviation_are_exact() -> None:
    rolled = roll("2d6")
    assert (rolled.mean, rolled.variance) == (7, Fraction(35, 6))
    assert rolled.deviation == pytest.approx(float(icepool.d6.standard_deviation()) * 2**0.5)


@pytest.mark.parametrize(
    ("expression", "column", "what"),
    [
        ("d6!5", 4, "! is always the highest face"),
        ("2d6>7", 4, ">= or <="),
        ("d1!", 3, "would never stop exploding"),
        ("d6ro7", 5, "the die shows 1 to 6, not 7"),
        ("d6ro", 5, "the face that is rolled again"),
        ("4d6dl4", 4, "at least one of 4 dice must be left"),
        ("5d6>=", 6, "the face from which on a die is a success"),
        ("5d6>=7", 6, "the die shows 1 to 6, not 7"),
        ("(1d6", 5, "\\+, - or \\)"),
        ("(" * 21 + "1" + ")" * 21, 22, "at most 20 brackets"),
        ("4d6kh3>=5", 7, "\\+, - or the end"),
    ],
)
def test_what_cannot_be_rolled_names_the_place(expression: str, column: int, what: str) -> None:
    with pytest.raises(BadExpression, match=what) as no:
        roll(expression)
    assert no.value.column == column


def test_a_tables_checks_count_no_successes() -> None:
    assert spelled("1D20 + con", "d8", for_checks=True) == "1d20+con"
    with pytest.raises(BadExpression, match="a Check is a total against a target") as no:
        spelled("1+6d10>=8", "d8", for_checks=True)
    assert no.value.column == 7


class Counting:
    """Counts the digits that the real counting goes through, and no time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.units = 0
        for name in ("pool", "kept", "added", "best_of"):
            monkeypatch.setattr(grammar, name, self.through(getattr(grammar, name)))

    def through(self, way: Callable[..., Dice]) -> Callable[..., Dice]:
        def counting(*given: Any) -> Dice:
            found = way(*given)
            digits = len(found.counts) * found.ways.bit_length() / 30
            turns = len(given[1].counts) * given[0] ** 2 / 2 if way is kept and isinstance(given[1], Dice) else 1
            self.units += int(turns * digits) + len(found.counts)
            return found

        return counting


@pytest.mark.parametrize(
    "expression",
    [
        "20d100kh10",
        "100d20",
        "10d100kh5",
        "50d20+50d20",
        "max(20d20,20d20)",
        "d6!+d6!",
        "9d8!kh4",
        "100d20>=5",
        "1d20+1d8",
    ],
)
def test_work_is_counted_beforehand_and_never_too_low(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting(monkeypatch)
    beforehand = work_of(expression)
    assert counting.units == 0
    roll.__wrapped__(expression)
    assert 0 < counting.units <= beforehand


@pytest.mark.parametrize("die", ["8", "d", "dd8", "d0", "d99999", "d-8", ""])
def test_what_is_no_die_is_refused(die: str) -> None:
    with pytest.raises(BadExpression, match="is not a die"):
        roll("con", die)
